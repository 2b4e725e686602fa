import type { Sql } from '../database/connect.ts'
import { onePage, readPages, type Pages } from '../lib/pages.ts'
import { listFiles, listFirstFiles, type ListedFileRow } from './files-sql.ts'

/** Rows of a page: of long lists enough to be fast, of many lists at once little memory. */
const pageRows = [100, 400] as const
const firstRowsMax = 400

/** The files of a parcel in their order. */
export function filesOf(sql: Sql, parcelId: string): Pages<ListedFileRow> {
  const read = (last: ListedFileRow | null, limit: number) =>
    listFiles(sql, parcelId, last?.id ?? 0, limit)
  return readPages(read, pageRows)
}

/**
 * The files of each of a few parcels, by the ids of these: one query for all of them, as long as
 * there are few files.
 */
export async function filesOfEach(
  sql: Sql,
  parcelIds: readonly string[],
): Promise<(parcelId: string) => Pages<ListedFileRow>> {
  if (parcelIds.length === 0) return () => onePage<ListedFileRow>([])
  const rows = await listFirstFiles(sql, parcelIds, firstRowsMax)
  const filesBy = new Map<string, ListedFileRow[]>()
  for (const row of rows) {
    const files = filesBy.get(row.parcelId)
    if (files) files.push(row)
    else filesBy.set(row.parcelId, [row])
  }
  // In the order of the ids: from the last one on, files may be missing.
  const last = rows.length < firstRowsMax ? null : rows.at(-1)!.parcelId
  return (parcelId) => {
    const isKnown = last === null || parcelId < last
    return isKnown ? onePage(filesBy.get(parcelId) ?? []) : filesOf(sql, parcelId)
  }
}
