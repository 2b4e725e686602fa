import { systemClock } from '../lib/clock.ts'
import { formatBytes } from '../lib/sizes.ts'
import { printable } from './table.ts'
import type { Damage } from '../backup/byte-check.ts'

const everyMs = 1_000
const clearLine = '\r\u001b[K'

/** Lines on standard error, and at a terminal the progress below them. */
export class ByteProgress {
  /** At a terminal. */
  readonly isShown: boolean
  readonly isSilent: boolean
  readonly #verb: string
  readonly #beganMs = systemClock.monotonic()
  /** Bytes before the first look: of an earlier run that is resumed. */
  #firstBytes: number | null = null
  #shownAtMs = -Infinity

  /** @param verb for example `copied` @param isSilent because the output is one document */
  constructor(verb: string, isSilent: boolean) {
    this.#verb = verb
    this.isSilent = isSilent
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

const listedMax = 1000

/** One damaged file or chunk, with the names of the JSON output. */
interface ListedDamage {
  readonly owner: string
  readonly name: string
  readonly segment: string
}

/** Files whose bytes differ from their checksums: a line each, once. */
export class Damages {
  readonly #progress: ByteProgress
  readonly #listed = new Map<string, ListedDamage>()
  #count = 0

  constructor(progress: ByteProgress) {
    this.#progress = progress
  }

  /** The number of damaged places, of which a file may have several. */
  get count(): number {
    return this.#count
  }

  /** The first ones. */
  get listed(): readonly ListedDamage[] {
    return [...this.#listed.values()]
  }

  readonly add = ({ segment, place: { owner, name } }: Damage): void => {
    this.#count += 1
    const key = JSON.stringify([owner, name])
    if (this.#listed.has(key) || this.#listed.size >= listedMax) return
    const { containerId, segmentId } = segment
    this.#listed.set(key, { owner, name, segment: `${containerId}/${segmentId}` })
    const line = `damaged  ${owner}  file “${name}”  segment ${containerId}/${segmentId}`
    if (!this.#progress.isSilent) this.#progress.say(line)
  }
}
