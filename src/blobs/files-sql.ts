import type { Sql } from '../database/connect.ts'

export interface ListedFileRow {
  readonly parcelId: string
  readonly id: number
  readonly originalName: string
  readonly size: number
  readonly mimeType: string
  readonly createdAt: Date
  /** Its bytes on disk are not what was received: downloads of it are refused. */
  readonly isDamaged: boolean
}

interface Columns {
  readonly parcel_id: string
  readonly id: number
  readonly original_name: string
  readonly size: number
  readonly mime_type: string
  readonly created_at: Date
  readonly is_damaged: boolean
}

const columns = (sql: Sql) =>
  sql`parcel_id, id, original_name, size, mime_type, created_at,
    damaged_at is not null as is_damaged`

/** Files of a parcel in their order, behind the one with this id (0: from the first). */
export async function listFiles(
  sql: Sql,
  parcelId: string,
  after: number,
  limit: number,
): Promise<ListedFileRow[]> {
  const rows = await sql<Columns[]>`
    select ${columns(sql)}
    from files
    where parcel_id = ${parcelId} and id > ${after}
    order by id
    limit ${limit}`
  return rows.map(toFile)
}

/** The first files of several parcels, by the parcels' ids and in their order. */
export async function listFirstFiles(
  sql: Sql,
  parcelIds: readonly string[],
  limit: number,
): Promise<ListedFileRow[]> {
  const rows = await sql<Columns[]>`
    select ${columns(sql)}
    from files
    where parcel_id = any(${[...parcelIds]}::uuid[])
    order by parcel_id, id
    limit ${limit}`
  return rows.map(toFile)
}

/** What a parcel has in whole: its files, those of them that are damaged, bytes of the others. */
export async function sumFiles(
  sql: Sql,
  parcelId: string,
): Promise<{ count: number; damaged: number; wholeBytes: number }> {
  const [row] = await sql<{ count: number; damaged: number; whole_bytes: number | null }[]>`
    select count(*) as count, count(damaged_at) as damaged,
      sum(size) filter (where damaged_at is null) as whole_bytes
    from files
    where parcel_id = ${parcelId}`
  return { count: row!.count, damaged: row!.damaged, wholeBytes: row!.whole_bytes ?? 0 }
}

/** Ids of the files of a parcel that are not damaged, in their order. */
export async function listWholeIds(sql: Sql, parcelId: string, limit: number): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select id
    from files
    where parcel_id = ${parcelId} and damaged_at is null
    order by id
    limit ${limit}`
  return rows.map(({ id }) => id)
}

function toFile(row: Columns): ListedFileRow {
  return {
    parcelId: row.parcel_id,
    id: row.id,
    originalName: row.original_name,
    size: row.size,
    mimeType: row.mime_type,
    createdAt: row.created_at,
    isDamaged: row.is_damaged,
  }
}
