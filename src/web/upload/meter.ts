const sampleMs = 1000
/** Time over which the speed is averaged. */
const smoothingMs = 10_000
/** Without a byte for this long the upload has stalled, and has no speed. */
const quietMs = 10_000
/** After a longer gap the machine was asleep; hidden pages run once a minute. */
const gapMsMax = 90_000
const settledMs = 3000
const settledShare = 0.01

/** Speed and time left, from first-time bytes: repeated ones do not count. */
export class Meter {
  #average = 0
  /** Grows to 1; compensates for an average that began at zero. */
  #weight = 0
  #sampledAt: number | null = null
  #unsampled = 0
  #activeMs = 0
  #movedAt = 0

  moved(bytes: number, now: number): void {
    this.#unsampled += bytes
    if (bytes > 0) this.#movedAt = now
  }

  /** Call about once a second while bytes should move. */
  tick(now: number): void {
    if (this.#sampledAt === null || now - this.#sampledAt > gapMsMax || now < this.#sampledAt) {
      this.#sampledAt = now
      this.#unsampled = 0
      return
    }
    const elapsedMs = now - this.#sampledAt
    if (elapsedMs < sampleMs) return
    const share = 1 - Math.exp(-elapsedMs / smoothingMs)
    this.#average += share * ((this.#unsampled * 1000) / elapsedMs - this.#average)
    this.#weight += share * (1 - this.#weight)
    this.#sampledAt = now
    this.#unsampled = 0
    this.#activeMs += elapsedMs
  }

  /** Call while no byte should move: pauses and waits are not slowness. */
  rest(): void {
    this.#sampledAt = null
  }

  /** Bytes per second; null while unknown or stalled. */
  speed(now: number): number | null {
    const isQuiet = this.#sampledAt === null || now - this.#movedAt > quietMs
    if (isQuiet || this.#weight === 0 || this.#average <= 0) return null
    return this.#average / this.#weight
  }

  /** Seconds for the rest; null until the estimate is reliable. */
  secondsLeft(bytesDone: number, bytes: number, now: number): number | null {
    const speed = this.speed(now)
    if (speed === null || this.#activeMs < settledMs || bytesDone < bytes * settledShare)
      return null
    return (bytes - bytesDone) / speed
  }
}

/** Whole percent; 99 until the service has confirmed everything. */
export function percentOf(bytesDone: number, bytes: number, isDone: boolean): number {
  if (isDone) return 100
  return bytes === 0 ? 0 : Math.min(99, Math.floor((bytesDone / bytes) * 100))
}
