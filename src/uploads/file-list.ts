import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import * as v from 'valibot'
import { listBody } from '../http/operation.ts'
import { named, noted, optional, text, wholeNumber } from '../http/schema.ts'
import { withoutDirectionMarks } from '../lib/direction-marks.ts'
import { invalidInput, type ErrorCode } from '../lib/errors.ts'
import type { ListedFile } from './assemble.ts'
import { fileIdSchema, fileNameSchema } from './receive.ts'
import { EntryNames } from '../zip/names.ts'

const segmentBytesMax = 255
const yieldEvery = 2000
const fallbackMimeType = 'application/octet-stream'
/** `type/subtype` of RFC 6838 section 4.2. */
const mimeTypePattern = /^[A-Za-z0-9][\w!#$&^.+-]{0,126}\/[A-Za-z0-9][\w!#$&^.+-]{0,126}$/

/** What is wrong with a name that may be a relative path; null when nothing is. */
function nameProblem(name: string): string | null {
  if (/\p{Cc}/u.test(name)) return 'must not contain control characters'
  if (name.includes('\\')) return 'must use / between folders, not \\'
  if (name.startsWith('/')) return 'must not begin with /'
  if (/^[A-Za-z]:/.test(name)) return 'must not begin with a drive'
  for (const segment of name.split('/')) {
    if (segment === '') return 'must not contain empty folder names'
    // Nothing of it would be seen, and downloads would have no name.
    if (withoutDirectionMarks(segment) === '') return 'must not be empty between slashes'
    if (segment === '.' || segment === '..') return 'must not contain . or .. as a folder'
    if (Buffer.byteLength(segment) > segmentBytesMax) {
      return `must have at most ${segmentBytesMax} bytes between slashes`
    }
  }
  return null
}

/** A file's name as its owner has it: a relative path with `/`, put into NFC. */
const originalNameSchema = v.pipe(
  text(1, 4096),
  v.normalize('NFC'),
  v.rawCheck(({ dataset, addIssue }) => {
    const problem = dataset.typed ? nameProblem(dataset.value) : null
    if (problem) addIssue({ message: problem })
  }),
)

/** One entry of finalize's `files`. */
const listedFileSchema = named(
  'ListedFile',
  v.object({
    fileName: fileNameSchema,
    originalName: noted(
      originalNameSchema,
      'Name to download under; a relative path with `/` makes folders in the archive',
      'photos/beach.jpg',
    ),
    fileId: fileIdSchema,
    size: noted(wholeNumber(0, Number.MAX_SAFE_INTEGER), 'Bytes of all its chunks', 52_428_800),
    mimeType: noted(optional(text(0, 1000)), 'What it is served as', 'image/jpeg'),
  }),
)

/** The body that completes an upload, with what else may be asked for then. */
export function finalizeBodyWith<More extends v.ObjectEntries>(more: More) {
  return listBody(
    'files',
    listedFileSchema,
    v.object({
      discardUnlisted: noted(
        optional(v.boolean()),
        'Drop chunks of files that the list does not name, in place of 400 `unlisted`',
        false,
      ),
      ...more,
    }),
  )
}

/** What can be wrong with it; each operation adds what is its own. */
export const finalizeErrors: readonly ErrorCode[] = [
  'invalid_input',
  'incomplete_upload',
  'size_mismatch',
  'unlisted',
  'blocked_extension',
  'file_too_large',
  'share_too_large',
  'unauthorized',
  'cross_site',
  'not_found',
  'already_complete',
  'payload_too_large',
]

export type ListedFileInput = v.InferOutput<typeof listedFileSchema>

/** The list that completes a share, checked as a whole. */
export interface FileList {
  readonly files: ListedFile[]
  /** The same list again has the same hash: finalize answers it the same. */
  readonly hash: Buffer
}

/**
 * Gives every file its name in archives and hashes the list. Yields to other requests on the way:
 * a list may have hundreds of thousands of files.
 * @throws CodedError invalid_input when two files have one fileId
 */
export async function prepareFileList(input: readonly ListedFileInput[]): Promise<FileList> {
  const names = new EntryNames()
  const seen = new Set<string>()
  const hash = createHash('sha256')
  const files: ListedFile[] = []
  for (const [index, file] of input.entries()) {
    if (seen.has(file.fileId)) throw invalidInput(`files[${index}].fileId`, 'is given twice')
    seen.add(file.fileId)
    const mimeType = mimeTypePattern.test(file.mimeType ?? '')
      ? (file.mimeType as string)
      : fallbackMimeType
    hash.update(JSON.stringify([file.fileId, file.originalName, file.size, mimeType]))
    files.push({
      fileKey: file.fileId,
      originalName: file.originalName,
      entryName: names.assign(file.originalName),
      size: file.size,
      mimeType,
    })
    if (index % yieldEvery === yieldEvery - 1) await setImmediate()
  }
  return { files, hash: hash.digest() }
}
