/** Entries whose headers are made together. */
export const groupEntries = 64
/** Headers of all archives together: those of the least recently read one go first. */
const keptBytesMax = 8 * 1024 * 1024
/** Longer lists are made again for each reader. */
const listBytesMax = 4 * 1024 * 1024

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
 * The headers of an archive's entries, 64 at a time. Made when they are first read and then kept
 * for a while, unless they are many: an archive of small files is a third headers by work, and is
 * read again for each range and each recipient.
 */
export class HeaderGroups {
  readonly #source: HeaderGroupsSource
  readonly #kept: KeptHeaders | null
  readonly #groups: Buffer[] = []

  /** @param kept that it shares with other archives */
  constructor(source: HeaderGroupsSource, kept = keptHeaders) {
    this.#source = source
    this.#kept = source.bytes <= listBytesMax ? kept : null
  }

  /**
   * The headers of entries 64 × `group` to the next group. Others read them too: do not change
   * them.
   */
  get(group: number): Buffer {
    const known = this.#groups[group]
    const bytes = known ?? this.#make(group)
    if (!known && this.#kept) this.#groups[group] = bytes
    this.#kept?.read(this.#groups, known ? 0 : bytes.length)
    return bytes
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

/**
 * Bounds the headers that are kept: a layout lives as long as its slowest reader, and readers can
 * ask for any number of layouts. Holds lists of groups alone, so that no layout lives longer.
 */
export class KeptHeaders {
  readonly #bytesMax: number
  /** Bytes of each list, the least recently read one first. */
  readonly #bytesOf = new Map<Buffer[], number>()
  #newest: Buffer[] | null = null
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get bytes(): number {
    return this.#bytes
  }

  /**
   * @param groups emptied when others need the room
   * @param addedBytes that were made for this reading
   */
  read(groups: Buffer[], addedBytes: number): void {
    if (groups !== this.#newest || addedBytes > 0) {
      const bytes = (this.#bytesOf.get(groups) ?? 0) + addedBytes
      this.#bytesOf.delete(groups)
      this.#bytesOf.set(groups, bytes)
      this.#newest = groups
    }
    this.#bytes += addedBytes
    for (const [oldest, bytes] of this.#bytesOf) {
      if (this.#bytes <= this.#bytesMax) return
      this.#bytesOf.delete(oldest)
      this.#bytes -= bytes
      oldest.length = 0
    }
  }
}

const keptHeaders = new KeptHeaders(keptBytesMax)
