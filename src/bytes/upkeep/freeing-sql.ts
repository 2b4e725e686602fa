import type { Sql } from '../../database/connect.ts'
import { isReadElsewhere } from '../../database/instances-sql.ts'

/**
 * What a tombstone frees: chunks of dropped additions; files and bytes of an expired share, which
 * keeps its empty container; or the whole container.
 */
export type Frees = 'chunks' | 'contents' | 'container'

/** A container without an owner, or with an owner that has no files left, and its former share. */
export interface TombstonedContainer {
  readonly containerId: string
  /** Null for a container of a delivery. */
  readonly shareId: string | null
}

/** Part of the transaction that hides the owner. Locks no container: finalize may hold it. */
export async function insertTombstones(
  sql: Sql,
  containers: readonly TombstonedContainer[],
  frees: Frees,
): Promise<void> {
  await sql`
    insert into tombstones (container_id, created_at, frees, share_id)
    select containers.id, now(), ${frees}, tombstoned.share_id
    from unnest(
      ${containers.map(({ containerId }) => containerId)}::uuid[],
      ${containers.map(({ shareId }) => shareId)}::text[]
    ) as tombstoned (container_id, share_id)
    join containers on containers.id = tombstoned.container_id
    order by containers.id
    on conflict (container_id) do update
    set frees = excluded.frees, share_id = excluded.share_id, attempts = 0, next_try_at = null,
        last_error = ''`
}

export async function hasTombstone(sql: Sql, containerId: string): Promise<boolean> {
  return sql`select 1 from tombstones where container_id = ${containerId}`.exists()
}

export interface DueTombstone extends TombstonedContainer {
  readonly frees: Frees
  readonly attempts: number
  readonly createdAt: string
}

export interface DueOptions {
  readonly now: Date
  /** A later next attempt was set by a clock that was wrong. */
  readonly dueBefore: Date
  readonly readers: Readers
}

/** Which transfers keep the bytes of an expired share. */
export interface Readers {
  /** Counted ones from before this moment are broken. */
  readonly since: Date
  /** The process that knows its own. */
  readonly processId: string
}

const dueTombstone = (sql: Sql) =>
  sql`container_id, share_id, frees, attempts, created_at::text as created_at`

/** Tombstones to work on, oldest first, starting behind one; those with readers wait. */
export async function listDueTombstones(
  sql: Sql,
  { now, dueBefore, readers }: DueOptions,
  behind: DueTombstone | null,
): Promise<DueTombstone[]> {
  const { createdAt = null, containerId = null } = behind ?? {}
  return sql<DueTombstone[]>`
    select ${dueTombstone(sql)}
    from tombstones
    where (next_try_at is null or next_try_at <= ${now} or next_try_at > ${dueBefore})
      and (
        ${containerId}::uuid is null
        or (created_at, container_id) > (${createdAt}::text::timestamptz, ${containerId}::uuid)
      )
      and (frees <> 'contents' or not ${isRead(sql, readers)})
    order by tombstones.created_at, container_id
    limit 100`
}

/** The tombstone of one container, due or not; null without one, or while it has readers. */
export async function findTombstone(
  sql: Sql,
  containerId: string,
  readers: Readers,
): Promise<DueTombstone | null> {
  return sql<DueTombstone[]>`
    select ${dueTombstone(sql)}
    from tombstones
    where container_id = ${containerId}
      and (frees <> 'contents' or not ${isRead(sql, readers)})`.first()
}

const isRead = (sql: Sql, { since, processId }: Readers) => sql`
  (
    exists (
      select 1
      from downloads
      where downloads.share_id = tombstones.share_id
        and downloads.running > 0
        and downloads.started_at > ${since}
    )
    or ${isReadElsewhere(sql, processId, sql`container_id`, sql`tombstones.created_at`)}
  )`

/** Null when it is gone, or when a transaction that must not be waited for holds it. */
export async function lockTombstone(
  sql: Sql,
  containerId: string,
  waits: boolean,
): Promise<Frees | null> {
  return sql<{ frees: Frees }[]>`
    select frees
    from tombstones
    where container_id = ${containerId}
    for update ${waits ? sql`` : sql`skip locked`}`.firstValue()
}

/**
 * Closes the container to new segments. False while a transaction holds it, for example a finalize
 * that is about to fail. True if its row is gone.
 */
export async function closeContainer(sql: Sql, containerId: string): Promise<boolean> {
  const locked = await sql`
    select 1
    from containers
    where id = ${containerId}
    for update skip locked`
  if (locked.length === 0) {
    return (await sql`select 1 from containers where id = ${containerId}`).length === 0
  }
  await sql`
    update containers
    set is_tombstoned = true, used_bytes = 0, live_bytes = 0
    where id = ${containerId}`
  return true
}

/**
 * Frees the extents of the next files, at most `limit` rows each, and files without any extents
 * left.
 * @returns number of freed rows, and the file behind which to continue
 */
export async function freeFiles(
  sql: Sql,
  containerId: string,
  afterId: number,
  limit: number,
): Promise<{ freed: number; lastId: number }> {
  const [page] = await sql<{ files: number; extents: number; lastId: number | null }[]>`
    with page as materialized (
      select id
      from files
      where container_id = ${containerId} and id > ${afterId}
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
  const { files, extents, lastId } = page!
  if (lastId === null) return { freed: 0, lastId: afterId }
  // Some extents of these files may be left.
  if (extents >= limit) return { freed: extents, lastId: afterId }
  await sql`
    delete from files
    where container_id = ${containerId} and id > ${afterId} and id <= ${lastId}`
  return { freed: files + extents, lastId }
}

/** A chunk by its place in the order of chunks. */
export interface ChunkPlace {
  readonly fileKey: string
  readonly index: number
}

/** Frees at most `limit` rows behind a place. Returns their number, and the last of them. */
export async function freeChunks(
  sql: Sql,
  containerId: string,
  after: ChunkPlace,
  limit: number,
): Promise<{ freed: number; last: ChunkPlace }> {
  const [row] = await sql<(ChunkPlace & { count: number })[]>`
    with page as materialized (
      select ctid, file_key, chunk_index
      from chunks
      where container_id = ${containerId}
        and (file_key, chunk_index) > (${after.fileKey}, ${after.index})
      order by file_key, chunk_index
      limit ${limit}
    ), freed as (
      delete from chunks
      where ctid = any(array(select ctid from page))
    )
    select file_key, chunk_index as index, count(*) over () as count
    from page
    order by file_key desc, chunk_index desc
    limit 1`
  if (!row) return { freed: 0, last: after }
  return { freed: row.count, last: row }
}

/**
 * Frees at most `limit` rows; returns their number. Call it before leases are freed. It locks the
 * leases first, as transfers do.
 */
export async function freeDownloads(sql: Sql, shareId: string, limit: number): Promise<number> {
  return sql`
    with locked as materialized (
      select id from leases where share_id = ${shareId} limit ${limit} for update
    )
    delete from downloads
    where id = any(array(
      select downloads.id
      from locked
      join downloads on lease_id = locked.id
      limit ${limit}
    ))`.changes()
}

const ownerColumns = {
  segments: 'container_id',
  segment_tombstones: 'container_id',
  thumbnails: 'container_id',
  folders: 'container_id',
  leases: 'share_id',
} as const

/**
 * Frees at most `limit` rows of a container, or of a share; returns their number.
 * @param which 'pending' for those of files that are not complete
 */
export async function freeTable(
  sql: Sql,
  table: keyof typeof ownerColumns,
  ownerId: string,
  limit: number,
  which: 'all' | 'pending' = 'all',
): Promise<number> {
  const pending = table === 'folders' ? sql`and entry_name is null` : sql`and file_key is not null`
  return sql`
    delete from ${sql(table)}
    where ctid = any(array(
      select ctid
      from ${sql(table)}
      where ${sql(ownerColumns[table])} = ${ownerId}
        ${which === 'all' ? sql`` : pending}
      limit ${limit}
    ))`.changes()
}

export async function deleteContainer(sql: Sql, containerId: string): Promise<void> {
  await sql`delete from containers where id = ${containerId}`
}

export async function deleteTombstone(sql: Sql, containerId: string): Promise<void> {
  await sql`delete from tombstones where container_id = ${containerId}`
}

/** Keeps a failure across restarts. */
export async function postponeTombstone(
  sql: Sql,
  containerId: string,
  failure: { attempts: number; nextTryAt: Date; error: string },
): Promise<void> {
  await sql`
    update tombstones
    set attempts = ${failure.attempts},
        next_try_at = ${failure.nextTryAt},
        last_error = ${failure.error}
    where container_id = ${containerId}`
}

/** A container that could not be freed, and the time of the next attempt. */
export interface FailedTombstone {
  readonly containerId: string
  readonly attempts: number
  readonly nextTryAt: Date
  readonly lastError: string
}

export async function listFailedTombstones(
  sql: Sql,
  limit: number,
): Promise<{ count: number; first: FailedTombstone[] }> {
  const rows = await sql<(FailedTombstone & { count: number })[]>`
    select container_id, attempts, next_try_at, last_error, count(*) over () as count
    from tombstones
    where attempts > 0
    order by attempts desc, created_at, container_id
    limit ${limit}`
  return { count: rows[0]?.count ?? 0, first: rows }
}

/** Whether a backup is copying segments that a removal could take away from it. */
export async function isRemovalHeld(sql: Sql): Promise<boolean> {
  return sql`select 1 from backup_runs where held_until > now() limit 1`.exists()
}
