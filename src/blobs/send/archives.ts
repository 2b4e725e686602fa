import { setImmediate } from 'node:timers/promises'
import type { Database } from '../../database/connect.ts'
import { CodedError } from '../../lib/errors.ts'
import type { Clock } from '../../lib/clock.ts'
import { inTurns, Permits, type Requester } from '../../lib/permits.ts'
import { GrowingColumn } from '../../lib/growing-column.ts'
import { SharedTasks } from '../../lib/shared-tasks.ts'
import type { ZipEntry } from '../zip/layout.ts'
import { archiveFormats, type ArchiveFormat } from './archive-formats.ts'
import { archiveContent, archiveEtag, StaleContent, type Content } from './content.ts'
import { isCompressible } from './compressible.ts'
import type { Damage } from './damage.ts'
import { ExtentTableBuilder } from './extent-table.ts'
import { selectionKey } from './selection.ts'
import { foldersOf } from '../file-listing.ts'
import { readEntries } from './files-sql.ts'

/** In place of the id of a file, for folders: their content is empty. */
const noFile = 0
const cacheBytesMaxDefault = 32 * 1024 * 1024

/**
 * A build holds a connection of the database, and the rows of its files in memory: a few at once
 * are as fast as many, and leave the database to others.
 */
const buildsMax = 2
const buildWaits = { waitersMax: 200, waitMsMax: 20_000 }

/** Files of a container at one revision; `selection` is null for all of them. */
export interface ArchiveSource {
  readonly format: ArchiveFormat
  readonly containerId: string
  readonly revision: string
  readonly modifiedAt: Date
  readonly selection: readonly number[] | null
  /** The requested state, for containers with files or bytes that change. */
  readonly state?: {
    readonly generation: number
    /** Whether the container is still in that state. */
    readonly isCurrent: () => Promise<boolean>
  }
}

/** Several containers in one archive, each in its own folder. */
export interface FoldersSource {
  readonly format: ArchiveFormat
  /** Changes with each container, its files and the name of its folder. */
  readonly revision: string
  readonly modifiedAt: Date
  readonly folders: readonly { readonly containerId: string; readonly name: string }[]
}

/** The request that needs a layout. */
export interface Asking {
  readonly requester: Requester
  /** Ends its wait; the build ends with the last of those who wait for it. */
  readonly signal: AbortSignal
  /** Called when the layout is not cached; may refuse to have it built. */
  readonly beforeBuild?: (() => void) | undefined
}

/** A container's place in an archive: the prefix of its entries is empty, or ends with `/`. */
interface Part {
  readonly containerId: string
  readonly prefix: string
}

/** What a layout is built for. */
interface Wanted {
  readonly format: ArchiveFormat
  readonly parts: readonly Part[]
  readonly selection: readonly number[] | null
  /** Ends the build. */
  readonly signal: AbortSignal
}

interface Built {
  readonly content: Content
  readonly memoryBytes: number
  /** Number of entries. */
  readonly count: number
}

interface ArchivesOptions {
  readonly cacheBytesMax?: number
  readonly clock?: Clock
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
    { cacheBytesMax = cacheBytesMaxDefault, clock }: ArchivesOptions = {},
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
   * The ETag does not depend on the generation: moved bytes are the same bytes.
   * @throws CodedError not_found when a selected file is not in the container, file_damaged,
   *   unavailable when too many wait; StaleContent when the container has changed before it was
   *   read
   */
  async content(source: ArchiveSource, asking: Asking): Promise<Content> {
    const { containerId, format, revision, modifiedAt, selection, state } = source
    await this.#damage.refuse([containerId], selection)
    const key = `${format} ${revision} ${state?.generation ?? 0} ${selectionKey(selection)}`
    const etag = archiveEtag(format, revision, selectionKey(selection))
    const build = async (signal: AbortSignal) => {
      const parts = [{ containerId, prefix: '' }]
      const built = await this.#build({ format, parts, selection, signal }, { etag, modifiedAt })
      // Checked after the rows were read: a layout of another state must not be cached under this
      // one.
      if (state && !(await state.isCurrent())) throw new StaleContent()
      if (!selection) return built
      if (built.count !== selection.length) throw new CodedError('not_found')
      return { ...built, content: { ...built.content, layoutBytes: built.memoryBytes } }
    }
    return this.#find(key, build, asking)
  }

  /** @throws CodedError file_damaged, unavailable */
  async contentOfFolders(source: FoldersSource, asking: Asking): Promise<Content> {
    const { format, folders, revision, modifiedAt } = source
    const parts = folders.map(({ containerId, name }) => ({ containerId, prefix: `${name}/` }))
    const etag = archiveEtag(format, revision, 'folders')
    const containerIds = folders.map(({ containerId }) => containerId)
    await this.#damage.refuse(containerIds, null)
    const build = (signal: AbortSignal) =>
      this.#build({ format, parts, selection: null, signal }, { etag, modifiedAt })
    return this.#find(`${format} ${revision} folders`, build, asking)
  }

  async #find(
    key: string,
    build: (signal: AbortSignal) => Promise<Built>,
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
      return this.#builds.run(() => build(unwanted), requester, unwanted)
    })
    this.#keep(key, built)
    return built.content
  }

  #keep(key: string, built: Built): void {
    if (this.#kept.has(key) || built.memoryBytes > this.#cacheBytesMax) return
    this.#kept.set(key, built)
    this.#keptBytes += built.memoryBytes
    for (const [oldest, { memoryBytes }] of this.#kept) {
      if (this.#keptBytes <= this.#cacheBytesMax) return
      this.#kept.delete(oldest)
      this.#keptBytes -= memoryBytes
    }
  }

  async #build(
    { format, parts, selection, signal }: Wanted,
    validators: Pick<Content, 'etag' | 'modifiedAt'>,
  ): Promise<Built> {
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
      for await (const page of readEntries(this.#database.sql, containerId, selection)) {
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
      for await (const page of foldersOf(this.#database.sql, containerId)) {
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
      memoryBytes: layout.memoryBytes + extents.memoryBytes + count * 5 + 1024,
      count,
    }
  }
}
