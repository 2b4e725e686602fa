import { setImmediate } from 'node:timers/promises'
import type { Database } from '../db/connect.ts'
import { CodedError } from '../lib/errors.ts'
import { GrowingColumn } from '../lib/growing-column.ts'
import { LayoutBuilder } from '../zip/layout.ts'
import { archiveContent, archiveEtag, type Content } from './content.ts'
import { ExtentTableBuilder } from './extent-table.ts'
import { selectionKey } from './selection.ts'
import { readEntries } from './sql.ts'

const cacheBytesMax = 32 * 1024 * 1024

/** Files of a parcel at one revision; `selection` null means all of them. */
export interface ArchiveSource {
  readonly parcelId: string
  readonly revision: string
  readonly modifiedAt: Date
  readonly selection: readonly number[] | null
}

/** Several parcels in one archive, each in a folder of its own. */
export interface FoldersSource {
  /** Changes whenever a parcel, its files or its folder's name do. */
  readonly revision: string
  readonly modifiedAt: Date
  readonly folders: readonly { readonly parcelId: string; readonly name: string }[]
}

/** A parcel's place in an archive: the prefix of its entries is empty, or ends with `/`. */
interface Part {
  readonly parcelId: string
  readonly prefix: string
}

interface Built {
  readonly content: Content
  readonly memoryBytes: number
  /** Of entries. */
  readonly count: number
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
    const { parcelId, revision, modifiedAt, selection } = source
    const key = `${revision} ${selectionKey(selection)}`
    const etag = archiveEtag(revision, selectionKey(selection))
    return this.#find(key, async () => {
      const built = await this.#build([{ parcelId, prefix: '' }], selection, etag, modifiedAt)
      if (selection && built.count !== selection.length) throw new CodedError('not_found')
      return built
    })
  }

  async contentOfFolders({ folders, revision, modifiedAt }: FoldersSource): Promise<Content> {
    const parts = folders.map(({ parcelId, name }) => ({ parcelId, prefix: `${name}/` }))
    const etag = archiveEtag(revision, 'folders')
    return this.#find(`${revision} folders`, () => this.#build(parts, null, etag, modifiedAt))
  }

  async #find(key: string, build: () => Promise<Built>): Promise<Content> {
    const kept = this.#kept.get(key)
    if (kept) {
      this.#kept.delete(key)
      this.#kept.set(key, kept)
      return kept.content
    }
    let building = this.#building.get(key)
    if (!building) {
      building = build().finally(() => this.#building.delete(key))
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

  async #build(
    parts: readonly Part[],
    selection: readonly number[] | null,
    etag: string,
    modifiedAt: Date,
  ): Promise<Built> {
    const layoutBuilder = new LayoutBuilder()
    const extentsBuilder = new ExtentTableBuilder()
    const fileIds = new GrowingColumn((length) => new Uint32Array(length))
    const parcelOf = new Map<string, string>()
    let lastId = 0
    let count = 0
    for (const { parcelId, prefix } of parts) {
      for await (const page of readEntries(this.#database.sql, parcelId, selection)) {
        for (const row of page) {
          if (row.fileId !== lastId) {
            lastId = row.fileId
            count += 1
            const modifiedAt = row.createdAt.getTime() / 1000
            layoutBuilder.add({ ...row, name: prefix + row.name, modifiedAt })
            extentsBuilder.startFile()
            fileIds.push(row.fileId)
          }
          if (!row.extent) continue
          extentsBuilder.add(row.extent)
          parcelOf.set(row.extent.segmentId, parcelId)
        }
        await setImmediate()
      }
    }
    const layout = layoutBuilder.build()
    const extents = extentsBuilder.build()
    const content = archiveContent(etag, modifiedAt, layout, extents, fileIds.toArray())
    const parcelIds = extents.segmentIds.map((id) => parcelOf.get(id) as string)
    return {
      content: parts.every(({ prefix }) => prefix === '') ? content : { ...content, parcelIds },
      memoryBytes: layout.memoryBytes + extents.memoryBytes + count * 4 + 1024,
      count,
    }
  }
}
