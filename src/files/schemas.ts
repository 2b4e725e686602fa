import * as v from 'valibot'
import { nonNegative, timestamp } from '../http/schema.ts'
import type { ListedFileRow } from './sql.ts'

/** ShareFile of the contract's part 2: a file of a share, or of a delivery. */
export const shareFileSchema = v.object({
  id: v.pipe(v.number(), v.integer()),
  original_name: v.string(),
  size: nonNegative,
  mime_type: v.string(),
  created_at: timestamp,
})

export function presentFile(
  file: Omit<ListedFileRow, 'parcelId'>,
): v.InferOutput<typeof shareFileSchema> {
  return {
    id: file.id,
    original_name: file.originalName,
    size: file.size,
    mime_type: file.mimeType,
    created_at: file.createdAt.toISOString(),
  }
}
