import type { Sql } from '../../database/connect.ts'

/** A folder or bucket that the database knows. */
export interface KnownRoot {
  readonly id: string
  /** It gets new segments. */
  readonly isCurrent: boolean
  /** Whether there may be bytes that are in no other root. */
  readonly isNeeded: boolean
}

/** One, or two while files are moved; none before the first start. */
export async function listStorageRoots(sql: Sql): Promise<KnownRoot[]> {
  return sql<KnownRoot[]>`
    select id, is_current,
      is_current or exists (select from segments where root_id = storage_roots.id) as is_needed
    from storage_roots
    order by created_at`
}

export async function insertStorageRoot(sql: Sql, id: string, isCurrent: boolean): Promise<void> {
  await sql`
    insert into storage_roots (id, is_current, created_at) values (${id}, ${isCurrent}, now())`
}

/** From its commit on, new segments go to this root. */
export async function makeCurrent(sql: Sql, id: string): Promise<void> {
  await sql`update storage_roots set is_current = (id = ${id})`
}

/** Waits for transactions that add segments to a root, and holds up others. */
export async function lockRoot(sql: Sql, id: string): Promise<void> {
  await sql`select from storage_roots where id = ${id} for update`
}

/** False while segments are in it. */
export async function deleteStorageRoot(sql: Sql, id: string): Promise<boolean> {
  return sql`
    delete from storage_roots
    where id = ${id} and not exists (select from segments where root_id = ${id})`.exists()
}

export async function countSegments(
  sql: Sql,
  rootId: string,
): Promise<{ count: number; bytes: number }> {
  return sql<{ count: number; bytes: number }[]>`
    select count(*) as count, coalesce(sum(committed_end), 0) as bytes
    from segments
    where root_id = ${rootId}`.one()
}

/** In a restored database all segments are in one root, which no process has open. */
export async function keepOneRoot(sql: Sql, id: string): Promise<void> {
  await sql`
    with moved as (
      update segments set root_id = ${id} where root_id <> ${id}
    ), closed as (
      delete from root_openings
    )
    delete from storage_roots where id <> ${id}`
}

/** False when the segment is gone: then its copy must go too. */
export async function moveSegment(sql: Sql, id: string, toRootId: string): Promise<boolean> {
  return sql`
    update segments set root_id = ${toRootId} where id = ${id}`.exists()
}

/** Keeps a copy of files from being completed with this segment until the transaction ends. */
export async function lockSegment(sql: Sql, id: string): Promise<void> {
  await sql`select from segments where id = ${id} for update`
}

/** Moves segments of which no byte was ever committed. */
export async function moveEmptySegments(
  sql: Sql,
  { fromId, toId }: { fromId: string; toId: string },
): Promise<void> {
  await sql`
    update segments
    set root_id = ${toId}
    where root_id = ${fromId} and owner_id is null and committed_end = 0`
}

/** Whether a container may still get segments. */
export async function isOpenContainer(sql: Sql, containerId: string): Promise<boolean> {
  return sql`select from containers where id = ${containerId} and not is_tombstoned`.exists()
}

export async function insertOpenings(sql: Sql, processId: string, rootIds: readonly string[]) {
  await sql`
    insert into root_openings (process_id, root_id)
    select ${processId}, unnest(${[...rootIds]}::uuid[])
    on conflict do nothing`
}

/** Lets no process open a root until the transaction ends. */
export async function lockOpenings(sql: Sql): Promise<void> {
  await sql`lock table root_openings in share row exclusive mode`
}

/** @param rootId null for all roots */
export async function deleteOpenings(sql: Sql, processId: string, rootId: string | null = null) {
  await sql`
    delete from root_openings
    where process_id = ${processId} and (${rootId}::uuid is null or root_id = ${rootId})`
}

/** Processes, dead ones too, that have one root open, and not the other. */
export async function listOpeners(
  sql: Sql,
  rootId: string,
  withoutRootId: string | null,
): Promise<string[]> {
  return sql<{ processId: string }[]>`
    select process_id
    from root_openings
    where root_id = ${rootId}
      and process_id not in (
        select process_id from root_openings where root_id = ${withoutRootId}
      )`.column()
}
