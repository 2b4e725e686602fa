import type { ZipLayout } from './layout.ts'
import {
  localHeaderLengthMax,
  makeCentralHeader,
  makeDescriptor,
  makeEndRecords,
  writeLocalHeader,
  type ZipFields,
} from './records.ts'

const piecesBytes = 64 * 1024
/** Stands for a missing size of a stored entry. */
const none = -1

/** How an entry's content is stored in the archive; sizes are bytes. */
export type Packing =
  | { readonly kind: 'stored' }
  | { readonly kind: 'deflated'; readonly size: number }
  /** Deflated while it is sent: its size follows the content. */
  | { readonly kind: 'streamed' }

/** Memory for an archive of this many entries. */
export function directoryMemoryBytes(entryCount: number): number {
  return 17 * entryCount
}

/**
 * The headers of an archive that is deflated while it is sent, so that the places of its entries
 * are known only then. Entries come in the order of the layout, which knows their names; 17 bytes
 * each are kept.
 */
export class CompressedDirectory {
  readonly #layout: ZipLayout
  readonly #offsets: Float64Array
  readonly #packedSizes: Float64Array
  readonly #describedBehind: Uint8Array
  #count = 0

  constructor(layout: ZipLayout) {
    this.#layout = layout
    this.#offsets = new Float64Array(layout.count)
    this.#packedSizes = new Float64Array(layout.count).fill(none)
    this.#describedBehind = new Uint8Array(layout.count)
  }

  /** Maximum length of an entry's local header. */
  headerBytesMax(entry: number): number {
    return localHeaderLengthMax(this.#layout.entryFields(entry))
  }

  /** The local header of the next entry, which starts at this offset of the archive. */
  begin(offset: number, packing: Packing): Buffer {
    const entry = this.#count++
    this.#offsets[entry] = offset
    if (packing.kind !== 'stored') this.#packedSizes[entry] = 0
    if (packing.kind === 'deflated') this.#packedSizes[entry] = packing.size
    if (packing.kind === 'streamed') this.#describedBehind[entry] = 1
    const fields = this.#fieldsOf(entry)
    const header = Buffer.alloc(localHeaderLengthMax(fields))
    return header.subarray(0, writeLocalHeader(header, 0, fields))
  }

  /**
   * The descriptor after the content of the last entry, which was streamed and took `size` bytes.
   */
  describe(size: number): Buffer {
    this.#packedSizes[this.#count - 1] = size
    return makeDescriptor(this.#fieldsOf(this.#count - 1))
  }

  /** Everything after the last entry, which ends at this offset, in pieces of about 64 KiB. */
  *end(directoryOffset: number): Generator<Buffer, void, undefined> {
    let directorySize = 0
    let headers: Buffer[] = []
    let length = 0
    for (let entry = 0; entry < this.#count; entry++) {
      const header = makeCentralHeader(this.#fieldsOf(entry))
      headers.push(header)
      length += header.length
      directorySize += header.length
      if (length < piecesBytes) continue
      yield Buffer.concat(headers, length)
      headers = []
      length = 0
    }
    const records = makeEndRecords({ count: this.#count, directoryOffset, directorySize })
    yield Buffer.concat([...headers, records])
  }

  #fieldsOf(entry: number): ZipFields {
    const fields = { ...this.#layout.entryFields(entry), offset: this.#offsets[entry]! }
    const size = this.#packedSizes[entry]!
    if (size === none) return fields
    return { ...fields, deflated: { size, isDescribedBehind: this.#describedBehind[entry] === 1 } }
  }
}
