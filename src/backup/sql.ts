import type { Sql } from '../database/connect.ts'

/** Rows kept for administrators. */
const runsKept = 20

/** A backup that was completed. */
export interface BackupRun {
  readonly place: string
  readonly startedAt: Date
  readonly finishedAt: Date
  /** Bytes of stored files, and those of them that the run has copied. */
  readonly bytes: number
  readonly copiedBytes: number
  readonly files: number
  /** Files found damaged while they were copied. */
  readonly damaged: number
}

/** Begins a run, which holds removals from its commit on. */
export async function insertRun(sql: Sql, run: { id: string; place: string; holdSeconds: number }) {
  await sql`
    insert into backup_runs (id, place, started_at, held_until)
    values (
      ${run.id}, ${run.place}, now(), now() + make_interval(secs => ${run.holdSeconds}::integer)
    )`
}

/** False when the hold had ended: bytes may be gone. */
export async function extendHold(sql: Sql, id: string, holdSeconds: number): Promise<boolean> {
  return sql`
    update backup_runs
    set held_until = now() + make_interval(secs => ${holdSeconds}::integer)
    where id = ${id} and held_until > now()`.exists()
}

export async function endHold(sql: Sql, id: string): Promise<void> {
  await sql`update backup_runs set held_until = null where id = ${id}`
}

export async function finishRun(
  sql: Sql,
  id: string,
  result: Pick<BackupRun, 'bytes' | 'copiedBytes' | 'files' | 'damaged'>,
): Promise<void> {
  await sql`
    update backup_runs
    set finished_at = now(), bytes = ${result.bytes}, copied_bytes = ${result.copiedBytes},
      files = ${result.files}, damaged = ${result.damaged}
    where id = ${id}`
}

/** Keeps some of the newest, and the last completed one. */
export async function deleteOldRuns(sql: Sql): Promise<void> {
  await sql`
    delete from backup_runs
    where id not in (select id from backup_runs order by started_at desc limit ${runsKept})
      and id not in (
        select id
        from backup_runs
        where finished_at is not null
        order by finished_at desc
        limit 1
      )
      and (held_until is null or held_until <= now())`
}

/** The last completed backup; null before the first. */
export async function findLastRun(sql: Sql): Promise<BackupRun | null> {
  return sql<BackupRun[]>`
    select place, started_at, finished_at, bytes, copied_bytes, files, damaged
    from backup_runs
    where finished_at is not null
    order by finished_at desc
    limit 1`.first()
}

/** Files of containers that are not being freed. */
export async function countFiles(sql: Sql): Promise<number> {
  return sql<{ count: number }[]>`
    select count(*) as count
    from files
    where not exists (
      select
      from tombstones
      where tombstones.container_id = files.container_id and tombstones.frees <> 'chunks'
    )`.oneValue()
}

/** The list of a backup: it has no containers that are being freed. */
export const copySegmentList = segmentListWhere(`
  not exists (
    select
    from tombstones
    where tombstones.container_id = segments.container_id and tombstones.frees <> 'chunks'
  )`)

/** The list of a move: segments in a root to which nothing is appended any more. */
export function copyUnmovedList(rootId: string): string {
  return segmentListWhere(`
    segments.root_id = '${rootId}' and segments.owner_id is null and segments.committed_end > 0`)
}

/**
 * `copy … to stdout` of each segment with the extents and chunks in it, in the order of their
 * places: see segment-list.ts. Unchecked are files that are known to be damaged.
 */
function segmentListWhere(condition: string): string {
  return `
  copy (
    select segments.container_id, segments.id, segments.committed_end,
      placed.segment_offset, placed.length, placed.crc32, placed.owner, placed.name
    from segments
    left join (
      select extents.segment_id, extents.segment_offset, extents.length, extents.crc32,
        coalesce('share ' || shares.id, 'delivery to ' || deliveries.reverse_share_id) as owner,
        files.original_name as name
      from extents
      join files on files.id = extents.file_id
      left join shares on shares.container_id = files.container_id
      left join deliveries on deliveries.container_id = files.container_id
      where files.damaged_at is null
      union all
      select chunks.segment_id, chunks.segment_offset, chunks.length, chunks.crc32,
        coalesce('share ' || shares.id, 'delivery to ' || deliveries.reverse_share_id),
        coalesce(chunks.file_name, chunks.file_key)
      from chunks
      left join shares on shares.container_id = chunks.container_id
      left join deliveries on deliveries.container_id = chunks.container_id
    ) as placed on placed.segment_id = segments.id and placed.length > 0
    where ${condition}
    order by segments.container_id, segments.id, placed.segment_offset
  ) to stdout`
}

/** In a restored database: nothing is held. */
export async function endHolds(sql: Sql): Promise<void> {
  await sql`update backup_runs set held_until = null where held_until is not null`
}

/** Lets all manifests be written again, because they are in another place, or lost. */
export async function forgetManifests(sql: Sql): Promise<void> {
  for (const owners of ['shares', 'deliveries'] as const) {
    let last: string | null = null
    do {
      last = await forgetPage(sql, owners, last)
    } while (last !== null)
  }
}

/** Returns the last id of the page behind this one; null behind the end. */
async function forgetPage(
  sql: Sql,
  owners: 'shares' | 'deliveries',
  last: string | null,
): Promise<string | null> {
  const type = owners === 'shares' ? sql`text` : sql`uuid`
  return sql<{ last: string | null }[]>`
    with page as (
      select id
      from ${sql(owners)}
      where ${last}::text is null or id > ${last}::text::${type}
      order by id
      limit 1000
    ), forgotten as (
      update ${sql(owners)} as owned
      set manifest_revision = null
      from page
      where owned.id = page.id and owned.manifest_revision is not null
    )
    select (select id::text from page order by id desc limit 1) as last`.oneValue()
}
