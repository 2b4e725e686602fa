import type { Sql } from '../database/connect.ts'

/**
 * What a tombstone frees: chunks of dropped additions; files and bytes of an expired share, whose
 * container stays, empty; or the whole container.
 */
export type Frees = 'chunks' | 'contents' | 'container'

/** A container whose owner is gone or has no files any more, and the share it belonged to. */
export interface BuriedContainer {
  readonly parcelId: string
  /** Null for a delivery's. */
  readonly shareId: string | null
}

/** Part of the transaction that hides the owner. Locks no container: finalize may hold it. */
export async function insertTombstones(
  sql: Sql,
  containers: readonly BuriedContainer[],
  frees: Frees,
): Promise<void> {
  await sql`
    insert into tombstones (parcel_id, root_id, created_at, frees, share_id)
    select parcels.id, parcels.root_id, now(), ${frees}, buried.share_id
    from unnest(
      ${containers.map(({ parcelId }) => parcelId)}::uuid[],
      ${containers.map(({ shareId }) => shareId)}::text[]
    ) as buried (parcel_id, share_id)
    join parcels on parcels.id = buried.parcel_id
    order by parcels.id
    on conflict (parcel_id) do update
    set frees = excluded.frees, share_id = excluded.share_id, attempts = 0, next_try_at = null,
        last_error = ''`
}

export async function hasTombstone(sql: Sql, parcelId: string): Promise<boolean> {
  const rows = await sql`select 1 from tombstones where parcel_id = ${parcelId}`
  return rows.length > 0
}

export interface DueTombstone extends BuriedContainer {
  readonly frees: Frees
  readonly attempts: number
  readonly createdAt: string
}

export interface DueOptions {
  readonly rootId: string
  readonly now: Date
  /** A next attempt after this was set by a clock that was wrong. */
  readonly dueBefore: Date
  /** Running downloads that began before this have broken. */
  readonly readingSince: Date
}

interface TombstoneColumns {
  parcel_id: string
  share_id: string | null
  frees: Frees
  attempts: number
  created_at: string
}

const columns = (sql: Sql) =>
  sql`parcel_id, share_id, frees, attempts, created_at::text as created_at`

/** Tombstones to work on, oldest first, from behind one of them; those with readers wait. */
export async function listDueTombstones(
  sql: Sql,
  { rootId, now, dueBefore, readingSince }: DueOptions,
  behind: DueTombstone | null,
): Promise<DueTombstone[]> {
  const { createdAt = null, parcelId = null } = behind ?? {}
  const rows = await sql<TombstoneColumns[]>`
    select ${columns(sql)}
    from tombstones
    where root_id = ${rootId}
      and (next_try_at is null or next_try_at <= ${now} or next_try_at > ${dueBefore})
      and (
        ${parcelId}::uuid is null
        or (created_at, parcel_id) > (${createdAt}::text::timestamptz, ${parcelId}::uuid)
      )
      and (frees <> 'contents' or not ${isRead(sql, readingSince)})
    order by tombstones.created_at, parcel_id
    limit 100`
  return rows.map(toTombstone)
}

/** The same for one container, due or not; null when it has no tombstone, or has readers. */
export async function findTombstone(
  sql: Sql,
  parcelId: string,
  readingSince: Date,
): Promise<DueTombstone | null> {
  const [row] = await sql<TombstoneColumns[]>`
    select ${columns(sql)}
    from tombstones
    where parcel_id = ${parcelId} and (frees <> 'contents' or not ${isRead(sql, readingSince)})`
  return row ? toTombstone(row) : null
}

const isRead = (sql: Sql, since: Date) => sql`
  exists (
    select 1
    from downloads
    where downloads.share_id = tombstones.share_id
      and downloads.running > 0
      and downloads.started_at > ${since}
  )`

function toTombstone(row: TombstoneColumns): DueTombstone {
  return {
    parcelId: row.parcel_id,
    shareId: row.share_id,
    frees: row.frees,
    attempts: row.attempts,
    createdAt: row.created_at,
  }
}

/** Null when it is gone, or another transaction works on it that is not to be waited for. */
export async function lockTombstone(
  sql: Sql,
  parcelId: string,
  waits: boolean,
): Promise<Frees | null> {
  const [row] = await sql<{ frees: Frees }[]>`
    select frees
    from tombstones
    where parcel_id = ${parcelId}
    for update ${waits ? sql`` : sql`skip locked`}`
  return row?.frees ?? null
}

/**
 * Lets no segment be added to the container any more. False while a transaction holds it, for
 * example a finalize that is about to fail. True if its row is gone.
 */
export async function closeContainer(sql: Sql, parcelId: string): Promise<boolean> {
  const locked = await sql`
    select 1
    from parcels
    where id = ${parcelId}
    for update skip locked`
  if (locked.length === 0) {
    return (await sql`select 1 from parcels where id = ${parcelId}`).length === 0
  }
  await sql`
    update parcels
    set is_buried = true, used_bytes = 0, live_bytes = 0
    where id = ${parcelId}`
  return true
}

/** Frees at most `limit` rows; returns how many. */
export async function freeSegments(sql: Sql, parcelId: string, limit: number): Promise<number> {
  const freed = await sql`
    delete from segments
    where ctid = any(array(
      select ctid from segments where parcel_id = ${parcelId} limit ${limit}
    ))`
  return freed.count
}

/** Frees at most `limit` rows; returns how many. */
export async function freeSegmentTombstones(
  sql: Sql,
  parcelId: string,
  limit: number,
): Promise<number> {
  const freed = await sql`
    delete from segment_tombstones
    where ctid = any(array(
      select ctid from segment_tombstones where parcel_id = ${parcelId} limit ${limit}
    ))`
  return freed.count
}

/**
 * Frees the extents of the next files, at most `limit` of each, and the files once none of their
 * extents is left.
 * @returns how many rows went, and the file behind which to go on
 */
export async function freeFiles(
  sql: Sql,
  parcelId: string,
  afterId: number,
  limit: number,
): Promise<{ freed: number; lastId: number }> {
  const [page] = await sql<{ files: number; extents: number; last_id: number | null }[]>`
    with page as materialized (
      select id
      from files
      where parcel_id = ${parcelId} and id > ${afterId}
      order by id
      limit ${limit}
    ), freed as (
      delete from extents
      where ctid = any(array(
        select of_file.ctid
        from page
        cross join lateral (
          select extents.ctid from extents where extents.file_id = page.id offset 0
        ) as of_file
        limit ${limit}
      ))
      returning 1
    )
    select count(*) as files, max(id) as last_id, (select count(*) from freed) as extents
    from page`
  const { files, extents, last_id: lastId } = page!
  if (lastId === null) return { freed: 0, lastId: afterId }
  // Some extents of these files may be left.
  if (extents >= limit) return { freed: extents, lastId: afterId }
  await sql`
    delete from files
    where parcel_id = ${parcelId} and id > ${afterId} and id <= ${lastId}`
  return { freed: files + extents, lastId }
}

/** A chunk by its place in the order of chunks. */
export interface ChunkPlace {
  readonly fileKey: string
  readonly index: number
}

/** Frees at most `limit` rows behind a place. Returns how many, and the last of them. */
export async function freeChunks(
  sql: Sql,
  parcelId: string,
  after: ChunkPlace,
  limit: number,
): Promise<{ freed: number; last: ChunkPlace }> {
  const [row] = await sql<{ file_key: string; chunk_index: number; count: number }[]>`
    with page as materialized (
      select ctid, file_key, chunk_index
      from chunks
      where parcel_id = ${parcelId}
        and (file_key, chunk_index) > (${after.fileKey}, ${after.index})
      order by file_key, chunk_index
      limit ${limit}
    ), freed as (
      delete from chunks
      where ctid = any(array(select ctid from page))
    )
    select file_key, chunk_index, count(*) over () as count
    from page
    order by file_key desc, chunk_index desc
    limit 1`
  if (!row) return { freed: 0, last: after }
  return { freed: row.count, last: { fileKey: row.file_key, index: row.chunk_index } }
}

/** Frees at most `limit` rows; returns how many. */
export async function freeDownloads(sql: Sql, shareId: string, limit: number): Promise<number> {
  const freed = await sql`
    delete from downloads
    where ctid = any(array(
      select ctid
      from downloads
      where share_id = ${shareId}
      order by started_at desc
      limit ${limit}
    ))`
  return freed.count
}

export async function deleteContainer(sql: Sql, parcelId: string): Promise<void> {
  await sql`delete from parcels where id = ${parcelId}`
}

export async function deleteTombstone(sql: Sql, parcelId: string): Promise<void> {
  await sql`delete from tombstones where parcel_id = ${parcelId}`
}

/** Remembers a failure across restarts. */
export async function postponeTombstone(
  sql: Sql,
  parcelId: string,
  failure: { attempts: number; nextTryAt: Date; error: string },
): Promise<void> {
  await sql`
    update tombstones
    set attempts = ${failure.attempts},
        next_try_at = ${failure.nextTryAt},
        last_error = ${failure.error}
    where parcel_id = ${parcelId}`
}

/** A container that could not be freed, and when that is tried again. */
export interface FailedTombstone {
  readonly parcelId: string
  readonly attempts: number
  readonly nextTryAt: Date
  readonly lastError: string
}

export async function listFailedTombstones(
  sql: Sql,
  limit: number,
): Promise<{ count: number; first: FailedTombstone[] }> {
  const rows = await sql<
    { parcel_id: string; attempts: number; next_try_at: Date; last_error: string; count: number }[]
  >`
    select parcel_id, attempts, next_try_at, last_error, count(*) over () as count
    from tombstones
    where attempts > 0
    order by attempts desc, created_at, parcel_id
    limit ${limit}`
  return {
    count: rows[0]?.count ?? 0,
    first: rows.map((row) => ({
      parcelId: row.parcel_id,
      attempts: row.attempts,
      nextTryAt: row.next_try_at,
      lastError: row.last_error,
    })),
  }
}
