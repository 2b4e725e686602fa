import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { declaredLength } from '../../http/body.ts'
import type { LookAgain } from '../../http/operation.ts'
import type { RequestContext } from '../../http/request-context.ts'
import { lookMsMax } from '../../http/run.ts'
import {
  chunkTooLarge,
  fieldBytesMax,
  multipartOverheadMax,
  readMultipart,
} from '../../http/multipart.ts'
import { transferOf } from '../../http/watchdog.ts'
import {
  bytes,
  named,
  nonNegative,
  noted,
  optional,
  parseInput,
  text,
  timestamp,
} from '../../http/schema.ts'
import { CodedError, invalidInput, type ErrorCode } from '../../lib/errors.ts'
import type { UploadTarget } from './commit.ts'
import { fitName } from './file-rules.ts'
import type { Uploads } from './uploads.ts'

export const chunkIndexMax = 99_999
/** A label that people may read: no control characters. Lengths in UTF-16 units. */
export const fileIdSchema = noted(
  v.pipe(
    text(1, 200),
    v.check((value) => !/\p{Cc}/u.test(value), 'must not contain control characters'),
  ),
  'Client-chosen file id, the same for all its chunks and in finalize',
  'file-1',
)
/** The name of a file, made valid. The size of the body bounds its length. */
export const fittedName = v.pipe(
  v.string(),
  v.minLength(1, 'must not be empty'),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const fitted = fitName(dataset.value)
    if (typeof fitted !== 'string') return fitted
    addIssue({ message: fitted })
    return NEVER
  }),
)
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

/** A date of the years 1 to 9999, which every database and archive can hold. */
export const modificationTime = v.pipe(
  v.string(),
  v.metadata({ json: { type: 'string', format: 'date-time' } }),
  v.check((given) => {
    const ms = Date.parse(given)
    return ms >= Date.parse('0001-01-01T00:00:00Z') && ms < Date.parse('+010000-01-01T00:00:00Z')
  }, 'must be a date and time as in ISO 8601'),
  v.transform((given) => new Date(given).toISOString()),
)

/** Errors of every chunk request; each operation adds its own. */
export const chunkErrors: readonly ErrorCode[] = [
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

const chunkIndexSchema = v.pipe(
  v.string(),
  v.metadata({
    json: {
      type: 'integer',
      format: 'int64',
      minimum: 0,
      maximum: chunkIndexMax,
      description: 'Index of the chunk in its file',
      examples: [0],
    },
  }),
  v.regex(/^[0-9]{1,10}$/, 'must be a whole number of at least 0'),
  v.transform(Number),
  v.maxValue(chunkIndexMax, `must be at most ${chunkIndexMax}`),
)

/** The text parts of a chunk request, beside the binary part `chunk`. */
export const chunkFields = v.object({
  chunkIndex: chunkIndexSchema,
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

export const receivedQuery = v.object({
  samples: noted(optional(v.literal('true')), 'Adds checksums of some chunks', 'true'),
  names: noted(optional(v.literal('true')), 'Adds names of files', 'true'),
})

/** Received chunks of an upload: ranges of indexes, both ends included. */
export const receivedSchema = v.object({
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
export async function receiveChunk(
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
