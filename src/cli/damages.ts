import type { Damage } from '../backup/byte-check.ts'
import type { ByteProgress } from './byte-progress.ts'

const listedMax = 1000

/** One damaged file or chunk, with the names of the JSON output. */
export interface ListedDamage {
  readonly owner: string
  readonly name: string
  readonly segment: string
}

/** Files whose bytes differ from their checksums: a line each, once. */
export class Damages {
  readonly #progress: ByteProgress
  readonly #isSilent: boolean
  readonly #listed = new Map<string, ListedDamage>()
  #count = 0

  /** @param isSilent because the output is one document */
  constructor(progress: ByteProgress, isSilent: boolean) {
    this.#progress = progress
    this.#isSilent = isSilent
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
    if (!this.#isSilent) this.#progress.say(line)
  }
}
