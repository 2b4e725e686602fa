import * as v from 'valibot'
import { bytes, named, noted, timestamp } from '../http/schema.ts'
import { rowNumberMax } from '../lib/path-parameters.ts'
import { LongList } from '../http/answer.ts'
import type { Pages } from '../lib/pages.ts'
import type { ListedFileRow } from './files-sql.ts'

/** The contract's `ShareFile` (part 2): a file of a share or a delivery. */
export const shareFileSchema = named(
  'ShareFile',
  v.object({
    id: noted(v.pipe(v.number(), v.integer()), 'Id of the file in `files` and in paths', 42),
    original_name: noted(v.string(), 'Relative path with `/`', 'photos/beach.jpg'),
    archive_name: noted(
      v.optional(v.string()),
      'Present only if archives and pages show another name: a number for a duplicate, `_` for ' +
        'characters that some systems refuse',
      'photos/beach (1).jpg',
    ),
    size: bytes,
    mime_type: noted(v.string(), 'Original name from the sender', 'image/jpeg'),
    created_at: timestamp,
    modified_at: noted(
      v.optional(timestamp),
      'When the file was last changed at its sender, as archives have it; absent if unknown',
    ),
    damaged: noted(
      v.optional(v.literal(true)),
      'Present only if the file is damaged on the server: downloads are 410 `file_damaged`',
    ),
    thumbnail: noted(
      v.optional(v.literal(true)),
      'Present only if the file has one: see `getShareThumbnail` and `getReverseThumbnail`',
    ),
  }),
)

/** Ids separated by commas, and ranges of them: `3,5-9` is 3 and 5 to 9. */
const selectionPattern =
  /^[1-9][0-9]{0,9}(-[1-9][0-9]{0,9})?(,[1-9][0-9]{0,9}(-[1-9][0-9]{0,9})?)*$/

/**
 * The ids of a text that matches the pattern. A range stands for all its ids, so all of them must
 * exist.
 * @returns sorted and unique; null for an invalid id, and for more than `max`
 */
export function parseSelection(text: string, max: number): number[] | null {
  const chosen = new Set<number>()
  let named = 0
  for (const part of text.split(',')) {
    const [first = 0, last = first] = part.split('-').map(Number)
    // Counted before they are added: ranges may repeat the same ids.
    named += last - first + 1
    if (last < first || last > rowNumberMax || named > max) return null
    for (let id = first; id <= last; id += 1) chosen.add(id)
  }
  return [...chosen].toSorted((one, other) => one - other)
}

/** Ids and ranges of ids in a query: at most `max`, sorted and unique. */
export const fileSelection = (description: string, max: number) =>
  v.pipe(
    v.string(),
    v.metadata({ description, examples: ['3,5-9'] }),
    v.regex(selectionPattern, 'must be file ids or ranges of file ids, separated by commas'),
    v.transform((given) => parseSelection(given, max)),
    v.custom<number[]>(Array.isArray, `must be ids and ascending ranges of at most ${max} files`),
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
    ...(file.entryName === file.originalName ? {} : { archive_name: file.entryName }),
    size: file.size,
    mime_type: file.mimeType,
    created_at: file.createdAt.toISOString(),
    ...(file.modifiedAt ? { modified_at: file.modifiedAt.toISOString() } : {}),
    ...(file.isDamaged ? { damaged: true as const } : {}),
    ...(file.hasThumbnail ? { thumbnail: true as const } : {}),
  }
}
