import type { Sql } from '../database/connect.ts'

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

/** A file on the first page of a list; each row tells whether there are empty folders too. */
export interface FirstFileRow extends ListedFileRow {
  readonly hasFolders: boolean
}

export async function listFirstPage(
  sql: Sql,
  containerId: string,
  limit: number,
): Promise<FirstFileRow[]> {
  return sql<FirstFileRow[]>`
    select ${listedFile(sql)},
      exists (
        select from folders where container_id = ${containerId} and entry_name is not null
      ) as has_folders
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
  const [row] = await sql<{ count: number; damaged: number; wholeBytes: number }[]>`
    select count(*) as count, count(damaged_at) as damaged,
      coalesce(sum(size) filter (where damaged_at is null), 0) as whole_bytes
    from files
    where container_id = ${containerId}`
  return row!
}

/** Ids of the undamaged files of a container, in order. */
export async function listWholeIds(
  sql: Sql,
  containerId: string,
  limit: number,
): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select id
    from files
    where container_id = ${containerId} and damaged_at is null
    order by id
    limit ${limit}`
  return rows.map(({ id }) => id)
}
