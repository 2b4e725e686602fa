// Helpers of the storage tests: an empty database with its tables, a storage root, containers.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Database } from '../../../src/database/connect.ts'
import { createLog, type Log } from '../../../src/lib/log.ts'
import { randomRowId } from '../../../src/lib/random-id.ts'
import { containerFolder, segmentFile } from '../../../src/bytes/segments/files-on-disk.ts'
import { openStorageRoot } from '../../../src/bytes/storage-root.ts'
import { Storage } from '../../../src/bytes/storage.ts'
import type { FolderRoot } from '../../../src/bytes/store/folder-root.ts'
import { FakeClock } from '../../helpers/clock.ts'
import { makeFolder } from '../../helpers/folder.ts'
import { openDatabase } from '../../helpers/postgres.ts'

export class Scene {
  readonly folder = makeFolder()
  readonly rootFolder = path.join(this.folder, 'storage')
  readonly database: Database
  readonly clock = new FakeClock()
  readonly logLines: string[] = []
  readonly log: Log

  private constructor(database: Database) {
    this.database = database
    this.log = createLog({ level: 'info', write: (line) => void this.logLines.push(line) })
  }

  static async open(): Promise<Scene> {
    const { database } = await openDatabase()
    return new Scene(database)
  }

  async reset(): Promise<void> {
    rmSync(this.rootFolder, { recursive: true, force: true })
    await this.database
      .sql`truncate storage_roots, root_openings, containers, segments, tombstones, downloads cascade`
  }

  openRoot(): Promise<FolderRoot> {
    return openStorageRoot(this.rootFolder, this.database)
  }

  /**
   * The storage as a process sees it. `alive` are other processes that run, `read` shares that
   * are being downloaded. With `transactionsMax` every later transaction fails.
   */
  async storage(
    options: {
      ownerId?: string
      alive?: string[]
      read?: string[]
      transactionsMax?: number
    } = {},
  ): Promise<Storage> {
    return new Storage({
      root: await this.openRoot(),
      database: this.#limited(options.transactionsMax ?? Infinity),
      clock: this.clock,
      log: this.log,
      databaseDisk: null,
      ownerId: options.ownerId ?? randomRowId(),
      takeJob: async () => async () => {},
      settings: { values: { diskFloor: 0 } },
      isAlive: async (ownerId) => (options.alive ?? []).includes(ownerId),
      isRead: (shareId) => (options.read ?? []).includes(shareId),
    })
  }

  #limited(transactionsMax: number): Database {
    const real = this.database
    let left = transactionsMax
    const gone = () => Promise.reject(new Error('the database is gone'))
    return {
      ...real,
      begin: (work) => {
        left -= 1
        return left < 0 ? gone() : real.begin(work)
      },
    }
  }

  async container(storage: Storage): Promise<string> {
    const id = randomRowId()
    await storage.createContainer(this.database.sql, id)
    return id
  }

  /** A segment as some process left it: its row, and a file of `bytes` bytes (null: no file). */
  async leaveSegment(segment: {
    containerId: string
    ownerId: string | null
    committedEnd: number
    bytes: number | null
  }): Promise<string> {
    const id = randomRowId()
    const { containerId, ownerId, committedEnd, bytes } = segment
    await this.database.sql`
      insert into segments (id, container_id, root_id, owner_id, committed_end, created_at)
      select ${id}, ${containerId}, id, ${ownerId}, ${committedEnd}, now() from storage_roots`
    mkdirSync(containerFolder(this.rootFolder, containerId), { recursive: true })
    if (bytes !== null) writeFileSync(this.file(containerId, id), Buffer.alloc(bytes, 'x'))
    return id
  }

  file(containerId: string, segmentId: string): string {
    return segmentFile(this.rootFolder, containerId, segmentId)
  }

  containerFolder(containerId: string): string {
    return containerFolder(this.rootFolder, containerId)
  }

  async count(table: 'containers' | 'segments' | 'tombstones'): Promise<number> {
    const { sql } = this.database
    return sql<{ count: number }[]>`select count(*) from ${sql.unsafe(table)}`.oneValue()
  }

  async ownerOf(segmentId: string): Promise<string | null | undefined> {
    const [row] = await this.database.sql<{ ownerId: string | null }[]>`
      select owner_id from segments where id = ${segmentId}`
    return row?.ownerId
  }
}
