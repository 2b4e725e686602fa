import type { Sql } from '../../database/connect.ts'
import type { BlockChecksums } from '../segments/block-checksums.ts'

export interface Chunk {
  readonly fileKey: string
  readonly index: number
  readonly segmentId: string
  readonly segmentOffset: number
  readonly length: number
  readonly crc: number
  /** Size of the whole file, where the sender has told it with its first chunk. */
  readonly fileSize: number | null
}

export const placedChunk = (sql: Sql) =>
  sql`file_key, chunk_index as index, segment_id, segment_offset, length, crc32 as crc, file_size`

/** The same with the checksums of its blocks. */
export interface ChunkWithBlocks extends Chunk {
  readonly blocks: BlockChecksums | null
}

/**
 * Locks the container, so that its commits follow each other, also those of different segment
 * writers. New segments may be made meanwhile: they only need the container to stay.
 */
export async function lockContainer(
  sql: Sql,
  containerId: string,
): Promise<{ usedBytes: number; liveBytes: number } | null> {
  return sql<{ usedBytes: number; liveBytes: number }[]>`
    select used_bytes, live_bytes
    from containers
    where id = ${containerId}
    for no key update`.first()
}

/** The committed end of a segment; null when this process no longer owns it. */
export async function lockOwnSegment(
  sql: Sql,
  segmentId: string,
  ownerId: string,
): Promise<number | null> {
  return sql<{ committedEnd: number }[]>`
    select committed_end
    from segments
    where id = ${segmentId} and owner_id = ${ownerId}
    for update`.firstValue()
}

export async function findChunks(
  sql: Sql,
  containerId: string,
  chunks: readonly { fileKey: string; index: number }[],
): Promise<Chunk[]> {
  const fileKeys = chunks.map((chunk) => chunk.fileKey)
  const indexes = chunks.map((chunk) => chunk.index)
  // Here and below, `offset 0` keeps the planner from joining all chunks of the container, which it
  // believes to be few: one index scan per chunk or file.
  return sql<Chunk[]>`
    select chunk.*
    from unnest(${fileKeys}::text[], ${indexes}::integer[]) as wanted (file_key, chunk_index)
    cross join lateral (
      select ${placedChunk(sql)}
      from chunks
      where container_id = ${containerId}
        and chunks.file_key = wanted.file_key
        and chunks.chunk_index = wanted.chunk_index
      offset 0
    ) as chunk`
}

/** What the sender has told of the file of a chunk. */
export interface ToldFile {
  readonly name: string
  /** The size of the whole file, whose chunks then come in order; null when unknown. */
  readonly size: number | null
  /** When it was last changed; null when unknown. */
  readonly modifiedAt: Date | null
}

export interface NewChunk extends Omit<ChunkWithBlocks, 'fileSize' | 'segmentId'> {
  readonly file?: ToldFile
}

/** What a commit changes besides the rows of its chunks. */
export interface ChunkGrowth {
  readonly segmentId: string
  /** The new end of the committed bytes in the segment. */
  readonly segmentEnd: number
  /** Bytes on disk and bytes of chunks that the container gains. */
  readonly usedBytes: number
  readonly liveBytes: number
  readonly receivedAt: Date
}

/** Inserts the rows of chunks, or replaces them, and counts their bytes. */
export async function storeChunks(
  sql: Sql,
  containerId: string,
  chunks: readonly NewChunk[],
  growth: ChunkGrowth,
): Promise<void> {
  const files = chunks.map(({ index, file }) => (index === 0 ? file : undefined))
  await sql`
    with moved as (
      update segments set committed_end = ${growth.segmentEnd} where id = ${growth.segmentId}
    ), accounted as (
      update containers
      set used_bytes = used_bytes + ${growth.usedBytes},
          live_bytes = live_bytes + ${growth.liveBytes},
          changed_at = ${growth.receivedAt}
      where id = ${containerId}
    )
    insert into chunks (
      container_id, file_key, chunk_index, segment_id, segment_offset, length, crc32, blocks,
      file_name, file_size, file_modified_at, created_at
    )
    select ${containerId}, file_key, chunk_index, ${growth.segmentId}, segment_offset, length,
      crc32, blocks, file_name, file_size, file_modified_at::timestamptz, now()
    from unnest(
      ${chunks.map((chunk) => chunk.fileKey)}::text[],
      ${chunks.map((chunk) => chunk.index)}::integer[],
      ${chunks.map((chunk) => chunk.segmentOffset)}::bigint[],
      ${chunks.map((chunk) => chunk.length)}::bigint[],
      ${chunks.map((chunk) => chunk.crc)}::bigint[],
      ${chunks.map(blocksAsText)}::bytea[],
      ${files.map((file) => file?.name ?? null)}::text[],
      ${files.map((file) => file?.size ?? null)}::bigint[],
      ${files.map((file) => file?.modifiedAt?.toISOString() ?? null)}::text[]
    ) as incoming (
      file_key, chunk_index, segment_offset, length, crc32, blocks, file_name, file_size,
      file_modified_at
    )
    on conflict (container_id, file_key, chunk_index) do update
    set segment_id = excluded.segment_id,
        segment_offset = excluded.segment_offset,
        length = excluded.length,
        crc32 = excluded.crc32,
        blocks = excluded.blocks,
        file_name = excluded.file_name,
        file_size = excluded.file_size,
        file_modified_at = excluded.file_modified_at,
        created_at = excluded.created_at`
}

/** The library would take an array of Buffers for one Buffer. */
export function blocksAsText({
  blocks,
}: {
  readonly blocks: BlockChecksums | null
}): string | null {
  return blocks && `\\x${blocks.toString('hex')}`
}

/** Deletes the chunks behind these in their files. Returns the sum of their lengths. */
export async function deleteLaterChunks(
  sql: Sql,
  containerId: string,
  chunks: readonly { fileKey: string; index: number }[],
): Promise<number> {
  return sql<{ bytes: number }[]>`
    with later as (
      delete from chunks
      where ctid = any(array(
        select behind.ctid
        from (
          select file_key, max(chunk_index) as last
          from unnest(
            ${chunks.map((chunk) => chunk.fileKey)}::text[],
            ${chunks.map((chunk) => chunk.index)}::integer[]
          ) as incoming (file_key, chunk_index)
          group by file_key
        ) as incoming
        cross join lateral (
          select chunks.ctid
          from chunks
          where container_id = ${containerId}
            and chunks.file_key = incoming.file_key
            and chunks.chunk_index > incoming.last
          offset 0
        ) as behind
      ))
      returning length
    )
    select coalesce(sum(length), 0) as bytes from later`.oneValue()
}

/** Bytes of a file of known size that was received whole; null otherwise. */
export async function findWholeFile(
  sql: Sql,
  containerId: string,
  fileKey: string,
): Promise<number | null> {
  return sql<{ bytes: number }[]>`
    select sum(length) as bytes
    from chunks
    where container_id = ${containerId} and file_key = ${fileKey}
    having sum(length) = max(file_size)`.firstValue()
}

/** Copies the rows of a file's chunks for another file, with its name. */
export async function linkChunks(
  sql: Sql,
  containerId: string,
  { fromKey, toKey, name }: { fromKey: string; toKey: string; name: string },
): Promise<void> {
  await sql`
    insert into chunks (
      container_id, file_key, chunk_index, segment_id, segment_offset, length, crc32, blocks,
      file_name, file_size, file_modified_at, created_at
    )
    select container_id, ${toKey}, chunk_index, segment_id, segment_offset, length, crc32, blocks,
      case when chunk_index = 0 then ${name} end, file_size, file_modified_at, now()
    from chunks
    where container_id = ${containerId} and file_key = ${fromKey}`
}

export async function accountBytes(
  sql: Sql,
  containerId: string,
  usedBytes: number,
  liveBytes: number,
): Promise<void> {
  await sql`
    update containers
    set used_bytes = used_bytes + ${usedBytes},
        live_bytes = live_bytes + ${liveBytes},
        is_shrunk = is_shrunk or ${liveBytes < 0}
    where id = ${containerId}`
}

interface GrowingChunk {
  readonly fileKey: string
  readonly length: number
  /** The last chunk of its file that stays beside it; null for all. */
  readonly last: number | null
  /** Bytes on disk that cannot be of its file; null when unknown. */
  readonly besideBytes: number | null
}

/**
 * Bytes that the files of these chunks have so far. Without those that stay within the limit even
 * if everything in the container were theirs, except the bytes beside them: a sum reads all chunks.
 */
export async function sumFiles(
  sql: Sql,
  containerId: string,
  chunks: readonly GrowingChunk[],
  limit: number,
): Promise<Map<string, number>> {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const rows = await sql<{ fileKey: string; bytes: number }[]>`
    select wanted.file_key, stored.bytes
    from (
      select file_key, max(last) as last, max(beside_bytes) as beside_bytes
      from unnest(
        ${chunks.map((chunk) => chunk.fileKey)}::text[],
        ${chunks.map((chunk) => chunk.last)}::integer[],
        ${chunks.map((chunk) => chunk.besideBytes)}::bigint[]
      ) as chunk (file_key, last, beside_bytes)
      group by file_key
    ) as wanted
    join containers on containers.id = ${containerId}
      and least(live_bytes, used_bytes - beside_bytes) + ${length} > ${limit}
    cross join lateral (
      select coalesce(sum(length), 0) as bytes
      from chunks
      where container_id = ${containerId}
        and chunks.file_key = wanted.file_key
        and (wanted.last is null or chunk_index <= wanted.last)
      offset 0
    ) as stored`
  return new Map(rows.map((row) => [row.fileKey, row.bytes]))
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
  return sql<{ count: number; bytes: number }[]>`
    with lost as (
      delete from chunks
      where container_id = ${lost.containerId}
        and segment_id = ${lost.segmentId}
        and segment_offset + length > ${lost.bytesOnDisk}
        and exists (select from segments where id = ${lost.segmentId})
      returning length
    )
    select count(*) as count, coalesce(sum(length), 0) as bytes
    from lost`.one()
}

export async function setLiveBytes(sql: Sql, containerId: string, bytes: number): Promise<void> {
  await sql`
    update containers
    set live_bytes = ${bytes}, is_shrunk = used_bytes > ${bytes}
    where id = ${containerId}`
}
