import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { json, success, LongList } from '../../http/answer.ts'
import { byPut, ok, operation } from '../../http/operation.ts'
import type { LoadCall, Operation, LookAgain, BinaryBodySpec } from '../../http/operation.ts'
import {
  successSchema,
  bytes,
  named,
  nonNegative,
  noted,
  numberInText,
  optional,
  parseInput,
  timestamp,
} from '../../http/schema.ts'
import { type ErrorCode, CodedError, invalidInput } from '../../lib/errors.ts'
import type { TakesChunks } from './received-ranges-sql.ts'
import type { UploadTarget } from './commit.ts'
import type { Uploads } from './uploads.ts'
import { declaredLength, feedBody } from '../../http/body.ts'
import type { RequestContext } from '../../http/request-context.ts'
import { lookMsMax } from '../../http/run.ts'
import {
  chunkTooLarge,
  fieldBytesMax,
  multipartOverheadMax,
  readMultipart,
} from '../../http/multipart.ts'
import { transferOf } from '../../http/watchdog.ts'
import { fileIdSchema, fittedName, modificationTime } from './file-rules.ts'
import { tarContentType } from '../archive/tar/header.ts'
import { TarReader } from '../archive/tar/reader.ts'
import type { TarReceipt } from './incoming-tar.ts'

/** The audience of the operations, and the object that receives the files. */
export interface UploadAudience<Found> {
  readonly tag: string
  /** The path of the upload, with its parameter. */
  readonly path: string
  readonly ids: Readonly<Record<'chunk' | 'tar' | 'list', string>>
  readonly access:
    | { readonly auth: 'uploader'; readonly scope: 'send' }
    | { readonly auth: 'none'; readonly linkToken: 'upload' }
  readonly chunkDescription?: string
  /** Errors of an upload that has ended. */
  readonly endings: readonly ErrorCode[]
  /** Further errors of single files. */
  readonly refusals: readonly ErrorCode[]
  /** The upload that takes chunks. */
  load(call: LoadCall): Promise<Found>
  target(call: LoadCall, found: Found): UploadTarget
  received(found: Found): { readonly containerId: string; readonly takesChunks: TakesChunks }
}

/** The operations that send and list the chunks of an upload, the same for accounts and guests. */
export function uploadOperations<Found>(
  { uploads }: { readonly uploads: Uploads },
  audience: UploadAudience<Found>,
): Operation[] {
  const tar = tarOperation(uploads, audience)
  return [chunkOperation(uploads, audience), tar, byPut(tar), listOperation(uploads, audience)]
}

function chunkOperation<Found>(uploads: Uploads, audience: UploadAudience<Found>): Operation {
  const { tag, path, ids, access, chunkDescription, endings, refusals } = audience
  return operation({
    id: ids.chunk,
    method: 'POST',
    path: `${path}/chunk`,
    summary: 'Upload a chunk of a file, in any order and in parallel; safe to repeat',
    ...(chunkDescription === undefined ? {} : { description: chunkDescription }),
    tag,
    ...access,
    limit: { name: 'upload', counts: 'authorised' },
    body: { kind: 'multipart', fields: chunkFields, file: 'chunk' },
    answers: ok('The chunk is on disk', successSchema),
    errors: [...chunkErrors, ...refusals, ...endings],
    load: (call) => audience.load(call),
    async handle(call, found) {
      const target = audience.target(call, found)
      await receiveChunk(call.context, uploads, target, call.lookAgain)
      return success()
    },
  })
}

function tarOperation<Found>(uploads: Uploads, audience: UploadAudience<Found>): Operation {
  const { tag, path, ids, access, endings, refusals } = audience
  return operation({
    id: ids.tar,
    method: 'POST',
    path: `${path}/tar`,
    summary: 'Upload many files as a tar archive; safe to repeat',
    description:
      'Each file of the archive becomes a file of the upload under its path, as if it had been ' +
      'sent as one chunk. Its id is its path, or `sha256:` and the hash of a path above 200 ' +
      'characters. Files that came whole before an error stay. ' +
      'Complete the upload with `{"files":"received"}`.',
    tag,
    ...access,
    limit: { name: 'upload', counts: 'authorised' },
    body: tarBody,
    answers: ok('The files are on disk', tarReceiptSchema),
    errors: [...tarErrors, ...refusals, ...endings],
    load: (call) => audience.load(call),
    async handle(call, found) {
      const target = audience.target(call, found)
      const receipt = await receiveTar(call.context, uploads, target, call.lookAgain)
      return json({ success: true, ...receipt })
    },
  })
}

function listOperation<Found>(uploads: Uploads, audience: UploadAudience<Found>): Operation {
  const { tag, path, ids, access, endings } = audience
  return operation({
    id: ids.list,
    method: 'GET',
    path: `${path}/chunks`,
    summary: 'List received chunks that are not finalized, as index ranges, for resuming',
    tag,
    ...access,
    query: receivedQuery,
    answers: ok('Contiguous ranges, both ends included', receivedSchema),
    errors: ['unauthorized', 'already_complete', ...endings],
    load: (call) => audience.load(call),
    async handle({ query }, found) {
      const { containerId, takesChunks } = audience.received(found)
      const ranges = uploads.listReceivedRanges(containerId, takesChunks, query)
      return json({ chunks: new LongList(ranges) })
    },
  })
}

export const chunkIndexMax = 99_999
/** Checked with each chunk, so that a file is not refused only after it was sent whole. */
const fileNameSchema = noted(
  v.pipe(
    v.string(),
    v.maxLength(fieldBytesMax, `must have at most ${fieldBytesMax} characters`),
    fittedName,
    v.transform(({ name }) => name),
  ),
  'Name of the file for `"files": "received"`, as `originalName` there, with its first chunk',
  'beach.jpg',
)

/** Errors of every chunk request; each operation adds its own. */
const chunkErrors: readonly ErrorCode[] = [
  'hash_mismatch',
  'blocked_extension',
  'unauthorized',
  'already_complete',
  'payload_too_large',
  'file_too_large',
  'share_too_large',
  'quota_exceeded',
  'too_many_rewrites',
]

/** The text parts of a chunk request, beside the binary part `chunk`. */
const chunkFields = v.object({
  chunkIndex: numberInText([0, chunkIndexMax], 'Index of the chunk in its file', 0),
  fileName: fileNameSchema,
  fileId: fileIdSchema,
  modifiedAt: noted(
    optional(modificationTime),
    'When the file was last changed, with its first chunk; for `"files": "received"`',
    '2026-08-01T12:00:00Z',
  ),
  chunkHash: noted(
    optional(v.pipe(v.string(), v.regex(/^[0-9a-fA-F]{64}$/, 'must be SHA-256 in hex'))),
    'SHA-256 of the bytes in hex: 400 `hash_mismatch` if it differs',
  ),
})

const receivedQuery = v.object({
  samples: noted(optional(v.literal('true')), 'Adds checksums of some chunks', 'true'),
  names: noted(optional(v.literal('true')), 'Adds names of files', 'true'),
})

/** Received chunks of an upload: ranges of indexes, both ends included. */
const receivedSchema = v.object({
  chunks: v.array(
    named(
      'ReceivedChunks',
      v.object({
        fileId: v.string(),
        from: noted(nonNegative, 'Index of the first chunk', 0),
        to: noted(nonNegative, 'Index of the last chunk', 11),
        bytes,
        samples: noted(
          v.optional(
            v.array(
              named(
                'ReceivedSample',
                v.object({
                  index: nonNegative,
                  crc32: noted(nonNegative, 'CRC-32 of its bytes, as in ZIP files', 907060870),
                }),
              ),
            ),
          ),
          'With `samples=true`: checksums of the first and the last chunk, and of at least one ' +
            'for each GiB. Before you continue, compare them with the file: it may have changed.',
        ),
        file: noted(
          v.optional(
            v.object({
              name: noted(v.string(), 'As its sender named it', 'photos/beach.jpg'),
              size: noted(v.optional(bytes), 'Absent if unknown', 52_428_800),
              mimeType: noted(v.optional(v.string()), 'By its extension', 'image/jpeg'),
              modifiedAt: v.optional(timestamp),
            }),
          ),
          'With `names=true`: what the sender has said of the file, with its first chunk',
        ),
      }),
    ),
  ),
})

/**
 * Receives one chunk request whose parts come in any order, and stores it before it returns.
 * @param lookAgain checks the sender's rights, which may end while the chunk comes
 * @throws CodedError for any fault of the request; nothing is stored then
 */
async function receiveChunk(
  context: RequestContext,
  uploads: Uploads,
  target: UploadTarget,
  lookAgain: LookAgain,
): Promise<void> {
  const declaredBytes = declaredLength(context)
  const limit = uploads.chunkBytesMax
  if (declaredBytes > limit + multipartOverheadMax) {
    throw chunkTooLarge(limit)
  }
  const bodyDigest = parseContentDigest(context.header('content-digest'))
  const chunk = await uploads.admit(target, {
    declaredBytes,
    transfer: transferOf(context),
  })
  try {
    const bodyHash = bodyDigest ? createHash('sha256') : null
    const fields = await readMultipart(context, {
      file: 'chunk',
      fileBytesMax: limit,
      fields: Object.keys(chunkFields.entries),
      write: (data) => chunk.write(data),
      onFile: (before) => {
        if (before.has('chunkHash')) chunk.hashEarly()
      },
      ...(bodyHash ? { onBody: (data: Buffer) => void bodyHash.update(data) } : {}),
    })
    const input = parseInput(chunkFields, Object.fromEntries(fields))
    if (bodyDigest && !bodyHash?.digest().equals(bodyDigest)) throw new CodedError('hash_mismatch')
    target.checkFile({ originalName: input.fileName, size: chunk.length })
    const sha256 = input.chunkHash ? Buffer.from(input.chunkHash, 'hex') : null
    await lookAgain(lookMsMax)
    const modifiedAt = input.modifiedAt ? new Date(input.modifiedAt) : null
    const file = { name: input.fileName, size: null, modifiedAt }
    await chunk.commit({ fileKey: input.fileId, index: input.chunkIndex, file }, sha256)
  } finally {
    await chunk.close()
  }
}

/**
 * The sha-256 member of Content-Digest (RFC 9530 section 2): a digest of the whole body as sent.
 * Other algorithms are ignored, as the RFC allows.
 * @throws CodedError invalid_input when the member is malformed
 */
function parseContentDigest(header: string | undefined): Buffer | null {
  const member = header?.split(',').find((part) => /^\s*sha-256\s*=/i.test(part))
  if (member === undefined) return null
  const value = /^\s*sha-256\s*=\s*:([A-Za-z0-9+/]{43}=):\s*$/i.exec(member)?.[1]
  if (value === undefined) throw invalidInput('Content-Digest', 'must be sha-256=:<base64>:')
  return Buffer.from(value, 'base64')
}

export const tarBody: BinaryBodySpec = {
  kind: 'binary',
  contentType: tarContentType,
  description: 'The archive (ustar, pax or GNU), uncompressed, of any length',
}

/** Time until ended rights are noticed while an archive comes. */
const tarLookMsMax = 5_000

/** A missing type is accepted, and curl sends octet-stream for any input. */
const acceptedType = /^(application\/(x-)?tar|application\/octet-stream)\s*(;|$)/i

export const tarReceiptFields = {
  success: v.boolean(),
  files: noted(v.number(), 'Files that are on disk now', 2000),
  bytes: noted(v.number(), 'Bytes of these files', 8_192_000),
  folders: noted(v.number(), 'Folders of the archive; up to 10,000 empty ones are kept', 12),
  skipped: noted(
    v.array(v.object({ path: v.string(), reason: v.string() })),
    'Symbolic links, devices, hard links to missing files, files of file managers such as ' +
      '`.DS_Store` and `._*` (setting `skipSystemFiles`), and empty folders that are not kept: ' +
      'the first 100',
  ),
  skippedCount: v.number(),
}
const tarReceiptSchema = v.object(tarReceiptFields)

/** Errors of a request with an archive; each operation adds its own. */
export const tarErrors: readonly ErrorCode[] = [
  ...chunkErrors.filter((code) => code !== 'hash_mismatch'),
  'invalid_tar',
  'conflict',
]

/**
 * Receives an archive and stores its files before it returns. Files that came whole before an error
 * or a break stay; sending the archive again changes nothing for them.
 * @param lookAgain checks the sender's rights, which may end while the archive comes
 * @throws CodedError invalid_content_type, invalid_tar, incomplete_body; what stores a chunk throws
 */
export async function receiveTar(
  context: RequestContext,
  uploads: Uploads,
  target: UploadTarget,
  lookAgain: LookAgain,
): Promise<TarReceipt> {
  const type = context.header('content-type')
  if (type !== undefined && !acceptedType.test(type)) {
    throw new CodedError('invalid_content_type', { message: 'Send a tar archive.' })
  }
  const declaredBytes = declaredLength(context)
  const tar = await uploads.admitTar(target, { declaredBytes, transfer: transferOf(context) })
  try {
    const reader = new TarReader(tar)
    await feedBody(context, Number.MAX_SAFE_INTEGER, (data) => {
      const looking = lookAgain(tarLookMsMax)
      return looking ? looking.then(() => reader.feed(data)) : reader.feed(data)
    })
    reader.end()
    if (!reader.hasEnd) {
      // A failed tar at the other end of a pipe also looks like this.
      const message = 'The archive has no end: it was cut between two entries.'
      throw new CodedError('invalid_tar', { message })
    }
    await lookAgain(0)
    return await tar.finish()
  } finally {
    await tar.end()
  }
}
