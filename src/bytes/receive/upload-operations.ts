import { json, success, LongList } from '../../http/answer.ts'
import { byPut, operation, type LoadCall, type Operation } from '../../http/operation.ts'
import { successSchema } from '../../http/schema.ts'
import type { ErrorCode } from '../../lib/errors.ts'
import {
  receivedQuery,
  receivedSchema,
  chunkErrors,
  chunkFields,
  receiveChunk,
} from './chunk-request.ts'
import type { TakesChunks } from './received-ranges-sql.ts'
import type { UploadTarget } from './commit.ts'
import { receiveTar, tarBody, tarErrors, tarReceiptSchema } from './tar-request.ts'
import type { Uploads } from './uploads.ts'

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
    answers: { 200: { description: 'The chunk is on disk', schema: successSchema } },
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
    answers: { 200: { description: 'The files are on disk', schema: tarReceiptSchema } },
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
    answers: {
      200: { description: 'Contiguous ranges, both ends included', schema: receivedSchema },
    },
    errors: ['unauthorized', 'already_complete', ...endings],
    load: (call) => audience.load(call),
    async handle({ query }, found) {
      const { containerId, takesChunks } = audience.received(found)
      const ranges = uploads.listReceivedRanges(containerId, takesChunks, query)
      return json({ chunks: new LongList(ranges) })
    },
  })
}
