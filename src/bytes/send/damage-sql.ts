import { type DamagedFile, extentsOfEach } from '../files-sql.ts'
import type { Sql } from '../../database/connect.ts'

/** Returns those that were not marked yet, and are not gone. */
export async function markDamaged(
  sql: Sql,
  fileIds: readonly number[],
  at: Date,
): Promise<number[]> {
  return sql<{ id: number }[]>`
    update files
    set damaged_at = ${at}
    where id = any(${[...fileIds]}::integer[]) and damaged_at is null
    returning id`.column()
}

/** A segment of a file, and the end of the file's bytes in it. */
export interface NeededSegment {
  readonly containerId: string
  readonly segmentId: string
  readonly end: number
}

/** Empty for a file without bytes, and for one that is gone. */
export async function listNeededSegments(sql: Sql, fileId: number): Promise<NeededSegment[]> {
  return sql<NeededSegment[]>`
    select files.container_id, extents.segment_id,
      max(extents.segment_offset + extents.length) as end
    from files
    cross join ${extentsOfEach(sql)}
    where files.id = ${fileId}
    group by files.container_id, extents.segment_id`
}

/** A segment with fewer bytes on disk than its row says. */
export interface LostBytes {
  readonly containerId: string
  readonly segmentId: string
  /** Length of the rest; 0 when its file is gone. */
  readonly bytesOnDisk: number
}

/**
 * Marks files in one page of a container that have lost bytes, unless it is being freed.
 * @returns the last file examined, null after the last page; and the newly marked files
 */
export async function markLostPage(
  sql: Sql,
  { containerId, segmentId, bytesOnDisk }: LostBytes,
  page: { afterId: number; limit: number; at: Date },
): Promise<{ lastId: number | null; markedIds: number[] }> {
  return sql<{ lastId: number | null; markedIds: number[] }[]>`
    with page as (
      select id
      from files
      where container_id = ${containerId}
        and id > ${page.afterId}
        and not exists (
          select from tombstones where container_id = ${containerId} and frees <> 'chunks'
        )
      order by id
      limit ${page.limit}
    ),
    marked as (
      update files
      set damaged_at = ${page.at}
      where damaged_at is null
        and id in (
          select extents.file_id
          from page
          cross join ${extentsOfEach(sql, 'page.id')}
          where extents.segment_id = ${segmentId}
            and extents.segment_offset + extents.length > ${bytesOnDisk}
        )
      returning id
    )
    select (select max(id) from page) as last_id,
      array(select id from marked order by id) as marked_ids`.one()
}

/** Null for a file that is gone. */
export async function findMark(
  sql: Sql,
  fileId: number,
): Promise<(DamagedFile & { readonly isDamaged: boolean }) | null> {
  return sql<(DamagedFile & { isDamaged: boolean })[]>`
    select id, original_name as name, damaged_at is not null as is_damaged
    from files
    where id = ${fileId}`.first()
}

/** Where a file is stored, and its owner: a share, a delivery, or neither any more. */
export interface FilePlace {
  readonly fileId: number
  readonly containerId: string
  readonly shareId: string | null
  readonly reverseShareId: string | null
  readonly deliveryId: string | null
  /** At most ten. */
  readonly segmentIds: readonly string[]
}

export async function listPlaces(sql: Sql, fileIds: readonly number[]): Promise<FilePlace[]> {
  return sql<FilePlace[]>`
    select files.id as file_id, files.container_id, shares.id as share_id,
      deliveries.reverse_share_id, deliveries.id as delivery_id,
      array(
        select distinct segment_id::text from extents where file_id = files.id order by 1 limit 10
      ) as segment_ids
    from files
    left join shares on shares.container_id = files.container_id
    left join deliveries on deliveries.container_id = files.container_id
    where files.id in (select unnest(${[...fileIds]}::integer[]))
    order by files.id`
}
