import { createHash } from 'node:crypto'
import type { Database } from '../../database/connect.ts'
import type { TakeJob } from '../../jobs/jobs.ts'
import { ignoreMissing } from '../../lib/durable-file.ts'
import type { Log } from '../../lib/log.ts'
import { readEntries } from '../files-sql.ts'
import { isUnreadable } from '../segments/segment-files.ts'
import { requireMounted } from '../storage-root.ts'
import { isMissing, manifestName, type StorageRoot } from '../store/store.ts'
import * as rows from './manifests-sql.ts'

const readBytes = 64 * 1024
const pageSize = 100

interface ManifestOptions {
  readonly database: Database
  readonly root: StorageRoot
  readonly log: Log
  /** Tables whose rows own containers, and store the revision of each manifest. */
  readonly owners: readonly string[]
  /** Null where no other process writes manifests: an older one must not replace a newer one. */
  readonly takeJob: TakeJob | null
}

/**
 * Writes `manifest.json` beside the segments of a share or delivery: names, sizes, checksums and
 * extents of its files, so that they can be recovered without the database. It is derived and
 * written after the commit; the service never depends on it.
 */
export class Manifests {
  readonly #deps: ManifestOptions
  #running: Promise<void> | null = null
  #again = false
  #isStopped = false
  /** Ids of the owners by table, while more are due. */
  readonly #lastTried = new Map<string, string>()

  constructor(options: ManifestOptions) {
    this.#deps = options
  }

  /** Whether a manifest on disk is as the rows are now; drafts have none. */
  async isWritten(containerId: string): Promise<boolean> {
    const { sql } = this.#deps.database
    for (const owners of this.#deps.owners) {
      if (await rows.isManifestDue(sql, owners, containerId)) return false
    }
    return true
  }

  /** Writes due manifests in the background. */
  wake(): void {
    this.#again = true
    this.#running ??= this.#run().finally(() => {
      this.#running = null
    })
  }

  /** Ends a long run early. */
  stop(): void {
    this.#isStopped = true
  }

  /** Resolves when no manifest is being written. */
  async idle(): Promise<void> {
    await this.#running
  }

  /** Compares a written manifest with the database, and rewrites it if it differs. */
  async mend(containerId: string): Promise<void> {
    const { sql } = this.#deps.database
    for (const owners of this.#deps.owners) {
      const manifest = await rows.findManifestWritten(sql, owners, containerId)
      if (!manifest || (await this.#isIntact(manifest))) continue
      // A concurrent change has made it due, and may have written it.
      const now = await rows.findManifestWritten(sql, owners, containerId)
      if (now?.revision !== manifest.revision) continue
      if (!(await this.#tryWrite(owners, manifest))) continue
      this.#deps.log.warn('rewrote damaged manifest', { container: containerId })
    }
  }

  async #isIntact(manifest: rows.DueManifest): Promise<boolean> {
    const wanted = createHash('sha256')
    for await (const text of this.#describe(manifest)) wanted.update(text)
    const found = createHash('sha256')
    try {
      for await (const bytes of this.#read(manifest.containerId)) found.update(bytes)
    } catch (error) {
      if (isMissing(error) || isUnreadable(error)) return false
      throw error
    }
    return found.digest().equals(wanted.digest())
  }

  async *#read(containerId: string): AsyncGenerator<Buffer> {
    const file = await this.#deps.root.open(containerId, manifestName)
    const buffer = Buffer.allocUnsafeSlow(readBytes)
    try {
      for (let position = 0; ;) {
        const count = await file.read(buffer, 0, buffer.length, position)
        if (count === 0) return
        yield buffer.subarray(0, count)
        position += count
      }
    } finally {
      await file.close()
    }
  }

  async #run(): Promise<void> {
    while (this.#again) {
      this.#again = false
      let release: () => Promise<void> = async () => {}
      try {
        const { takeJob, owners } = this.#deps
        const turn = takeJob === null ? release : await takeJob('write manifests')
        if (turn === null) return
        release = turn
        for (const table of owners) await this.#writeDue(table)
      } catch (error) {
        this.#deps.log.warn('manifest write failed: will retry', { cause: error })
      } finally {
        await release()
      }
    }
  }

  /** Goes on behind the last one that was tried: those that keep failing starve no others. */
  async #writeDue(owners: string): Promise<void> {
    for (let goesOn = true; goesOn && !this.#isStopped;) {
      const lastId = this.#lastTried.get(owners) ?? null
      const page = await rows.listManifestsDue(this.#deps.database.sql, owners, lastId, pageSize)
      let hasWritten = false
      for (const due of page) {
        this.#lastTried.set(owners, due.id)
        if (await this.#tryWrite(owners, due)) hasWritten = true
      }
      const isEnd = page.length < pageSize
      if (isEnd) this.#lastTried.delete(owners)
      goesOn = isEnd ? lastId !== null : hasWritten
    }
  }

  /** What is wrong with one folder delays no other manifest. */
  async #tryWrite(owners: string, due: rows.DueManifest): Promise<boolean> {
    try {
      return await this.#write(owners, due)
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error
      const { containerId: container } = due
      this.#deps.log.warn('manifest write failed: will retry', { container, cause: error })
      return false
    }
  }

  /** False when there is no folder for it. Throws CodedError unavailable for a missing disk. */
  async #write(owners: string, due: rows.DueManifest): Promise<boolean> {
    // An owner without bytes has no folder and nothing to recover; neither has a deleted one.
    const isWritten = await this.#deps.root
      .replace(due.containerId, manifestName, this.#describe(due))
      .then(() => true, ignoreMissing)
    if (!isWritten) await requireMounted(this.#deps.root)
    const { sql } = this.#deps.database
    if (await rows.markManifestWritten(sql, owners, due)) return isWritten ?? false
    // A bucket takes it even after all else of the container was removed.
    await this.#deps.root.remove(due.containerId, [manifestName])
    return false
  }

  async *#describe(due: rows.DueManifest): AsyncGenerator<string> {
    const head = { version: 1, container: due.containerId, revision: due.revision }
    yield `${JSON.stringify(head).slice(0, -1)},"files":[`
    let lastId = 0
    for await (const page of readEntries(this.#deps.database.sql, due.containerId, null)) {
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
