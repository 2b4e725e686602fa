import type { Sql } from '../database/connect.ts'

/** Rows of a page: at most 1 KiB each. */
const pageRows = 1000

/**
 * Keeps folders of files that are not complete yet, as long as the container has at most `max`.
 * Needs the lock of the container.
 * @returns those that are kept, now or since earlier
 */
export async function keepFolders(
  sql: Sql,
  containerId: string,
  paths: readonly string[],
  max: number,
): Promise<string[]> {
  await sql`
    insert into folders (container_id, path)
    select ${containerId}, incoming.path
    from unnest(${[...paths]}::text[]) with ordinality as incoming (path, place)
    -- With offset 0 one index scan per path: the planner believes that the folders are few.
    left join lateral (
      select true as is_kept
      from folders
      where container_id = ${containerId} and folders.path = incoming.path
      offset 0
    ) as kept on true
    where kept.is_kept is null
    order by place
    limit greatest(
      0,
      ${max} - (select count(*) from folders where container_id = ${containerId})
    )`
  const rows = await sql<{ path: string }[]>`
    select path
    from unnest(${[...paths]}::text[]) as incoming (path)
    where exists (
      select 1
      from folders
      where container_id = ${containerId} and folders.path = incoming.path
      offset 0
    )`
  return rows.map(({ path }) => path)
}

/** A page of the folders without an entry name; a folder comes before the one that it is in. */
export async function listPendingFolders(
  sql: Sql,
  containerId: string,
  before: string | null,
): Promise<string[]> {
  const rows = await sql<{ path: string }[]>`
    select path
    from folders
    where container_id = ${containerId}
      and entry_name is null
      and (${before}::text is null or path < ${before})
    order by path desc
    limit ${pageRows}`
  return rows.map(({ path }) => path)
}

export interface NamedFolder {
  readonly path: string
  /** Without a slash at its end. */
  readonly entryName: string
}

export async function nameFolders(
  sql: Sql,
  containerId: string,
  folders: readonly NamedFolder[],
  createdAt: Date,
): Promise<void> {
  await sql`
    update folders
    set entry_name = named.entry_name, created_at = ${createdAt}
    from unnest(
      ${folders.map(({ path }) => path)}::text[],
      ${folders.map(({ entryName }) => entryName)}::text[]
    ) as named (path, entry_name)
    where folders.container_id = ${containerId} and folders.path = named.path`
}

/** Deletes folders that are no longer empty. */
export async function deleteFolders(
  sql: Sql,
  containerId: string,
  paths: readonly string[],
): Promise<void> {
  await sql`
    delete from folders
    where container_id = ${containerId} and path in (select unnest(${[...paths]}::text[]))`
}

export async function deletePendingFolders(sql: Sql, containerId: string): Promise<void> {
  await sql`delete from folders where container_id = ${containerId} and entry_name is null`
}

/** A folder of complete files. */
export interface FolderRow extends NamedFolder {
  readonly createdAt: Date
}

/** In the order of their paths, behind one. */
export async function listFolders(
  sql: Sql,
  containerId: string,
  after: string,
  limit: number,
): Promise<FolderRow[]> {
  return sql<FolderRow[]>`
    select path, entry_name, created_at
    from folders
    where container_id = ${containerId} and entry_name is not null and path > ${after}
    order by path
    limit ${limit}`
}

export async function copyFolders(
  sql: Sql,
  fromContainerId: string,
  to: { readonly containerId: string; readonly createdAt: Date },
): Promise<void> {
  await sql`
    insert into folders (container_id, path, entry_name, created_at)
    select ${to.containerId}, path, entry_name, ${to.createdAt}
    from folders
    where container_id = ${fromContainerId} and entry_name is not null`
}

/** Whether a container has a folder that its archive shows. */
export async function hasFolders(sql: Sql, containerId: string): Promise<boolean> {
  const rows = await sql`
    select 1
    from folders
    where container_id = ${containerId} and entry_name is not null
    limit 1`
  return rows.length > 0
}
