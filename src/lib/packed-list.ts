import { deflateRawSync, inflateRawSync } from 'node:zlib'

const pageItems = 500
/** Enough for repetitive lists of files, in less than a millisecond per page. */
const level = 1

/**
 * A growing list of JSON items, compressed outside of the heap: hundreds of thousands take a few
 * megabytes. Reading creates the items of one page at a time.
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

  /** In order, up to 500 items per page. Yield to other requests between pages. */
  *pages(): Generator<readonly Item[], void, undefined> {
    for (const page of this.#pages) yield unpack(page) as Item[]
    if (this.#open.length > 0) yield this.#open
  }
}

/** A copy of just the bytes, because zlib returns a slice of a larger buffer. */
function pack(items: readonly unknown[]): Buffer {
  const packed = deflateRawSync(JSON.stringify(items), { level })
  const exact = Buffer.allocUnsafeSlow(packed.length)
  packed.copy(exact)
  return exact
}

function unpack(page: Buffer): unknown {
  return JSON.parse(inflateRawSync(page).toString('utf8'))
}
