import * as v from 'valibot'
import { etagOf, success } from '../../http/answer.ts'
import { readBody } from '../../http/body.ts'
import { refuseAsScript } from '../../http/headers.ts'
import { assetAnswers, ok, operation, type LoadCall } from '../../http/operation.ts'
import { lookMsMax } from '../../http/run.ts'
import { noted, optional, successSchema } from '../../http/schema.ts'
import { sandboxPolicy } from '../../http/security-headers.ts'
import { transferOf } from '../../http/watchdog.ts'
import { CodedError } from '../../lib/errors.ts'
import { admitDownload, admitToView, requireProof } from '../downloads/admission.ts'
import { recipientOf } from '../downloads/operations.ts'
import { opens, uploads } from '../schemas.ts'
import type { Share } from '../sql.ts'
import { thumbnailScansMax, thumbnailSideMax } from './jpeg.ts'
import { thumbnailBytesMax, thumbnailsMax } from './thumbnails.ts'
import type { ShareDeps } from '../deps.ts'

const contentType = 'image/jpeg'
/** The scope that `?as=owner` requires of an API token. */
const owners = { scope: 'read' } as const
/** Each look asks again: the share may be deleted or locked by then, or the session ended. */
const headers = {
  'Cache-Control': 'private, no-cache',
  'Content-Security-Policy': sandboxPolicy,
}

export const putShareThumbnail = (deps: ShareDeps) =>
  operation({
    id: 'putShareThumbnail',
    method: 'PUT',
    path: '/api/shares/{shareId}/thumbnails/{uploadedFileId}',
    summary: 'Store a thumbnail of a file that has begun to arrive, or replace it',
    description:
      'The path names the file by the `fileId` of its chunks. While a share accepts chunks, it ' +
      'also accepts thumbnails of files of which a chunk has been received. The owner can also ' +
      'store them for the last 20,000 files of a complete share. Finalize discards thumbnails ' +
      `of unlisted files. A share can have ${thumbnailsMax.toLocaleString('en')} thumbnails; ` +
      'they do not count against the quota.',
    ...uploads,
    limit: { name: 'putThumbnail', counts: 'authorised' },
    body: {
      kind: 'binary',
      contentType,
      description:
        `A baseline or progressive JPEG of at most ${thumbnailBytesMax / 1024} KiB, ` +
        `${thumbnailSideMax} by ${thumbnailSideMax} pixels and ${thumbnailScansMax} scans`,
    },
    answers: ok('The thumbnail is stored', successSchema),
    errors: ['already_complete', 'too_many_thumbnails', 'expired', 'not_a_jpeg'],
    load: ({ actor, params }) => deps.thumbnails.findShare(actor, params['shareId']!),
    async handle({ actor, context, params, lookAgain }, share) {
      const fileKey = params['uploadedFileId']!
      // Only now, because a token is taken for each search.
      await deps.thumbnails.requireFile(actor, share, fileKey)
      const incoming = {
        contentType: context.header('content-type') ?? null,
        transfer: transferOf(context),
        async read(bytesMax: number) {
          const body = await readBody(context, bytesMax)
          // A session may have ended meanwhile.
          await lookAgain(lookMsMax)
          return body
        },
      }
      await deps.thumbnails.receive(incoming, actor, share, fileKey)
      return success()
    },
  })

export const getShareThumbnail = (deps: ShareDeps) =>
  operation({
    id: 'getShareThumbnail',
    method: 'GET',
    path: '/api/shares/{shareId}/files/{fileId}/thumbnail',
    summary: 'Get the thumbnail of a file, for anyone who may see the files; never counted',
    ...opens,
    ...owners,
    limit: { name: 'getThumbnail', counts: 'authorised' },
    query: v.object({
      as: noted(
        optional(v.literal('owner')),
        'Answer only the owner, even after expiry while the files exist',
      ),
    }),
    answers: assetAnswers({ description: 'The thumbnail as its sender made it', contentType }),
    errors: [
      'unauthorized',
      'insufficient_scope',
      'second_factor_required',
      'not_a_script',
      'proof_required',
      'password_required',
      'expired',
      'download_limit',
    ],
    async load(call) {
      refuseAsScript(call.context)
      const share = await admit(deps, call)
      return deps.thumbnails.find(share, Number(call.params['fileId']))
    },
    async handle(_call, body) {
      return { kind: 'asset', contentType, body, etag: etagOf(body), headers }
    },
  })

/** The same gate as for the list of files; `?as=owner` also opens expired shares. */
async function admit(
  { admission, credentials }: ShareDeps,
  { context, params, search }: LoadCall,
): Promise<Share> {
  const name = params['shareId']!
  const recipient = recipientOf({ admission, credentials }, context)
  if (search.get('as') === 'owner') {
    const account = await credentials.authenticate(context, 'user', owners)
    const asked = { name, recipient, account, asOwner: true, resumed: null }
    return (await admitDownload(admission, asked)).share
  }
  const visible = await admitToView(admission, name, recipient)
  const { share, isUnlocked } = visible
  requireProof(visible)
  if (share.state !== 'complete') throw new CodedError('not_found')
  if (!isUnlocked) throw new CodedError('password_required')
  return share
}
