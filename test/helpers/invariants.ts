// What must be true of rows and segments whenever nothing runs, whatever happened before.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import * as assert from 'uvu/assert'
import type { Sql } from '../../src/database/connect.ts'
import { segmentFile } from '../../src/blobs/segments/parcel-folder.ts'
import type { Service } from './service.ts'
import { until } from './until.ts'

interface Extent {
  parcel_id: string
  of: string
  segment_id: string
  segment_offset: number
  length: number
  crc32: number
}

type Place = Pick<Service, 'parcelsDir'> & { database: { sql: Sql } }

/** Waits until no request runs and everything that was put off is done. */
export async function settleService(service: Service): Promise<void> {
  const { app, database } = service
  const { lanes } = app.storage
  await until('every exchange has ended', () => app.listener.watchdog.size === 0)
  await until('every lane is idle', () => lanes.count === lanes.idleCount)
  await app.storage.removeBuried()
  await app.jobs.runAll()
  await until('every manifest is written', async () => {
    const due = await database.sql`
      select 1 from shares
      where state = 'complete' and manifest_revision is distinct from revision`
    return due.length === 0
  })
}

/**
 * Throws what is wrong with the storage as it stands.
 * @param mayEndEarly whether a power cut has taken bytes that no sync had covered
 */
export async function assertInvariants(
  service: Place,
  { mayEndEarly = false }: { mayEndEarly?: boolean } = {},
): Promise<void> {
  const { sql } = service.database
  assert.equal(await problemsOfRows(sql), [], 'rows')
  const extents = await sql<Extent[]>`
    select parcel_id, 'chunk ' || file_key || ' ' || chunk_index as of,
      segment_id, segment_offset, length, crc32
    from chunks
    union all
    select parcel_id, 'file ' || files.id, segment_id, segment_offset, length, extents.crc32
    from extents
    join files on files.id = extents.file_id`
  assert.equal(problemsOfExtents(service.parcelsDir, extents), [], 'extents')
  await checkFolders(service)
  if (!mayEndEarly) await checkEnds(service)
}

/** Sentences that must find nothing. */
type Checks = Record<string, Promise<readonly unknown[]>>

function checkShares(sql: Sql): Checks {
  return {
    'a chunk of a complete share that takes none': sql`
      select 1
      from chunks join shares using (parcel_id)
      where state = 'complete' and adding_since is null`,
    'additions to a share that is not complete': sql`
      select 1 from shares where state <> 'complete' and adding_since is not null`,
    'a segment with a tombstone': sql`
      select 1 from segments join segment_tombstones on segment_id = segments.id`,
    'a file of a draft': sql`
      select 1 from files join shares using (parcel_id) where state = 'draft'`,
    'a parcel of no share and no delivery': sql`
      select 1
      from parcels
      left join shares on shares.parcel_id = parcels.id
      left join deliveries on deliveries.parcel_id = parcels.id
      where shares.id is null and deliveries.id is null`,
    'a parcel with a tombstone': sql`
      select 1 from parcels join tombstones on parcel_id = parcels.id`,
    'a total that is not that of its files': sql`
      select 1
      from shares
      where state = 'complete' and total_size <> (
        select coalesce(sum(size), 0) from files where files.parcel_id = shares.parcel_id
      )`,
  }
}

function checkParcels(sql: Sql): Checks {
  return {
    'an extent without its segment': sql`
      select 1
      from extents join files on files.id = file_id
      left join segments
        on segments.id = segment_id and segments.parcel_id = files.parcel_id
      where segments.id is null`,
    'a chunk without its segment': sql`
      select 1
      from chunks
      left join segments
        on segments.id = segment_id and segments.parcel_id = chunks.parcel_id
      where segments.id is null`,
    'an extent behind the committed end': sql`
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
    'used bytes that are not those of the segments': sql`
      select 1
      from parcels
      where used_bytes <> (
        select coalesce(sum(committed_end), 0) from segments where parcel_id = parcels.id
      )`,
    'live bytes that are not those of chunks and files': sql`
      select 1
      from parcels
      where live_bytes <> (
        select coalesce(sum(length), 0) from chunks where parcel_id = parcels.id
      ) + (
        select coalesce(sum(size), 0) from files where parcel_id = parcels.id
      )`,
  }
}

async function problemsOfRows(sql: Sql): Promise<string[]> {
  const checks = { ...checkShares(sql), ...checkParcels(sql) }
  const problems: string[] = []
  for (const [name, rows] of Object.entries(checks)) {
    if ((await rows).length > 0) problems.push(name)
  }
  return problems
}

function problemsOfExtents(parcelsDir: string, extents: readonly Extent[]): string[] {
  const problems: string[] = []
  const ordered = extents.toSorted(
    (a, b) =>
      a.segment_id.localeCompare(b.segment_id) ||
      a.segment_offset - b.segment_offset ||
      a.length - b.length,
  )
  let segmentId = ''
  let bytes = Buffer.alloc(0)
  let end = 0
  for (const extent of ordered) {
    if (extent.segment_id !== segmentId) {
      segmentId = extent.segment_id
      bytes = readFileSync(segmentFile(parcelsDir, extent.parcel_id, segmentId))
      end = 0
    }
    const from = extent.segment_offset
    if (extent.length > 0 && from < end) problems.push(`${extent.of} overlaps another`)
    end = Math.max(end, from + extent.length)
    const data = bytes.subarray(from, from + extent.length)
    if (data.length < extent.length) problems.push(`${extent.of} is cut short`)
    else if (crc32(data) !== extent.crc32) problems.push(`${extent.of} has another CRC-32`)
  }
  return problems
}

/** Every folder belongs to a parcel, every segment to a row or a tombstone. */
async function checkFolders({ parcelsDir, database }: Place): Promise<void> {
  const parcels = await database.sql<{ id: string }[]>`select id from parcels`
  const known = new Set(parcels.map((row) => row.id))
  const folders = readdirSync(parcelsDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => readdirSync(path.join(parcelsDir, entry.name)))
  assert.equal(
    folders.filter((name) => !known.has(name)),
    [],
    'folders without a parcel',
  )
  const segments = await database.sql<{ id: string }[]>`select id from segments`
  const buried = await database.sql<{ segment_id: string }[]>`
    select segment_id from segment_tombstones`
  const ids = [...segments.map((row) => row.id), ...buried.map((row) => row.segment_id)]
  const rows = new Set(ids.map((id) => `${id}.seg`))
  for (const name of folders) {
    const inside = readdirSync(path.join(parcelsDir, name.slice(0, 2), name))
    const strange = inside.filter((file) => !rows.has(file) && file !== 'manifest.json')
    assert.equal(strange, [], 'files without a row')
  }
}

/** Every committed byte is there. */
async function checkEnds({ parcelsDir, database }: Place): Promise<void> {
  const segments = await database.sql<{ id: string; parcel_id: string; committed_end: number }[]>`
    select id, parcel_id, committed_end from segments`
  for (const row of segments) {
    const name = segmentFile(parcelsDir, row.parcel_id, row.id)
    const size = existsSync(name) ? readFileSync(name).length : 0
    assert.ok(size >= row.committed_end, `segment ${row.id} has all that was committed`)
  }
}
