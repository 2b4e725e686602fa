import type { Sql } from '../../database/connect.ts'

/**
 * Registers a segment in the current root before its file exists.
 * @returns the root; null when the container is gone or being freed
 */
export async function insertSegment(
  sql: Sql,
  segment: { id: string; containerId: string; ownerId: string },
): Promise<string | null> {
  return sql<{ rootId: string }[]>`
    insert into segments (id, container_id, root_id, owner_id, created_at)
    select ${segment.id}, containers.id, storage_roots.id, ${segment.ownerId}, now()
    from containers
    cross join storage_roots
    where containers.id = ${segment.containerId}
      and not containers.is_tombstoned
      and storage_roots.is_current
    for key share of containers
    returning root_id`.firstValue()
}

export async function segmentExists(sql: Sql, segmentId: string): Promise<boolean> {
  return sql`select 1 from segments where id = ${segmentId}`.exists()
}

export async function disownSegment(sql: Sql, segmentId: string): Promise<void> {
  await sql`update segments set owner_id = null where id = ${segmentId}`
}

/** Forgets a segment of which nothing is stored. */
export async function deleteSegment(sql: Sql, segmentId: string): Promise<void> {
  await sql`delete from segments where id = ${segmentId}`
}

/** Processes that have, or had, segments open. */
export async function listSegmentOwners(sql: Sql): Promise<string[]> {
  return sql<{ ownerId: string }[]>`
    select distinct owner_id
    from segments
    where owner_id is not null`.column()
}

/**
 * Marks all segments of a dead process as having no appender: its commits that are still under way
 * then fail. Those without a committed byte are looked for with the unused ones. Returns the number
 * of all.
 */
export async function disownSegmentsOf(sql: Sql, ownerId: string): Promise<number> {
  await sql`
    update containers
    set is_shrunk = true
    where id in (
      select container_id from segments where owner_id = ${ownerId} and committed_end = 0
    )`
  return sql`update segments set owner_id = null where owner_id = ${ownerId}`.changes()
}

export async function insertContainer(sql: Sql, id: string): Promise<void> {
  await sql`insert into containers (id, created_at) values (${id}, now())`
}

export async function deleteSegmentTombstones(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql`delete from segment_tombstones where segment_id = any(${[...ids]}::uuid[])`
}
