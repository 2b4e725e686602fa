/** Larger pieces are kept as they are; smaller ones are copied together. */
const keptBytesMin = 16 * 1024
const slabBytesMin = 4 * 1024
const slabBytesMax = 32 * 1024

/**
 * Bytes from pieces of any size, held in few buffers: an object for each piece would take two
 * hundred bytes even for a piece of one.
 */
export class GatheredBytes {
  #buffers: Buffer[] = []
  #slab: Buffer | null = null
  /** Start of the slab's bytes that are not among the buffers yet. */
  #from = 0
  #to = 0
  #length = 0
  #memoryBytes = 0

  get length(): number {
    return this.#length
  }

  /** Memory that the bytes take, which is somewhat more than their number. */
  get memoryBytes(): number {
    return this.#memoryBytes
  }

  /** A large piece must stay unchanged from now on. */
  add(piece: Buffer): void {
    this.#length += piece.length
    if (piece.length >= keptBytesMin) this.#keep(piece)
    else this.#copy(piece)
  }

  /** Removes and returns all bytes so far, in order. */
  take(): Buffer[] {
    this.#closeRun()
    const buffers = this.#buffers
    this.#buffers = []
    this.#slab = null
    this.#length = 0
    this.#memoryBytes = 0
    return buffers
  }

  #keep(piece: Buffer): void {
    this.#closeRun()
    this.#buffers.push(piece)
    this.#memoryBytes += piece.buffer.byteLength
  }

  #copy(piece: Buffer): void {
    for (let done = 0; done < piece.length;) {
      if (!this.#slab || this.#to === this.#slab.length) this.#addSlab(piece.length - done)
      const count = piece.copy(this.#slab!, this.#to, done)
      this.#to += count
      done += count
    }
  }

  /** Slabs grow with the total, so that little of them stays unused. */
  #addSlab(bytesMin: number): void {
    this.#closeRun()
    const wanted = Math.max(slabBytesMin, bytesMin, Math.floor(this.#memoryBytes / 2))
    this.#slab = Buffer.allocUnsafeSlow(Math.min(wanted, slabBytesMax))
    this.#memoryBytes += this.#slab.length
    this.#from = 0
    this.#to = 0
  }

  #closeRun(): void {
    if (this.#slab && this.#to > this.#from) {
      this.#buffers.push(this.#slab.subarray(this.#from, this.#to))
    }
    this.#from = this.#to
  }
}
