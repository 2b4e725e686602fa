import type { Sql } from '../../database/connect.ts'
import type { BlockChecksums } from '../segments/block-checksums.ts'

/** One chunk as its row has it. */
export interface ChunkRow {
  readonly fileKey: string
  readonly index: number
  readonly segmentId: string
  readonly segmentOffset: number
  readonly length: number
  readonly crc: number
}

/** The same with the checksums of its blocks. */
export interface ChunkWithBlocks extends ChunkRow {
  readonly blocks: BlockChecksums | null
}

/** Locks the parcel: commits of one parcel follow each other, whatever lanes they came by. */
export async function lockParcel(
  sql: Sql,
  parcelId: string,
): Promise<{ usedBytes: number; liveBytes: number } | null> {
  const [row] = await sql<{ used_bytes: number; live_bytes: number }[]>`
    select used_bytes, live_bytes
    from parcels
    where id = ${parcelId}
    for update`
  return row ? { usedBytes: row.used_bytes, liveBytes: row.live_bytes } : null
}

/** The committed end of a segment that this process still owns; null when it was taken away. */
export async function lockOwnSegment(
  sql: Sql,
  segmentId: string,
  ownerId: string,
): Promise<number | null> {
  const [row] = await sql<{ committed_end: number }[]>`
    select committed_end
    from segments
    where id = ${segmentId} and owner_id = ${ownerId}
    for update`
  return row?.committed_end ?? null
}

/** The rows that exist already for these chunks. */
export async function findChunks(
  sql: Sql,
  parcelId: string,
  chunks: readonly { fileKey: string; index: number }[],
): Promise<ChunkRow[]> {
  const fileKeys = chunks.map((chunk) => chunk.fileKey)
  const indexes = chunks.map((chunk) => chunk.index)
  const rows = await sql<
    {
      file_key: string
      chunk_index: number
      segment_id: string
      segment_offset: number
      length: number
      crc32: number
    }[]
  >`
    select file_key, chunk_index, segment_id, segment_offset, length, crc32
    from chunks
    where parcel_id = ${parcelId}
      and (file_key, chunk_index) in (
        select * from unnest(${fileKeys}::text[], ${indexes}::integer[])
      )`
  return rows.map((row) => ({
    fileKey: row.file_key,
    index: row.chunk_index,
    segmentId: row.segment_id,
    segmentOffset: row.segment_offset,
    length: row.length,
    crc: row.crc32,
  }))
}

export async function upsertChunks(
  sql: Sql,
  parcelId: string,
  chunks: readonly ChunkWithBlocks[],
  bootId: string | null,
): Promise<void> {
  await sql`
    insert into chunks (
      parcel_id, file_key, chunk_index, segment_id, segment_offset, length, crc32, blocks, boot_id,
      created_at
    )
    select ${parcelId}, file_key, chunk_index, segment_id, segment_offset, length, crc32, blocks,
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
    on conflict (parcel_id, file_key, chunk_index) do update
    set segment_id = excluded.segment_id,
        segment_offset = excluded.segment_offset,
        length = excluded.length,
        crc32 = excluded.crc32,
        blocks = excluded.blocks,
        boot_id = excluded.boot_id,
        created_at = excluded.created_at`
}

/** An array of Buffers would be taken for a single one. */
function blocksAsText({ blocks }: { readonly blocks: BlockChecksums | null }): string | null {
  return blocks && `\\x${blocks.toString('hex')}`
}

export async function moveSegmentEnd(sql: Sql, segmentId: string, end: number): Promise<void> {
  await sql`update segments set committed_end = ${end} where id = ${segmentId}`
}

/** @param arrivedAt when new bytes have come; null when the others were counted anew */
export async function accountBytes(
  sql: Sql,
  parcelId: string,
  usedBytes: number,
  liveBytes: number,
  arrivedAt: Date | null = null,
): Promise<void> {
  await sql`
    update parcels
    set used_bytes = used_bytes + ${usedBytes},
        live_bytes = live_bytes + ${liveBytes},
        changed_at = coalesce(${arrivedAt}, changed_at)
    where id = ${parcelId}`
}

export async function countChunks(sql: Sql, parcelId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from chunks where parcel_id = ${parcelId}`
  return row?.count ?? 0
}

/** Bytes that the chunks of some files hold; a file without any is absent. */
export async function sumChunks(
  sql: Sql,
  parcelId: string,
  fileKeys: readonly string[],
): Promise<Map<string, number>> {
  const rows = await sql<{ file_key: string; bytes: number }[]>`
    select file_key, sum(length) as bytes
    from chunks
    where parcel_id = ${parcelId} and file_key = any(${fileKeys}::text[])
    group by file_key`
  return new Map(rows.map((row) => [row.file_key, row.bytes]))
}

/** Files that have chunks, behind one of them: up to 2,000, in the order of their keys. */
export async function listFileKeys(sql: Sql, parcelId: string, after: string): Promise<string[]> {
  const rows = await sql<{ file_key: string }[]>`
    select distinct file_key
    from chunks
    where parcel_id = ${parcelId} and file_key > ${after}
    order by file_key
    limit 2000`
  return rows.map((row) => row.file_key)
}

/**
 * The chunks of some files, file by file and in the order of their indexes, in pages of bounded
 * size. Each with the place of its file among the given ones.
 */
export async function* readChunksOf(
  sql: Sql,
  parcelId: string,
  files: readonly { readonly fileKey: string }[],
): AsyncGenerator<ChunkWithBlocks & { readonly place: number }> {
  // `offset 0` keeps the planner from joining the whole table: one index scan per file.
  const pages = sql<
    {
      place: number
      file_key: string
      chunk_index: number
      segment_id: string
      segment_offset: number
      length: number
      crc32: number
      blocks: Buffer | null
    }[]
  >`
    select listed.place, chunk.*
    from unnest(${files.map(({ fileKey }) => fileKey)}::text[])
      with ordinality as listed (file_key, place)
    cross join lateral (
      select file_key, chunk_index, segment_id, segment_offset, length, crc32, blocks
      from chunks
      where chunks.parcel_id = ${parcelId} and chunks.file_key = listed.file_key
      offset 0
    ) as chunk
    order by listed.place, chunk.chunk_index`.cursor(2000)
  for await (const page of pages) {
    for (const row of page) {
      yield {
        place: row.place - 1,
        fileKey: row.file_key,
        index: row.chunk_index,
        segmentId: row.segment_id,
        segmentOffset: row.segment_offset,
        length: row.length,
        crc: row.crc32,
        blocks: row.blocks,
      }
    }
  }
}

/** The segments that chunks lie in, and how far the chunks need them. */
export async function listChunkSegments(
  sql: Sql,
  parcelId: string,
): Promise<{ segmentId: string; end: number }[]> {
  const rows = await sql<{ segment_id: string; end: number }[]>`
    select segment_id, max(segment_offset + length) as end
    from chunks
    where parcel_id = ${parcelId}
    group by segment_id`
  return rows.map((row) => ({ segmentId: row.segment_id, end: row.end }))
}

/**
 * Deletes the chunks that end behind what is left of a segment. Without the segment's row they are
 * being freed with their container: nothing was lost.
 */
export async function deleteChunksBehind(
  sql: Sql,
  lost: { containerId: string; segmentId: string; bytesOnDisk: number },
): Promise<{ count: number; bytes: number }> {
  const [row] = await sql<{ count: number; bytes: number | null }[]>`
    with lost as (
      delete from chunks
      where parcel_id = ${lost.containerId}
        and segment_id = ${lost.segmentId}
        and segment_offset + length > ${lost.bytesOnDisk}
        and exists (select from segments where id = ${lost.segmentId})
      returning length
    )
    select count(*) as count, sum(length) as bytes
    from lost`
  return { count: row?.count ?? 0, bytes: row?.bytes ?? 0 }
}

export interface FileRow {
  readonly fileKey: string
  readonly originalName: string
  readonly entryName: string
  readonly size: number
  readonly mimeType: string
  readonly crc: number
}

/** Inserts files in their order and returns their ids in the same order. */
export async function insertFiles(
  sql: Sql,
  parcelId: string,
  files: readonly FileRow[],
  createdAt: Date,
): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    insert into files (
      parcel_id, file_key, original_name, entry_name, size, mime_type, crc32, created_at
    )
    select ${parcelId}, file_key, original_name, entry_name, size, mime_type, crc32, ${createdAt}
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

export async function setLiveBytes(sql: Sql, parcelId: string, bytes: number): Promise<void> {
  await sql`update parcels set live_bytes = ${bytes} where id = ${parcelId}`
}
