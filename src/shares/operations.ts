import * as v from 'valibot'
import { json, success } from '../http/answer.ts'
import { LongList } from '../http/json-stream.ts'
import { jsonBody, operation, textBytesMax } from '../http/operation.ts'
import type { Limiter } from '../http/rate-limit.ts'
import { noted, optional, successSchema } from '../http/schema.ts'
import {
  arrivedQuery,
  arrivedSchema,
  chunkErrors,
  chunkFields,
  receiveChunk,
} from '../blobs/receive/chunk-request.ts'
import { renderQrCode } from '../lib/qr-code.ts'
import { mapPages } from '../lib/pages.ts'
import type { Uploads } from '../blobs/receive/uploads.ts'
import {
  finalizeBodyWith,
  finalizeErrors,
  presentRenamed,
  renamedSchema,
} from '../blobs/receive/finalize-body.ts'
import type { Additions } from './additions/additions.ts'
import { ResendToken } from './recipients/resend-token.ts'
import { emailOutcomes } from './recipients/outcomes.ts'
import { newShareOf, newShareSchema, presentShare, shareSchema } from './schemas.ts'
import { noSlug } from './slug.ts'
import type { Shares, ShareWithFiles } from './shares.ts'
import { takesChunks, type LinkedShare } from './sql.ts'

export interface SharesOperationDeps {
  readonly shares: Shares
  readonly additions: Additions
  readonly uploads: Uploads
  /** Bounds how often an account may email its recipients again. */
  readonly resendLimiter: Limiter
  /** The address at which people open a share. */
  readonly shareUrl: (share: LinkedShare) => string
}

export const initShare = (deps: SharesOperationDeps) =>
  operation({
    id: 'initShare',
    method: 'POST',
    path: '/api/shares/init',
    summary: 'Start a share as a draft that accepts chunks',
    tag: 'Shares',
    auth: 'user',
    scope: 'send',
    body: jsonBody(newShareSchema, textBytesMax),
    answers: {
      200: {
        description: 'The draft, a token to send its chunks and finalize it, and its future link',
        schema: v.object({
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
      },
    },
    errors: ['invalid_input', 'unauthorized', 'cross_site', 'slug_taken'],
    async handle({ actor, body }) {
      const share = newShareOf(body)
      const draft = await deps.shares.init(actor, share)
      const { slug } = share.chosenSlug ?? noSlug
      const shareUrl = deps.shareUrl({ id: draft.shareId, slug })
      return json({ success: true, ...draft, shareUrl })
    },
  })

export const uploadShareChunk = (deps: SharesOperationDeps) =>
  operation({
    id: 'uploadShareChunk',
    method: 'POST',
    path: '/api/shares/{shareId}/chunk',
    summary: 'Upload a chunk of a file, in any order and in parallel; safe to repeat',
    description:
      'A complete share accepts chunks after `POST /api/shares/{shareId}/additions`; until then ' +
      'they are refused with 409 `already_complete`.',
    tag: 'Shares',
    auth: 'uploader',
    scope: 'send',
    limit: { name: 'upload', counts: 'authorised' },
    body: { kind: 'multipart', fields: chunkFields, file: 'chunk' },
    answers: { 200: { description: 'The chunk is on disk', schema: successSchema } },
    errors: [...chunkErrors, 'expired'],
    load: ({ actor, params }) => deps.shares.findUnfinished(actor, params['shareId']!),
    async handle({ actor, context, lookAgain }, share) {
      const target = deps.shares.uploadTarget(actor, share)
      await receiveChunk(context, deps.uploads, target, lookAgain)
      return success()
    },
  })

export const listShareChunks = (deps: SharesOperationDeps) =>
  operation({
    id: 'listShareChunks',
    method: 'GET',
    path: '/api/shares/{shareId}/chunks',
    summary: 'List received chunks that are not finalized, as index ranges, for resuming',
    tag: 'Shares',
    auth: 'uploader',
    scope: 'send',
    query: arrivedQuery,
    answers: {
      200: {
        description: 'Contiguous ranges, both ends included',
        schema: arrivedSchema,
      },
    },
    errors: ['invalid_input', 'unauthorized', 'not_found', 'expired', 'already_complete'],
    load: ({ actor, params }) => deps.shares.findUnfinished(actor, params['shareId']!),
    async handle({ query: { samples } }, share) {
      const ranges = deps.uploads.listArrived(share.containerId, takesChunks(share), samples)
      return json({ chunks: new LongList(ranges) })
    },
  })

export const finalizeShare = (deps: SharesOperationDeps) =>
  operation({
    id: 'finalizeShare',
    method: 'POST',
    path: '/api/shares/{shareId}/finalize',
    summary: 'Complete a share, or add files to it, once all files are received',
    tag: 'Shares',
    auth: 'uploader',
    scope: 'send',
    body: finalizeBodyWith({
      notifyRecipients: noted(
        optional(v.boolean()),
        'Email the recipients of a complete share about the added files',
        false,
      ),
    }),
    answers: {
      200: {
        description: 'Complete; the link works from now on',
        schema: v.object({
          success: v.boolean(),
          shareUrl: v.pipe(v.string(), v.url()),
          renamed: renamedSchema,
          mail: noted(
            v.optional(v.picklist([...emailOutcomes, 'too many'])),
            'Result of `notifyRecipients`, the same for a repeated list; absent if nothing ' +
              'was added',
          ),
        }),
      },
    },
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

export const getShareQrCode = (deps: SharesOperationDeps) =>
  operation({
    id: 'getShareQrCode',
    method: 'GET',
    path: '/api/shares/{shareId}/qr-code',
    summary: 'Get the link of a share as a QR code (SVG without a fixed size)',
    tag: 'Shares',
    auth: 'user',
    scope: 'read',
    answers: {
      200: { description: 'The image', schema: v.object({ qrCodeSvg: v.string() }) },
    },
    errors: ['unauthorized', 'not_found'],
    load: ({ actor, params }) => deps.shares.findOwn(actor, params['shareId']!),
    async handle(_call, share) {
      return json({ qrCodeSvg: await renderQrCode(deps.shareUrl(share)) })
    },
  })

export const listShares = (deps: SharesOperationDeps) =>
  operation({
    id: 'listShares',
    method: 'GET',
    path: '/api/shares',
    summary: 'List the shares of the caller, newest first',
    tag: 'Shares',
    auth: 'user',
    scope: 'read',
    answers: { 200: { description: 'All shares, including drafts', schema: v.array(shareSchema) } },
    errors: ['unauthorized'],
    async handle({ actor }) {
      const present = (entry: ShareWithFiles) => presentShare(entry, deps.shareUrl(entry.share))
      return json(new LongList(mapPages(deps.shares.list(actor), present)))
    },
  })

export const deleteShare = (deps: SharesOperationDeps) =>
  operation({
    id: 'deleteShare',
    method: 'DELETE',
    path: '/api/shares/{shareId}',
    summary: 'Permanently delete a share and its files',
    tag: 'Shares',
    auth: 'user',
    scope: 'manage',
    answers: { 200: { description: 'Deleted', schema: successSchema } },
    errors: ['unauthorized', 'not_found', 'cross_site'],
    async handle({ actor, params }) {
      await deps.shares.delete(actor, params['shareId']!)
      return success()
    },
  })
