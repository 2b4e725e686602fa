import type { Sql } from '../../db/connect.ts'

/** Files of a parcel: those with these ids, or all. */
export interface CopySource {
  readonly parcelId: string
  readonly fileIds: readonly number[] | null
}

const isChosen = (sql: Sql, { parcelId, fileIds }: CopySource) => sql`
  files.parcel_id = ${parcelId}
    and (${fileIds === null} or files.id = any(${[...(fileIds ?? [])]}::integer[]))`

export async function listCopied(
  sql: Sql,
  source: CopySource,
): Promise<{ originalName: string; size: number }[]> {
  const rows = await sql<{ original_name: string; size: number }[]>`
    select original_name, size
    from files
    where ${isChosen(sql, source)}
    order by id`
  return rows.map((row) => ({ originalName: row.original_name, size: row.size }))
}

/** The segments that the files lie in, with the bytes that were committed to each. */
export async function listSegmentsOf(
  sql: Sql,
  source: CopySource,
): Promise<{ id: string; bytes: number }[]> {
  const rows = await sql<{ id: string; committed_end: number }[]>`
    select id, committed_end
    from segments
    where parcel_id = ${source.parcelId}
      and id in (
        select extents.segment_id
        from files
        join extents on extents.file_id = files.id
        where ${isChosen(sql, source)}
      )
    order by id`
  return rows.map((row) => ({ id: row.id, bytes: row.committed_end }))
}

/** Keeps a parcel from being removed until the transaction ends; false when it is gone. */
export async function holdParcel(sql: Sql, parcelId: string): Promise<boolean> {
  const rows = await sql`select 1 from parcels where id = ${parcelId} for key share`
  return rows.length > 0
}

/** A segment of a parcel, and the one of another parcel that has the same bytes. */
export interface LinkedSegment {
  readonly fromId: string
  readonly toId: string
  readonly bytes: number
}

/** Nobody appends to these, and nothing is ever cut off them: their end is known from the first. */
export async function insertLinkedSegments(
  sql: Sql,
  parcelId: string,
  segments: readonly LinkedSegment[],
): Promise<void> {
  await sql`
    insert into segments (id, parcel_id, owner_id, committed_end, created_at)
    select id, ${parcelId}, null, committed_end, now()
    from unnest(
      ${segments.map(({ toId }) => toId)}::uuid[],
      ${segments.map(({ bytes }) => bytes)}::bigint[]
    ) as linked (id, committed_end)`
}

/**
 * Gives a parcel the files of another one, with their extents in the segments that both have.
 * Returns how many, and their bytes.
 */
export async function copyFiles(
  sql: Sql,
  source: CopySource,
  to: { parcelId: string; segments: readonly LinkedSegment[]; createdAt: Date },
): Promise<{ files: number; bytes: number }> {
  const [row] = await sql<{ files: number; bytes: number }[]>`
    with copied as (
      insert into files (
        parcel_id, file_key, original_name, entry_name, size, mime_type, crc32, damaged_at,
        created_at
      )
      select ${to.parcelId}, file_key, original_name, entry_name, size, mime_type, crc32,
        damaged_at, ${to.createdAt}
      from files
      where ${isChosen(sql, source)}
      order by id
      returning id, file_key, size
    ),
    placed as (
      insert into extents (file_id, position, segment_id, segment_offset, length, crc32)
      select copied.id, extents.position, linked.to_id, extents.segment_offset, extents.length,
        extents.crc32
      from copied
      join files on files.parcel_id = ${source.parcelId} and files.file_key = copied.file_key
      join extents on extents.file_id = files.id
      join unnest(
        ${to.segments.map(({ fromId }) => fromId)}::uuid[],
        ${to.segments.map(({ toId }) => toId)}::uuid[]
      ) as linked (from_id, to_id) on linked.from_id = extents.segment_id
    )
    select count(*) as files, coalesce(sum(size), 0) as bytes from copied`
  return { files: row?.files ?? 0, bytes: row?.bytes ?? 0 }
}
