import * as v from 'valibot'
import { etagOf, success, type AssetAnswer } from '../../http/answer.ts'
import { refuseAsScript } from '../../http/headers.ts'
import { assetAnswers, ok, operation, type LoadCall, type Operation } from '../../http/operation.ts'
import { noted, optional, successSchema } from '../../http/schema.ts'
import { sandboxPolicy } from '../../http/security-headers.ts'
import type { UploadAudience } from '../../bytes/receive/upload-operations.ts'
import { CodedError } from '../../lib/errors.ts'
import { admitDownload, requireProof } from '../downloads/admission.ts'
import { recipientOf, viewShare } from '../downloads/operations.ts'
import { opens } from '../schemas.ts'
import type { Share } from '../sql.ts'
import { thumbnailScansMax, thumbnailSideMax } from './jpeg.ts'
import { thumbnailBytesMax, thumbnailOfShare, thumbnailsMax } from './thumbnails.ts'
import type { ThumbnailTarget } from './thumbnails.ts'
import type { ShareDeps } from '../deps.ts'

const contentType = 'image/jpeg'
/** The scope that `?as=owner` requires of an API token. */
const owners = { scope: 'read' } as const
/** Each look asks again: the share may be deleted or locked by then, or the session ended. */
const headers = {
  'Cache-Control': 'private, no-cache',
  'Content-Security-Policy': sandboxPolicy,
}

export const thumbnailAnswers = assetAnswers({
  description: 'The thumbnail as its sender made it',
  contentType,
})

export function thumbnailAnswer(body: Buffer): AssetAnswer {
  return { kind: 'asset', contentType, body, etag: etagOf(body), headers }
}

/** The audience of the operation, and the upload whose files get thumbnails. */
interface ThumbnailAudience<Found> extends Pick<
  UploadAudience<Found>,
  'tag' | 'path' | 'access' | 'endings' | 'load'
> {
  readonly id: string
  readonly description: string
  target(call: LoadCall, found: Found, fileKey: string): ThumbnailTarget
}

/** The operation that stores thumbnails, the same for accounts and guests. */
export function thumbnailOperation<Found>(
  { thumbnails }: Pick<ShareDeps, 'thumbnails'>,
  audience: ThumbnailAudience<Found>,
): Operation {
  return operation({
    id: audience.id,
    method: 'PUT',
    path: `${audience.path}/thumbnails/{uploadedFileId}`,
    summary: 'Store a thumbnail of a file that has begun to arrive, or replace it',
    description: `The path names the file by the \`fileId\` of its chunks. ${audience.description}`,
    tag: audience.tag,
    ...audience.access,
    limit: { name: 'putThumbnail', counts: 'authorised' },
    body: {
      kind: 'binary',
      contentType,
      description:
        `A baseline or progressive JPEG of at most ${thumbnailBytesMax / 1024} KiB, ` +
        `${thumbnailSideMax} by ${thumbnailSideMax} pixels and ${thumbnailScansMax} scans`,
    },
    answers: ok('The thumbnail is stored', successSchema),
    errors: ['already_complete', 'too_many_thumbnails', 'not_a_jpeg', ...audience.endings],
    load: (call) => audience.load(call),
    async handle(call, found) {
      const target = audience.target(call, found, call.params['uploadedFileId']!)
      await thumbnails.receive(call, target)
      return success()
    },
  })
}

export const putShareThumbnail = (deps: ShareDeps) =>
  thumbnailOperation(deps, {
    id: 'putShareThumbnail',
    path: '/api/shares/{shareId}',
    description:
      'While a share accepts chunks, it also accepts thumbnails of files of which a chunk has ' +
      'been received. The owner can also store them for the last 20,000 files of a complete ' +
      'share. Finalize discards thumbnails of unlisted files. A share can have ' +
      `${thumbnailsMax.toLocaleString('en')} thumbnails; they do not count against the quota.`,
    tag: 'Shares',
    access: { auth: 'uploader', scope: 'send' },
    endings: ['expired'],
    load: ({ actor, params }: LoadCall<'uploader'>) =>
      deps.shares.findOwn(actor, params['shareId']!),
    target: ({ actor }: LoadCall<'uploader'>, share, fileKey) =>
      thumbnailOfShare(deps, actor, share, fileKey),
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
    answers: thumbnailAnswers,
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
      return deps.thumbnails.find(share.containerId, Number(call.params['fileId']))
    },
    handle: async (_call, body) => thumbnailAnswer(body),
  })

/** The same gate as for the list of files; `?as=owner` also opens expired shares. */
async function admit(deps: ShareDeps, call: LoadCall): Promise<Share> {
  const { context, params, search } = call
  if (search.get('as') === 'owner') {
    const account = await deps.credentials.authenticate(context, 'user', owners)
    const asked = { name: params['shareId']!, account, asOwner: true, resumed: null }
    return (await admitDownload(deps, { ...asked, recipient: recipientOf(deps, context) })).share
  }
  const visible = await viewShare(deps, call)
  const { share, isUnlocked } = visible
  requireProof(visible)
  if (share.state !== 'complete') throw new CodedError('not_found')
  if (!isUnlocked) throw new CodedError('password_required')
  return share
}
