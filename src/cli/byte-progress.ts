import { systemClock } from '../lib/clock.ts'
import { formatBytes } from '../lib/sizes.ts'
import { printable } from './table.ts'

const everyMs = 1_000
const clearLine = '\r\u001b[K'

/** Lines on standard error, and at a terminal the progress below them. */
export class ByteProgress {
  /** At a terminal. */
  readonly isShown: boolean
  readonly #verb: string
  readonly #beganMs = systemClock.monotonic()
  /** Bytes before the first look: of an earlier run that is resumed. */
  #firstBytes: number | null = null
  #shownAtMs = -Infinity

  /** @param verb for example `copied` @param isSilent shows lines alone */
  constructor(verb: string, isSilent: boolean) {
    this.#verb = verb
    this.isShown = process.stderr.isTTY === true && !isSilent
  }

  /** @param total null while it is unknown */
  show(bytes: number, total: number | null): void {
    const now = systemClock.monotonic()
    if (!this.isShown || now - this.#shownAtMs < everyMs) return
    this.#shownAtMs = now
    this.#firstBytes ??= bytes
    const bytesPerMs = (bytes - this.#firstBytes) / Math.max(1, now - this.#beganMs)
    const of = total === null ? '' : ` of ${formatBytes(total)}`
    const minutes = Math.ceil(Math.max(0, (total ?? Infinity) - bytes) / bytesPerMs / 60_000)
    const rest = Number.isFinite(minutes) ? `, about ${minutes} min left` : ''
    const speed = `${formatBytes(bytesPerMs * 1000)}/s`
    process.stderr.write(`${clearLine}${this.#verb} ${formatBytes(bytes)}${of}, ${speed}${rest}`)
  }

  say(line: string): void {
    this.clear()
    process.stderr.write(`${printable(line)}\n`)
  }

  clear(): void {
    if (this.isShown) process.stderr.write(clearLine)
  }
}
