import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import * as v from 'valibot'
import { listBody } from '../http/operation.ts'
import { named, noted, optional, text, wholeNumber } from '../http/schema.ts'
import { withoutDirectionMarks } from '../lib/direction-marks.ts'
import { invalidInput, type ErrorCode } from '../lib/errors.ts'
import type { PackedList } from '../lib/packed-list.ts'
import { TextSet } from '../lib/text-set.ts'
import { FileCheck, type FileRules } from './file-rules.ts'
import { fileIdSchema, fileNameSchema } from './receive.ts'

const segmentBytesMax = 255
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

/** One file of the list that completes an upload. */
export interface ListedFile {
  readonly fileKey: string
  readonly originalName: string
  readonly size: number
  readonly mimeType: string
}

/** The list that completes a share, checked as a whole. */
export interface FileList {
  readonly count: number
  /** Sum of the listed sizes. */
  readonly bytes: number
  /** The same list again has the same hash: finalize answers it the same. */
  readonly hash: Buffer
  /** In order; yield to other requests between two. */
  pages(): Iterable<readonly ListedFile[]>
  /** Whether the list names a file; of one that it does not name hardly ever true. */
  mayName(fileKey: string): boolean
}

/**
 * Checks the list against the rules, and hashes it. Yields to other requests on the way: a list may
 * have hundreds of thousands of files.
 * @throws CodedError blocked_extension, file_too_large, share_too_large; invalid_input when two
 *   files have one fileId
 */
export async function prepareFileList(
  input: PackedList<ListedFileInput>,
  rules: FileRules,
): Promise<FileList> {
  const check = new FileCheck(rules)
  const keys = new TextSet()
  /** Ids that seem to have been there before. */
  const suspects = new Set<string>()
  const hash = createHash('sha256')
  for (const page of listedPages(input)) {
    for (const file of page) {
      check.take(file)
      if (!keys.add(file.fileKey)) suspects.add(file.fileKey)
      hash.update(JSON.stringify([file.fileKey, file.originalName, file.size, file.mimeType]))
    }
    await setImmediate()
  }
  check.finish()
  if (suspects.size > 0) await refuseRepeated(input, suspects)
  return {
    count: input.length,
    bytes: check.totalBytes,
    hash: hash.digest(),
    pages: () => listedPages(input),
    mayName: (fileKey) => keys.has(fileKey),
  }
}

function* listedPages(input: PackedList<ListedFileInput>): Generator<ListedFile[]> {
  for (const page of input.pages()) {
    yield page.map(({ fileId, originalName, size, mimeType }) => ({
      fileKey: fileId,
      originalName,
      size,
      mimeType: mimeTypePattern.test(mimeType ?? '') ? (mimeType as string) : fallbackMimeType,
    }))
  }
}

/** @throws CodedError invalid_input naming the first file whose fileId was there before */
async function refuseRepeated(
  input: PackedList<ListedFileInput>,
  suspects: ReadonlySet<string>,
): Promise<void> {
  const seen = new Set<string>()
  let index = 0
  for (const page of input.pages()) {
    for (const { fileId } of page) {
      if (suspects.has(fileId)) {
        if (seen.has(fileId)) throw invalidInput(`files[${index}].fileId`, 'is given twice')
        seen.add(fileId)
      }
      index += 1
    }
    await setImmediate()
  }
}
