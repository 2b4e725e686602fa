import {
  blockBytes,
  blockKind,
  cleanPath,
  paddedSize,
  readLinkTarget,
  readPath,
  readSize,
  readText,
  readTime,
  readType,
} from './header.ts'
import { addRecords, type PaxValues } from './pax.ts'
import { notAnArchive, TarProblem } from './problem.ts'
import type { SkipReason, TarSink } from './sink.ts'
import { MapInData, OldSparseMap, runsOf } from './sparse.ts'

/** Extended headers and long names, which are kept in memory while they arrive. */
const extensionBytesMax = 64 * 1024
const empty: Buffer = Buffer.alloc(0)
/** Of holes, piece by piece. */
const zeros: Buffer = Buffer.alloc(64 * 1024)

/** Extended headers of one or all entries; long names and targets of links of GNU. */
const extensionTypes: ReadonlySet<string> = new Set(['x', 'X', 'g', 'L', 'K'])

const fileTypes: ReadonlySet<string> = new Set(['0', '7', 'S'])
const unknown: SkipReason = 'unknown type'

/** Null for a file without holes. */
function mapOf(
  block: Buffer,
  type: string,
  records: PaxValues['sparse'],
): OldSparseMap | MapInData | readonly number[] | null {
  if (type === 'S') return new OldSparseMap(block)
  if (!records) return null
  return records.isMapInData ? new MapInData() : records.numbers
}

/** A sparse file whose map is being read. */
interface SparseFile {
  readonly path: string
  readonly modifiedAt: Date | null
  /** Bytes in the archive: of the data, and of a map in front of it. */
  readonly stored: number
  /** Size with holes. */
  readonly size: number
  readonly map: OldSparseMap | MapInData
}

/** The types without content, for which the size field means nothing (see `#begin`). */
const contentless: Readonly<Record<string, SkipReason>> = {
  '2': 'symbolic link',
  '3': 'device',
  '4': 'device',
  '6': 'FIFO',
}

/**
 * Reads a tar archive that arrives in pieces: ustar and pax (POSIX.1-2024, pax, "ustar Interchange
 * Format" and "pax Header Block"), GNU ("Basic Tar Format") and Version 7.
 *
 *     header | content, padded to 512 bytes | header | … | two blocks of zeros | anything
 *
 * Two blocks of zeros end the archive. Readers differ about a single one before a header: GNU tar
 * ends there with a warning, which would lose files, so it is skipped here. An archive may also end
 * after an entry without zeros: the reader cannot tell this from one that was cut there.
 *
 * It keeps one header or extension in memory, and copies no content. The first error ends it.
 */
export class TarReader {
  readonly #sink: TarSink
  #state: 'header' | 'extension' | 'map' | 'content' | 'closing' | 'skipping' | 'ended' = 'header'
  #data = empty
  #offset = 0
  /** Gathers a header or an extension that arrives in several pieces; grows to the longest. */
  #partial = empty
  #partialBytes = 0
  #extension = { type: '', size: 0 }
  /** Zeros to write before the content that comes next: a hole. */
  #holeBytes = 0
  /** Bytes to come: of the content, then of the padding or of what is skipped. */
  #contentBytes = 0
  #skippedBytes = 0
  /** Further holes and contents of a sparse file, in turn, the next ones last. */
  #runs: number[] = []
  #sparse: SparseFile | null = null
  /** Of the next entry. */
  #values: PaxValues | null = null
  #longName: string | null = null
  #longTarget: string | null = null
  /** Of all further entries. */
  readonly #global: PaxValues = {}
  #isPax = false
  #sawHeader = false
  #sawZeros = false
  #entryCount = 0
  /** The path of the entry that is being read, for errors; null before it is known. */
  #path: string | null = null
  #failure: { readonly error: unknown } | null = null

  constructor(sink: TarSink) {
    this.#sink = sink
  }

  /** Whether the blocks of zeros have come that end an archive. */
  get hasEnd(): boolean {
    return this.#state === 'ended' || this.#sawZeros
  }

  /**
   * Returns a promise only when the sink requests a pause; feed again once it has settled.
   * @throws CodedError invalid_tar; what the sink throws
   */
  feed(data: Buffer): void | Promise<void> {
    if (this.#failure) throw this.#failure.error
    this.#data = data
    this.#offset = 0
    try {
      const wait = this.#read()
      if (wait) return this.#goOn(wait)
    } catch (error) {
      throw this.#fail(error)
    }
    this.#data = empty
  }

  /** @throws CodedError invalid_tar when the archive is cut within an entry, or has no header */
  end(): void {
    if (this.#failure) throw this.#failure.error
    try {
      this.#checkEnd()
    } catch (error) {
      throw this.#fail(error)
    }
  }

  async #goOn(wait: Promise<void>): Promise<void> {
    try {
      for (let next: void | Promise<void> = wait; next; next = this.#read()) await next
    } catch (error) {
      throw this.#fail(error)
    }
    this.#data = empty
  }

  /** Reads on until the data ends or the sink requests a pause. */
  #read(): void | Promise<void> {
    for (;;) {
      let wait: void | Promise<void> = undefined
      if (this.#state === 'header') {
        const block = this.#take(blockBytes)
        if (!block) return
        wait = this.#readHeader(block)
      } else if (this.#state === 'content') {
        if (this.#holeBytes > 0) wait = this.#sink.write(this.#takeHole())
        else if (this.#offset === this.#data.length) return
        else wait = this.#sink.write(this.#takeContent())
      } else if (this.#state === 'closing') {
        this.#state = 'skipping'
        wait = this.#sink.close()
      } else if (this.#state === 'skipping') {
        const count = Math.min(this.#skippedBytes, this.#data.length - this.#offset)
        this.#offset += count
        this.#skippedBytes -= count
        if (this.#skippedBytes > 0) return
        this.#state = 'header'
      } else if (this.#state === 'extension') {
        const body = this.#take(this.#extension.size)
        if (!body) return
        this.#readExtension(body)
      } else if (this.#state === 'map') {
        const block = this.#take(blockBytes)
        if (!block) return
        wait = this.#readMap(block)
      } else {
        return
      }
      if (wait) return wait
    }
  }

  /** The next bytes, if need be gathered over several pieces; null until they are complete. */
  #take(length: number): Buffer | null {
    const start = this.#offset
    const end = start + length - this.#partialBytes
    if (this.#partialBytes === 0) {
      if (end <= this.#data.length) {
        this.#offset = end
        return this.#data.subarray(start, end)
      }
      if (start === this.#data.length) return null
      if (this.#partial.length < length) this.#partial = Buffer.allocUnsafe(length)
    }
    const count = this.#data.copy(this.#partial, this.#partialBytes, start, end)
    this.#offset += count
    this.#partialBytes += count
    if (this.#partialBytes < length) return null
    this.#partialBytes = 0
    return this.#partial.subarray(0, length)
  }

  #takeContent(): Buffer {
    const data = this.#data
    const start = this.#offset
    const end = Math.min(start + this.#contentBytes, data.length)
    this.#offset = end
    this.#contentBytes -= end - start
    if (this.#contentBytes === 0) this.#beginRun()
    return end - start === data.length ? data : data.subarray(start, end)
  }

  #takeHole(): Buffer {
    const count = Math.min(this.#holeBytes, zeros.length)
    this.#holeBytes -= count
    if (this.#holeBytes + this.#contentBytes === 0) this.#beginRun()
    return zeros.subarray(0, count)
  }

  /** Goes on with the next hole and its content, or ends the file. */
  #beginRun(): void {
    while (this.#runs.length > 0) {
      this.#holeBytes = this.#runs.pop()!
      this.#contentBytes = this.#runs.pop()!
      if (this.#holeBytes + this.#contentBytes === 0) continue
      this.#state = 'content'
      return
    }
    this.#state = 'closing'
  }

  #readHeader(block: Buffer): void | Promise<void> {
    this.#path = null
    const kind = blockKind(block)
    if (kind === 'zeros') return this.#takeZeros()
    if (kind === 'damaged') {
      if (!this.#sawHeader) throw notAnArchive(block)
      throw new TarProblem('its header is damaged: the checksum does not match.')
    }
    this.#sawHeader = true
    this.#sawZeros = false
    const type = readType(block)
    if (extensionTypes.has(type)) return this.#beginExtension(type, readSize(block))
    // The label of a volume has no content.
    if (type === 'V') return
    return this.#begin(block, type)
  }

  #takeZeros(): void {
    this.#checkComplete()
    if (this.#sawZeros) this.#state = 'ended'
    this.#sawZeros = true
  }

  #beginExtension(type: string, size: number): void {
    if (size > extensionBytesMax) {
      throw new TarProblem(`its extended header exceeds ${extensionBytesMax} bytes.`)
    }
    this.#extension = { type, size }
    this.#state = 'extension'
  }

  #readExtension(body: Buffer): void {
    const { type, size } = this.#extension
    if (type === 'L') this.#longName = readText(body, [0, size])
    else if (type === 'K') this.#longTarget = readText(body, [0, size])
    else {
      this.#isPax = true
      if (type === 'g') addRecords(this.#global, body, null)
      else addRecords((this.#values ??= {}), body, this.#global)
    }
    this.#skip(paddedSize(size) - size)
  }

  /**
   * An entry begins. The size field means nothing without content: POSIX.1-2024 stores "no data
   * logical records" for types 1 to 6; that of a folder may be an allocation limit, which systems
   * without such limits "should ignore". Only a hard link of pax may have content (`linkdata`).
   */
  #begin(block: Buffer, type: string): void | Promise<void> {
    const values = this.#takeValues(block)
    const { path: given, size: givenSize, modifiedAt } = values
    this.#entryCount += 1
    this.#path = given
    if (type === 'M') throw new TarProblem('archives of several volumes are not supported.')
    const isLink = type === '1'
    const hasContent = isLink ? this.#isPax : type !== '5' && contentless[type] === undefined
    const size = hasContent ? (givenSize ?? readSize(block)) : 0
    const isFile = fileTypes.has(type) || (isLink && size > 0)
    const isFolder = type === '5' || type === 'D' || (isFile && given.endsWith('/'))
    const path = cleanPath(given)
    if (given === '' || (path === '' && !isFolder)) throw new TarProblem('it has no name.')
    if (isFolder) {
      if (isFile && size > 0)
        throw new TarProblem('its name ends with a slash, but it has content.')
      this.#skip(paddedSize(size))
      // What was packed as "." needs no folder.
      if (path === '') return
      return this.#sink.open({ path, size: 0, kind: 'folder', modifiedAt })
    }
    const leftOut =
      isFile || isLink ? (this.#sink.leavesOut?.(path) ?? null) : (contentless[type] ?? unknown)
    if (leftOut) return this.#leaveOut(path, leftOut, block, { type, size })
    if (!isFile) return this.#link(path, values.linkTarget)
    const map = mapOf(block, type, values.sparse)
    if (map) return this.#beginSparse(map, { path, modifiedAt, stored: size }, values.sparse)
    this.#skippedBytes = paddedSize(size) - size
    return this.#openFile({ path, size, modifiedAt }, [0, size])
  }

  #leaveOut(
    path: string,
    reason: SkipReason,
    block: Buffer,
    { type, size }: { readonly type: string; readonly size: number },
  ): void {
    this.#skip(paddedSize(size))
    if (type === 'S' && new OldSparseMap(block).hasMore) {
      throw new TarProblem('a sparse file with many holes cannot be left out.')
    }
    this.#sink.skip(path, reason)
  }

  /** A target outside of what was packed, or the file itself, is no earlier file. */
  #link(path: string, given: string): void | Promise<void> {
    this.#skip(0)
    const isInside = !given.split('/').includes('..')
    const target = isInside ? cleanPath(given) : ''
    if (target === '' || target === path || this.#sink.leavesOut?.(target) || !this.#sink.link) {
      return this.#sink.skip(path, 'hard link to a missing file')
    }
    return this.#sink.link({ path, target })
  }

  /** @param runs bytes of holes and contents in turn */
  #openFile(
    { path, size, modifiedAt }: { path: string; size: number; modifiedAt: Date | null },
    runs: number[],
  ): void | Promise<void> {
    this.#runs = runs.toReversed()
    this.#beginRun()
    return this.#sink.open({ path, size, kind: 'file', modifiedAt })
  }

  #beginSparse(
    map: OldSparseMap | MapInData | readonly number[],
    file: { path: string; modifiedAt: Date | null; stored: number },
    records: PaxValues['sparse'],
  ): void | Promise<void> {
    const size = map instanceof OldSparseMap ? map.size : records?.size
    if (size === null || size === undefined) throw new TarProblem('its size with holes is missing.')
    this.#skippedBytes = paddedSize(file.stored) - file.stored
    if (!('takeBlock' in map))
      return this.#openFile({ ...file, size }, runsOf(map, size, file.stored))
    this.#sparse = { ...file, size, map }
    if (map instanceof OldSparseMap && !map.hasMore) return this.#openSparse()
    this.#state = 'map'
  }

  #readMap(block: Buffer): void | Promise<void> {
    const { map, stored } = this.#sparse!
    map.takeBlock(block)
    if (map instanceof OldSparseMap) return map.hasMore ? undefined : this.#openSparse()
    if (map.bytes > stored) throw new TarProblem('its map of holes does not end.')
    if (map.isWhole) return this.#openSparse()
  }

  #openSparse(): void | Promise<void> {
    const { path, modifiedAt, size, stored, map } = this.#sparse!
    this.#sparse = null
    const data = map instanceof MapInData ? stored - map.bytes : stored
    return this.#openFile({ path, size, modifiedAt }, runsOf(map.numbers, size, data))
  }

  /** The entry's own extended headers win over global ones, and those over its header. */
  #takeValues(block: Buffer) {
    const own = this.#values
    const global = this.#global
    const path = own?.path ?? this.#longName ?? global.path ?? readPath(block)
    const time = own?.modifiedAt === undefined ? global.modifiedAt : own.modifiedAt
    const values = {
      path,
      size: own?.size ?? global.size,
      modifiedAt: time === undefined ? readTime(block) : time,
      linkTarget: own?.linkTarget ?? this.#longTarget ?? global.linkTarget ?? readLinkTarget(block),
      sparse: own?.sparse,
    }
    this.#values = null
    this.#longName = null
    this.#longTarget = null
    return values
  }

  #skip(bytes: number): void {
    this.#skippedBytes = bytes
    this.#state = 'skipping'
  }

  #checkEnd(): void {
    if (!this.#sawHeader) throw notAnArchive(this.#partial.subarray(0, this.#partialBytes))
    if (this.#state === 'ended') return
    if (this.#state !== 'header') throw new TarProblem('the archive ends within it.')
    this.#path = null
    if (this.#partialBytes > 0) throw new TarProblem('the archive ends within its header.')
    this.#checkComplete()
  }

  #checkComplete(): void {
    if (this.#values || this.#longName !== null) {
      throw new TarProblem('the archive ends after its extended header.')
    }
  }

  #fail(error: unknown): unknown {
    this.#data = empty
    if (error instanceof TarProblem) {
      const entry = this.#path === null ? this.#entryCount + 1 : this.#entryCount
      this.#failure = { error: error.at(entry, this.#path) }
    }
    this.#failure ??= { error }
    return this.#failure.error
  }
}
