import { readRows } from './copy-rows.ts'
import { BackupProblem } from './problem.ts'

/** A segment of a backup. Bytes behind its end are not part of it. */
export interface ListedSegment {
  readonly containerId: string
  readonly segmentId: string
  readonly end: number
}

/** Bytes of a file or chunk in a segment, with their checksum. */
export interface Place {
  readonly offset: number
  readonly length: number
  readonly crc: number
  /** The share or delivery, for people. */
  readonly owner: string
  readonly name: string
}

type Row = readonly (string | null)[]

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const columnCount = 8

/**
 * Reads the list of segments of a backup, which is ordered by container and segment, with the
 * places in each in order. Nothing in it is trusted: ids become parts of paths.
 */
export class SegmentList {
  readonly #pages: AsyncGenerator<(string | null)[][], void, void>
  #page: (string | null)[][] = []
  #index = 0
  #current: ListedSegment | null = null

  constructor(source: AsyncIterable<Buffer>) {
    this.#pages = readRows(source)
  }

  /** The next segment, past the places of this one; null at the end. @throws BackupProblem */
  async next(): Promise<ListedSegment | null> {
    const before = this.#current
    let row = await this.#peek()
    while (row !== null && before !== null && row[1] === before.segmentId) {
      this.#index += 1
      row = await this.#peek()
    }
    if (row === null) return null
    const segment = parseSegment(row)
    if (before !== null && compareSegments(before, segment) >= 0) {
      throw new BackupProblem('the list of segments is not in order')
    }
    this.#current = segment
    return segment
  }

  /** The segments that are left; closes the list behind the last one that is taken. */
  async *[Symbol.asyncIterator](): AsyncGenerator<ListedSegment, void, void> {
    try {
      for (let segment = await this.next(); segment !== null; segment = await this.next()) {
        yield segment
      }
    } finally {
      await this.close()
    }
  }

  /** The segment with these ids, if it is listed. Ask in the order of the list. */
  async find(wanted: ListedSegment): Promise<ListedSegment | null> {
    let segment = this.#current ?? (await this.next())
    while (segment !== null && compareSegments(segment, wanted) < 0) segment = await this.next()
    return segment !== null && compareSegments(segment, wanted) === 0 ? segment : null
  }

  /** The next places of the present segment that begin before an offset. */
  async *placesBefore(offset: number): AsyncGenerator<Place, void, void> {
    for (;;) {
      const row = await this.#peek()
      const segment = this.#current
      if (row === null || segment === null || row[1] !== segment.segmentId) return
      // A segment without any places has one row without them.
      if (row[3] === null) return
      const place = parsePlace(row, segment.end)
      if (place.offset >= offset) return
      this.#index += 1
      yield place
    }
  }

  async close(): Promise<void> {
    await this.#pages.return()
  }

  async #peek(): Promise<Row | null> {
    while (this.#index === this.#page.length) {
      const { value, done } = await this.#pages.next()
      if (done) return null
      this.#page = value
      this.#index = 0
    }
    return this.#page[this.#index]!
  }
}

/** By container, then by segment. */
export function compareSegments(one: ListedSegment, other: ListedSegment): number {
  if (one.containerId !== other.containerId) return one.containerId < other.containerId ? -1 : 1
  if (one.segmentId === other.segmentId) return 0
  return one.segmentId < other.segmentId ? -1 : 1
}

function parseSegment(row: Row): ListedSegment {
  const [containerId, segmentId, end] = row
  if (row.length !== columnCount || !uuid.test(containerId ?? '') || !uuid.test(segmentId ?? '')) {
    throw new BackupProblem('the list of segments has a malformed row')
  }
  return { containerId: containerId!, segmentId: segmentId!, end: parseNumber(end) }
}

function parsePlace(row: Row, end: number): Place {
  const [offset, length, crc] = row.slice(3, 6).map(parseNumber)
  if (row.length !== columnCount || offset! + length! > end || length === 0) {
    throw new BackupProblem('the list of segments has a malformed row')
  }
  return { offset: offset!, length: length!, crc: crc!, owner: row[6] ?? '', name: row[7] ?? '' }
}

function parseNumber(text: string | null | undefined): number {
  if (!/^\d{1,16}$/.test(text ?? '') || !Number.isSafeInteger(Number(text))) {
    throw new BackupProblem('the list of segments has a malformed number')
  }
  return Number(text)
}
