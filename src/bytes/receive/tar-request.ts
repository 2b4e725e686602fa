import * as v from 'valibot'
import { declaredLength, feedBody } from '../../http/body.ts'
import type { BinaryBodySpec, LookAgain } from '../../http/operation.ts'
import type { RequestContext } from '../../http/request-context.ts'
import { noted } from '../../http/schema.ts'
import { transferOf } from '../../http/watchdog.ts'
import { CodedError, type ErrorCode } from '../../lib/errors.ts'
import { tarContentType } from '../archive/tar/header.ts'
import { TarReader } from '../archive/tar/reader.ts'
import { chunkErrors } from './chunk-request.ts'
import type { UploadTarget } from './commit.ts'
import type { TarReceipt } from './incoming-tar.ts'
import type { Uploads } from './uploads.ts'

export const tarBody: BinaryBodySpec = {
  kind: 'binary',
  contentType: tarContentType,
  description: 'The archive (ustar, pax or GNU), uncompressed, of any length',
}

/** Time until ended rights are noticed. */
const lookMsMax = 5_000

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
export const tarReceiptSchema = v.object(tarReceiptFields)

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
      const looking = lookAgain(lookMsMax)
      return looking ? looking.then(() => reader.feed(data)) : reader.feed(data)
    })
    reader.end()
    if (!reader.hasEnd) throw noEnd()
    await lookAgain(0)
    return await tar.finish()
  } finally {
    await tar.end()
  }
}

/** A failed tar at the other end of a pipe also looks like this. */
function noEnd(): CodedError {
  return new CodedError('invalid_tar', {
    message: 'The archive has no end: it was cut between two entries.',
  })
}
