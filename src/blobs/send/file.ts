import type { Sql } from '../../database/connect.ts'
import { fileContent, type Content } from './content.ts'
import { fileDamaged } from './damage.ts'
import { ExtentTableBuilder } from './extent-table.ts'
import { findFile, listExtents, type FileRow } from './files-sql.ts'

/** Null when the parcel has no such file. Throws CodedError file_damaged. */
export async function findFileContent(
  sql: Sql,
  parcelId: string,
  fileId: number,
): Promise<{ file: FileRow; content: Content } | null> {
  const file = await findFile(sql, parcelId, fileId)
  if (!file) return null
  if (file.damagedAt) throw fileDamaged([{ id: file.id, name: file.originalName }])
  const extents = new ExtentTableBuilder()
  extents.startFile()
  let bytes = 0
  for (const extent of await listExtents(sql, fileId)) {
    extents.add(extent)
    bytes += extent.length
  }
  // Deleted between the two looks.
  if (bytes !== file.size) return null
  return { file, content: fileContent(parcelId, file, extents.build()) }
}
