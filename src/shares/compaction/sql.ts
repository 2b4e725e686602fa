import type { Sql } from '../../database/connect.ts'
import type { CopiedExtent } from '../../blobs/segments/copy.ts'

/** A complete share that compaction has not looked at since it changed last. */
export interface DueShare {
  readonly id: string
  readonly parcelId: string
  readonly generation: number
  readonly hasDeadBytes: boolean
}

/**
 * Shares to look at, in the order of their ids. Those with chunks that are not finalized are left
 * out: what of them will stay is not known yet.
 */
export async function listDue(
  sql: Sql,
  options: { rootId: string; afterId: string; limit: number },
): Promise<DueShare[]> {
  const { rootId, afterId, limit } = options
  const rows = await sql<
    { id: string; parcel_id: string; generation: number; has_dead_bytes: boolean }[]
  >`
    select shares.id, shares.parcel_id, shares.generation,
      parcels.used_bytes > parcels.live_bytes as has_dead_bytes
    from shares
    join parcels on parcels.id = shares.parcel_id
    where shares.state = 'complete'
      and shares.compacted_generation is distinct from shares.generation
      and shares.id > ${afterId}
      and parcels.root_id = ${rootId}
      and not exists (select 1 from chunks where chunks.parcel_id = shares.parcel_id)
    order by shares.id
    limit ${limit}`
  return rows.map((row) => ({
    id: row.id,
    parcelId: row.parcel_id,
    generation: row.generation,
    hasDeadBytes: row.has_dead_bytes,
  }))
}

export async function markCompacted(sql: Sql, due: DueShare): Promise<void> {
  await sql`
    update shares
    set compacted_generation = ${due.generation}
    where id = ${due.id}`
}

export interface SegmentEnd {
  readonly id: string
  readonly committedEnd: number
  /** Somebody may append to it. */
  readonly isOwned: boolean
}

export interface SegmentUse extends SegmentEnd {
  /** Bytes that files refer to. */
  readonly liveBytes: number
}

/** The segments of a parcel, but those known to be damaged. */
export async function listSegmentEnds(sql: Sql, parcelId: string): Promise<SegmentEnd[]> {
  const rows = await sql<{ id: string; committed_end: number; is_owned: boolean }[]>`
    select id, committed_end, owner_id is not null as is_owned
    from segments
    where parcel_id = ${parcelId} and damaged_at is null`
  return rows.map((row) => ({
    id: row.id,
    committedEnd: row.committed_end,
    isOwned: row.is_owned,
  }))
}

/** The same, with how much of them is in use. */
export async function listSegmentUse(sql: Sql, parcelId: string): Promise<SegmentUse[]> {
  const rows = await sql<
    { id: string; committed_end: number; live_bytes: number; is_owned: boolean }[]
  >`
    select segments.id, segments.committed_end, segments.owner_id is not null as is_owned,
      coalesce(used.bytes, 0) as live_bytes
    from segments
    left join (
      select extents.segment_id, sum(extents.length) as bytes
      from files
      join extents on extents.file_id = files.id
      where files.parcel_id = ${parcelId}
      group by extents.segment_id
    ) as used on used.segment_id = segments.id
    where segments.parcel_id = ${parcelId} and segments.damaged_at is null
    order by live_bytes, segments.id`
  return rows.map((row) => ({
    id: row.id,
    committedEnd: row.committed_end,
    liveBytes: row.live_bytes,
    isOwned: row.is_owned,
  }))
}

/** An extent of a file, where it lies now. */
export interface PlacedExtent extends CopiedExtent {
  readonly fileId: number
  readonly position: number
}

/** The first extents that lie in a segment, in the order in which they lie there. */
export async function listExtentsIn(
  sql: Sql,
  parcelId: string,
  segmentId: string,
  limit: number,
): Promise<PlacedExtent[]> {
  const rows = await sql<
    { file_id: number; position: number; segment_offset: number; length: number; crc32: number }[]
  >`
    select extents.file_id, extents.position, extents.segment_offset, extents.length, extents.crc32
    from files
    join extents on extents.file_id = files.id
    where files.parcel_id = ${parcelId} and extents.segment_id = ${segmentId}
    order by extents.segment_offset
    limit ${limit}`
  return rows.map((row) => ({
    fileId: row.file_id,
    position: row.position,
    offset: row.segment_offset,
    length: row.length,
    crc: row.crc32,
  }))
}

/** The bytes committed to a segment that nobody appends to; null when it is not there any more. */
export async function lockOwnerlessSegment(sql: Sql, segmentId: string): Promise<number | null> {
  const [row] = await sql<{ committed_end: number }[]>`
    select committed_end
    from segments
    where id = ${segmentId} and owner_id is null
    for update`
  return row?.committed_end ?? null
}

/** Points extents at their new places: those that still lie where they lay. */
export async function moveExtents(
  sql: Sql,
  from: { segmentId: string; extents: readonly PlacedExtent[] },
  to: { segmentId: string; offsets: readonly number[] },
): Promise<void> {
  await sql`
    update extents
    set segment_id = ${to.segmentId}, segment_offset = moved.new_offset
    from unnest(
      ${from.extents.map((extent) => extent.fileId)}::integer[],
      ${from.extents.map((extent) => extent.position)}::integer[],
      ${from.extents.map((extent) => extent.offset)}::bigint[],
      ${[...to.offsets]}::bigint[]
    ) as moved (file_id, position, old_offset, new_offset)
    where extents.file_id = moved.file_id
      and extents.position = moved.position
      and extents.segment_id = ${from.segmentId}
      and extents.segment_offset = moved.old_offset`
}

/** Whether a file or a chunk still lies in the segment. */
export async function isReferenced(
  sql: Sql,
  parcelId: string,
  segmentId: string,
): Promise<boolean> {
  const [row] = await sql<{ referenced: boolean }[]>`
    select exists (
      select 1
      from files
      join extents on extents.file_id = files.id
      where files.parcel_id = ${parcelId} and extents.segment_id = ${segmentId}
    ) or exists (
      select 1
      from chunks
      where chunks.parcel_id = ${parcelId} and chunks.segment_id = ${segmentId}
    ) as referenced`
  return row?.referenced ?? true
}

/** Bytes lie elsewhere: layouts that were made before, and the manifest, speak of old places. */
export async function markMoved(sql: Sql, shareId: string): Promise<void> {
  await sql`
    update shares
    set generation = generation + 1, manifest_revision = null
    where id = ${shareId}`
}

export async function markSegmentDamaged(sql: Sql, segmentId: string, at: Date): Promise<void> {
  await sql`update segments set damaged_at = ${at} where id = ${segmentId}`
}

/**
 * Buried segments that nobody is on the way to any more, and that the manifest of their share on
 * disk does not name any more.
 */
export async function listRemovable(
  sql: Sql,
  rootId: string,
  before: Date,
): Promise<{ parcelId: string; segmentId: string }[]> {
  const rows = await sql<{ parcel_id: string; segment_id: string }[]>`
    select segment_tombstones.parcel_id, segment_tombstones.segment_id
    from segment_tombstones
    join parcels on parcels.id = segment_tombstones.parcel_id
    join shares on shares.parcel_id = segment_tombstones.parcel_id
    where segment_tombstones.created_at <= ${before}
      and parcels.root_id = ${rootId}
      and shares.manifest_revision = shares.revision
    order by segment_tombstones.created_at
    limit 1000`
  return rows.map((row) => ({ parcelId: row.parcel_id, segmentId: row.segment_id }))
}
