import type { Sql } from '../../database/connect.ts'
import { placedChunk, type Chunk } from './sql.ts'

/** A segment with chunks that no sync has covered. */
export interface UncoveredSegment {
  readonly containerId: string
  readonly segmentId: string
}

/** Segments with uncovered chunks of this boot, after a given one. */
export async function listUncoveredSegments(
  sql: Sql,
  bootId: string,
  { containerId, after }: { containerId: string | null; after: UncoveredSegment | null },
): Promise<UncoveredSegment[]> {
  return sql<UncoveredSegment[]>`
    select distinct container_id, segment_id
    from chunks
    where boot_id = ${bootId}
      and (${containerId}::uuid is null or container_id = ${containerId}::uuid)
      and (
        ${after === null}
        or (container_id, segment_id) >
          (${after?.containerId ?? null}::uuid, ${after?.segmentId ?? null})
      )
    order by container_id, segment_id
    limit 1000`
}

/** Read before a sync, which covers the rows up to here. */
export async function databaseNow(sql: Sql): Promise<Date> {
  const [row] = await sql<{ now: Date }[]>`select clock_timestamp() as now`
  return row!.now
}

export async function markCovered(sql: Sql, segment: UncoveredSegment, until: Date): Promise<void> {
  await sql`
    update chunks
    set boot_id = null
    where container_id = ${segment.containerId}
      and segment_id = ${segment.segmentId}
      and boot_id is not null
      and created_at <= ${until}`
}

/** Whether a container has acknowledged chunks that no sync has covered. */
export async function hasUncovered(sql: Sql, containerId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from chunks where container_id = ${containerId} and boot_id is not null limit 1`
  return rows.length > 0
}

/** Drops the chunks of a segment that no sync could cover. Returns their bytes. */
export async function deleteUncovered(
  sql: Sql,
  { containerId, segmentId }: UncoveredSegment,
): Promise<{ count: number; bytes: number }> {
  const [row] = await sql<{ count: number; bytes: number }[]>`
    with lost as (
      delete from chunks
      where container_id = ${containerId} and segment_id = ${segmentId} and boot_id is not null
      returning length
    )
    select count(*) as count, coalesce(sum(length), 0) as bytes
    from lost`
  return row!
}

export type DoubtfulChunk = Chunk & { readonly containerId: string }

/** Unsynced chunks of another boot, after a given one. They may be damaged. */
export async function listDoubtfulChunks(
  sql: Sql,
  bootId: string,
  { containerId, after }: { containerId: string | null; after: DoubtfulChunk | null },
): Promise<DoubtfulChunk[]> {
  return sql<DoubtfulChunk[]>`
    select container_id, ${placedChunk(sql)}
    from chunks
    where boot_id is not null and boot_id <> ${bootId}
      and (${containerId}::uuid is null or container_id = ${containerId}::uuid)
      and (
        ${after === null}
        or (container_id, file_key, chunk_index) >
          (${after?.containerId ?? null}::uuid, ${after?.fileKey ?? ''}, ${after?.index ?? 0})
      )
    order by container_id, file_key, chunk_index
    limit 500`
}

/** Rows of this chunk at this place: it may have been sent again while it was checked. */
const atItsPlace = (sql: Sql, chunk: DoubtfulChunk) => sql`
  container_id = ${chunk.containerId}
    and file_key = ${chunk.fileKey}
    and chunk_index = ${chunk.index}
    and segment_id = ${chunk.segmentId}
    and segment_offset = ${chunk.segmentOffset}`

/** Marks a chunk covered whose CRC is right. */
export async function keepDoubtfulChunk(sql: Sql, chunk: DoubtfulChunk): Promise<void> {
  await sql`update chunks set boot_id = null where ${atItsPlace(sql, chunk)}`
}

/** Drops a chunk, under the container's lock. Returns its bytes; 0 when it was replaced. */
export async function dropDoubtfulChunk(sql: Sql, chunk: DoubtfulChunk): Promise<number> {
  const rows = await sql`delete from chunks where ${atItsPlace(sql, chunk)} returning length`
  return rows.length > 0 ? chunk.length : 0
}
