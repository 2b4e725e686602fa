import type { Sql } from '../../database/connect.ts'
import { isReadElsewhere } from '../../database/instances-sql.ts'
import { extentsOfEach } from '../files-sql.ts'

/** Has a container looked at whose received chunks were freed. */
export async function markShrunk(sql: Sql, containerId: string): Promise<void> {
  await sql`update containers set is_shrunk = true where id = ${containerId}`
}

/** Containers that have lost live bytes since their segments were looked at. */
export async function listShrunk(sql: Sql): Promise<string[]> {
  return sql<{ id: string }[]>`
    select id
    from containers
    where is_shrunk and not is_tombstoned
    order by random() -- Some stay due: they must not keep others away.
    limit 1000`.column()
}

/**
 * Turns the segments of a container that nothing refers to into tombstones, under the container's
 * lock. It stays due while a segment has a writer.
 */
export async function tombstoneUnused(sql: Sql, containerId: string, at: Date): Promise<void> {
  await sql`
    with used as materialized (
      select extents.segment_id
      from files
      cross join ${extentsOfEach(sql)}
      where files.container_id = ${containerId}
      union
      select segment_id
      from chunks
      where container_id = ${containerId}
    ), removed as (
      delete from segments
      where container_id = ${containerId}
        and owner_id is null
        and id not in (select segment_id from used)
      returning id, committed_end
    ), tombstoned as (
      insert into segment_tombstones (segment_id, container_id, created_at)
      select id, ${containerId}, ${at} from removed
    )
    update containers
    set used_bytes = used_bytes - (select coalesce(sum(committed_end), 0) from removed),
        is_shrunk = exists (
          select from segments where container_id = ${containerId} and owner_id is not null
        )
    where id = ${containerId}`
}

/** Dates tombstones from a clock that was ahead as if they were made now. */
export async function restartWaits(sql: Sql, now: Date, latest: Date): Promise<void> {
  await sql`update segment_tombstones set created_at = ${now} where created_at > ${latest}`
}

/** Segments that were tombstoned before a moment, without readers elsewhere, by container. */
export async function listRemovable(
  sql: Sql,
  options: {
    readonly before: Date
    readonly processId: string
    /** Running downloads from before this moment count as broken. */
    readonly readingSince: Date
  },
): Promise<{ containerId: string; segmentIds: string[] }[]> {
  const { before, processId, readingSince } = options
  return sql<{ containerId: string; segmentIds: string[] }[]>`
    select segment_tombstones.container_id,
      array_agg(segment_tombstones.segment_id::text) as segment_ids
    from segment_tombstones
    join containers on containers.id = segment_tombstones.container_id
    where segment_tombstones.created_at <= ${before}
      and not exists (
        select
        from shares
        join downloads on downloads.share_id = shares.id
        where shares.container_id = containers.id
          and downloads.running > 0
          and downloads.process_id <> ${processId}
          and downloads.started_at > ${readingSince}
      )
      and not ${isReadElsewhere(
        sql,
        processId,
        sql`containers.id`,
        sql`segment_tombstones.created_at`,
      )}
    group by segment_tombstones.container_id
    order by min(segment_tombstones.created_at)`
}
