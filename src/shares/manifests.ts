import path from 'node:path'
import type { Database } from '../db/connect.ts'
import { readEntries } from '../downloads/sql.ts'
import { writeDurably } from '../lib/durable-file.ts'
import { isSystemError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { parcelFolder } from '../storage/paths.ts'
import type { StorageRoot } from '../storage/storage-root.ts'
import * as rows from './sql.ts'

const manifestName = 'manifest.json'

/**
 * Writes `manifest.json` beside a share's segments: names, sizes, checksums and extents of its
 * files, so that they can be recovered without the database. Derived, written after the commit;
 * nothing ever depends on it.
 */
export class Manifests {
  readonly #database: Database
  readonly #root: StorageRoot
  readonly #log: Log
  #running: Promise<void> | null = null
  #again = false

  constructor(parts: { database: Database; root: StorageRoot; log: Log }) {
    this.#database = parts.database
    this.#root = parts.root
    this.#log = parts.log
  }

  /** Writes what is due, in the background. */
  wake(): void {
    this.#again = true
    this.#running ??= this.#run().finally(() => {
      this.#running = null
    })
  }

  /** Resolves when nothing is being written. */
  async idle(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#again) {
      this.#again = false
      try {
        for (const share of await rows.listManifestsDue(this.#database.sql)) {
          await this.#write(share)
        }
      } catch (error) {
        this.#log.warn('a manifest could not be written: it will be tried again', { cause: error })
      }
    }
  }

  async #write(share: { id: string; parcelId: string; revision: string }): Promise<void> {
    const folder = parcelFolder(this.#root.folder, share.parcelId)
    try {
      await writeDurably(path.join(folder, manifestName), this.#describe(share))
    } catch (error) {
      // A share without bytes has no folder, and so nothing to recover; a deleted one neither.
      if (!isSystemError(error, 'ENOENT')) throw error
    }
    await rows.markManifestWritten(this.#database.sql, share.id, share.revision)
  }

  async *#describe(share: {
    id: string
    parcelId: string
    revision: string
  }): AsyncGenerator<string> {
    const head = { version: 1, parcel: share.parcelId, revision: share.revision }
    yield `${JSON.stringify(head).slice(0, -1)},"files":[`
    let lastId = 0
    for await (const page of readEntries(this.#database.sql, share.parcelId, null)) {
      let text = ''
      for (const row of page) {
        if (row.fileId !== lastId) {
          const { fileId: id, name, size, crc } = row
          const begin = JSON.stringify({ id, name, size, crc32: crc }).slice(0, -1)
          text += `${lastId === 0 ? '' : ']},'}\n${begin},"extents":[`
          lastId = id
        } else {
          text += ','
        }
        if (row.extent) {
          const { segmentId, segmentOffset, length } = row.extent
          text += JSON.stringify([segmentId, segmentOffset, length])
        }
      }
      yield text
    }
    yield `${lastId === 0 ? '' : ']}'}\n]}\n`
  }
}
