/** The content of holes, piece by piece. */
const zeros: Buffer = Buffer.alloc(64 * 1024)

/** Where the reader is in the content of a file: in a hole, or in bytes of the archive. */
export class Runs {
  /** Zeros that come before the content. */
  holeBytes = 0
  contentBytes = 0
  /** Further holes and contents in turn, the next ones last. */
  #next: number[] = []

  /** @param runs bytes of holes and contents in turn */
  begin(runs: readonly number[]): void {
    this.#next = runs.toReversed()
    this.#goOn()
  }

  /** Whether nothing is left. */
  get isOver(): boolean {
    return this.holeBytes + this.contentBytes === 0
  }

  takeHole(): Buffer {
    const count = Math.min(this.holeBytes, zeros.length)
    this.holeBytes -= count
    this.#goOn()
    return zeros.subarray(0, count)
  }

  takeContent(bytes: number): void {
    this.contentBytes -= bytes
    this.#goOn()
  }

  #goOn(): void {
    while (this.isOver && this.#next.length > 0) {
      this.holeBytes = this.#next.pop()!
      this.contentBytes = this.#next.pop()!
    }
  }
}
