import type { Sql } from '../db/connect.ts'

export async function findStorageRoot(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`select id from storage_roots`
  return row?.id ?? null
}

export async function insertStorageRoot(sql: Sql, id: string): Promise<void> {
  await sql`insert into storage_roots (id, created_at) values (${id}, now())`
}

/** Registers a segment before its file exists. Returns false when the parcel is gone. */
export async function insertSegment(
  sql: Sql,
  segment: { id: string; parcelId: string; ownerId: string },
): Promise<boolean> {
  const rows = await sql`
    insert into segments (id, parcel_id, owner_id, created_at)
    select ${segment.id}, id, ${segment.ownerId}, now()
    from parcels
    where id = ${segment.parcelId}
    for key share
    returning id`
  return rows.length > 0
}

export async function segmentExists(sql: Sql, segmentId: string): Promise<boolean> {
  const rows = await sql`select 1 from segments where id = ${segmentId}`
  return rows.length > 0
}

/** Nobody appends to these any more. */
export async function disownSegment(sql: Sql, segmentId: string): Promise<void> {
  await sql`update segments set owner_id = null where id = ${segmentId}`
}

/** Processes that hold, or held, segments open. */
export async function listSegmentOwners(sql: Sql): Promise<string[]> {
  const rows = await sql<{ owner_id: string }[]>`
    select distinct owner_id
    from segments
    where owner_id is not null`
  return rows.map((row) => row.owner_id)
}

export interface OrphanedSegment {
  readonly id: string
  readonly parcelId: string
  readonly committedEnd: number
}

/** Takes a dead process's segments over: a commit of its that is still on the way fails now. */
export async function takeOverSegments(
  sql: Sql,
  fromOwnerId: string,
  toOwnerId: string,
): Promise<OrphanedSegment[]> {
  const rows = await sql<{ id: string; parcel_id: string; committed_end: number }[]>`
    update segments
    set owner_id = ${toOwnerId}
    where owner_id = ${fromOwnerId}
    returning id, parcel_id, committed_end`
  return rows.map((row) => ({
    id: row.id,
    parcelId: row.parcel_id,
    committedEnd: row.committed_end,
  }))
}

export async function insertParcel(sql: Sql, id: string, rootId: string): Promise<void> {
  await sql`insert into parcels (id, root_id, created_at) values (${id}, ${rootId}, now())`
}

/**
 * In the transaction that deletes: the parcels' rows go, and tombstones tell what is left to do.
 */
export async function buryParcels(sql: Sql, parcelIds: readonly string[]): Promise<void> {
  const ids = [...parcelIds]
  await sql`
    insert into tombstones (parcel_id, root_id, created_at)
    select id, root_id, now()
    from parcels
    where id = any(${ids}::uuid[])
    on conflict (parcel_id) do nothing`
  await sql`delete from parcels where id = any(${ids}::uuid[])`
}

/** The parcels stay, empty: for owners that outlive their files. */
export async function emptyParcels(sql: Sql, parcelIds: readonly string[]): Promise<void> {
  const ids = [...parcelIds]
  await sql`
    insert into tombstones (parcel_id, root_id, created_at)
    select id, root_id, now()
    from parcels
    where id = any(${ids}::uuid[])
    on conflict (parcel_id) do nothing`
  await sql`delete from files where parcel_id = any(${ids}::uuid[])`
  await sql`delete from chunks where parcel_id = any(${ids}::uuid[])`
  await sql`delete from segments where parcel_id = any(${ids}::uuid[])`
  await sql`delete from segment_tombstones where parcel_id = any(${ids}::uuid[])`
  await sql`update parcels set used_bytes = 0, live_bytes = 0 where id = any(${ids}::uuid[])`
}

/** In the transaction that has emptied a segment: its row goes, its file stays for a while. */
export async function burySegment(
  sql: Sql,
  segment: { id: string; parcelId: string; at: Date },
): Promise<void> {
  await sql`delete from segments where id = ${segment.id}`
  await sql`
    insert into segment_tombstones (segment_id, parcel_id, created_at)
    values (${segment.id}, ${segment.parcelId}, ${segment.at})`
}

export async function deleteSegmentTombstone(sql: Sql, segmentId: string): Promise<void> {
  await sql`delete from segment_tombstones where segment_id = ${segmentId}`
}

export async function listTombstones(sql: Sql, rootId: string): Promise<string[]> {
  const rows = await sql<{ parcel_id: string }[]>`
    select parcel_id
    from tombstones
    where root_id = ${rootId}
    order by created_at
    limit 1000`
  return rows.map((row) => row.parcel_id)
}

export async function deleteTombstone(sql: Sql, parcelId: string): Promise<void> {
  await sql`delete from tombstones where parcel_id = ${parcelId}`
}
