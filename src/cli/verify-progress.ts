import { systemClock } from '../lib/clock.ts'
import { formatBytes } from '../lib/sizes.ts'
import type { Verify } from '../bytes/upkeep/verify/verify.ts'

const everyMs = 2_000
const clearLine = '\r\u001b[K'

/** Shows the progress of a verification below its lines, at a terminal. */
export class Progress {
  readonly #verify: Verify
  readonly #isSilent: boolean
  readonly #timer: NodeJS.Timeout | null
  readonly #beganMs = systemClock.monotonic()
  #firstBytes: number | null = null
  #isShown = false
  #isStopped = false

  /** @param isSilent prints neither lines nor progress, because the output is one document */
  constructor(verify: Verify, isSilent: boolean) {
    this.#verify = verify
    this.#isSilent = isSilent
    const isSeen = process.stderr.isTTY && !isSilent
    this.#timer = isSeen ? setInterval(() => void this.#show().catch(() => {}), everyMs) : null
  }

  /** @param line printable: see table.ts */
  say(line: string): void {
    if (this.#isSilent) return
    this.#clear()
    process.stdout.write(`${line}\n`)
  }

  stop(): void {
    this.#isStopped = true
    if (this.#timer) clearInterval(this.#timer)
    this.#clear()
  }

  async #show(): Promise<void> {
    const { current } = await this.#verify.report()
    if (!current || this.#isStopped) return
    const { bytesChecked: checked, bytesTotal: total } = current
    this.#firstBytes ??= checked
    const bytesPerMs = (checked - this.#firstBytes) / (systemClock.monotonic() - this.#beganMs)
    const left = Math.max(0, total - checked)
    const minutes = Math.ceil(left / bytesPerMs / 60_000)
    const rest = Number.isFinite(minutes) ? `, about ${minutes} min left` : ''
    this.#isShown = true
    const text = `checked ${formatBytes(checked)} of ${formatBytes(total)}${rest}`
    process.stderr.write(`${clearLine}${text}`)
  }

  #clear(): void {
    if (this.#isShown) process.stderr.write(clearLine)
    this.#isShown = false
  }
}
