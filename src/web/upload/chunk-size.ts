const mebibyte = 1024 * 1024
const steps = [1, 2, 4, 8, 16, 32].map((size) => size * mebibyte)
const usualBytes = 8 * mebibyte
/** Smaller chunks are never tried. */
const floorBytes = mebibyte / 2
/** A chunk should take 2 to 6 seconds: little to send again, few round trips. */
const chunkSecondsMax = 6
/** The service numbers chunks up to 99,999. */
const chunksMax = 100_000

/** Chooses the chunk size of each file, and learns which sizes pass on this site. */
export class ChunkSizes {
  #max: number

  /** @param max limit of the service in bytes */
  constructor(max: number) {
    this.#max = wholeKib(max)
  }

  get max(): number {
    return this.#max
  }

  limit(bytes: number): void {
    this.#max = Math.max(1024, Math.min(this.#max, wholeKib(bytes)))
  }

  /** @param speed bytes per second of one of the parallel requests; null while unknown */
  choose(fileBytes: number, speed: number | null): number {
    const fitting = steps.filter((step) => speed !== null && step <= speed * chunkSecondsMax)
    const wanted = speed === null ? usualBytes : (fitting.at(-1) ?? steps[0]!)
    const least = wholeKib(Math.ceil(fileBytes / chunksMax) + 1023)
    return Math.max(least, Math.min(wanted, this.#max))
  }

  /**
   * Call when a chunk was refused for its size.
   * @param limit the named limit, if any
   * @param fileBytes its file, which may have too many chunks of a smaller size
   * @returns false when the size cannot be reduced further
   */
  shrink(chunkBytes: number, limit: number | null, fileBytes = 0): boolean {
    const isNamed = limit !== null && limit >= 1024 && limit < chunkBytes
    if (!isNamed && chunkBytes <= floorBytes) return false
    const half = [floorBytes, ...steps].findLast((step) => step <= chunkBytes / 2)
    this.limit(isNamed ? limit : (half ?? floorBytes))
    return this.choose(fileBytes, null) < chunkBytes
  }
}

function wholeKib(bytes: number): number {
  return bytes - (bytes % 1024)
}
