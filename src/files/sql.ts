import type { Sql } from '../db/connect.ts'

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

/** The files of several parcels, by parcel and in their order. */
export async function listFiles(sql: Sql, parcelIds: readonly string[]): Promise<ListedFileRow[]> {
  const rows = await sql<
    {
      parcel_id: string
      id: number
      original_name: string
      size: number
      mime_type: string
      created_at: Date
      is_damaged: boolean
    }[]
  >`
    select parcel_id, id, original_name, size, mime_type, created_at,
      damaged_at is not null as is_damaged
    from files
    where parcel_id = any(${[...parcelIds]}::uuid[])
    order by parcel_id, id`
  return rows.map((row) => ({
    parcelId: row.parcel_id,
    id: row.id,
    originalName: row.original_name,
    size: row.size,
    mimeType: row.mime_type,
    createdAt: row.created_at,
    isDamaged: row.is_damaged,
  }))
}

/** The same, gathered by parcel; parcels without files are not in it. */
export async function listFilesByParcel(
  sql: Sql,
  parcelIds: readonly string[],
): Promise<ReadonlyMap<string, ListedFileRow[]>> {
  const byParcel = new Map<string, ListedFileRow[]>()
  for (const file of await listFiles(sql, parcelIds)) {
    const files = byParcel.get(file.parcelId)
    if (files) files.push(file)
    else byParcel.set(file.parcelId, [file])
  }
  return byParcel
}
