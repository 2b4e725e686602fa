import type { Sql } from '../db/connect.ts'
import type { ChunkRow } from './sql.ts'

/** Segments that hold chunks which no sync has covered since they were written in this boot. */
export async function listUncoveredSegments(
  sql: Sql,
  bootId: string,
  parcelId: string | null,
): Promise<{ parcelId: string; segmentId: string }[]> {
  const rows = await sql<{ parcel_id: string; segment_id: string }[]>`
    select distinct parcel_id, segment_id
    from chunks
    where boot_id = ${bootId}
      and (${parcelId}::uuid is null or parcel_id = ${parcelId}::uuid)
    limit 1000`
  return rows.map((row) => ({ parcelId: row.parcel_id, segmentId: row.segment_id }))
}

/** Taken before a sync: rows up to here are what it covers. */
export async function databaseNow(sql: Sql): Promise<Date> {
  const [row] = await sql<{ now: Date }[]>`select clock_timestamp() as now`
  return (row as { now: Date }).now
}

export async function markCovered(
  sql: Sql,
  segment: { parcelId: string; segmentId: string },
  until: Date,
): Promise<void> {
  await sql`
    update chunks
    set boot_id = null
    where parcel_id = ${segment.parcelId}
      and segment_id = ${segment.segmentId}
      and boot_id is not null
      and created_at <= ${until}`
}

/** Chunks that were acknowledged in another boot and never synced: they may be damaged. */
export async function listDoubtfulChunks(
  sql: Sql,
  bootId: string,
): Promise<(ChunkRow & { parcelId: string })[]> {
  const rows = await sql<
    {
      parcel_id: string
      file_key: string
      chunk_index: number
      segment_id: string
      segment_offset: number
      length: number
      crc32: number
    }[]
  >`
    select parcel_id, file_key, chunk_index, segment_id, segment_offset, length, crc32
    from chunks
    where boot_id is not null and boot_id <> ${bootId}
    limit 500`
  return rows.map((row) => ({
    parcelId: row.parcel_id,
    fileKey: row.file_key,
    index: row.chunk_index,
    segmentId: row.segment_id,
    segmentOffset: row.segment_offset,
    length: row.length,
    crc: row.crc32,
  }))
}

/** What the CRC of a doubtful chunk has told: it stays, or is as if it had never come. */
export async function settleDoubtfulChunk(
  sql: Sql,
  chunk: ChunkRow & { parcelId: string },
  isWhole: boolean,
): Promise<void> {
  if (isWhole) {
    await sql`
      update chunks
      set boot_id = null
      where parcel_id = ${chunk.parcelId}
        and file_key = ${chunk.fileKey}
        and chunk_index = ${chunk.index}`
    return
  }
  await sql`
    delete from chunks
    where parcel_id = ${chunk.parcelId}
      and file_key = ${chunk.fileKey}
      and chunk_index = ${chunk.index}`
  await sql`
    update parcels
    set live_bytes = live_bytes - ${chunk.length}
    where id = ${chunk.parcelId}`
}
