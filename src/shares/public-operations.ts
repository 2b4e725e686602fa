import * as v from 'valibot'
import {
  emptyFoldersSchema,
  presentEmptyFolders,
  presentFile,
  shareFileSchema,
} from '../bytes/file-schemas.ts'
import { etagOf, json, LongList } from '../http/answer.ts'
import { assetAnswers, jsonBody, ok, operation, type LoadCall } from '../http/operation.ts'
import type { RequestContext } from '../http/request-context.ts'
import { noted, optional, text } from '../http/schema.ts'
import { mapPages } from '../lib/pages.ts'
import { renderQrCode } from '../lib/qr-code.ts'
import { linkedShareOf, linkNameOf, lockedLinkOf, requireProof } from './downloads/admission.ts'
import type { VisibleShare } from './downloads/admission.ts'
import { downloadsLeft } from './access.ts'
import { progressOf } from './progress.ts'
import { opens, publicShareSchema } from './schemas.ts'
import type { Share } from './sql.ts'
import { viewShare } from './downloads/operations.ts'
import type { ShareDeps } from './deps.ts'

export const getPublicShare = (deps: ShareDeps) =>
  operation({
    id: 'getPublicShare',
    method: 'GET',
    path: '/api/public/shares/{shareId}',
    summary: 'Get the share behind a link; only the name of a protected share until it is unlocked',
    ...opens,
    query: v.object({
      list: noted(optional(v.literal('none')), 'Leaves `files` and `empty_folders` out'),
    }),
    answers: ok('The share', publicShareSchema),
    errors: ['expired', 'download_limit', 'rate_limited'],
    load: (call) => viewShare(deps, call),
    async handle({ query }, found) {
      const { share, isUnlocked } = found
      const isComplete = share.state === 'complete'
      const received = await deps.publicShares.received(found)
      const isListed = isUnlocked && isComplete && query.list !== 'none'
      return json({
        name: share.name,
        message: isUnlocked ? share.message : '',
        ...(found.missing && { proof: found.missing }),
        protected: share.passwordHash !== null,
        ...(isListed ? await listed(deps, share) : { files: [] }),
        ownerName: share.ownerName,
        status: isComplete ? 'complete' : 'uploading',
        progress: progressOf(share, received),
        receiving: received?.isGrowing ?? false,
        last_received_at: received?.lastAt?.toISOString() ?? null,
        downloads_left: downloadsLeft(share),
      })
    },
  })

/** An image, so that the page behind a link can show it without a script. */
export const getPublicQrCode = (deps: ShareDeps) =>
  operation({
    id: 'getPublicQrCode',
    method: 'GET',
    path: '/api/public/shares/{shareId}/qr-code',
    summary: 'Get the link as a QR code, for anyone with the link',
    ...opens,
    answers: assetAnswers({
      description: 'The image, without a fixed size',
      contentType: 'image/svg+xml',
    }),
    errors: ['expired', 'download_limit', 'rate_limited'],
    load: (call) => viewShare(deps, call),
    async handle(_call, found) {
      const body = Buffer.from(await renderQrCode(deps.shareUrl(linkedShareOf(found))))
      return { kind: 'asset', contentType: 'image/svg+xml', body, etag: etagOf(body) }
    },
  })

export const verifySharePassword = (deps: ShareDeps) =>
  operation({
    id: 'verifySharePassword',
    method: 'POST',
    path: '/api/shares/{shareId}/verify',
    summary: 'Unlock a protected share for an hour',
    tag: 'Public shares',
    auth: 'none',
    body: jsonBody(v.object({ password: text(0, 256) })),
    answers: ok(
      'Unlocked: use the cookie, or the token as Bearer',
      v.object({
        valid: v.boolean(),
        files: noted(v.array(shareFileSchema), 'Empty while files are still being uploaded'),
        empty_folders: emptyFoldersSchema,
        message: noted(v.string(), 'Message to the recipients'),
        accessToken: noted(v.string(), 'Bearer token of this share, valid for an hour'),
      }),
      ['Set-Cookie'],
    ),
    errors: ['proof_required', 'wrong_password', 'expired', 'download_limit', 'rate_limited'],
    load: (call) => findProtected(deps, call),
    async handle({ body, context, ip }, found) {
      const { share } = found
      const { accessToken, cookie } = await unlockShare(deps, context, found, body.password, ip)
      const { message } = share
      const lists = share.state === 'complete' ? await listed(deps, share) : { files: [] }
      return json({ valid: true, ...lists, message, accessToken }, { cookies: [cookie] })
    },
  })

/** @throws CodedError proof_required; errors of `admitToView` */
export async function findProtected(deps: ShareDeps, call: LoadCall) {
  const visible = await viewShare(deps, call)
  requireProof(visible)
  return visible
}

/** @throws CodedError wrong_password, rate_limited */
export async function unlockShare(
  { linkCookies, unlocking, linkAttempts }: ShareDeps,
  context: RequestContext,
  found: VisibleShare,
  password: string,
  ip: string,
) {
  const { accessToken, version } = await linkAttempts.during(
    { kind: 'share', ...found.share },
    ip,
    () => unlocking.unlock(lockedLinkOf(found), password, ip),
  )
  const held = context.header('cookie')
  return { accessToken, cookie: linkCookies.unlockCookie(held, linkNameOf(found), version) }
}

async function listed({ publicShares }: ShareDeps, share: Share) {
  const { files, emptyFolders } = await publicShares.list(share)
  return {
    files: new LongList(mapPages(files, presentFile)),
    ...presentEmptyFolders(emptyFolders),
  }
}
