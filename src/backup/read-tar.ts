import { mkdir, open, readdir, readFile, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { TarReader } from '../bytes/archive/tar/reader.ts'
import type { TarEntry, TarSink } from '../bytes/archive/tar/sink.ts'
import { isSystemError } from '../lib/errors.ts'
import { ByteCheck } from './byte-check.ts'
import * as format from './format.ts'
import { parsePartName } from './parts.ts'
import { BackupProblem } from './problem.ts'
import type { ReadOptions } from './read-folder.ts'
import type { RestoredSegment, RestoreTarget } from './restored-segments.ts'
import { compareSegments, SegmentList, type ListedSegment } from './segment-list.ts'
import { Snapshot, unzipParts } from './snapshot.ts'

const smallBytesMax = 16 * 1024 * 1024
/** Parts of lists and rows: 1.6 TB of them. */
const smallFilesMax = 100_000
const segmentPath = /^storage\/[0-9a-f]{2}\/([0-9a-f-]{36})\/([0-9a-f-]{36})\.seg$/
const snapshotPath = /^snapshots\/([^/]+)\/((?:database\/)?[a-z0-9_.]{1,200})$/

export interface TarOptions extends ReadOptions {
  /** For the rows, until the bytes of all files are there. */
  readonly spoolFolder: string
  readonly target: RestoreTarget
  /** Called with the first file, before any byte is written. */
  readonly onHead: (head: format.Head) => Promise<void>
}

/**
 * Reads a backup from a tar archive: rows go to a folder first, segments to their place.
 * @returns the rows
 * @throws BackupProblem; CodedError invalid_tar; the signal's reason
 */
export async function readTar(
  source: AsyncIterable<Buffer>,
  options: TarOptions,
): Promise<Snapshot> {
  const sink = new BackupSink(options)
  const reader = new TarReader(sink)
  let read = 0
  try {
    for await (const data of source) {
      options.signal.throwIfAborted()
      await reader.feed(data)
      read += data.length
      options.onProgress(read)
      await options.pace.took(data.length)
    }
    reader.end()
    return await sink.finish()
  } finally {
    await sink.release()
  }
}

class BackupSink implements TarSink {
  readonly #options: TarOptions
  #name: string | null = null
  #file: FileHandle | null = null
  #isHead = false
  #smallFiles = 0
  #segments: { readonly list: SegmentList; readonly check: ByteCheck } | null = null
  #segment: RestoredSegment | null = null
  /** The segment that the list is at. */
  #listed: ListedSegment | null = null
  #isComplete = false

  constructor(options: TarOptions) {
    this.#options = options
  }

  async open({ path: name, size, kind }: TarEntry): Promise<void> {
    if (kind === 'folder') return
    const [, containerId, segmentId] = segmentPath.exec(name) ?? []
    if (containerId !== undefined && segmentId !== undefined) {
      return this.#openSegment({ containerId, segmentId, end: size })
    }
    const [, snapshot, file] = snapshotPath.exec(name) ?? []
    if (snapshot === undefined || file === undefined || !format.snapshotPattern.test(snapshot)) {
      return this.skip(name)
    }
    this.#name ??= snapshot
    if (snapshot !== this.#name) {
      throw new BackupProblem('the archive has several snapshots: unpack it and choose one')
    }
    if (size > smallBytesMax) throw new BackupProblem(`${name} of the backup is too large`)
    this.#smallFiles += 1
    if (this.#smallFiles > smallFilesMax) throw new BackupProblem('the backup has too many parts')
    await this.#openSmall(file)
  }

  async write(data: Buffer): Promise<void> {
    if (this.#segment !== null) {
      await this.#segments!.check.take(data)
      await this.#segment.write(data)
    } else {
      await this.#file!.writeFile(data)
    }
  }

  async close(): Promise<void> {
    const [segment, file] = [this.#segment, this.#file]
    this.#segment = this.#file = null
    await segment?.close()
    await file?.close()
    if (segment !== null) await this.#segments!.check.end()
    if (!this.#isHead || file === null) return
    this.#isHead = false
    const head = await readFile(path.join(this.#folder(), format.headName))
    await this.#options.onHead(format.parseHead(head))
  }

  /** Closes what an error has left open. */
  async release(): Promise<void> {
    await this.#file?.close()
    await this.#segment?.close().catch(() => {})
    await this.#segments?.list.close()
    this.#file = this.#segment = null
  }

  skip(name: string): never {
    // The archive may be of anyone: its names may have line ends, and a thousand letters.
    const shown = JSON.stringify(name.slice(0, 200))
    throw new BackupProblem(`the archive is not a backup: it contains ${shown}`)
  }

  async finish(): Promise<Snapshot> {
    if (!this.#isComplete) {
      throw new BackupProblem('the archive ends before the backup does: nothing was restored')
    }
    await this.#advanceTo(null)
    return Snapshot.open(this.#folder())
  }

  #folder(): string {
    return path.join(this.#options.spoolFolder, this.#name!)
  }

  async #openSmall(name: string): Promise<void> {
    const file = path.join(this.#folder(), name)
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    this.#file = await open(file, 'wx', 0o600).catch((error: unknown) => {
      if (!isSystemError(error, 'EEXIST')) throw error
      throw new BackupProblem(`the archive is not a backup: it contains ${name} twice`, {
        cause: error,
      })
    })
    this.#isHead = name === format.headName
    if (name === format.completeName) this.#isComplete = true
  }

  async #openSegment(found: ListedSegment): Promise<void> {
    await this.#advanceTo(found)
    const listed = this.#listed
    if (listed === null || compareSegments(listed, found) !== 0 || found.end > listed.end) {
      throw new BackupProblem('the archive has a segment that its list does not have')
    }
    this.#segment = await this.#options.target.open(listed)
    await this.#segments!.check.begin(listed, 0)
  }

  /** Reports the segments before this one as missing, or all that are left. */
  async #advanceTo(found: ListedSegment | null): Promise<void> {
    const { list, check } = (this.#segments ??= await this.#openList())
    for (;;) {
      this.#listed = await list.next()
      if (this.#listed === null) return
      if (found !== null && compareSegments(this.#listed, found) >= 0) return
      await check.begin(this.#listed, 0)
      await check.end()
    }
  }

  async #openList(): Promise<{ list: SegmentList; check: ByteCheck }> {
    if (this.#name === null) throw new BackupProblem('the archive does not begin with a backup')
    const isList = (name: string) => parsePartName(name)?.base === format.listBase
    const names = (await readdir(this.#folder())).filter(isList).toSorted()
    const files = names.map((name) => path.join(this.#folder(), name))
    const list = new SegmentList(unzipParts(files, format.listBase))
    return { list, check: new ByteCheck(list, this.#options.onDamage) }
  }
}
