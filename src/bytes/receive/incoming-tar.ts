import { createHash } from 'node:crypto'
import type { Permit } from '../../lib/byte-budget.ts'
import { CodedError, invalidInput } from '../../lib/errors.ts'
import { Checksums } from '../segments/block-checksums.ts'
import type { SkipReason, TarEntry, TarLink, TarSink } from '../archive/tar/sink.ts'
import { storeLink, type CommitDeps, type StoredPlace, type UploadTarget } from './commit.ts'
import { fitName } from './file-rules.ts'
import { IncomingFolders, storeFolders } from './folders.ts'
import { smallChunkBytesMax, type IncomingChunk, type HeldChunk } from './incoming-chunk.ts'

/** A larger file is stored as several chunks, so that its received part outlasts a break. */
const pieceBytes = 64 * 1024 * 1024
const recheckDiskBytes = 64 * 1024 * 1024
/** Counts for the checks of the disk beside its bytes: about what the rows of a file take. */
const fileRowBytes = 8 * 1024
/** Memory of a small file beside its bytes. */
const fileOverheadBytes = 1024
/** As many as finalize takes. */
const filesMax = 250_000
const skippedMax = 100
const pathLengthMax = 8 * 1024
const fileKeyLengthMax = 200

export interface IncomingTarOptions {
  readonly target: UploadTarget
  readonly permit: Permit
  /** Checks during a long archive that the disks are not full. */
  readonly recheckDisk: () => Promise<void>
  /** Gives back permit and reservation. */
  readonly release: () => void
  /** Makes a chunk that shares the permit; called for one after the other. */
  readonly newChunk: (bytes: number) => IncomingChunk
  /** Writes a chunk that is whole in memory, and its row. */
  readonly storeHeld: (chunk: HeldChunk) => Promise<void>
  readonly committing: CommitDeps
  /** Whether files that file managers of macOS and Windows create are left out. */
  readonly skipsSystemFiles: boolean
}

/** What has been stored of an archive. */
export interface TarReceipt {
  readonly files: number
  readonly bytes: number
  readonly folders: number
  /** Symbolic links, devices and what else is not kept; the first 100. */
  readonly skipped: readonly { readonly path: string; readonly reason: SkipReason }[]
  readonly skippedCount: number
}

interface SmallFile {
  readonly chunk: Omit<HeldChunk, 'data' | 'length' | 'crc' | 'blocks'>
  readonly data: Buffer
  readonly checksums: Checksums
}

interface LargeFile {
  readonly entry: TarEntry
  readonly fileKey: string
  readonly fileName: string
  index: number
  /** Where the piece before is; null at the first. */
  before: StoredPlace | null
  piece: IncomingChunk
}

/**
 * Stores each file of a tar archive as if it had come as one chunk. Small files are committed in
 * groups, many with one sync, while the next ones arrive. A file that was received whole stays,
 * even if the rest of the archive does not come. Call `end` on every way out.
 */
export class IncomingTar implements TarSink {
  readonly #options: IncomingTarOptions
  readonly #emptyFolders: IncomingFolders
  readonly #storing = new Set<Promise<void>>()
  readonly #skipped: { path: string; reason: SkipReason }[] = []
  #small: SmallFile | null = null
  #large: LargeFile | null = null
  #begun = 0
  #files = 0
  #bytes = 0
  #folders = 0
  #skippedCount = 0
  /** Bytes of small files and of rows, for the next check of the disks. */
  #diskBytes = 0
  #checkDiskAt = recheckDiskBytes
  #failure: unknown = null
  #wake: (() => void) | null = null

  constructor(options: IncomingTarOptions) {
    this.#options = options
    const { committing, target } = options
    this.#emptyFolders = new IncomingFolders((paths) => storeFolders(committing, target, paths))
  }

  open(entry: TarEntry): void | Promise<void> {
    if (this.#failure) throw this.#failure
    if (entry.kind === 'folder') return this.#openFolder(entry)
    this.#begun += 1
    if (this.#begun > filesMax) throw tooManyFiles()
    const fileName = this.#nameOf(entry)
    if (entry.size > smallChunkBytesMax) return this.#openLarge(entry, fileName)
    const needsWait = !this.#options.permit.hasRoom || this.#isDiskDue(entry.size)
    if (needsWait) return this.#waitForRoom(entry.size).then(() => this.#openSmall(entry, fileName))
    this.#openSmall(entry, fileName)
  }

  write(data: Buffer): void | Promise<void> {
    if (this.#failure) throw this.#failure
    if (this.#large) return this.#writeLarge(this.#large, data)
    const small = this.#small!
    data.copy(small.data, small.checksums.length)
    small.checksums.take(data)
  }

  close(): void | Promise<void> {
    if (this.#large) return this.#closeLarge(this.#large)
    const { chunk, data, checksums } = this.#small!
    this.#small = null
    const { length, crc, blocks } = checksums
    this.#store({ ...chunk, length, crc, blocks, data: length > 0 ? [data] : [] })
  }

  /** A hard link has the bytes, and the time, of the earlier file. */
  async link({ path, target }: TarLink): Promise<void> {
    this.#begun += 1
    if (this.#begun > filesMax) throw tooManyFiles()
    const name = this.#nameOf({ path, name: null, size: 0 })
    // The earlier file may still be being stored, or one of the same name.
    await this.#drain()
    if (this.#failure) throw this.#failure
    const link = { fromKey: keyOf(target), toKey: keyOf(path), name }
    const bytes = await storeLink(this.#options.committing, this.#options.target, link)
    if (bytes === null) this.skip(path, 'hard link to a missing file')
    else this.#count(bytes)
  }

  leavesOut(path: string): SkipReason | null {
    const name = path.slice(path.lastIndexOf('/') + 1)
    return this.#options.skipsSystemFiles && isSystemFile(name) ? 'system file' : null
  }

  skip(path: string, reason: SkipReason): void {
    this.#skippedCount += 1
    if (this.#skipped.length < skippedMax) this.#skipped.push({ path, reason })
  }

  /**
   * Resolves once every file is on disk and its row committed.
   * @throws CodedError disk_full, unavailable; what the target's checks throw
   */
  async finish(): Promise<TarReceipt> {
    await this.#drain()
    if (this.#failure) throw this.#failure
    await this.#storeFolders(true)
    return {
      files: this.#files,
      bytes: this.#bytes,
      folders: this.#folders,
      skipped: this.#skipped,
      skippedCount: this.#skippedCount,
    }
  }

  #openFolder({ path }: TarEntry): void | Promise<void> {
    this.#folders += 1
    const problem = this.#emptyFolders.add(path)
    if (problem) this.skip(path, problem)
    if (this.#emptyFolders.isFull) return this.#storeFolders(false)
  }

  async #storeFolders(isEnd: boolean): Promise<void> {
    for (const path of await this.#emptyFolders.store(isEnd)) {
      this.skip(path, 'too many empty folders')
    }
  }

  /** Waits until the files that were received whole are stored, and releases the permit. */
  async end(): Promise<void> {
    try {
      await this.#drain()
      await this.#large?.piece.close()
    } finally {
      this.#options.release()
    }
  }

  #nameOf({ path, name, size }: Pick<TarEntry, 'path' | 'name' | 'size'>): string {
    if (path.length > pathLengthMax) {
      throw invalidInput('path', `must have at most ${pathLengthMax} characters`)
    }
    const fitted = fitName(name ?? path)
    if (typeof fitted === 'string') throw invalidInput(path, fitted)
    this.#options.target.checkFile({ originalName: fitted.name, size })
    this.#diskBytes += fileRowBytes + 6 * fitted.name.length
    this.#emptyFolders.takeFile(fitted.name)
    return fitted.name
  }

  #openSmall({ path, size, modifiedAt }: TarEntry, fileName: string): void {
    this.#options.permit.hold(size + fileOverheadBytes)
    this.#diskBytes += size
    const file = { name: fileName, size, modifiedAt }
    const chunk = { fileKey: keyOf(path), index: 0, file }
    this.#small = { chunk, data: Buffer.allocUnsafe(size), checksums: new Checksums() }
  }

  #store(chunk: HeldChunk): void {
    const storing = this.#options
      .storeHeld(chunk)
      .then(
        () => this.#count(chunk.length),
        (error: unknown) => {
          this.#failure ??= error
        },
      )
      .finally(() => {
        this.#options.permit.free(chunk.length + fileOverheadBytes)
        this.#storing.delete(storing)
        this.#wake?.()
        this.#wake = null
      })
    this.#storing.add(storing)
  }

  #count(bytes: number): void {
    this.#files += 1
    this.#bytes += bytes
  }

  #isDiskDue(bytes: number): boolean {
    return this.#diskBytes + bytes >= this.#checkDiskAt
  }

  /** Waits for memory while files are being stored, and looks at the disk now and then. */
  async #waitForRoom(bytes: number): Promise<void> {
    while (!this.#failure && !this.#options.permit.hasRoom && this.#storing.size > 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    if (this.#isDiskDue(bytes)) {
      this.#checkDiskAt += recheckDiskBytes
      await this.#options.recheckDisk()
    }
    if (this.#failure) throw this.#failure
  }

  async #drain(): Promise<void> {
    while (this.#storing.size > 0) await Promise.all(this.#storing)
  }

  async #openLarge(entry: TarEntry, fileName: string): Promise<void> {
    // An earlier, smaller file of the same name must not be stored after this one.
    await this.#drain()
    if (this.#failure) throw this.#failure
    const piece = this.#options.newChunk(Math.min(entry.size, pieceBytes))
    const fileKey = keyOf(entry.path)
    this.#large = { entry, fileKey, fileName, index: 0, before: null, piece }
  }

  #writeLarge(file: LargeFile, data: Buffer): void | Promise<void> {
    const room = pieceBytes - file.piece.length
    if (data.length < room) return file.piece.write(data)
    return this.#writeAcross(file, data, room)
  }

  /** Ends a piece within the data, and begins the next one. */
  async #writeAcross(file: LargeFile, data: Buffer, room: number): Promise<void> {
    await file.piece.write(data.subarray(0, room))
    const left = file.entry.size - (file.index + 1) * pieceBytes
    if (left === 0) return
    await this.#commitPiece(file)
    file.index += 1
    file.piece = this.#options.newChunk(Math.min(left, pieceBytes))
    await this.#options.recheckDisk()
    if (data.length > room) await this.#writeLarge(file, data.subarray(room))
  }

  async #closeLarge(file: LargeFile): Promise<void> {
    await this.#commitPiece(file)
    this.#large = null
    this.#count(file.entry.size)
  }

  async #commitPiece(large: LargeFile): Promise<void> {
    const { piece, fileKey, fileName, index, entry, before } = large
    const { size, modifiedAt } = entry
    const file = { name: fileName, size, modifiedAt }
    const after = before ? { after: before } : {}
    large.before = await piece.commit({ fileKey, index, file, ...after }, null)
    await piece.close()
  }
}

/**
 * The id of a file in the share: its path as it came, so that sending an archive again changes
 * nothing, and names that are fitted alike stay apart.
 */
function keyOf(path: string): string {
  const isId = path.length <= fileKeyLengthMax && !/^sha256:|\p{Cc}/u.test(path)
  if (isId) return path
  return `sha256:${createHash('sha256').update(path).digest('hex')}`
}

/** As the web UI leaves them out of folders (web/upload/names.ts). */
function isSystemFile(name: string): boolean {
  return name.startsWith('._') || name === '.DS_Store' || name === 'Thumbs.db'
}

function tooManyFiles(): CodedError {
  return new CodedError('payload_too_large', {
    message: `An archive can have at most ${filesMax} files.`,
    details: { limit: filesMax },
  })
}
