import type { Sql } from '../database/connect.ts'

export interface ListedFileRow {
  readonly containerId: string
  readonly id: number
  readonly originalName: string
  readonly size: number
  readonly mimeType: string
  readonly createdAt: Date
  /** Its bytes on disk are not what was received: downloads of it are refused. */
  readonly isDamaged: boolean
}

const listedFile = (sql: Sql) =>
  sql`container_id, id, original_name, size, mime_type, created_at,
    damaged_at is not null as is_damaged`

/** Files of a container in their order, behind the one with this id (0: from the first). */
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

/** The first files of several containers, by the containers' ids and in their order. */
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

/**
 * What a container has in whole: its files, those of them that are damaged, bytes of the others.
 */
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

/** Ids of the files of a container that are not damaged, in their order. */
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
