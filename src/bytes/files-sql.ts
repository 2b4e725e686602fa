import type { Sql } from '../database/connect.ts'
import type { Checksummed } from './segments/block-checksums.ts'
import { readPages, type Pages } from '../lib/pages.ts'

export interface ListedFileRow {
  readonly containerId: string
  readonly id: number
  readonly originalName: string
  /** Its name in archives. */
  readonly entryName: string
  readonly size: number
  readonly mimeType: string
  readonly createdAt: Date
  /** When its sender last changed it; null when that is unknown. */
  readonly modifiedAt: Date | null
  /** Its bytes on disk differ from those received, so downloads are refused. */
  readonly isDamaged: boolean
  readonly hasThumbnail: boolean
}

/**
 * The extents of each file, to be joined: one index scan per file. A plan that was made when
 * the tables were nearly empty, and then kept, would read all extents for each file.
 * @param fileId column of the query around it
 */
export const extentsOfEach = (sql: Sql, fileId = 'files.id') =>
  sql`lateral (select * from extents where file_id = ${sql(fileId)} offset 0) as extents`

const listedFile = (sql: Sql) =>
  sql`container_id, id, original_name, entry_name, size, mime_type, created_at, modified_at,
    damaged_at is not null as is_damaged, has_thumbnail`

/** Files of a container in order, behind this id (0: from the first). */
export async function listFiles(
  sql: Sql,
  containerId: string,
  after: number,
  limit: number,
): Promise<ListedFileRow[]> {
  return sql<ListedFileRow[]>`
    select ${listedFile(sql)}
    from files
    where container_id = ${containerId} and id > ${after}
    order by id
    limit ${limit}`
}

/** The first of them; each row tells whether there are empty folders too. */
export async function listFirstPage(sql: Sql, containerId: string, limit: number) {
  return sql<(ListedFileRow & { readonly hasFolders: boolean })[]>`
    select ${listedFile(sql)}, exists (${findFolder(sql, containerId)}) as has_folders
    from files
    where container_id = ${containerId}
    order by id
    limit ${limit}`
}

/** The first files of several containers, ordered by container id. */
export async function listFirstFiles(
  sql: Sql,
  containerIds: readonly string[],
  limit: number,
): Promise<ListedFileRow[]> {
  return sql<ListedFileRow[]>`
    select ${listedFile(sql)}
    from files
    where container_id = any(${[...containerIds]}::uuid[])
    order by container_id, id
    limit ${limit}`
}

/** A container's number of files, of damaged files, and the bytes of the undamaged ones. */
export async function sumFiles(
  sql: Sql,
  containerId: string,
): Promise<{ count: number; damaged: number; wholeBytes: number }> {
  return sql<{ count: number; damaged: number; wholeBytes: number }[]>`
    select count(*) as count, count(damaged_at) as damaged,
      coalesce(sum(size) filter (where damaged_at is null), 0) as whole_bytes
    from files
    where container_id = ${containerId}`.one()
}

export async function listWholeIds(
  sql: Sql,
  containerId: string,
  limit: number,
): Promise<number[]> {
  return sql<{ id: number }[]>`
    select id
    from files
    where container_id = ${containerId} and damaged_at is null
    order by id
    limit ${limit}`.column()
}

type Unsent = 'containerId' | 'modifiedAt' | 'isDamaged' | 'hasThumbnail'

export interface FileRow extends Omit<ListedFileRow, Unsent> {
  readonly damagedAt: Date | null
  /** Part of its ETag beside its id. */
  readonly tagSeed: string
}

export async function findFile(
  sql: Sql,
  containerId: string,
  fileId: number,
): Promise<FileRow | null> {
  return sql<FileRow[]>`
    select id, original_name, entry_name, size, mime_type, created_at, damaged_at, tag_seed
    from files
    where container_id = ${containerId} and id = ${fileId}`.first()
}

export interface ExtentRow extends Checksummed {
  readonly segmentId: string
  readonly segmentOffset: number
}

export async function listExtents(sql: Sql, fileId: number): Promise<ExtentRow[]> {
  return sql<ExtentRow[]>`
    select segment_id, segment_offset, length, crc32 as crc, blocks
    from extents
    where file_id = ${fileId}
    order by position`
}

/** One extent of an archive's file, or just the file when it has none. */
export interface EntryRow {
  readonly fileId: number
  readonly name: string
  readonly size: number
  readonly mimeType: string
  readonly crc: number
  /** When its sender last changed it, or else when it was complete. */
  readonly modifiedAt: Date
  readonly extent: ExtentRow | null
}

type JoinedEntry = Omit<EntryRow, 'extent'> &
  Omit<ExtentRow, 'segmentId' | 'crc'> & { segmentId: string | null; extentCrc: number }

/** Not `= any(…)`: a plan that is kept searches the list from its start for each file. */
const selectedFiles = (sql: Sql, selection: readonly number[]) => sql`
  unnest(${selection}::integer[]) as selected (id)
  cross join lateral (select * from files where files.id = selected.id offset 0) as files`

/** Each row may carry 2 kB of checksums. */
const pageRows = 1000

/** The files of a container with their extents, ordered by file id; all, or the selected ones. */
export async function* readEntries(
  sql: Sql,
  containerId: string,
  selection: readonly number[] | null,
): AsyncGenerator<EntryRow[]> {
  const pages = sql<JoinedEntry[]>`
    select files.id as file_id, files.entry_name as name, files.size, files.mime_type,
      files.crc32 as crc, coalesce(files.modified_at, files.created_at) as modified_at,
      extents.segment_id, extents.segment_offset,
      extents.length, extents.crc32 as extent_crc, extents.blocks
    from ${selection === null ? sql`files` : selectedFiles(sql, selection)}
    left join ${extentsOfEach(sql)} on true
    where files.container_id = ${containerId}
    order by files.id, extents.position`.cursor(pageRows)
  for await (const page of pages) yield page.map(nestExtent)
}

function nestExtent(row: JoinedEntry): EntryRow {
  const { segmentId, segmentOffset, length, extentCrc, blocks, ...entry } = row
  if (segmentId === null) return { ...entry, extent: null }
  return { ...entry, extent: { segmentId, segmentOffset, length, crc: extentCrc, blocks } }
}

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
  return sql<{ path: string }[]>`
    select path
    from unnest(${[...paths]}::text[]) as incoming (path)
    where exists (
      select 1
      from folders
      where container_id = ${containerId} and folders.path = incoming.path
      offset 0
    )`.column()
}

/** A page of the folders without an entry name; a folder comes before the one that it is in. */
export async function listPendingFolders(
  sql: Sql,
  containerId: string,
  before: string | null,
): Promise<string[]> {
  return sql<{ path: string }[]>`
    select path
    from folders
    where container_id = ${containerId}
      and entry_name is null
      and (${before}::text is null or path < ${before})
    order by path desc
    limit ${pageRows}`.column()
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
export async function deleteFolders(sql: Sql, containerId: string, paths: readonly string[]) {
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

const findFolder = (sql: Sql, containerId: string) =>
  sql`select 1 from folders where container_id = ${containerId} and entry_name is not null limit 1`

/** Whether a container has a folder that its archive shows. */
export async function hasFolders(sql: Sql, containerId: string): Promise<boolean> {
  return findFolder(sql, containerId).exists()
}

/** A damaged file, with the name that it was uploaded with. */
export interface DamagedFile {
  readonly id: number
  readonly name: string
}

/** The damaged files of containers: all, or those in a selection; at most 100. */
export async function listDamaged(
  sql: Sql,
  containerIds: readonly string[],
  selection: readonly number[] | null,
): Promise<DamagedFile[]> {
  return sql<DamagedFile[]>`
    select id, original_name as name
    from files
    where container_id = any(${[...containerIds]}::uuid[])
      and damaged_at is not null
      and (${selection === null} or id in (select unnest(${selection ?? []}::integer[])))
    order by id
    limit 100`
}

/** Rows per page: enough for speed in long lists, few enough for memory with many lists at once. */
export const listedRows = [100, 400] as const

/** The empty folders of a container's complete files, in the order of their paths. */
export function foldersOf(sql: Sql, containerId: string): Pages<FolderRow> {
  const read = (last: FolderRow | null, limit: number) =>
    listFolders(sql, containerId, last?.path ?? '', limit)
  return readPages(read, listedRows)
}
