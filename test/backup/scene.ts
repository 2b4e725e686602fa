// Backups of a service in this process, and what is restored from them.
import { mkdtempSync, readFileSync } from 'node:fs'
import path from 'node:path'
import * as assert from 'uvu/assert'
import { createApp } from '../../src/app.ts'
import { BackupFolder } from '../../src/backup/backup-folder.ts'
import { makeBackup } from '../../src/backup/backup.ts'
import type { Damage } from '../../src/backup/byte-check.ts'
import type { Complete } from '../../src/backup/format.ts'
import { loadDatabase, requireEmpty } from '../../src/backup/load.ts'
import { readSegments } from '../../src/backup/read-folder.ts'
import { RestoredSegments, type RestoreTarget } from '../../src/backup/restored-segments.ts'
import type { SnapshotTarget } from '../../src/backup/target.ts'
import { segmentFile } from '../../src/bytes/segments/files-on-disk.ts'
import { openStorageRoot, restoreMarker } from '../../src/bytes/storage-root.ts'
import { Pace } from '../../src/bytes/upkeep/verify/pace.ts'
import { openBulk } from '../../src/database/bulk.ts'
import { connect, type Database } from '../../src/database/connect.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createLog } from '../../src/lib/log.ts'
import { packageRoot } from '../../src/lib/package-root.ts'
import { randomRowId } from '../../src/lib/random-id.ts'
import { FakeClock } from '../helpers/clock.ts'
import { makeFolder } from '../helpers/folder.ts'
import { assertInvariants, settleService } from '../helpers/invariants.ts'
import { createTestDatabase } from '../helpers/postgres.ts'
import { testProcess, type Service } from '../helpers/service.ts'

export const { signal } = new AbortController()
export const unpaced = new Pace({ bytesPerSecond: null, clock: systemClock, signal })
const migrationsFolder = path.join(packageRoot, 'sql')

export interface Restored {
  readonly database: Database
  readonly storageDir: string
  readonly damages: readonly Damage[]
}

export class BackupScene {
  readonly folder = makeFolder()
  readonly place = path.join(this.folder, 'backup')
  readonly #closers: (() => Promise<void>)[] = []
  #seconds = 0

  /** @param wrap stands between the backup and its folder */
  async backUp(
    service: Service,
    wrap: (target: SnapshotTarget) => SnapshotTarget = (target) => target,
  ): Promise<Complete> {
    const { database, address, keys, app } = service
    const serviceId = app.storage.root.id
    const folder = await BackupFolder.openForWriting(this.place)
    // Names of snapshots are seconds.
    this.#seconds += 1
    const createdAt = new Date(Date.UTC(2026, 0, 1) + this.#seconds * 1000)
    try {
      const target = wrap(await folder.begin(createdAt, serviceId))
      const deps = {
        database,
        openBulk: () => openBulk({ ...address, applicationName: 'test' }),
        root: app.storage.root,
        keyFile: Buffer.alloc(32),
        keyFingerprint: keys.fingerprint,
        serviceId,
        version: '0',
        clock: systemClock,
        pace: unpaced,
        signal,
        spoolFolder: this.folder,
        place: this.place,
        createdAt,
        onDamage: () => {},
        onProgress: () => {},
      }
      return await makeBackup(deps, target).catch(async (error: unknown) => {
        await target.abandon()
        throw error
      })
    } finally {
      await folder.close()
    }
  }

  /** The newest snapshot, into a new database and a new folder, or its bytes elsewhere. */
  async restore(elsewhere: RestoreTarget | null = null): Promise<Restored> {
    const testDatabase = await createTestDatabase()
    const bulk = openBulk({ ...testDatabase, applicationName: 'test' })
    const storageDir = mkdtempSync(path.join(this.folder, 'restored-'))
    const folder = await BackupFolder.openForReading(this.place)
    const damages: Damage[] = []
    try {
      const snapshot = await folder.openSnapshot(null)
      await requireEmpty(bulk, 'the database')
      const target = elsewhere ?? new RestoredSegments(storageDir)
      await readSegments(snapshot, folder.storageFolder, target, {
        onDamage: (damage) => damages.push(damage),
        onProgress: () => {},
        pace: unpaced,
        signal,
      })
      await target.finish()
      await restoreMarker(storageDir, snapshot.head.storageRoot)
      await loadDatabase(bulk, snapshot, { migrationsFolder, finish: async () => {} })
    } finally {
      await folder.close()
      await bulk.close()
    }
    const database = connect({ ...testDatabase, applicationName: 'test' })
    this.#closers.push(async () => {
      await database.close()
      await testDatabase.drop()
    })
    return { database, storageDir, damages }
  }

  async close(): Promise<void> {
    for (const close of this.#closers) await close()
  }
}

/** A service starts on what was restored, does all of its work, and leaves nothing wrong. */
export async function assertServes(
  { database, storageDir }: Restored,
  { keys, config }: Service,
): Promise<void> {
  const app = createApp({
    config: { ...config, storageDir },
    database,
    databaseDisk: null,
    root: await openStorageRoot(storageDir, database, { create: false }),
    keys,
    clock: new FakeClock(),
    log: createLog({ level: 'silent' }),
    processId: randomRowId(),
    ...testProcess,
    signals: null,
  })
  try {
    await app.recover()
    await settleService({ app, database })
    await assertInvariants({ storageDir, database })
  } finally {
    await app.close(0)
  }
}

/** Null and zero for an empty file. */
interface Extent {
  readonly shareId: string
  readonly name: string
  readonly containerId: string
  readonly segmentId: string | null
  readonly segmentOffset: number
  readonly length: number
}

/** The contents of all files in a restored service, by share and name. */
export async function contentsOf({ database, storageDir }: Restored): Promise<Map<string, Buffer>> {
  const rows = await database.sql<Extent[]>`
    select shares.id as share_id, original_name as name, files.container_id, segment_id,
      segment_offset, length
    from files
    join shares on shares.container_id = files.container_id
    left join extents on extents.file_id = files.id
    where shares.state = 'complete'
    order by files.id, position`
  const contents = new Map<string, Buffer>()
  for (const row of rows) {
    const key = `${row.shareId} ${row.name}`
    const before = contents.get(key) ?? Buffer.alloc(0)
    contents.set(key, before)
    if (row.segmentId === null) continue
    const segment = readFileSync(segmentFile(storageDir, row.containerId, row.segmentId))
    const end = row.segmentOffset + row.length
    assert.ok(segment.length >= end, `${key} is cut`)
    contents.set(key, Buffer.concat([before, segment.subarray(row.segmentOffset, end)]))
  }
  return contents
}
