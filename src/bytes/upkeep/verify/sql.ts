import type { Sql } from '../../../database/connect.ts'
import { firstId, readPages } from '../../../lib/pages.ts'
import { extentsOfEach, type ExtentRow } from '../../files-sql.ts'
import type { ChunksPlace, FilesPlace } from './place.ts'

const pageRows = 500

export async function listContainers(sql: Sql, afterId: string, limit: number): Promise<string[]> {
  return sql<{ id: string }[]>`
    select id
    from containers
    where id > ${afterId}
    order by id
    limit ${limit}`.column()
}

export interface Segment {
  readonly containerId: string
  readonly segmentId: string
  readonly committedEnd: number
}

/** Pages of segments ordered by id: of one container, or of all. */
export function pagesOfSegments(sql: Sql, containerId: string | null) {
  const read = async (last: Segment | null, limit: number) =>
    listSegments(sql, containerId, last?.segmentId ?? firstId, limit)
  return readPages(read, [pageRows, pageRows])
}

function listSegments(sql: Sql, containerId: string | null, afterId: string, limit: number) {
  return sql<Segment[]>`
    select segments.container_id, segments.id as segment_id, segments.committed_end
    from segments
    where segments.id > ${afterId}
      and ${containerId === null ? sql`true` : sql`segments.container_id = ${containerId}`}
    order by segments.id
    limit ${limit}`
}

/**
 * How many bytes of a segment the rows of files and chunks need; null when they need none, or it is
 * gone, about to be removed, or about to be linked into a draft by a copy of files. Bytes behind
 * them may be missing: chunks that had lost theirs were dropped, and sent again.
 */
export async function findNeededEnd(
  sql: Sql,
  containerId: string,
  segmentId: string,
): Promise<number | null> {
  return sql<{ end: number | null }[]>`
    select greatest(
      (
        select max(segment_offset + length)
        from chunks
        where container_id = ${containerId} and segment_id = ${segmentId}
      ),
      (
        select max(extents.segment_offset + extents.length)
        from files
        cross join ${extentsOfEach(sql)}
        where files.container_id = ${containerId}
          and extents.segment_id = ${segmentId}
          and not exists (
            select 1 from shares where container_id = ${containerId} and state = 'draft'
          )
      )
    ) as "end"
    from segments
    where id = ${segmentId}
      and exists (select 1 from containers where id = ${containerId})
      and not exists (select 1 from tombstones where container_id = ${containerId})`.firstValue()
}

/** The first of these files with lost bytes in a segment, and their number. */
export async function countLostFiles(
  sql: Sql,
  lost: { containerId: string; segmentId: string; bytesOnDisk: number },
): Promise<{ firstId: number | null; count: number }> {
  return sql<{ firstId: number | null; count: number }[]>`
    select min(files.id) as first_id, count(distinct files.id) as count
    from files
    cross join ${extentsOfEach(sql)}
    where files.container_id = ${lost.containerId}
      and extents.segment_id = ${lost.segmentId}
      and extents.segment_offset + extents.length > ${lost.bytesOnDisk}`.one()
}

const receivedExtent = (sql: Sql) => sql`segment_id, segment_offset, length, crc32 as crc, blocks`

export interface FileExtent extends ExtentRow {
  readonly fileId: number
  readonly position: number
  /** When its file was marked. */
  readonly damagedAt: Date | null
}

export async function listFileExtents(
  sql: Sql,
  containerId: string,
  { fileId, position }: FilesPlace,
  limit: number,
): Promise<FileExtent[]> {
  return sql<FileExtent[]>`
    select file_id, position, segment_id, segment_offset, length, extents.crc32 as crc, blocks,
      damaged_at
    from files
    cross join ${extentsOfEach(sql)}
    where files.container_id = ${containerId}
      and files.id >= ${fileId}
      and (files.id > ${fileId} or extents.position > ${position})
    order by files.id, extents.position
    limit ${limit}`
}

/** Null when the file is gone. */
export async function findFileExtent(
  sql: Sql,
  { fileId, position }: { readonly fileId: number; readonly position: number },
): Promise<ExtentRow | null> {
  return sql<ExtentRow[]>`
    select ${receivedExtent(sql)}
    from extents
    where file_id = ${fileId} and position = ${position}`.first()
}

/** When a file was marked; null when it was not, or is gone. */
export async function findDamagedAt(sql: Sql, fileId: number): Promise<Date | null> {
  return sql<{ damagedAt: Date | null }[]>`
    select damaged_at from files where id = ${fileId}`.firstValue()
}

/** False when it was not marked, or was marked again. */
export async function clearDamage(sql: Sql, fileId: number, damagedAt: Date): Promise<boolean> {
  return sql`
    update files
    set damaged_at = null
    where id = ${fileId} and damaged_at = ${damagedAt}`.exists()
}

export interface ChunkExtent extends ExtentRow {
  readonly containerId: string
  readonly fileKey: string
  readonly index: number
}

export async function listChunks(
  sql: Sql,
  containerId: string,
  { fileKey, index }: ChunksPlace,
  limit: number,
): Promise<ChunkExtent[]> {
  return sql<ChunkExtent[]>`
    select container_id, file_key, chunk_index as index, ${receivedExtent(sql)}
    from chunks
    where container_id = ${containerId}
      and (file_key, chunk_index) > (${fileKey}, ${index}::integer)
    order by file_key, chunk_index
    limit ${limit}`
}

/** Null when it is gone, or has become part of a file. */
export async function findChunk(
  sql: Sql,
  chunk: Pick<ChunkExtent, 'containerId' | 'fileKey' | 'index'>,
): Promise<ExtentRow | null> {
  return sql<ExtentRow[]>`
    select ${receivedExtent(sql)}
    from chunks
    where container_id = ${chunk.containerId}
      and file_key = ${chunk.fileKey}
      and chunk_index = ${chunk.index}`.first()
}

/** False when it was sent again meanwhile, or is gone. */
export async function deleteChunk(sql: Sql, chunk: ChunkExtent): Promise<boolean> {
  return sql`
    delete from chunks
    where container_id = ${chunk.containerId}
      and file_key = ${chunk.fileKey}
      and chunk_index = ${chunk.index}
      and segment_id = ${chunk.segmentId}
      and segment_offset = ${chunk.segmentOffset}`.exists()
}

/** A container on disk, or a segment in one. */
export interface Stored {
  readonly containerId: string
  /** Null for the whole container. */
  readonly segmentId: string | null
}

/** Those that have neither a row nor a tombstone; segments only of known containers. */
export async function listUnknown(sql: Sql, stored: readonly Stored[]): Promise<Stored[]> {
  if (stored.length === 0) return []
  const rows = await sql<{ place: number }[]>`
    select found.place
    from unnest(
      ${stored.map(({ containerId }) => containerId)}::uuid[],
      ${stored.map(({ segmentId }) => segmentId)}::uuid[]
    ) with ordinality as found (container_id, segment_id, place)
    where not exists (select 1 from tombstones where tombstones.container_id = found.container_id)
      and exists (select 1 from containers where containers.id = found.container_id)
        = (found.segment_id is not null)
      and not exists (select 1 from segments where segments.id = found.segment_id)
      and not exists (
        select 1 from segment_tombstones where segment_tombstones.segment_id = found.segment_id
      )`
  return rows.map(({ place }) => stored[place - 1]!)
}
