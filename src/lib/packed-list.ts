import { deflateRawSync, inflateRawSync } from 'node:zlib'

const pageItems = 500
/** Lists of files repeat themselves: this finds most of it in less than a millisecond a page. */
const level = 1

/**
 * Items of JSON that keep coming, held packed outside of the heap: a list of hundreds of thousands
 * takes a few megabytes. Reading makes the items of one page at a time.
 */
export class PackedList<Item> {
  readonly #pages: Buffer[] = []
  #open: Item[] = []
  #length = 0

  get length(): number {
    return this.#length
  }

  push(item: Item): void {
    this.#open.push(item)
    this.#length += 1
    if (this.#open.length < pageItems) return
    this.#pages.push(pack(this.#open))
    this.#open = []
  }

  /** In order, up to 500 items a page. Yield to other requests between two. */
  *pages(): Generator<readonly Item[], void, undefined> {
    for (const page of this.#pages) yield unpack(page) as Item[]
    if (this.#open.length > 0) yield this.#open
  }
}

/** A copy of just the bytes: what zlib returns is part of a larger piece of memory. */
function pack(items: readonly unknown[]): Buffer {
  const packed = deflateRawSync(JSON.stringify(items), { level })
  const exact = Buffer.allocUnsafeSlow(packed.length)
  packed.copy(exact)
  return exact
}

function unpack(page: Buffer): unknown {
  return JSON.parse(inflateRawSync(page).toString('utf8'))
}
