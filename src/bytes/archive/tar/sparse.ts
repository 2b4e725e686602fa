import { blockBytes, readNumberAt, readSizeAt } from './header.ts'
import { TarProblem } from './problem.ts'

// Files with holes, of which an archive holds only the data: in the old form of GNU (its manual,
// "Storing Sparse Files"), and in the forms 0.0, 0.1 and 1.0 of extended headers, the last of which
// bsdtar writes by default.

const entriesMax = 100_000
const entryBytes = 24
/** Old form: entries in the header, then in blocks of their own. */
const headerEntries = { at: 386, count: 4, moreAt: 482, sizeAt: 483 }
const blockEntries = { at: 0, count: 21, moreAt: 504 }

/** What extended headers say about a sparse file. */
export interface SparseRecords {
  /** Form 1.0: the map is in front of the data. */
  isMapInData: boolean
  /** Size of the file with its holes. */
  size: number | null
  /** Offset and length of each run of data, one after the other. */
  readonly numbers: number[]
  /** The first record that is unknown or no number. A file that is left out is skipped anyway. */
  problem?: TarProblem
}

export function addSparseRecord(records: SparseRecords, name: string, value: Buffer): void {
  try {
    readRecord(records, name, value)
  } catch (error) {
    records.problem ??= error as TarProblem
  }
}

/** @throws TarProblem */
function readRecord(records: SparseRecords, name: string, value: Buffer): void {
  const text = value.toString('latin1')
  if (name === 'major') {
    if (text !== '0' && text !== '1') throw new TarProblem('its form of sparse files is unknown.')
    records.isMapInData = text === '1'
  } else if (name === 'size' || name === 'realsize') records.size = numberOf(text)
  else if (name === 'offset' || name === 'numbytes') addNumber(records.numbers, numberOf(text))
  else if (name === 'map') {
    for (const part of text === '' ? [] : text.split(',')) {
      addNumber(records.numbers, numberOf(part))
    }
  }
}

function addNumber(numbers: number[], value: number): void {
  if (numbers.length >= 2 * entriesMax) throw new TarProblem('it has too many holes.')
  numbers.push(value)
}

function numberOf(text: string): number {
  const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : NaN
  if (!Number.isSafeInteger(value)) throw malformedMap()
  return value
}

/** Gathers the map of a file whose header has the old form. */
class OldSparseMap {
  readonly size: number
  readonly numbers: number[] = []
  /** Whether another block of the map follows. */
  hasMore: boolean
  readonly #isRead: boolean

  /** @param isRead false for a file that is left out: its map is only skipped */
  constructor(header: Buffer, isRead: boolean) {
    this.#isRead = isRead
    this.size = isRead ? readSizeAt(header, headerEntries.sizeAt) : 0
    this.hasMore = this.#take(header, headerEntries)
  }

  takeBlock(block: Buffer): void {
    this.hasMore = this.#take(block, blockEntries)
  }

  #take(block: Buffer, { at, count, moreAt }: typeof blockEntries): boolean {
    for (let n = 0; this.#isRead && n < count; n += 1) {
      const start = at + n * entryBytes
      // An empty field ends the list.
      if (Number.isNaN(readNumberAt(block, start + 12))) break
      addNumber(this.numbers, readSizeAt(block, start))
      addNumber(this.numbers, readSizeAt(block, start + 12))
    }
    return block[moreAt] !== 0
  }
}

/** Gathers the map of form 1.0: decimal numbers, each on a line, padded to whole blocks. */
class MapInData {
  readonly numbers: number[] = []
  bytes = 0
  #left: number | null = null
  #text = ''

  get isWhole(): boolean {
    return this.#left === 0
  }

  takeBlock(block: Buffer): void {
    this.bytes += blockBytes
    const lines = (this.#text + block.toString('latin1')).split('\n')
    this.#text = lines.pop()!
    for (const line of lines) {
      if (this.isWhole) return
      const value = numberOf(line)
      if (this.#left === null) this.#left = 2 * value
      else {
        addNumber(this.numbers, value)
        this.#left -= 1
      }
    }
    // Behind the last line of a whole map is padding.
    if (!this.isWhole && this.#text.length > 16) {
      throw malformedMap()
    }
  }
}

/** A sparse file, whose map may still have to be read. */
export class SparseFile {
  /** With its holes. */
  readonly size: number
  readonly #stored: number
  readonly #map: OldSparseMap | MapInData | { readonly numbers: readonly number[] }

  constructor(size: number, stored: number, map: OldSparseMap | MapInData | SparseRecords) {
    this.size = size
    this.#stored = stored
    this.#map = map
  }

  /** Whether no further block of the map follows. */
  get isWhole(): boolean {
    if (this.#map instanceof OldSparseMap) return !this.#map.hasMore
    return !(this.#map instanceof MapInData) || this.#map.isWhole
  }

  /** @throws TarProblem for a map that is malformed, or longer than the content */
  takeBlock(block: Buffer): void {
    const map = this.#map as OldSparseMap | MapInData
    map.takeBlock(block)
    if (map instanceof MapInData && map.bytes > this.#stored) throw malformedMap()
  }

  /** @throws TarProblem unless its map fits its sizes */
  runs(): number[] {
    const mapBytes = this.#map instanceof MapInData ? this.#map.bytes : 0
    return runsOf(this.#map.numbers, this.size, this.#stored - mapBytes)
  }
}

/**
 * @param stored bytes in the archive
 * @param isLeftOut whether only the end of its map is wanted
 * @returns null for a file without holes
 * @throws TarProblem
 */
export function findSparse(
  header: Buffer,
  type: string,
  records: SparseRecords | undefined,
  stored: number,
  isLeftOut: boolean,
): SparseFile | null {
  if (type === 'S') {
    const map = new OldSparseMap(header, !isLeftOut)
    return new SparseFile(map.size, stored, map)
  }
  if (!records || isLeftOut) return null
  if (records.problem) throw records.problem
  if (records.size === null) throw new TarProblem('its size with holes is missing.')
  return new SparseFile(records.size, stored, records.isMapInData ? new MapInData() : records)
}

/**
 * The runs of a file: bytes of a hole, bytes of data, and so on.
 * @param numbers offset and length of each run of data
 * @param stored bytes of data in the archive
 * @throws TarProblem unless they fit the size of the file
 */
function runsOf(numbers: readonly number[], size: number, stored: number): number[] {
  const runs: number[] = []
  let end = 0
  let data = 0
  for (let at = 0; at < numbers.length; at += 2) {
    const offset = numbers[at]!
    const bytes = numbers[at + 1] ?? NaN
    if (!(offset >= end && offset + bytes <= size)) throw badMap()
    runs.push(offset - end, bytes)
    end = offset + bytes
    data += bytes
  }
  if (data !== stored) throw badMap()
  runs.push(size - end, 0)
  return runs
}

function badMap(): TarProblem {
  return new TarProblem('its map of holes does not fit its size.')
}

function malformedMap(): TarProblem {
  return new TarProblem('its map of holes is malformed.')
}

/** The content of holes, piece by piece. */
const zeros: Buffer = Buffer.alloc(64 * 1024)

/** Where the reader is in the content of a file: in a hole, or in bytes of the archive. */
export class Runs {
  /** Zeros that come before the content. */
  holeBytes = 0
  contentBytes = 0
  /** Further holes and contents in turn, the next ones last. */
  #next: number[] = []

  /** @param runs bytes of holes and contents in turn */
  begin(runs: readonly number[]): void {
    this.#next = runs.toReversed()
    this.#goOn()
  }

  /** Whether nothing is left. */
  get isOver(): boolean {
    return this.holeBytes + this.contentBytes === 0
  }

  takeHole(): Buffer {
    const count = Math.min(this.holeBytes, zeros.length)
    this.holeBytes -= count
    this.#goOn()
    return zeros.subarray(0, count)
  }

  takeContent(bytes: number): void {
    this.contentBytes -= bytes
    this.#goOn()
  }

  #goOn(): void {
    while (this.isOver && this.#next.length > 0) {
      this.holeBytes = this.#next.pop()!
      this.contentBytes = this.#next.pop()!
    }
  }
}
