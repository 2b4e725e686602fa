import {
  blockBytes,
  blockKind,
  cleanPath,
  paddedSize,
  readSize,
  readText,
  readType,
} from './header.ts'
import * as pax from './pax.ts'
import { notAnArchive, TarProblem } from './problem.ts'
import { Runs, findSparse, type SparseFile } from './sparse.ts'
import type { TarSink } from './sink.ts'

/** Extended headers and long names, which are kept in memory while they arrive. */
const extensionBytesMax = 64 * 1024
const empty: Buffer = Buffer.alloc(0)

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
  readonly #runs = new Runs()
  /** Bytes of padding or of skipped content that are left to skip. */
  #skippedBytes = 0
  /** A sparse file whose map is being read, and what comes after it. */
  #map: { sparse: SparseFile; begin: () => void | Promise<void> } | null = null
  /** Extended header of the next entry. */
  #values: pax.PaxValues | null = null
  #long: pax.LongNames = { path: null, target: null }
  /** Global extended headers, for all further entries. */
  readonly #global: pax.PaxValues = {}
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
        if (this.#runs.holeBytes > 0)
          wait = this.#sink.write(this.#endContent(this.#runs.takeHole()))
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
    const end = Math.min(start + this.#runs.contentBytes, data.length)
    this.#offset = end
    this.#runs.takeContent(end - start)
    return this.#endContent(end - start === data.length ? data : data.subarray(start, end))
  }

  #endContent(data: Buffer): Buffer {
    if (this.#runs.isOver) this.#state = 'closing'
    return data
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
    if (pax.extensionTypes.has(type)) return this.#beginExtension(type, readSize(block))
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
    if (type === 'L') this.#long.path = readText(body, [0, size])
    else if (type === 'K') this.#long.target = readText(body, [0, size])
    else {
      this.#isPax = true
      if (type === 'g') pax.addRecords(this.#global, body, null)
      else pax.addRecords((this.#values ??= {}), body, this.#global)
    }
    this.#skip(paddedSize(size) - size)
  }

  /**
   * An entry begins. The size field means nothing without content: POSIX.1-2024 stores "no data
   * logical records" for types 1 to 6; that of a folder may be an allocation limit, which systems
   * without such limits "should ignore". Only a hard link of pax may have content (`linkdata`).
   */
  #begin(block: Buffer, type: string): void | Promise<void> {
    const values = pax.valuesOf(block, this.#values, this.#global, this.#long)
    this.#values = null
    this.#long = { path: null, target: null }
    const { path: given, name, size: givenSize, modifiedAt } = values
    this.#entryCount += 1
    this.#path = given
    if (type === 'M') throw new TarProblem('archives of several volumes are not supported.')
    const isLink = type === '1'
    const hasContent = isLink ? this.#isPax : type !== '5' && pax.contentless[type] === undefined
    const size = hasContent ? (givenSize ?? readSize(block)) : 0
    const isFile = pax.fileTypes.has(type) || (isLink && size > 0)
    const isFolder = type === '5' || type === 'D' || (isFile && given.endsWith('/'))
    const path = cleanPath(given)
    if (given === '' || (path === '' && !isFolder)) throw new TarProblem('it has no name.')
    if (isFolder) {
      if (isFile && size > 0)
        throw new TarProblem('its name ends with a slash, but it has content.')
      this.#skip(paddedSize(size))
      // The packed folder itself (".") needs no entry.
      if (path === '') return
      return this.#sink.open({ path, size: 0, kind: 'folder', name, modifiedAt })
    }
    const leftOut =
      isFile || isLink
        ? (this.#sink.leavesOut?.(path) ?? null)
        : (pax.contentless[type] ?? 'unknown type')
    if (!leftOut && !isFile) return this.#link(path, values.linkTarget)
    // The size does not count the map of the old form: it is in front of what is left out, too.
    const sparse = findSparse(block, type, values.sparse, size, leftOut !== null)
    const begin = () => {
      this.#skip(paddedSize(size) - (leftOut ? 0 : size))
      if (leftOut) return this.#sink.skip(path, leftOut)
      this.#runs.begin(sparse?.runs() ?? [0, size])
      this.#state = this.#runs.isOver ? 'closing' : 'content'
      return this.#sink.open({ path, name, size: sparse?.size ?? size, kind: 'file', modifiedAt })
    }
    if (!sparse || sparse.isWhole) return begin()
    this.#map = { sparse, begin }
    this.#state = 'map'
  }

  /** A target outside of the packed folder, or the file itself, is no earlier file. */
  #link(path: string, given: string): void | Promise<void> {
    this.#skip(0)
    const isInside = !given.split('/').includes('..')
    const target = isInside ? cleanPath(given) : ''
    if (target === '' || target === path || this.#sink.leavesOut?.(target) || !this.#sink.link) {
      return this.#sink.skip(path, 'hard link to a missing file')
    }
    return this.#sink.link({ path, target })
  }

  #readMap(block: Buffer): void | Promise<void> {
    const { sparse, begin } = this.#map!
    sparse.takeBlock(block)
    if (!sparse.isWhole) return
    this.#map = null
    return begin()
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
    if (this.#values || this.#long.path !== null) {
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
