import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import * as v from 'valibot'
import { listBody } from '../../http/operation.ts'
import { named, noted, optional, wholeNumber } from '../../http/schema.ts'
import { invalidInput, type ErrorCode, CodedError } from '../../lib/errors.ts'
import { PackedList } from '../../lib/packed-list.ts'
import { TextSet } from '../archive/text-set.ts'
import {
  checkFile,
  fileIdSchema,
  fittedName,
  modificationTime,
  refuseLargeShare,
  type FileRules,
} from './file-rules.ts'
import type { Database } from '../../database/connect.ts'
import { readPages } from '../../lib/pages.ts'
import { fallbackMimeType, mediaTypeOf } from '../media-types.ts'
import { listReceived, type ReceivedFile } from './finalize-sql.ts'

/** Largest number of renamed files in an answer. */
const renamedMax = 1000
/** `type/subtype` of RFC 6838 section 4.2. */
const mimeTypePattern = /^[A-Za-z0-9][\w!#$&^.+-]{0,126}\/[A-Za-z0-9][\w!#$&^.+-]{0,126}$/

/** One entry of finalize's `files`. */
const listedFileSchema = named(
  'ListedFile',
  v.object({
    // All bytes are there: a field that nothing uses is no reason to refuse them.
    fileName: noted(v.string(), 'A label that is never compared', 'beach.jpg'),
    originalName: noted(
      fittedName,
      'Name for downloads; a relative path with `/` creates folders in the archive. Invalid ' +
        'parts are replaced, see `renamed` in the response; 400 if nothing is left or the ' +
        'path contains `..`',
      'photos/beach.jpg',
    ),
    fileId: fileIdSchema,
    size: noted(wholeNumber(0, Number.MAX_SAFE_INTEGER), 'Total bytes of its chunks', 52_428_800),
    mimeType: noted(
      optional(v.pipe(v.string(), v.transform(knownMimeType))),
      'Content type for downloads, without parameters; `application/octet-stream` if it is ' +
        'not a media type',
      'image/jpeg',
    ),
    modifiedAt: noted(
      optional(modificationTime),
      'When the file was last changed, for lists and archives; for files of a tar archive the ' +
        'default is its time there',
      '2026-08-01T12:00:00Z',
    ),
  }),
)

/** The field of an answer that lists files stored under another name. */
export const renamedSchema = noted(
  v.optional(
    v.array(
      named(
        'RenamedFile',
        v.object({
          fileId: v.string(),
          originalName: noted(v.string(), 'Name used for the file', 'photos/beach.jpg'),
        }),
      ),
    ),
  ),
  `Files whose \`originalName\` had to be changed: the first ${renamedMax}; absent without any. ` +
    'Names are kept in Unicode form NFC; a file is not listed for that alone',
)
type RenamedFile = Pick<ListedFile, 'originalName'> & { readonly fileId: string }

/**
 * The body of finalize, with the fields that an operation adds. The word `received` in place of the
 * list stands for all received files.
 */
export function finalizeBodyWith<More extends v.ObjectEntries>(more: More) {
  return listBody(
    'files',
    listedFileSchema,
    v.object({
      discardUnlisted: noted(
        optional(v.boolean()),
        'Drop chunks of files that are not in the list, instead of answering 400 `unlisted`',
        false,
      ),
      ...more,
    }),
    'received',
  )
}

export function presentRenamed({ renamed }: Pick<FileList, 'renamed'>): {
  renamed?: readonly RenamedFile[]
} {
  return renamed.length > 0 ? { renamed } : {}
}

/** Errors of finalize; each operation adds its own. */
export const finalizeErrors: readonly ErrorCode[] = [
  'incomplete_upload',
  'size_mismatch',
  'unlisted',
  'blocked_extension',
  'file_too_large',
  'share_too_large',
  'unauthorized',
  'already_complete',
]

export type ListedFileInput = v.InferOutput<typeof listedFileSchema>

/** One file of the list that completes an upload. */
export interface ListedFile {
  readonly fileKey: string
  readonly originalName: string
  readonly size: number
  readonly mimeType: string
  readonly modifiedAt: Date | null
  readonly isRenamed: boolean
}

/** The list that completes a share, checked as a whole. */
export interface FileList {
  readonly count: number
  /** Sum of the listed sizes. */
  readonly bytes: number
  /** A repeated list has the same hash, and finalize answers it the same. */
  readonly hash: Buffer
  /** The first 1,000 files that got another name. */
  readonly renamed: readonly RenamedFile[]
  /** In order. Yield to other requests between two files. */
  pages(): Iterable<readonly ListedFile[]>
  /** Whether the list names a file; may be true by mistake, very rarely. */
  mayName(fileKey: string): boolean
}

/**
 * Checks the list against the rules, and hashes it. Yields to other requests: a list may have
 * hundreds of thousands of files.
 * @throws CodedError blocked_extension, file_too_large, share_too_large; invalid_input when two
 *   files have one fileId
 */
export async function prepareFileList(
  input: PackedList<ListedFileInput>,
  rules: FileRules,
): Promise<FileList> {
  let bytes = 0
  const keys = new TextSet()
  /** Ids that may be duplicates. */
  const suspects = new Set<string>()
  const renamed: RenamedFile[] = []
  const hash = createHash('sha256')
  for (const page of listedPages(input)) {
    for (const file of page) {
      checkFile(file, rules)
      bytes += file.size
      if (!keys.add(file.fileKey)) suspects.add(file.fileKey)
      if (file.isRenamed && renamed.length < renamedMax) {
        renamed.push({ fileId: file.fileKey, originalName: file.originalName })
      }
      const { fileKey, originalName, size, mimeType, modifiedAt } = file
      hash.update(JSON.stringify([fileKey, originalName, size, mimeType, modifiedAt]))
    }
    await setImmediate()
  }
  refuseLargeShare(bytes, rules.maxShareSize)
  if (suspects.size > 0) await refuseRepeated(input, suspects)
  return {
    count: input.length,
    bytes,
    hash: hash.digest(),
    renamed,
    pages: () => listedPages(input),
    mayName: (fileKey) => keys.has(fileKey),
  }
}

function* listedPages(input: PackedList<ListedFileInput>): Generator<ListedFile[]> {
  for (const page of input.pages()) {
    yield page.map(({ fileId, originalName, size, mimeType, modifiedAt }) => ({
      fileKey: fileId,
      originalName: originalName.name,
      size,
      mimeType: mimeType ?? fallbackMimeType,
      modifiedAt: modifiedAt ? new Date(modifiedAt) : null,
      isRenamed: originalName.isRenamed,
    }))
  }
}

/** Drops parameters: a charset is a guess of the client, and nothing here reads it. */
function knownMimeType(given: string): string {
  const [type = ''] = given.split(';', 1)
  const mimeType = type.trim()
  const isUnknown = mimeType.toLowerCase() === fallbackMimeType
  const isKnown = mimeTypePattern.test(mimeType) && !isUnknown && !/\p{Cc}/u.test(given)
  return isKnown ? mimeType : fallbackMimeType
}

/** @throws CodedError invalid_input naming the first file with a duplicate fileId */
async function refuseRepeated(input: PackedList<ListedFileInput>, suspects: ReadonlySet<string>) {
  const seen = new Set<string>()
  let index = 0
  for (const page of input.pages()) {
    for (const { fileId } of page) {
      if (suspects.has(fileId)) {
        if (seen.has(fileId))
          throw invalidInput(`files[${index}].fileId`, 'is given more than once')
        seen.add(fileId)
      }
      index += 1
    }
    await setImmediate()
  }
}

const pageFiles = 1000

/**
 * The list of all received files, for a sender who keeps none. A file of known size that was not
 * received whole is listed with its size, so that the proof refuses it.
 * @param dropsUnfinished leaves such files out, and those without a name
 * @throws CodedError invalid_input for a file whose name is not known
 */
export async function listReceivedFiles(
  database: Database,
  containerId: string,
  dropsUnfinished: boolean,
): Promise<PackedList<ListedFileInput>> {
  const list = new PackedList<ListedFileInput>()
  const read = (last: ReceivedFile | null, limit: number) =>
    listReceived(database.sql, containerId, last?.fileKey ?? '', limit)
  for await (const page of readPages(read, [pageFiles, pageFiles])) {
    for (const file of page) {
      const isWhole = file.size === null || file.size === file.bytes
      if (dropsUnfinished && (file.name === null || !isWhole)) continue
      list.push(listed(file))
    }
  }
  return list
}

function listed({ fileKey, name, bytes, size }: ReceivedFile): ListedFileInput {
  if (name === null) {
    throw new CodedError('invalid_input', {
      message: `files: the name of ${fileKey} is unknown, because its first chunk is missing`,
      details: { field: 'files' },
    })
  }
  const originalName = { name, isRenamed: false }
  const mimeType = mediaTypeOf(name)
  return { fileName: name, originalName, fileId: fileKey, size: size ?? bytes, mimeType }
}
