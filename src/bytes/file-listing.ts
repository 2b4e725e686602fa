import type { Sql } from '../database/connect.ts'
import { mapPages, OnePage, readPages, type Pages } from '../lib/pages.ts'
import { SharedReads } from '../lib/shared-work.ts'
import * as fileRows from './files-sql.ts'

const firstRowsMax = 400

/** The files of a container in order. */
export function filesOf(sql: Sql, containerId: string): Pages<fileRows.ListedFileRow> {
  const read = (last: fileRows.ListedFileRow | null, limit: number) =>
    fileRows.listFiles(sql, containerId, last?.id ?? 0, limit)
  return readPages(read, fileRows.listedRows)
}

/** The files of a container and its empty folders (null without any). */
export interface Listing {
  readonly files: Pages<fileRows.ListedFileRow>
  readonly emptyFolders: Pages<string> | null
}

/** Reads listings; those who ask for the same one at the same time share its first page. */
export class Listings {
  readonly #sql: Sql
  readonly #firstPages = new SharedReads<Awaited<ReturnType<typeof fileRows.listFirstPage>>>()

  constructor(sql: Sql) {
    this.#sql = sql
  }

  async of(containerId: string): Promise<Listing> {
    const sql = this.#sql
    const first = await this.#firstPages.read(containerId, () =>
      fileRows.listFirstPage(sql, containerId, fileRows.listedRows[0]),
    )
    const withFolders = first[0]?.hasFolders ?? (await fileRows.hasFolders(sql, containerId))
    const read = async (last: fileRows.ListedFileRow | null, limit: number) =>
      last === null ? first : fileRows.listFiles(sql, containerId, last.id, limit)
    return {
      files: readPages(read, fileRows.listedRows),
      emptyFolders: withFolders ? await emptyFoldersOf(sql, containerId) : null,
    }
  }
}

/**
 * Null without any: the answers that list files have no field for them then.
 * @param later reads the pages, where `sql` is a transaction
 */
export async function emptyFoldersOf(
  sql: Sql,
  containerId: string,
  later = sql,
): Promise<Pages<string> | null> {
  const [first] = await fileRows.listFolders(sql, containerId, '', 1)
  return first ? mapPages(fileRows.foldersOf(later, containerId), ({ path }) => path) : null
}

/**
 * The files of each of these containers, by container id: one query for all of them, as long as
 * there are few files.
 */
export async function filesOfEach(
  sql: Sql,
  containerIds: readonly string[],
): Promise<(containerId: string) => Pages<fileRows.ListedFileRow>> {
  if (containerIds.length === 0) return () => new OnePage<fileRows.ListedFileRow>([])
  const rows = await fileRows.listFirstFiles(sql, containerIds, firstRowsMax)
  const filesBy = new Map<string, fileRows.ListedFileRow[]>()
  for (const row of rows) {
    const files = filesBy.get(row.containerId)
    if (files) files.push(row)
    else filesBy.set(row.containerId, [row])
  }
  // Rows are ordered by container id, so files may be missing from the last one on.
  const last = rows.length < firstRowsMax ? null : rows.at(-1)!.containerId
  return (containerId) => {
    const isKnown = last === null || containerId < last
    return isKnown ? new OnePage(filesBy.get(containerId) ?? []) : filesOf(sql, containerId)
  }
}
