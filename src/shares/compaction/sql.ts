import type { Sql } from '../../database/connect.ts'
import { extentsOfEach } from '../../blobs/files-sql.ts'
import type { CopiedExtent } from '../../blobs/segments/copy.ts'

/** A complete share that changed after compaction last looked at it. */
export interface DueShare {
  readonly id: string
  readonly containerId: string
  readonly generation: number
  readonly hasDeadBytes: boolean
}

/**
 * Shares to look at, ordered by id. Those with unfinalized chunks are left out, because it is not
 * known which of them will stay.
 */
export async function listDue(
  sql: Sql,
  options: { rootId: string; afterId: string; limit: number },
): Promise<DueShare[]> {
  const { rootId, afterId, limit } = options
  return sql<DueShare[]>`
    select shares.id, shares.container_id, shares.generation,
      containers.used_bytes > containers.live_bytes as has_dead_bytes
    from shares
    join containers on containers.id = shares.container_id
    where shares.state = 'complete'
      and shares.compacted_generation is distinct from shares.generation
      and shares.id > ${afterId}
      and containers.root_id = ${rootId}
      and not exists (select 1 from chunks where chunks.container_id = shares.container_id)
    order by shares.id
    limit ${limit}`
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
  /** Whether a process may append to it. */
  readonly isOwned: boolean
}

export interface SegmentUse extends SegmentEnd {
  /** Bytes that files refer to. */
  readonly liveBytes: number
}

/** The segments of a container, except those known to be damaged. */
export async function listSegmentEnds(sql: Sql, containerId: string): Promise<SegmentEnd[]> {
  return sql<SegmentEnd[]>`
    select id, committed_end, owner_id is not null as is_owned
    from segments
    where container_id = ${containerId} and damaged_at is null`
}

/** The same, with the bytes in use. */
export async function listSegmentUse(sql: Sql, containerId: string): Promise<SegmentUse[]> {
  return sql<SegmentUse[]>`
    select segments.id, segments.committed_end, segments.owner_id is not null as is_owned,
      coalesce(used.bytes, 0) as live_bytes
    from segments
    left join (
      select extents.segment_id, sum(extents.length) as bytes
      from files
      cross join ${extentsOfEach(sql)}
      where files.container_id = ${containerId}
      group by extents.segment_id
    ) as used on used.segment_id = segments.id
    where segments.container_id = ${containerId} and segments.damaged_at is null
    order by live_bytes, segments.id`
}

/** An extent of a file with its present place. */
export interface PlacedExtent extends CopiedExtent {
  readonly fileId: number
  readonly position: number
}

/** The first extents in a segment, ordered by offset. */
export async function listExtentsIn(
  sql: Sql,
  containerId: string,
  segmentId: string,
  limit: number,
): Promise<PlacedExtent[]> {
  return sql<PlacedExtent[]>`
    select extents.file_id, extents.position, extents.segment_offset as offset, extents.length,
      extents.crc32 as crc
    from files
    cross join ${extentsOfEach(sql)}
    where files.container_id = ${containerId} and extents.segment_id = ${segmentId}
    order by extents.segment_offset
    limit ${limit}`
}

/** The committed bytes of a segment without an appender; null when it no longer exists. */
export async function lockOwnerlessSegment(sql: Sql, segmentId: string): Promise<number | null> {
  const [row] = await sql<{ committedEnd: number }[]>`
    select committed_end
    from segments
    where id = ${segmentId} and owner_id is null
    for update`
  return row?.committedEnd ?? null
}

/** Points extents to their new places, unless they have moved meanwhile. */
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

/** Whether a file or a chunk still refers to the segment. */
export async function isReferenced(
  sql: Sql,
  containerId: string,
  segmentId: string,
): Promise<boolean> {
  const [row] = await sql<{ referenced: boolean }[]>`
    select exists (
      select 1
      from files
      cross join ${extentsOfEach(sql)}
      where files.container_id = ${containerId} and extents.segment_id = ${segmentId}
    ) or exists (
      select 1
      from chunks
      where chunks.container_id = ${containerId} and chunks.segment_id = ${segmentId}
    ) as referenced`
  return row?.referenced ?? true
}

/** Records moved bytes: earlier layouts and the manifest name old places. */
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
 * Segments that were tombstoned before a moment, without readers in other processes, and that the
 * manifest on disk no longer names.
 */
export async function listRemovable(
  sql: Sql,
  options: {
    readonly rootId: string
    readonly before: Date
    readonly processId: string
    /** Running downloads from before this moment count as broken. */
    readonly readingSince: Date
  },
): Promise<{ containerId: string; segmentId: string }[]> {
  const { rootId, before, processId, readingSince } = options
  return sql<{ containerId: string; segmentId: string }[]>`
    select segment_tombstones.container_id, segment_tombstones.segment_id
    from segment_tombstones
    join containers on containers.id = segment_tombstones.container_id
    join shares on shares.container_id = segment_tombstones.container_id
    where segment_tombstones.created_at <= ${before}
      and containers.root_id = ${rootId}
      and shares.manifest_revision = shares.revision
      and not exists (
        select
        from downloads
        where downloads.share_id = shares.id
          and downloads.running > 0
          and downloads.process_id <> ${processId}
          and downloads.started_at > ${readingSince}
      )
    order by segment_tombstones.created_at
    limit 1000`
}
