import * as v from 'valibot'
import { json, success, LongList } from '../http/answer.ts'
import { jsonBody, ok, operation, textBytesMax } from '../http/operation.ts'
import type { LoadCall, Operation } from '../http/operation.ts'
import { nextPageLink, pageLimit, pageRowsDefault } from '../http/paging.ts'
import { noted, optional, successSchema } from '../http/schema.ts'
import { fileIdSchema } from '../bytes/receive/file-rules.ts'
import { uploadOperations } from '../bytes/receive/upload-operations.ts'
import { renderQrCode } from '../lib/qr-code.ts'
import { mapPages, OnePage } from '../lib/pages.ts'
import {
  finalizeBodyWith,
  finalizeErrors,
  presentRenamed,
  renamedSchema,
} from '../bytes/receive/finalize-body.ts'
import { ResendToken } from './recipients/resend-token.ts'
import { emailOutcomes } from './sql.ts'
import * as schemas from './schemas.ts'
import { noSlug } from './slug.ts'
import type { ShareWithFiles } from './shares.ts'
import { takesChunks } from './sql.ts'
import type { ShareDeps } from './deps.ts'
import { listShareActivity } from './activity/operations.ts'
import * as additions from './additions/operations.ts'
import { getShare, stopShare, updateShare } from './changes/operations.ts'
import * as downloads from './downloads/operations.ts'
import * as people from './personal-links/operations.ts'
import { sendLinkCode, verifyLinkCode } from './personal-links/public-operations.ts'
import * as recipients from './public-operations.ts'
import { listShareEmails, resendShare } from './recipients/operations.ts'
import { putTar, sendTar } from './tar-operations.ts'
import { getShareThumbnail, putShareThumbnail } from './thumbnails/operations.ts'

/** Files of one request to discard them. */
const discardedMax = 200

const initShare = (deps: ShareDeps) =>
  operation({
    id: 'initShare',
    method: 'POST',
    path: '/api/shares/init',
    summary: 'Start a share as a draft that accepts chunks',
    ...schemas.sends,
    body: jsonBody(schemas.newShareSchema, textBytesMax),
    answers: ok(
      'The draft, a token to send its chunks and finalize it, and its future link',
      v.object({
        success: v.boolean(),
        shareId: v.string(),
        uploadToken: noted(
          v.string(),
          'Bearer token of this draft, for programs without an account',
        ),
        shareUrl: noted(
          v.pipe(v.string(), v.url()),
          'Link to the share, which works once it is complete',
        ),
      }),
    ),
    errors: ['slug_taken'],
    async handle({ actor, body }) {
      const share = schemas.newShareOf(body)
      const draft = await deps.shares.init(actor, share)
      const { slug } = share.chosenSlug ?? noSlug
      const shareUrl = deps.shareUrl({ id: draft.shareId, slug })
      return json({ success: true, ...draft, shareUrl })
    },
  })

const uploadsToShare = (deps: ShareDeps) =>
  uploadOperations(deps, {
    tag: 'Shares',
    path: '/api/shares/{shareId}',
    ids: { chunk: 'uploadShareChunk', tar: 'uploadShareTar', list: 'listShareChunks' },
    access: { auth: 'uploader', scope: 'send' },
    chunkDescription:
      'A complete share accepts chunks after `POST /api/shares/{shareId}/additions`; until then ' +
      'they are refused with 409 `already_complete`.',
    endings: ['expired'],
    refusals: [],
    load: ({ actor, params }: LoadCall<'uploader'>) =>
      deps.shares.findUnfinished(actor, params['shareId']!),
    target: ({ actor }: LoadCall<'uploader'>, share) => deps.shares.uploadTarget(actor, share),
    received: (share) => ({ containerId: share.containerId, takesChunks: takesChunks(share) }),
  })

const discardShareFiles = (deps: ShareDeps) =>
  operation({
    id: 'discardShareFiles',
    method: 'POST',
    path: '/api/shares/{shareId}/discard',
    summary: 'Discard received chunks of files that are not finalized, ignoring missing ones',
    ...schemas.uploads,
    body: jsonBody(
      v.object({
        fileIds: noted(
          v.pipe(
            v.array(fileIdSchema),
            v.maxLength(discardedMax, `must be at most ${discardedMax}`),
          ),
          `The \`fileId\` of each file, at most ${discardedMax}`,
          ['file-1'],
        ),
      }),
      textBytesMax,
    ),
    answers: ok('Discarded', successSchema),
    errors: ['already_complete', 'expired'],
    load: ({ actor, params }) => deps.shares.findUnfinished(actor, params['shareId']!),
    async handle({ actor, body }, share) {
      await deps.uploads.discard(deps.shares.uploadTarget(actor, share), body.fileIds)
      return success()
    },
  })

const finalizeShare = (deps: ShareDeps) =>
  operation({
    id: 'finalizeShare',
    method: 'POST',
    path: '/api/shares/{shareId}/finalize',
    summary: 'Complete a share, or add files to it, once all files are received',
    ...schemas.uploads,
    body: finalizeBodyWith({
      notifyRecipients: noted(
        optional(v.boolean()),
        'Email the recipients of a complete share about the added files',
        false,
      ),
    }),
    answers: ok(
      'Complete; the link works from now on',
      v.object({
        success: v.boolean(),
        shareUrl: v.pipe(v.string(), v.url()),
        renamed: renamedSchema,
        mail: noted(
          v.optional(v.picklist([...emailOutcomes, 'too many'])),
          'Result of `notifyRecipients`, the same for a repeated list; absent if nothing ' +
            'was added',
        ),
      }),
    ),
    errors: [...finalizeErrors, 'expired'],
    load: ({ actor, params }) => deps.shares.findOwn(actor, params['shareId']!),
    async handle({ actor, body }, share) {
      const { discardUnlisted, notifyRecipients } = body.rest
      // The files are added even when the email limit is reached.
      const token = new ResendToken(deps.resendLimiter, share.ownerId)
      const finalizing = deps.shares.finalize(actor, share, {
        files: body.items,
        discardUnlisted: discardUnlisted ?? false,
        token: notifyRecipients ? token : null,
      })
      const finalized = await token.during(finalizing)
      return json({
        success: true,
        shareUrl: deps.shareUrl(share),
        ...presentRenamed(finalized),
        ...(finalized.emailOutcome && { mail: finalized.emailOutcome }),
      })
    },
  })

const getShareQrCode = (deps: ShareDeps) =>
  operation({
    id: 'getShareQrCode',
    method: 'GET',
    path: '/api/shares/{shareId}/qr-code',
    summary: 'Get the link of a share as a QR code (SVG without a fixed size)',
    ...schemas.reads,
    answers: ok('The image', v.object({ qrCodeSvg: v.string() })),
    load: ({ actor, params }) => deps.shares.findOwn(actor, params['shareId']!),
    handle: async (_call, share) => json({ qrCodeSvg: await renderQrCode(deps.shareUrl(share)) }),
  })

const listShares = (deps: ShareDeps) =>
  operation({
    id: 'listShares',
    method: 'GET',
    path: '/api/shares',
    summary: 'List the shares of the caller, newest first',
    ...schemas.reads,
    query: v.object({
      limit: noted(optional(pageLimit), 'Shares per page; all without `limit` and `cursor`'),
      cursor: optional(schemas.shareCursor),
    }),
    answers: ok(
      'All shares, including drafts. With `limit` or `cursor` a page of them; `Link` with ' +
        'rel="next" leads to the next one (RFC 8288).',
      v.array(schemas.shareSchema),
      ['Link'],
    ),
    async handle({ actor, context, query, search }) {
      const present = (entry: ShareWithFiles) =>
        schemas.presentShare(entry, deps.shareUrl(entry.share))
      const { limit, cursor } = query
      if (!limit && !cursor) return json(new LongList(mapPages(deps.shares.list(actor), present)))
      const count = limit ?? pageRowsDefault
      const { shares, hasMore } = await deps.shares.listPage(actor, cursor ?? null, count)
      const next = () =>
        nextPageLink(context, '/api/shares', search, schemas.cursorOf(shares.at(-1)!.share))
      const headers = hasMore ? { Link: next() } : {}
      return json(new LongList(mapPages(new OnePage(shares), present)), { headers })
    },
  })

const deleteShare = (deps: ShareDeps) =>
  operation({
    id: 'deleteShare',
    method: 'DELETE',
    path: '/api/shares/{shareId}',
    summary: 'Permanently delete a share and its files',
    ...schemas.manages,
    answers: ok('Deleted', successSchema),
    async handle({ actor, params }) {
      await deps.shares.delete(actor, params['shareId']!)
      return success()
    },
  })

export function shareOperations(deps: ShareDeps): Operation[] {
  return [
    // For their owner
    initShare,
    uploadsToShare,
    sendTar,
    putTar,
    discardShareFiles,
    finalizeShare,
    listShares,
    getShare,
    updateShare,
    stopShare,
    deleteShare,
    getShareQrCode,
    putShareThumbnail,
    resendShare,
    listShareEmails,
    people.listSharePeople,
    people.addSharePerson,
    people.removeSharePerson,
    listShareActivity,
    additions.startAdditions,
    additions.cancelAdditions,
    additions.deleteShareFile,
    additions.deleteShareFiles,
    // For recipients
    recipients.getPublicShare,
    recipients.verifySharePassword,
    sendLinkCode,
    verifyLinkCode,
    downloads.downloadShareZip,
    downloads.downloadLink,
    downloads.downloadShareFile,
    getShareThumbnail,
    recipients.getPublicQrCode,
  ].flatMap((declare) => declare(deps))
}
