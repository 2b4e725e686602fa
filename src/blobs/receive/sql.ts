import type { Sql } from '../../database/connect.ts'
import type { BlockChecksums } from '../segments/block-checksums.ts'

/** The row of a chunk. */
export interface Chunk {
  readonly fileKey: string
  readonly index: number
  readonly segmentId: string
  readonly segmentOffset: number
  readonly length: number
  readonly crc: number
}

export const placedChunk = (sql: Sql) =>
  sql`file_key, chunk_index as index, segment_id, segment_offset, length, crc32 as crc`

/** The same with the checksums of its blocks. */
export interface ChunkWithBlocks extends Chunk {
  readonly blocks: BlockChecksums | null
}

/**
 * Locks the container, so that its commits follow each other, also those of different segment
 * writers.
 */
export async function lockContainer(
  sql: Sql,
  containerId: string,
): Promise<{ usedBytes: number; liveBytes: number } | null> {
  const [row] = await sql<{ usedBytes: number; liveBytes: number }[]>`
    select used_bytes, live_bytes
    from containers
    where id = ${containerId}
    for update`
  return row ?? null
}

/** The committed end of a segment; null when this process no longer owns it. */
export async function lockOwnSegment(
  sql: Sql,
  segmentId: string,
  ownerId: string,
): Promise<number | null> {
  const [row] = await sql<{ committedEnd: number }[]>`
    select committed_end
    from segments
    where id = ${segmentId} and owner_id = ${ownerId}
    for update`
  return row?.committedEnd ?? null
}

/** The rows that exist already for these chunks. */
export async function findChunks(
  sql: Sql,
  containerId: string,
  chunks: readonly { fileKey: string; index: number }[],
): Promise<Chunk[]> {
  const fileKeys = chunks.map((chunk) => chunk.fileKey)
  const indexes = chunks.map((chunk) => chunk.index)
  return sql<Chunk[]>`
    select ${placedChunk(sql)}
    from chunks
    where container_id = ${containerId}
      and (file_key, chunk_index) in (
        select * from unnest(${fileKeys}::text[], ${indexes}::integer[])
      )`
}

export async function upsertChunks(
  sql: Sql,
  containerId: string,
  chunks: readonly ChunkWithBlocks[],
  bootId: string | null,
): Promise<void> {
  await sql`
    insert into chunks (
      container_id, file_key, chunk_index, segment_id, segment_offset, length, crc32, blocks,
      boot_id,
      created_at
    )
    select ${containerId}, file_key, chunk_index, segment_id, segment_offset, length, crc32, blocks,
      ${bootId}, now()
    from unnest(
      ${chunks.map((chunk) => chunk.fileKey)}::text[],
      ${chunks.map((chunk) => chunk.index)}::integer[],
      ${chunks.map((chunk) => chunk.segmentId)}::uuid[],
      ${chunks.map((chunk) => chunk.segmentOffset)}::bigint[],
      ${chunks.map((chunk) => chunk.length)}::bigint[],
      ${chunks.map((chunk) => chunk.crc)}::bigint[],
      ${chunks.map(blocksAsText)}::bytea[]
    ) as incoming (file_key, chunk_index, segment_id, segment_offset, length, crc32, blocks)
    on conflict (container_id, file_key, chunk_index) do update
    set segment_id = excluded.segment_id,
        segment_offset = excluded.segment_offset,
        length = excluded.length,
        crc32 = excluded.crc32,
        blocks = excluded.blocks,
        boot_id = excluded.boot_id,
        created_at = excluded.created_at`
}

/** The library would take an array of Buffers for one Buffer. */
function blocksAsText({ blocks }: { readonly blocks: BlockChecksums | null }): string | null {
  return blocks && `\\x${blocks.toString('hex')}`
}

export async function moveSegmentEnd(sql: Sql, segmentId: string, end: number): Promise<void> {
  await sql`update segments set committed_end = ${end} where id = ${segmentId}`
}

/** @param arrivedAt when new bytes arrived; null for a recount */
export async function accountBytes(
  sql: Sql,
  containerId: string,
  usedBytes: number,
  liveBytes: number,
  arrivedAt: Date | null = null,
): Promise<void> {
  await sql`
    update containers
    set used_bytes = used_bytes + ${usedBytes},
        live_bytes = live_bytes + ${liveBytes},
        changed_at = coalesce(${arrivedAt}, changed_at)
    where id = ${containerId}`
}

export async function countChunks(sql: Sql, containerId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from chunks where container_id = ${containerId}`
  return row?.count ?? 0
}

/** Bytes of the chunks of some files; files without chunks are absent. */
export async function sumChunks(
  sql: Sql,
  containerId: string,
  fileKeys: readonly string[],
): Promise<Map<string, number>> {
  const rows = await sql<{ fileKey: string; bytes: number }[]>`
    select file_key, sum(length) as bytes
    from chunks
    where container_id = ${containerId} and file_key = any(${fileKeys}::text[])
    group by file_key`
  return new Map(rows.map((row) => [row.fileKey, row.bytes]))
}

/** Up to 2,000 files with chunks, after a given one, ordered by key. */
export async function listFileKeys(
  sql: Sql,
  containerId: string,
  after: string,
): Promise<string[]> {
  const rows = await sql<{ fileKey: string }[]>`
    select distinct file_key
    from chunks
    where container_id = ${containerId} and file_key > ${after}
    order by file_key
    limit 2000`
  return rows.map((row) => row.fileKey)
}

/**
 * The chunks of some files, ordered by file and index, in pages of bounded size. Each has the place
 * of its file among the given ones.
 */
export async function* readChunksOf(
  sql: Sql,
  containerId: string,
  files: readonly { readonly fileKey: string }[],
): AsyncGenerator<ChunkWithBlocks & { readonly place: number }> {
  // `offset 0` keeps the planner from joining the whole table: one index scan per file.
  const pages = sql<(ChunkWithBlocks & { place: number })[]>`
    select listed.place - 1 as place, chunk.*
    from unnest(${files.map(({ fileKey }) => fileKey)}::text[])
      with ordinality as listed (file_key, place)
    cross join lateral (
      select ${placedChunk(sql)}, blocks
      from chunks
      where chunks.container_id = ${containerId} and chunks.file_key = listed.file_key
      offset 0
    ) as chunk
    order by listed.place, chunk.index`.cursor(2000)
  for await (const page of pages) {
    for (const chunk of page) yield chunk
  }
}

/** The segments of a container's chunks, and the end that the chunks need. */
export async function listChunkSegments(
  sql: Sql,
  containerId: string,
): Promise<{ segmentId: string; end: number }[]> {
  return sql<{ segmentId: string; end: number }[]>`
    select segment_id, max(segment_offset + length) as end
    from chunks
    where container_id = ${containerId}
    group by segment_id`
}

/**
 * Deletes the chunks that end after the remaining bytes of a segment. Chunks without the row of
 * their segment are being freed with their container, so nothing was lost.
 */
export async function deleteChunksBehind(
  sql: Sql,
  lost: { containerId: string; segmentId: string; bytesOnDisk: number },
): Promise<{ count: number; bytes: number }> {
  const [row] = await sql<{ count: number; bytes: number }[]>`
    with lost as (
      delete from chunks
      where container_id = ${lost.containerId}
        and segment_id = ${lost.segmentId}
        and segment_offset + length > ${lost.bytesOnDisk}
        and exists (select from segments where id = ${lost.segmentId})
      returning length
    )
    select count(*) as count, coalesce(sum(length), 0) as bytes
    from lost`
  return row!
}

export interface FileRow {
  readonly fileKey: string
  readonly originalName: string
  readonly entryName: string
  readonly size: number
  readonly mimeType: string
  readonly crc: number
}

/** Inserts files and returns their ids in the same order. */
export async function insertFiles(
  sql: Sql,
  containerId: string,
  files: readonly FileRow[],
  createdAt: Date,
): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    insert into files (
      container_id, file_key, original_name, entry_name, size, mime_type, crc32, created_at
    )
    select ${containerId}, file_key, original_name, entry_name, size, mime_type, crc32, ${createdAt}
    from unnest(
      ${files.map((file) => file.fileKey)}::text[],
      ${files.map((file) => file.originalName)}::text[],
      ${files.map((file) => file.entryName)}::text[],
      ${files.map((file) => file.size)}::bigint[],
      ${files.map((file) => file.mimeType)}::text[],
      ${files.map((file) => file.crc)}::bigint[]
    ) with ordinality as incoming (
      file_key, original_name, entry_name, size, mime_type, crc32, place
    )
    order by place
    returning id`
  return rows.map((row) => row.id)
}

export interface ExtentRow {
  readonly fileId: number
  readonly position: number
  readonly segmentId: string
  readonly segmentOffset: number
  readonly length: number
  readonly crc: number
  readonly blocks: BlockChecksums | null
}

export async function insertExtents(sql: Sql, extents: readonly ExtentRow[]): Promise<void> {
  await sql`
    insert into extents (file_id, position, segment_id, segment_offset, length, crc32, blocks)
    select *
    from unnest(
      ${extents.map((extent) => extent.fileId)}::integer[],
      ${extents.map((extent) => extent.position)}::integer[],
      ${extents.map((extent) => extent.segmentId)}::uuid[],
      ${extents.map((extent) => extent.segmentOffset)}::bigint[],
      ${extents.map((extent) => extent.length)}::bigint[],
      ${extents.map((extent) => extent.crc)}::bigint[],
      ${extents.map(blocksAsText)}::bytea[]
    )`
}

export async function setLiveBytes(sql: Sql, containerId: string, bytes: number): Promise<void> {
  await sql`update containers set live_bytes = ${bytes} where id = ${containerId}`
}
