import type { Sql } from '../../database/connect.ts'
import type { ExtentRow } from '../files-sql.ts'
import { blocksAsText, placedChunk, type ChunkWithBlocks } from './sql.ts'

export async function countChunks(sql: Sql, containerId: string): Promise<number> {
  return sql<{ count: number }[]>`
    select count(*) from chunks where container_id = ${containerId}`.oneValue()
}

export interface PlacedChunk extends ChunkWithBlocks {
  /** Place of its file among the given ones. */
  readonly place: number
  /** When its file was last changed, at the first chunk of a file from an archive. */
  readonly modifiedAt: Date | null
}

/**
 * The chunks of some files, ordered by file and index, in pages of bounded size. Each has the place
 * of its file among the given ones.
 */
export async function* readChunksOf(
  sql: Sql,
  containerId: string,
  files: readonly { readonly fileKey: string }[],
): AsyncGenerator<PlacedChunk> {
  // `offset 0` keeps the planner from joining the whole table: one index scan per file.
  const pages = sql<PlacedChunk[]>`
    select listed.place - 1 as place, chunk.*
    from unnest(${files.map(({ fileKey }) => fileKey)}::text[])
      with ordinality as listed (file_key, place)
    cross join lateral (
      select ${placedChunk(sql)}, blocks, file_modified_at as modified_at
      from chunks
      where chunks.container_id = ${containerId} and chunks.file_key = listed.file_key
      offset 0
    ) as chunk
    order by listed.place, chunk.index`.cursor(2000)
  for await (const page of pages) {
    for (const chunk of page) yield chunk
  }
}

export interface FileRow {
  readonly fileKey: string
  readonly originalName: string
  readonly entryName: string
  readonly size: number
  readonly mimeType: string
  readonly crc: number
  readonly modifiedAt: Date | null
}

/** Inserts files and returns their ids in the same order. */
export async function insertFiles(
  sql: Sql,
  containerId: string,
  files: readonly FileRow[],
  createdAt: Date,
): Promise<number[]> {
  return sql<{ id: number }[]>`
    insert into files (
      container_id, file_key, original_name, entry_name, size, mime_type, crc32, modified_at,
      created_at
    )
    select ${containerId}, file_key, original_name, entry_name, size, mime_type, crc32,
      modified_at::timestamptz, ${createdAt}
    from unnest(
      ${files.map((file) => file.fileKey)}::text[],
      ${files.map((file) => file.originalName)}::text[],
      ${files.map((file) => file.entryName)}::text[],
      ${files.map((file) => file.size)}::bigint[],
      ${files.map((file) => file.mimeType)}::text[],
      ${files.map((file) => file.crc)}::bigint[],
      ${files.map((file) => file.modifiedAt?.toISOString() ?? null)}::text[]
    ) with ordinality as incoming (
      file_key, original_name, entry_name, size, mime_type, crc32, modified_at, place
    )
    order by place
    returning id`.column()
}

export interface NewExtent extends ExtentRow {
  readonly fileId: number
  readonly position: number
}

export async function insertExtents(sql: Sql, extents: readonly NewExtent[]): Promise<void> {
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

export interface ReceivedFile {
  readonly fileKey: string
  readonly name: string | null
  readonly bytes: number
  readonly size: number | null
}

/** Up to `limit` files with chunks after a given one, ordered by key. */
export async function listReceived(
  sql: Sql,
  containerId: string,
  after: string,
  limit: number,
): Promise<ReceivedFile[]> {
  return sql<ReceivedFile[]>`
    select file_key, max(file_name) as name, sum(length) as bytes, max(file_size) as size
    from chunks
    where container_id = ${containerId} and file_key > ${after}
    group by file_key
    order by file_key
    limit ${limit}`
}
