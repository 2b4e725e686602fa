// Invariants of rows and segments whenever nothing runs, after any history.
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import * as assert from 'uvu/assert'
import type { UsageDrift } from '../../src/admin/usage-sql.ts'
import { findUsageDrifts } from '../../src/admin/usage.ts'
import type { Sql } from '../../src/database/connect.ts'
import { segmentFile } from '../../src/bytes/segments/files-on-disk.ts'
import type { Service } from './service.ts'
import { until } from './until.ts'

interface Extent {
  containerId: string
  of: string
  segmentId: string
  segmentOffset: number
  length: number
  crc32: number
}

type Place = Pick<Service, 'storageDir'> & { database: { sql: Sql } }

/** Waits until no request runs and all deferred work is done. */
export async function settleService({
  app,
  database,
}: Pick<Service, 'app' | 'database'>): Promise<void> {
  const { writers } = app.storage
  await until('every context has ended', () => app.listener.watchdog.size === 0)
  await until('every writer is idle', () => writers.count === writers.idleCount)
  await app.storage.freeing.run()
  // Before a job mends it.
  assert.equal(await usageDrifts(database.sql), [])
  await app.jobs.runAll()
  await until('every manifest is written', async () => {
    const due = await database.sql`
      select 1 from shares
      where state = 'complete' and manifest_revision is distinct from revision
      union all
      select 1 from deliveries
      where state = 'complete' and manifest_revision is distinct from revision`
    return due.length === 0
  })
}

/** Accounts whose counted usage is not that of what they own. */
export async function usageDrifts(sql: Sql): Promise<UsageDrift[]> {
  const drifts: UsageDrift[] = []
  for await (const page of findUsageDrifts(sql)) drifts.push(...page)
  return drifts
}

/** How many containers have a folder. */
export function containersOnDisk({ storageDir }: Pick<Service, 'storageDir'>): number {
  const groups = existsSync(storageDir) ? readdirSync(storageDir) : []
  return groups
    .filter((name) => name.length === 2)
    .flatMap((name) => readdirSync(path.join(storageDir, name))).length
}

/** Throws every violation of the storage in its current state. */
export async function assertInvariants(service: Place): Promise<void> {
  const { sql } = service.database
  assert.equal(await problemsOfRows(sql), [], 'rows')
  const extents = await sql<Extent[]>`
    select container_id, 'chunk ' || file_key || ' ' || chunk_index as of,
      segment_id, segment_offset, length, crc32
    from chunks
    union all
    select container_id, 'file ' || files.id, segment_id, segment_offset, length, extents.crc32
    from extents
    join files on files.id = extents.file_id`
  assert.equal(problemsOfExtents(service.storageDir, extents), [], 'extents')
  await checkFolders(service)
  await checkEnds(service)
}

/** Queries that must find nothing. */
type Checks = Record<string, Promise<readonly unknown[]>>

function checkShares(sql: Sql): Checks {
  return {
    'a chunk of a complete share that accepts none': sql`
      select 1
      from chunks join shares using (container_id)
      where state = 'complete' and adding_since is null`,
    'additions to a share that is not complete': sql`
      select 1 from shares where state <> 'complete' and adding_since is not null`,
    'a segment with a tombstone': sql`
      select 1 from segments join segment_tombstones on segment_id = segments.id`,
    'a file of a draft': sql`
      select 1 from files join shares using (container_id) where state = 'draft'`,
    'a container of no share and no delivery': sql`
      select 1
      from containers
      left join shares on shares.container_id = containers.id
      left join deliveries on deliveries.container_id = containers.id
      where shares.id is null and deliveries.id is null`,
    'a container with a tombstone': sql`
      select 1 from containers join tombstones on container_id = containers.id`,
    'a total that differs from its files': sql`
      select 1
      from shares
      where state = 'complete' and total_size <> (
        select coalesce(sum(size), 0) from files where files.container_id = shares.container_id
      )`,
  }
}

function checkContainers(sql: Sql): Checks {
  return {
    'an extent without its segment': sql`
      select 1
      from extents join files on files.id = file_id
      left join segments
        on segments.id = segment_id and segments.container_id = files.container_id
      where segments.id is null`,
    'a chunk without its segment': sql`
      select 1
      from chunks
      left join segments
        on segments.id = segment_id and segments.container_id = chunks.container_id
      where segments.id is null`,
    'an extent after the committed end': sql`
      select 1
      from (
        select segment_id, segment_offset + length as end from chunks
        union all
        select segment_id, segment_offset + length from extents
      ) as ends
      join segments on segments.id = segment_id
      where ends.end > committed_end`,
    'a file whose extents do not add up': sql`
      select 1
      from files
      where size <> (
        select coalesce(sum(length), 0) from extents where file_id = files.id
      )`,
    'used bytes that differ from the segments': sql`
      select 1
      from containers
      where used_bytes <> (
        select coalesce(sum(committed_end), 0) from segments where container_id = containers.id
      )`,
    'live bytes that differ from chunks and files': sql`
      select 1
      from containers
      where live_bytes <> (
        select coalesce(sum(length), 0) from chunks where container_id = containers.id
      ) + (
        select coalesce(sum(size), 0) from files where container_id = containers.id
      )`,
  }
}

async function problemsOfRows(sql: Sql): Promise<string[]> {
  const checks = { ...checkShares(sql), ...checkContainers(sql) }
  const drifts = await usageDrifts(sql)
  const problems = drifts.map((drift) => `usage ${JSON.stringify(drift)}`)
  for (const [name, rows] of Object.entries(checks)) {
    if ((await rows).length > 0) problems.push(name)
  }
  return problems
}

function problemsOfExtents(storageDir: string, extents: readonly Extent[]): string[] {
  const problems: string[] = []
  const ordered = extents.toSorted(
    (a, b) =>
      a.segmentId.localeCompare(b.segmentId) ||
      a.segmentOffset - b.segmentOffset ||
      a.length - b.length,
  )
  let segmentId = ''
  let bytes = Buffer.alloc(0)
  let end = 0
  for (const extent of ordered) {
    if (extent.segmentId !== segmentId) {
      segmentId = extent.segmentId
      bytes = readFileSync(segmentFile(storageDir, extent.containerId, segmentId))
      end = 0
    }
    const from = extent.segmentOffset
    if (extent.length > 0 && from < end) problems.push(`${extent.of} overlaps another`)
    end = Math.max(end, from + extent.length)
    const data = bytes.subarray(from, from + extent.length)
    if (data.length < extent.length) problems.push(`${extent.of} is truncated`)
    else if (crc32(data) !== extent.crc32) problems.push(`${extent.of} has another CRC-32`)
  }
  return problems
}

/** Every folder belongs to a container, every segment to a row or a tombstone. */
async function checkFolders({ storageDir, database }: Place): Promise<void> {
  const containers = await database.sql<{ id: string }[]>`select id from containers`
  const known = new Set(containers.map((row) => row.id))
  const folders = readdirSync(storageDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => readdirSync(path.join(storageDir, entry.name)))
  assert.equal(
    folders.filter((name) => !known.has(name)),
    [],
    'folders without a container',
  )
  const segments = await database.sql<{ id: string }[]>`select id from segments`
  const tombstoned = await database.sql<{ segmentId: string }[]>`
    select segment_id from segment_tombstones`
  const ids = [...segments.map((row) => row.id), ...tombstoned.map((row) => row.segmentId)]
  const rows = new Set(ids.map((id) => `${id}.seg`))
  for (const name of folders) {
    const inside = readdirSync(path.join(storageDir, name.slice(0, 2), name))
    const strange = inside.filter((file) => !rows.has(file) && file !== 'manifest.json')
    assert.equal(strange, [], 'files without a row')
  }
}

/** Every committed byte is there. */
async function checkEnds({ storageDir, database }: Place): Promise<void> {
  const segments = await database.sql<{ id: string; containerId: string; committedEnd: number }[]>`
    select id, container_id, committed_end from segments`
  for (const row of segments) {
    const name = segmentFile(storageDir, row.containerId, row.id)
    const size = existsSync(name) ? readFileSync(name).length : 0
    assert.ok(size >= row.committedEnd, `segment ${row.id} has all that was committed`)
  }
}

// Traces that a failed request must not leave behind.

/** Bytes in files of a folder. */
export function bytesBelow(folder: string): number {
  return (
    readdirSync(folder, { recursive: true, withFileTypes: true })
      // Those of earlier shares are written in the background.
      .filter((entry) => entry.isFile() && !entry.name.startsWith('manifest.json'))
      .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0)
  )
}

/** Descriptors of this process that are open on files of a folder (Linux only). */
export function descriptorsBelow(folder: string): number {
  const links = readdirSync('/proc/self/fd').map((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`)
    } catch {
      return ''
    }
  })
  return links.filter((link) => link.startsWith(`${folder}/`)).length
}

export interface TracesBefore {
  readonly bytes: number
  readonly chunks: number
}

export async function tracesNow(service: Service): Promise<TracesBefore> {
  const { sql } = service.database
  const chunks = await sql<{ count: number }[]>`select count(*) from chunks`.oneValue()
  return { bytes: bytesBelow(service.storageDir), chunks }
}

/**
 * Waits until nothing runs any more, then asserts that no segment writer, permit, byte, row or
 * descriptor is left of the requests since `before`.
 */
export async function assertNoTraces(service: Service, before: TracesBefore): Promise<void> {
  const { app } = service
  const { writers } = app.storage
  await until('every context has ended', () => app.listener.watchdog.size === 0)
  await until('every writer is idle', () => writers.count === writers.idleCount)
  await until('every permit is released', () => app.services.uploads.budget.permits === 0)
  // Those of earlier shares are written in the background, with descriptors of their own.
  await app.services.manifests.idle()
  assert.equal(await tracesNow(service), before)
  service.clock.advance(61_000)
  await writers.closeIdle()
  assert.is(writers.count, 0, 'writers that are idle for a minute close')
  // What the minute has made due opens files, too: a manifest, the marker of the folder.
  const isClosed = () => descriptorsBelow(service.storageDir) === 0
  await until('no descriptor is open below the folder', isClosed)
}
