import { setImmediate } from 'node:timers/promises'
import type { Database, Sql } from '../../database/connect.ts'
import { CodedError } from '../../lib/errors.ts'
import type { Clock } from '../../lib/clock.ts'
import { inTurns, Permits, type Requester } from '../../lib/permits.ts'
import { GrowingColumn } from '../archive/entry-table.ts'
import { SharedTasks } from '../../lib/shared-work.ts'
import type { ZipEntry } from '../archive/zip/layout.ts'
import {
  archiveFormats,
  type ArchiveFormat,
  archiveContent,
  archiveEtag,
  type Content,
  selectionKey,
  ExtentTableBuilder,
} from './content.ts'
import type { Damage } from './damage.ts'
import { foldersOf, readEntries } from '../files-sql.ts'

/** In place of the id of a file, for folders: their content is empty. */
const noFile = 0

/**
 * A build holds a connection of the database, and the rows of its files in memory: a few at once
 * are as fast as many, and leave the database to others.
 */
const buildsMax = 2
/** Memory of a layout beside its columns: 17 KB were measured for one of two files. */
const layoutBytes = 16 * 1024
const buildWaits = { waitersMax: 200, waitMsMax: 20_000 }

/** Which files a container has, and since when. */
export interface Revision {
  readonly revision: string
  readonly modifiedAt: Date
}

/** A container's place in an archive: the prefix of its entries is empty, or ends with `/`. */
export interface ArchivePart {
  readonly containerId: string
  readonly prefix: string
}

/** Containers at one revision, which changes with each of them, its files and its prefix. */
export interface ArchiveSource extends Revision {
  readonly format: ArchiveFormat
  readonly parts: readonly ArchivePart[]
  /** Ids of some files of a single container; null for all files. */
  readonly selection: readonly number[] | null
  /** Reads the revision again, where files may have changed since. */
  readonly findRevision?: (sql: Sql) => Promise<Revision>
}

/** The request that needs a layout. */
export interface Asking {
  readonly requester: Requester
  /** Ends its wait; the build ends with the last of those who wait for it. */
  readonly signal: AbortSignal
  /** Called when the layout is not cached; may refuse to have it built. */
  readonly beforeBuild?: (() => void) | undefined
}

interface Built {
  /** Its key in the cache. */
  readonly key: string
  readonly content: Content
  readonly memoryBytes: number
  readonly count: number
}

/**
 * Layouts of archives. Concurrent requests share one build, and builds wait in fair turns. Layouts
 * are kept within a bound, and the least recently used ones go first.
 */
export class Archives {
  readonly #database: Database
  readonly #damage: Damage
  readonly #kept = new Map<string, Built>()
  readonly #building = new SharedTasks<Built>()
  readonly #builds: Permits<Requester>
  readonly #cacheBytesMax: number
  #keptBytes = 0

  constructor(
    database: Database,
    damage: Damage,
    { cacheBytesMax, clock }: { readonly cacheBytesMax: number; readonly clock: Clock },
  ) {
    this.#builds = new Permits(inTurns(buildsMax), { ...buildWaits, clock })
    this.#cacheBytesMax = cacheBytesMax
    this.#database = database
    this.#damage = damage
  }

  get keptBytes(): number {
    return this.#keptBytes
  }

  /** Builds that wait for their turn. */
  get waiting(): number {
    return this.#builds.waiting
  }

  /**
   * @throws CodedError not_found when a selected file is not in the container, file_damaged,
   *   unavailable when too many wait; errors of `findRevision`
   */
  async content(source: ArchiveSource, asking: Asking): Promise<Content> {
    const { parts, format, selection, findRevision } = source
    const containerIds = parts.map(({ containerId }) => containerId)
    await this.#damage.refuse(containerIds, selection)
    const isOne = parts.length === 1 && parts[0]!.prefix === ''
    const what = isOne ? selectionKey(selection) : 'folders'
    const keyOf = (revision: string) => `${format} ${revision} ${what}`
    const build = async (sql: Sql, signal: AbortSignal) => {
      const { revision, modifiedAt } = findRevision ? await findRevision(sql) : source
      const etag = archiveEtag(format, revision, what)
      const layout = await buildLayout(sql, source, { etag, modifiedAt }, signal)
      const built = { ...layout, key: keyOf(revision) }
      if (!selection) return built
      if (built.count !== selection.length) throw new CodedError('not_found')
      return { ...built, content: { ...built.content, layoutBytes: built.memoryBytes } }
    }
    return this.#find(keyOf(source.revision), build, asking)
  }

  async #find(
    key: string,
    build: (sql: Sql, signal: AbortSignal) => Promise<Built>,
    { requester, signal, beforeBuild }: Asking,
  ): Promise<Content> {
    const kept = this.#kept.get(key)
    if (kept) {
      this.#kept.delete(key)
      this.#kept.set(key, kept)
      return kept.content
    }
    const built = await this.#building.join(key, signal, (unwanted) => {
      beforeBuild?.()
      // Files that change meanwhile must not mix two revisions in one layout.
      const buildAtOnce = () =>
        this.#database.begin<Built>((sql) => build(sql, unwanted), { isSnapshot: true })
      return this.#builds.run(buildAtOnce, requester, unwanted)
    })
    this.#keep(built)
    return built.content
  }

  #keep(built: Built): void {
    const { key } = built
    if (this.#kept.has(key) || built.memoryBytes > this.#cacheBytesMax) return
    this.#kept.set(key, built)
    this.#keptBytes += built.memoryBytes
    for (const [oldest, { memoryBytes }] of this.#kept) {
      if (this.#keptBytes <= this.#cacheBytesMax) return
      this.#kept.delete(oldest)
      this.#keptBytes -= memoryBytes
    }
  }
}

/** @param signal ends the build */
async function buildLayout(
  sql: Sql,
  { format, parts, selection }: ArchiveSource,
  validators: Pick<Content, 'etag' | 'modifiedAt'>,
  signal: AbortSignal,
): Promise<Omit<Built, 'key'>> {
  const layoutBuilder = archiveFormats[format].makeBuilder()
  const extentsBuilder = new ExtentTableBuilder()
  const fileIds = new GrowingColumn((length) => new Uint32Array(length))
  const shrinking = new GrowingColumn((length) => new Uint8Array(length))
  const segments = new Map<string, string>()
  let lastId = 0
  let count = 0
  const begin = (entry: ZipEntry, fileId: number, isShrinking: boolean) => {
    count += 1
    layoutBuilder.add(entry)
    extentsBuilder.startFile()
    fileIds.push(fileId)
    shrinking.push(isShrinking ? 1 : 0)
  }
  for (const { containerId, prefix } of parts) {
    for await (const page of readEntries(sql, containerId, selection)) {
      for (const row of page) {
        if (row.fileId !== lastId) {
          const { fileId, name } = row
          lastId = fileId
          const modifiedAt = row.modifiedAt.getTime() / 1000
          const entry = { ...row, name: prefix + name, modifiedAt }
          begin(entry, fileId, isCompressible(name, row.mimeType))
        }
        if (!row.extent) continue
        extentsBuilder.add(row.extent)
        segments.set(row.extent.segmentId, containerId)
      }
      await setImmediate()
      signal.throwIfAborted()
    }
    // A selection is of files.
    if (selection !== null) continue
    for await (const page of foldersOf(sql, containerId)) {
      for (const { entryName, createdAt } of page) {
        const modifiedAt = createdAt.getTime() / 1000
        begin({ name: `${prefix}${entryName}/`, size: 0, crc: 0, modifiedAt }, noFile, false)
      }
    }
  }
  const layout = layoutBuilder.build()
  const extents = extentsBuilder.build()
  const columns = { fileIds: fileIds.toArray(), shrinking: shrinking.toArray(), segments }
  return {
    content: archiveContent(validators, layout, extents, columns),
    memoryBytes: layout.memoryBytes + extents.memoryBytes + count * 5 + layoutBytes,
    count,
  }
}

/** Formats that are already compressed: deflating them again costs time and gains nothing. */
const compressedExtensions = new Set(
  [
    // images, video, audio
    'jpg jpeg jpe jfif png gif webp avif heic heif jxl jp2 cr2 cr3 nef arw dng orf raf rw2',
    'mp4 m4v mov mkv webm avi wmv flv mpg mpeg mts m2ts 3gp ogv',
    'mp3 m4a m4b aac ogg oga opus flac wma ape wv alac',
    // archives and packages
    'zip gz tgz bz2 tbz tbz2 xz txz zst tzst lz lz4 lzma br 7z rar cab z arj lha jar war apk aab',
    'ipa deb rpm snap flatpak msi msix appx dmg crx xpi whl gem nupkg vsix',
    // documents that are ZIP archives or hold deflated streams
    'pdf docx docm xlsx xlsm pptx pptm odt ods odp odg epub pages numbers key vsdx 3mf',
    'woff woff2 swf parquet',
    // ciphertext
    'gpg pgp age aes kdbx',
  ].flatMap((line) => line.split(' ')),
)

const compressedTypes = [
  /^video\//,
  /^image\/(?:jpeg|png|gif|webp|avif|hei[cf]|jxl|jp2)/,
  /^audio\/(?!(?:x-)?(?:wav|aiff|midi)|vnd\.wave|l16|basic)/,
  /^font\/woff/,
  /^application\/(?:zip|(?:x-)?gzip|x-xz|x-bzip2|zstd|x-7z-compressed)/,
  /^application\/(?:vnd\.rar|x-rar-compressed)/,
  /^application\/(?:pdf|vnd\.openxmlformats-|vnd\.oasis\.opendocument\.)/,
  /^application\/(?:java-archive|pgp-encrypted)/,
  /\+(?:zip|gzip|zstd)$/,
]

/** Whether deflating a file is worthwhile, judging by its extension and media type. */
function isCompressible(name: string, mimeType: string): boolean {
  const extension = /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  const type = mimeType.toLowerCase()
  return !compressedExtensions.has(extension) && !compressedTypes.some((one) => one.test(type))
}
