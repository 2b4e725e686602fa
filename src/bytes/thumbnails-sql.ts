import type { Sql } from '../database/connect.ts'

/** What a thumbnail belongs to: a file by its id, or by its sender's id until it is complete. */
export type ThumbnailPlace = { readonly fileKey: string } | { readonly fileId: number }

/** Whether chunks of a file that is not complete have been received, with at least these bytes. */
export async function isReceived(
  sql: Sql,
  containerId: string,
  fileKey: string,
  bytesMin = 0,
): Promise<boolean> {
  return sql`
    select 1
    from (
      select length
      from chunks
      where container_id = ${containerId} and file_key = ${fileKey}
      limit 100
    ) as received
    having sum(length) >= ${bytesMin}`.exists()
}

/** Files, from the last one, among which a sender's id is searched. */
const searchedMax = 20_000

/**
 * The latest complete file with this id of its sender: there is no index, because it would take
 * half as much space as the files.
 */
export async function findFileByKey(
  sql: Sql,
  containerId: string,
  fileKey: string,
  bytesMin = 0,
): Promise<{ fileId: number } | null> {
  return sql<{ fileId: number }[]>`
    select id as file_id
    from (
      select id, file_key, size
      from files
      where container_id = ${containerId}
      order by id desc
      limit ${searchedMax}
    ) as latest
    where file_key = ${fileKey} and size >= ${bytesMin}
    order by id desc
    limit 1`.first()
}

/**
 * Inserts or replaces a thumbnail. Needs the lock of the container.
 * @param options how many the container may have; whether another one replaces the first
 * @returns false if it would be one more than allowed
 */
export async function storeThumbnail(
  sql: Sql,
  containerId: string,
  place: ThumbnailPlace,
  jpeg: Buffer,
  { max, replaces }: { max: number; replaces: boolean },
): Promise<boolean> {
  const { fileKey, fileId } = { fileKey: null, fileId: null, ...place }
  const isThere = sql`
    container_id = ${containerId}
      and ${fileKey === null ? sql`file_id = ${fileId}` : sql`file_key = ${fileKey}`}`
  const [stored] = await sql<{ isSame: boolean }[]>`
    select jpeg = ${jpeg} as is_same
    from thumbnails
    where ${isThere}`
  // Equal bytes are not written: each update leaves a dead copy until the next vacuum.
  if (stored && !stored.isSame && replaces) {
    await sql`update thumbnails set jpeg = ${jpeg} where ${isThere}`
  }
  if (stored) return true
  const inserted = await sql`
    insert into thumbnails (container_id, file_key, file_id, jpeg)
    select ${containerId}, ${fileKey}::text, ${fileId}::integer, ${jpeg}::bytea
    where (select count(*) from thumbnails where container_id = ${containerId}) < ${max}`
  if (inserted.count === 0) return false
  if (fileId !== null) await sql`update files set has_thumbnail = true where id = ${fileId}`
  return true
}

export async function findThumbnail(
  sql: Sql,
  containerId: string,
  fileId: number,
): Promise<Buffer | null> {
  return sql<{ jpeg: Buffer }[]>`
    select jpeg
    from thumbnails
    where container_id = ${containerId} and file_id = ${fileId}`.firstValue()
}

/** Keys of files with a thumbnail that are not complete. */
export async function listPendingThumbnails(sql: Sql, containerId: string): Promise<Set<string>> {
  const keys = sql<{ fileKey: string }[]>`
    select file_key
    from thumbnails
    where container_id = ${containerId} and file_key is not null`.column()
  return new Set(await keys)
}

/** Forgets those of discarded files: others may come with the same keys. */
export async function dropThumbnails(sql: Sql, containerId: string, fileKeys: readonly string[]) {
  await sql`
    delete from thumbnails
    where container_id = ${containerId} and file_key = any(${[...fileKeys]}::text[])`
}

/** Gives complete files the thumbnails that were received before they were complete. */
export async function assignThumbnails(
  sql: Sql,
  containerId: string,
  files: readonly { readonly fileKey: string; readonly id: number }[],
): Promise<void> {
  if (files.length === 0) return
  await sql`
    with assigned as (
      update thumbnails
      set file_id = complete.id, file_key = null
      from unnest(
        ${files.map(({ fileKey }) => fileKey)}::text[],
        ${files.map(({ id }) => id)}::integer[]
      ) as complete (file_key, id)
      where container_id = ${containerId} and thumbnails.file_key = complete.file_key
      returning file_id
    )
    update files
    set has_thumbnail = true
    where id in (select file_id from assigned)`
}
