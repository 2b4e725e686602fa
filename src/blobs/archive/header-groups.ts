/** Entries whose headers are made together. */
export const groupEntries = 64
/** Longer headers are made again for each reader. */
const keptBytesMax = 4 * 1024 * 1024

/** Writes what an archive says of an entry from `start` on; returns its end. */
export type HeaderWriter = (target: Buffer, start: number, index: number) => number

export interface HeaderGroupsSource {
  /** Number of entries. */
  readonly count: number
  /** Bytes of all headers. */
  readonly bytes: number
  readonly lengthOf: (index: number) => number
  readonly write: HeaderWriter
}

/**
 * The headers of an archive's entries, 64 at a time. Made when they are first read and then kept,
 * unless they are many: an archive of small files is a third headers by work, and is read again for
 * each range and each recipient.
 */
export class HeaderGroups {
  /** What it takes once all are made. */
  readonly memoryBytes: number
  readonly #source: HeaderGroupsSource
  readonly #kept: Buffer[] | null

  constructor(source: HeaderGroupsSource) {
    this.#source = source
    this.#kept = source.bytes <= keptBytesMax ? [] : null
    this.memoryBytes = this.#kept ? source.bytes : 0
  }

  /**
   * The headers of entries 64 × `group` to the next group. Others read them too: do not change
   * them.
   */
  get(group: number): Buffer {
    const known = this.#kept?.[group]
    if (known) return known
    const made = this.#make(group)
    if (this.#kept) this.#kept[group] = made
    return made
  }

  #make(group: number): Buffer {
    const { count, lengthOf, write } = this.#source
    const first = group * groupEntries
    const end = Math.min(first + groupEntries, count)
    let length = 0
    for (let index = first; index < end; index++) length += lengthOf(index)
    const bytes = Buffer.allocUnsafeSlow(length)
    let at = 0
    for (let index = first; index < end; index++) at = write(bytes, at, index)
    // A wrong length would shift every later byte, or send memory that was never written.
    if (at !== length) throw new Error('a header differs from its computed length')
    return bytes
  }
}
