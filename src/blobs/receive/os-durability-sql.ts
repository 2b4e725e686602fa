import type { Sql } from '../../database/connect.ts'
import type { ChunkRow } from './sql.ts'

/** A segment that holds chunks which no sync has covered. */
export interface UncoveredSegment {
  readonly parcelId: string
  readonly segmentId: string
}

/** Those with chunks that were written in this boot, behind one of them. */
export async function listUncoveredSegments(
  sql: Sql,
  bootId: string,
  { parcelId, after }: { parcelId: string | null; after: UncoveredSegment | null },
): Promise<UncoveredSegment[]> {
  const rows = await sql<{ parcel_id: string; segment_id: string }[]>`
    select distinct parcel_id, segment_id
    from chunks
    where boot_id = ${bootId}
      and (${parcelId}::uuid is null or parcel_id = ${parcelId}::uuid)
      and (
        ${after === null}
        or (parcel_id, segment_id) > (${after?.parcelId ?? null}::uuid, ${after?.segmentId ?? null})
      )
    order by parcel_id, segment_id
    limit 1000`
  return rows.map((row) => ({ parcelId: row.parcel_id, segmentId: row.segment_id }))
}

/** Taken before a sync: rows up to here are what it covers. */
export async function databaseNow(sql: Sql): Promise<Date> {
  const [row] = await sql<{ now: Date }[]>`select clock_timestamp() as now`
  return (row as { now: Date }).now
}

export async function markCovered(sql: Sql, segment: UncoveredSegment, until: Date): Promise<void> {
  await sql`
    update chunks
    set boot_id = null
    where parcel_id = ${segment.parcelId}
      and segment_id = ${segment.segmentId}
      and boot_id is not null
      and created_at <= ${until}`
}

/** Whether chunks of a parcel were acknowledged and no sync has covered them. */
export async function hasUncovered(sql: Sql, parcelId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from chunks where parcel_id = ${parcelId} and boot_id is not null limit 1`
  return rows.length > 0
}

/** As if the chunks of a segment that no sync could cover had never come. Returns their bytes. */
export async function deleteUncovered(
  sql: Sql,
  { parcelId, segmentId }: UncoveredSegment,
): Promise<{ count: number; bytes: number }> {
  const [row] = await sql<{ count: number; bytes: number | null }[]>`
    with lost as (
      delete from chunks
      where parcel_id = ${parcelId} and segment_id = ${segmentId} and boot_id is not null
      returning length
    )
    select count(*) as count, sum(length) as bytes
    from lost`
  return { count: row?.count ?? 0, bytes: row?.bytes ?? 0 }
}

export type DoubtfulChunk = ChunkRow & { readonly parcelId: string }

/**
 * Chunks that were acknowledged in another boot and never synced, behind one of them: they may be
 * damaged.
 */
export async function listDoubtfulChunks(
  sql: Sql,
  bootId: string,
  { parcelId, after }: { parcelId: string | null; after: DoubtfulChunk | null },
): Promise<DoubtfulChunk[]> {
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
      and (${parcelId}::uuid is null or parcel_id = ${parcelId}::uuid)
      and (
        ${after === null}
        or (parcel_id, file_key, chunk_index) >
          (${after?.parcelId ?? null}::uuid, ${after?.fileKey ?? ''}, ${after?.index ?? 0})
      )
    order by parcel_id, file_key, chunk_index
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
  chunk: DoubtfulChunk,
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
