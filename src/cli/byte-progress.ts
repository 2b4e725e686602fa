import { systemClock } from '../lib/clock.ts'
import { formatBytes } from '../lib/sizes.ts'
import { printable } from './table.ts'

const everyMs = 1_000
const clearLine = '\r\u001b[K'

/** Lines on standard error, and at a terminal the progress below them. */
export class ByteProgress {
  readonly #isShown: boolean
  readonly #verb: string
  readonly #beganMs = systemClock.monotonic()
  #shownAtMs = -Infinity

  /** @param verb for example `copied` @param isSilent shows lines alone */
  constructor(verb: string, isSilent: boolean) {
    this.#verb = verb
    this.#isShown = process.stderr.isTTY === true && !isSilent
  }

  /** @param total null while it is unknown */
  show(bytes: number, total: number | null): void {
    const now = systemClock.monotonic()
    if (!this.#isShown || now - this.#shownAtMs < everyMs) return
    this.#shownAtMs = now
    const speed = formatBytes((bytes / Math.max(1, now - this.#beganMs)) * 1000)
    const of = total === null ? '' : ` of ${formatBytes(total)}`
    process.stderr.write(`${clearLine}${this.#verb} ${formatBytes(bytes)}${of}, ${speed}/s`)
  }

  say(line: string): void {
    this.clear()
    process.stderr.write(`${printable(line)}\n`)
  }

  clear(): void {
    if (this.#isShown) process.stderr.write(clearLine)
  }
}
