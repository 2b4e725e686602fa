import type { Sql } from '../../database/connect.ts'
import { extentsOfEach } from '../../bytes/files-sql.ts'

/** Files of a container: those with these ids, or all. */
export interface CopySource {
  readonly containerId: string
  readonly fileIds: readonly number[] | null
}

const isChosen = (sql: Sql, { containerId, fileIds }: CopySource) => sql`
  files.container_id = ${containerId}
    and (
      ${fileIds === null}
      or files.id in (select unnest(${[...(fileIds ?? [])]}::integer[]))
    )`

/** Ordered by id. */
export async function listCopied(
  sql: Sql,
  source: CopySource,
): Promise<{ id: number; originalName: string; size: number }[]> {
  return sql<{ id: number; originalName: string; size: number }[]>`
    select id, original_name, size
    from files
    where ${isChosen(sql, source)}
    order by id`
}

/** The segments that hold the files, with their committed bytes. Their roots stay meanwhile. */
export async function listSegmentsOf(
  sql: Sql,
  source: CopySource,
): Promise<{ id: string; rootId: string; bytes: number }[]> {
  return sql<{ id: string; rootId: string; bytes: number }[]>`
    select segments.id, root_id, committed_end as bytes
    from segments
    join storage_roots on storage_roots.id = segments.root_id
    where container_id = ${source.containerId}
      and segments.id in (
        select extents.segment_id
        from files
        cross join ${extentsOfEach(sql)}
        where ${isChosen(sql, source)}
      )
    order by segments.id
    for key share of storage_roots`
}

/** Keeps a container from being freed until the transaction ends; false when freeing has begun. */
export async function holdContainer(sql: Sql, containerId: string): Promise<boolean> {
  return sql`
    select 1
    from containers
    where id = ${containerId} and not is_tombstoned
    for key share`.exists()
}

/** A segment, and the one of another container that has the same bytes. */
export interface LinkedSegment {
  readonly fromId: string
  readonly toId: string
  readonly rootId: string
  readonly bytes: number
}

/** No process appends to these or truncates them: their end is known from the start. */
export async function insertLinkedSegments(
  sql: Sql,
  containerId: string,
  segments: readonly LinkedSegment[],
): Promise<void> {
  await sql`
    insert into segments (id, container_id, root_id, owner_id, committed_end, created_at)
    select id, ${containerId}, root_id, null, committed_end, now()
    from unnest(
      ${segments.map(({ toId }) => toId)}::uuid[],
      ${segments.map(({ rootId }) => rootId)}::uuid[],
      ${segments.map(({ bytes }) => bytes)}::bigint[]
    ) as linked (id, root_id, committed_end)`
}

/** Whether no segment has moved since it was linked; none does until the transaction ends. */
export async function holdSegments(sql: Sql, segments: readonly LinkedSegment[]): Promise<boolean> {
  const held = await sql`
    select
    from segments
    join unnest(
      ${segments.map(({ toId }) => toId)}::uuid[],
      ${segments.map(({ rootId }) => rootId)}::uuid[]
    ) as linked (id, root_id) on linked.id = segments.id and linked.root_id = segments.root_id
    for share of segments`
  return held.count === segments.length
}

/** Copies these files into another container in their order; returns the new ids in that order. */
export async function insertCopiedFiles(
  sql: Sql,
  fileIds: readonly number[],
  to: { containerId: string; createdAt: Date },
): Promise<{ id: number; size: number }[]> {
  return sql<{ id: number; size: number }[]>`
    insert into files (
      container_id, file_key, original_name, entry_name, size, mime_type, crc32, has_thumbnail,
      damaged_at, modified_at, created_at
    )
    select ${to.containerId}, file_key, original_name, entry_name, size, mime_type, crc32,
      has_thumbnail, damaged_at, modified_at, ${to.createdAt}
    from files
    where id in (select unnest(${[...fileIds]}::integer[]))
    order by id
    returning id, size`
}

/** Gives copied files the thumbnails of their originals. */
export async function copyThumbnails(
  sql: Sql,
  { fromIds, toIds }: { fromIds: readonly number[]; toIds: readonly number[] },
): Promise<void> {
  await sql`
    insert into thumbnails (container_id, file_id, jpeg)
    select files.container_id, files.id, jpeg
    from unnest(${[...fromIds]}::integer[], ${[...toIds]}::integer[]) as copied (from_id, to_id)
    join thumbnails on file_id = from_id
    join files on files.id = to_id and has_thumbnail`
}

/** An extent by its file and its place in the file. */
export interface ExtentPlace {
  readonly fileId: number
  readonly position: number
}

/**
 * Gives copied files the extents of their originals, in the segments that both containers have: at
 * most `limit`, in the order of the originals. Returns the last one while there may be more.
 */
export async function insertCopiedExtents(
  sql: Sql,
  files: { fromIds: readonly number[]; toIds: readonly number[] },
  segments: readonly LinkedSegment[],
  page: { after: ExtentPlace; limit: number },
): Promise<ExtentPlace | null> {
  const { after, limit } = page
  const [last] = await sql<{ fileId: number; position: number; count: number }[]>`
    with page as (
      select extents.*, copied.to_id
      from unnest(${[...files.fromIds]}::integer[], ${[...files.toIds]}::integer[])
        as copied (from_id, to_id)
      cross join ${extentsOfEach(sql, 'copied.from_id')}
      where (extents.file_id, extents.position) > (${after.fileId}, ${after.position})
      order by extents.file_id, extents.position
      limit ${limit}
    ),
    placed as (
      insert into extents (file_id, position, segment_id, segment_offset, length, crc32, blocks)
      select page.to_id, page.position, linked.to_id, page.segment_offset, page.length, page.crc32,
        page.blocks
      from page
      join unnest(
        ${segments.map(({ fromId }) => fromId)}::uuid[],
        ${segments.map(({ toId }) => toId)}::uuid[]
      ) as linked (from_id, to_id) on linked.from_id = page.segment_id
    )
    select file_id, position, count(*) over () as count
    from page
    order by file_id desc, position desc
    limit 1`
  if (!last || last.count < limit) return null
  return { fileId: last.fileId, position: last.position }
}
