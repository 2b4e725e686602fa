// Rows of very many shares, made by few statements. They keep all invariants of the schema: each
// has a container with a segment, a file and an extent, and the sums agree.
import type { Sql } from '../../src/database/connect.ts'

/** A folder that the storage needs for a seeded share. */
export interface SeededSegment {
  readonly containerId: string
  readonly segmentId: string
}

/** Rows of one statement. */
const pageRows = 10_000

/** Accounts that sign in with the password of the first one. */
export async function addUsers(sql: Sql, from: number, to: number): Promise<void> {
  await sql`
    insert into users (email, name, password_hash, created_at)
    select 'user' || n || '@example.org', 'User ' || n, first.password_hash, first.created_at
    from (select * from users order by id limit 1) as first,
      generate_series(${from}::integer, ${to}::integer) as n`
}

/**
 * Copies of a complete share with one file, numbered from `from` to `to`; every second one has
 * expired, as in a service that has run for some time. `perUser` gives each account so many of
 * them (0: all to the owner of the first one).
 */
export async function* addShares(
  sql: Sql,
  shareId: string,
  { from, to, perUser }: { from: number; to: number; perUser: number },
): AsyncGenerator<SeededSegment[]> {
  for (let first = from; first <= to; first += pageRows) {
    const last = Math.min(to, first + pageRows - 1)
    await sql`drop table if exists seeded`
    await sql`
      create table seeded as
      select n, n % 2 = 0 as is_expired, gen_random_uuid() as container_id,
        gen_random_uuid() as segment_id, gen_random_uuid() as revision,
        'b' || substr(md5('share' || n), 1, 21) as share_id,
        now() - interval '10 minutes' - n * interval '1 second' as created_at,
        case when ${perUser} = 0 then null
          else 'user' || 1 + (n - 1) / greatest(${perUser}::integer, 1) || '@example.org'
        end as email
      from generate_series(${first}::integer, ${last}::integer) as n`
    await insertContainers(sql, shareId)
    await insertFiles(sql, shareId)
    yield await sql<SeededSegment[]>`
      select container_id, segment_id from seeded where not is_expired`
    await sql`drop table seeded`
  }
}

async function insertContainers(sql: Sql, shareId: string): Promise<void> {
  await sql`
    with made as (
      insert into containers (id, used_bytes, live_bytes, created_at, is_tombstoned)
      select seeded.container_id,
        case when is_expired then 0 else used_bytes end,
        case when is_expired then 0 else live_bytes end,
        seeded.created_at, is_expired
      from seeded, containers
      join shares on shares.container_id = containers.id
      where shares.id = ${shareId}
    )
    insert into shares (
      id, owner_id, container_id, state, name, message, recipients, max_downloads, expiration_val,
      expiration_unit, fixed_end, expires_at, created_at, finalized_at, list_hash, revision,
      manifest_revision, total_size
    )
    select seeded.share_id, coalesce(users.id, first.owner_id), seeded.container_id,
      case when is_expired then 'expired' else 'complete' end, 'Share ' || n, '', '', 0, 7, 'Days',
      false,
      case when is_expired then seeded.created_at else now() + interval '7 days' end,
      seeded.created_at, seeded.created_at, first.list_hash, seeded.revision, seeded.revision,
      first.total_size
    from seeded
    cross join (select * from shares where id = ${shareId}) as first
    left join users on users.email = seeded.email`
}

async function insertFiles(sql: Sql, shareId: string): Promise<void> {
  await sql`
    insert into segments (id, container_id, root_id, committed_end, created_at)
    select seeded.segment_id, seeded.container_id, segments.root_id, segments.committed_end,
      seeded.created_at
    from seeded, segments
    join shares using (container_id)
    where shares.id = ${shareId} and not is_expired`
  await sql`
    with made as (
      insert into files (
        container_id, file_key, original_name, entry_name, size, mime_type, crc32, created_at
      )
      select seeded.container_id, file_key, original_name, entry_name, size, mime_type, crc32,
        seeded.created_at
      from seeded, files
      join shares using (container_id)
      where shares.id = ${shareId} and not is_expired
      returning id, container_id
    )
    insert into extents (file_id, position, segment_id, segment_offset, length, crc32, blocks)
    select made.id, position, seeded.segment_id, segment_offset, length, extents.crc32, blocks
    from made
    join seeded using (container_id), extents
    join files on files.id = extents.file_id
    join shares on shares.container_id = files.container_id
    where shares.id = ${shareId}`
}

/** The share at a place of the list of all shares, newest first. */
export async function findShareAt(
  sql: Sql,
  place: number,
): Promise<{ id: string; createdAt: Date }> {
  const [row] = await sql<{ id: string; createdAt: Date }[]>`
    select id, created_at
    from shares
    where state <> 'draft'
    order by created_at desc, id
    offset ${place}
    limit 1`
  return row!
}

/** The newest complete share. */
export async function findCompleteShare(sql: Sql): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    select id
    from shares
    where state = 'complete'
    order by created_at desc
    limit 1`
  return row!.id
}

/** Lets so many complete shares have expired a minute ago. */
export async function letExpire(sql: Sql, count: number): Promise<void> {
  await sql`
    update shares
    set expires_at = now() - interval '1 minute'
    where id in (
      select id from shares where state = 'complete' order by created_at limit ${count}
    )`
}

/** Complete shares past their expiry, with their bytes. */
export async function countDue(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from shares where state = 'complete' and expires_at <= now()`
  return row?.count ?? 0
}
