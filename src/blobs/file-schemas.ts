import * as v from 'valibot'
import { bytes, named, noted, timestamp } from '../http/schema.ts'
import { LongList } from '../http/json-stream.ts'
import type { Pages } from '../lib/pages.ts'
import type { ListedFileRow } from './files-sql.ts'

/** The contract's `ShareFile` (part 2): a file of a share or a delivery. */
export const shareFileSchema = named(
  'ShareFile',
  v.object({
    id: noted(v.pipe(v.number(), v.integer()), 'Id of the file in `files` and in paths', 42),
    original_name: noted(v.string(), 'Relative path with `/`', 'photos/beach.jpg'),
    size: bytes,
    mime_type: noted(v.string(), 'Original name from the sender', 'image/jpeg'),
    created_at: timestamp,
    damaged: noted(
      v.optional(v.literal(true)),
      'Present only if the file is damaged on the server: downloads are 410 `file_damaged`',
    ),
  }),
)

/** Beside a list of files. */
export const emptyFoldersSchema = noted(
  v.optional(v.array(v.string())),
  'Present only if there are folders without files, from tar archives: relative paths with `/`',
  ['photos/2027'],
)

export function presentEmptyFolders(folders: Pages<string> | null): {
  empty_folders?: LongList<string>
} {
  return folders ? { empty_folders: new LongList(folders) } : {}
}

export type ShareFile = v.InferOutput<typeof shareFileSchema>

export function presentFile(file: Omit<ListedFileRow, 'containerId'>): ShareFile {
  return {
    id: file.id,
    original_name: file.originalName,
    size: file.size,
    mime_type: file.mimeType,
    created_at: file.createdAt.toISOString(),
    ...(file.isDamaged ? { damaged: true as const } : {}),
  }
}
