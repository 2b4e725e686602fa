import { crc32 } from '../lib/crc32.ts'
import type { ListedSegment, Place, SegmentList } from './segment-list.ts'

interface Open {
  readonly place: Place
  crc: number
}

export interface Damage {
  readonly segment: ListedSegment
  readonly place: Place
}

/**
 * Checks the bytes of segments while they are copied, against the checksums in the list of
 * segments. Bytes that no place names are not checked: nothing refers to them.
 */
export class ByteCheck {
  readonly #list: SegmentList
  readonly #onDamage: (damage: Damage) => void
  /** Places that the bytes taken so far have reached, but not passed. */
  #open: Open[] = []
  #segment: ListedSegment | null = null
  #position = 0

  constructor(list: SegmentList, onDamage: (damage: Damage) => void) {
    this.#list = list
    this.#onDamage = onDamage
  }

  /**
   * Call for the segment that the list is at.
   * @param from places that begin earlier are left out
   */
  async begin(segment: ListedSegment, from: number): Promise<void> {
    this.#segment = segment
    this.#position = from
    this.#open = []
    for await (const _ of this.#list.placesBefore(from));
  }

  async take(data: Buffer): Promise<void> {
    const start = this.#position
    const end = start + data.length
    for await (const place of this.#list.placesBefore(end)) this.#open.push({ place, crc: 0 })
    this.#open = this.#open.filter((open) => {
      const { offset, length, crc } = open.place
      const placeEnd = offset + length
      const part = data.subarray(Math.max(0, offset - start), Math.min(end, placeEnd) - start)
      open.crc = crc32(part, open.crc)
      if (placeEnd > end) return true
      if (open.crc !== crc) this.#onDamage({ segment: this.#segment!, place: open.place })
      return false
    })
    this.#position = end
  }

  /** The segment has no more bytes: places without theirs are damaged. */
  async end(): Promise<void> {
    const segment = this.#segment!
    for (const { place } of this.#open) this.#onDamage({ segment, place })
    this.#open = []
    for await (const place of this.#list.placesBefore(Infinity)) this.#onDamage({ segment, place })
  }
}
