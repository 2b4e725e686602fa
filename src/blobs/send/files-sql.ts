import type { Sql } from '../../database/connect.ts'
import type { BlockChecksums } from '../segments/block-checksums.ts'

export interface FileRow {
  readonly id: number
  readonly originalName: string
  readonly size: number
  readonly mimeType: string
  readonly createdAt: Date
  readonly damagedAt: Date | null
  /** What its tag is made of beside its id; null for files of versions that kept none. */
  readonly tagSeed: string | null
}

interface FileColumns {
  id: number
  original_name: string
  size: number
  mime_type: string
  created_at: Date
  damaged_at: Date | null
  tag_seed: string | null
}

export async function findFile(
  sql: Sql,
  parcelId: string,
  fileId: number,
): Promise<FileRow | null> {
  const [row] = await sql<FileColumns[]>`
    select id, original_name, size, mime_type, created_at, damaged_at, tag_seed
    from files
    where parcel_id = ${parcelId} and id = ${fileId}`
  return row ? toFile(row) : null
}

function toFile(row: FileColumns): FileRow {
  return {
    id: row.id,
    originalName: row.original_name,
    size: row.size,
    mimeType: row.mime_type,
    createdAt: row.created_at,
    damagedAt: row.damaged_at,
    tagSeed: row.tag_seed,
  }
}

export interface ExtentRow {
  readonly segmentId: string
  readonly segmentOffset: number
  readonly length: number
  readonly crc: number
  readonly blocks: BlockChecksums | null
}

export async function listExtents(sql: Sql, fileId: number): Promise<ExtentRow[]> {
  const rows = await sql<
    {
      segment_id: string
      segment_offset: number
      length: number
      crc32: number
      blocks: Buffer | null
    }[]
  >`
    select segment_id, segment_offset, length, crc32, blocks
    from extents
    where file_id = ${fileId}
    order by position`
  return rows.map((row) => ({
    segmentId: row.segment_id,
    segmentOffset: row.segment_offset,
    length: row.length,
    crc: row.crc32,
    blocks: row.blocks,
  }))
}

/** Null while they are not known, and when the file is gone. */
export async function findExtentBlocks(
  sql: Sql,
  { fileId, position }: { readonly fileId: number; readonly position: number },
): Promise<BlockChecksums | null> {
  const [row] = await sql<{ blocks: BlockChecksums | null }[]>`
    select blocks from extents where file_id = ${fileId} and position = ${position}`
  return row?.blocks ?? null
}

/** For rows from before blocks were kept. The bytes of an extent never change, only their place. */
export async function setExtentBlocks(
  sql: Sql,
  { fileId, position }: { readonly fileId: number; readonly position: number },
  blocks: BlockChecksums,
): Promise<void> {
  await sql`
    update extents
    set blocks = ${blocks}
    where file_id = ${fileId} and position = ${position} and blocks is null`
}

/** One extent of a file of an archive, or the file alone when it has none. */
export interface EntryRow {
  readonly fileId: number
  readonly name: string
  readonly size: number
  readonly mimeType: string
  readonly crc: number
  readonly createdAt: Date
  readonly extent: ExtentRow | null
}

/** Each row may carry 2 kB of checksums, and 32 kB where it is older. */
const pageRows = 1000

/** The files of a parcel with their extents, in the order of file ids; all, or those selected. */
export async function* readEntries(
  sql: Sql,
  parcelId: string,
  selection: readonly number[] | null,
): AsyncGenerator<EntryRow[]> {
  const pages = sql<
    {
      id: number
      entry_name: string
      size: number
      mime_type: string
      crc32: number
      created_at: Date
      segment_id: string | null
      segment_offset: number
      length: number
      extent_crc32: number
      blocks: Buffer | null
    }[]
  >`
    select files.id, files.entry_name, files.size, files.mime_type, files.crc32,
      files.created_at, extents.segment_id, extents.segment_offset, extents.length,
      extents.crc32 as extent_crc32, extents.blocks
    from files
    left join extents on extents.file_id = files.id
    where files.parcel_id = ${parcelId}
      and (${selection === null} or files.id = any(${selection ?? []}::integer[]))
    order by files.id, extents.position`.cursor(pageRows)
  for await (const page of pages) {
    yield page.map((row) => ({
      fileId: row.id,
      name: row.entry_name,
      size: row.size,
      mimeType: row.mime_type,
      crc: row.crc32,
      createdAt: row.created_at,
      extent:
        row.segment_id === null
          ? null
          : {
              segmentId: row.segment_id,
              segmentOffset: row.segment_offset,
              length: row.length,
              crc: row.extent_crc32,
              blocks: row.blocks,
            },
    }))
  }
}
