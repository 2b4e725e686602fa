import { setImmediate } from 'node:timers/promises'
import type { Database } from '../db/connect.ts'
import { CodedError } from '../lib/errors.ts'
import { GrowingColumn } from '../lib/growing-column.ts'
import { LayoutBuilder } from '../zip/layout.ts'
import { archiveContent, archiveEtag, type Content } from './content.ts'
import { ExtentTableBuilder } from './extent-table.ts'
import { readEntries } from './sql.ts'

const cacheBytesMax = 32 * 1024 * 1024

/** Files of a parcel at one revision; `selection` null means all of them. */
export interface ArchiveSource {
  readonly parcelId: string
  readonly revision: string
  readonly modifiedAt: Date
  readonly selection: readonly number[] | null
}

interface Built {
  readonly content: Content
  readonly memoryBytes: number
}

/**
 * Layouts of archives, built once however many ask at the same time, and kept as long as they fit
 * into 32 MiB, the least recently used going first.
 */
export class Archives {
  readonly #database: Database
  readonly #kept = new Map<string, Built>()
  readonly #building = new Map<string, Promise<Built>>()
  #keptBytes = 0

  constructor(database: Database) {
    this.#database = database
  }

  get keptBytes(): number {
    return this.#keptBytes
  }

  /** @throws CodedError not_found when a selected file is not in the parcel */
  async content(source: ArchiveSource): Promise<Content> {
    const key = `${source.revision} ${selectionKey(source.selection)}`
    const kept = this.#kept.get(key)
    if (kept) {
      this.#kept.delete(key)
      this.#kept.set(key, kept)
      return kept.content
    }
    let building = this.#building.get(key)
    if (!building) {
      building = this.#build(source).finally(() => this.#building.delete(key))
      this.#building.set(key, building)
    }
    const built = await building
    this.#keep(key, built)
    return built.content
  }

  #keep(key: string, built: Built): void {
    if (this.#kept.has(key) || built.memoryBytes > cacheBytesMax) return
    this.#kept.set(key, built)
    this.#keptBytes += built.memoryBytes
    for (const [oldest, { memoryBytes }] of this.#kept) {
      if (this.#keptBytes <= cacheBytesMax) return
      this.#kept.delete(oldest)
      this.#keptBytes -= memoryBytes
    }
  }

  async #build(source: ArchiveSource): Promise<Built> {
    const layoutBuilder = new LayoutBuilder()
    const extentsBuilder = new ExtentTableBuilder()
    const fileIds = new GrowingColumn((length) => new Uint32Array(length))
    let lastId = 0
    let count = 0
    for await (const page of readEntries(this.#database.sql, source.parcelId, source.selection)) {
      for (const row of page) {
        if (row.fileId !== lastId) {
          lastId = row.fileId
          count += 1
          layoutBuilder.add({ ...row, modifiedAt: row.createdAt.getTime() / 1000 })
          extentsBuilder.startFile()
          fileIds.push(row.fileId)
        }
        if (row.extent) extentsBuilder.add(row.extent)
      }
      await setImmediate()
    }
    if (source.selection && count !== source.selection.length) throw new CodedError('not_found')
    const layout = layoutBuilder.build()
    const extents = extentsBuilder.build()
    const etag = archiveEtag(source.revision, selectionKey(source.selection))
    return {
      content: archiveContent(etag, source.modifiedAt, layout, extents, fileIds.toArray()),
      memoryBytes: layout.memoryBytes + extents.memoryBytes + count * 4 + 1024,
    }
  }
}

/** Names a selection, in cache keys, ETags and download targets. Ids come sorted and unique. */
export function selectionKey(selection: readonly number[] | null): string {
  return selection === null ? 'all' : selection.join(',')
}
