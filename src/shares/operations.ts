import * as v from 'valibot'
import { json, success } from '../http/answer.ts'
import { LongList } from '../http/json-stream.ts'
import { aliasOf, jsonBody, operation, textBytesMax } from '../http/operation.ts'
import type { Limiter } from '../http/rate-limit.ts'
import { noted, optional, successSchema, text, timestamp } from '../http/schema.ts'
import {
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
import { mailOutcomes } from './recipients/outcomes.ts'
import { newShareSchema, presentShare, recipientsSchema, shareSchema } from './schemas.ts'
import type { Shares, ShareWithFiles } from './shares.ts'
import type { LinkedShare, ShareRow } from './sql.ts'

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
    summary: 'Start a share: a draft that takes chunks',
    tag: 'Shares',
    auth: 'user',
    scope: 'send',
    body: jsonBody(newShareSchema, textBytesMax),
    answers: {
      200: {
        description:
          'The draft, a token that may send its chunks and finalize it, and its later link',
        schema: v.object({
          success: v.boolean(),
          shareId: v.string(),
          uploadToken: noted(v.string(), 'Bearer of this draft, for programs without the account'),
          shareUrl: noted(v.pipe(v.string(), v.url()), 'Where the share will be, once complete'),
        }),
      },
    },
    errors: ['invalid_input', 'unauthorized', 'cross_site'],
    async handle({ actor, body }) {
      const draft = await deps.shares.init(actor, {
        name: body.name ?? '',
        message: body.message ?? '',
        recipients: body.recipients ?? '',
        password: body.password ?? '',
        maxDownloads: body.maxDownloads ?? 0,
        expirationVal: body.expirationVal,
        expirationUnit: body.expirationUnit,
      })
      const shareUrl = deps.shareUrl({ id: draft.shareId, slug: null })
      return json({ success: true, ...draft, shareUrl })
    },
  })

export const uploadShareChunk = (deps: SharesOperationDeps) =>
  operation({
    id: 'uploadShareChunk',
    method: 'POST',
    path: '/api/shares/{shareId}/chunk',
    summary: 'Send one chunk of one file; any order, any parallelism, again if in doubt',
    description:
      'A complete share takes chunks once `POST /api/shares/{shareId}/additions` has opened it. ' +
      'Deprecated: a chunk of its owner, with a login or an API token, opens it by itself. ' +
      'The same list as before, finalized again, adds nothing then.',
    tag: 'Shares',
    auth: 'uploader',
    scope: 'send',
    limit: { name: 'upload', counts: 'authorised' },
    body: { kind: 'multipart', fields: chunkFields, file: 'chunk' },
    answers: { 200: { description: 'The chunk is on disk', schema: successSchema } },
    errors: [...chunkErrors, 'expired'],
    load: ({ actor, params }) => deps.shares.findForChunk(actor, params['shareId']!),
    async handle({ actor, context }, share) {
      const open = (closed: ShareRow) => deps.additions.openByChunk(actor, closed)
      await receiveChunk(context, deps.uploads, deps.shares.uploadTarget(actor, share, open))
      return success()
    },
  })

export const listShareChunks = (deps: SharesOperationDeps) =>
  operation({
    id: 'listShareChunks',
    method: 'GET',
    path: '/api/shares/{shareId}/chunks',
    summary: 'What has arrived and is not finalized, as ranges of chunk indexes: for resuming',
    tag: 'Shares',
    auth: 'uploader',
    scope: 'send',
    answers: {
      200: {
        description: 'Ranges without holes, both ends included',
        schema: arrivedSchema,
      },
    },
    errors: ['unauthorized', 'not_found', 'expired', 'already_complete'],
    load: ({ actor, params }) => deps.shares.findUnfinished(actor, params['shareId']!),
    async handle(_call, share) {
      return json({ chunks: new LongList(deps.uploads.listArrived(share.containerId)) })
    },
  })

export const finalizeShare = (deps: SharesOperationDeps) =>
  operation({
    id: 'finalizeShare',
    method: 'POST',
    path: '/api/shares/{shareId}/finalize',
    summary: 'Complete a share, or add files to it, once every one of them has arrived whole',
    tag: 'Shares',
    auth: 'uploader',
    scope: 'send',
    body: finalizeBodyWith({
      notifyRecipients: noted(
        optional(v.boolean()),
        'Mail the recipients of a share that is complete what is added to it',
        false,
      ),
    }),
    answers: {
      200: {
        description: 'Complete: the link works from now on',
        schema: v.object({
          success: v.boolean(),
          shareUrl: v.pipe(v.string(), v.url()),
          renamed: renamedSchema,
          mail: noted(
            v.optional(v.picklist([...mailOutcomes, 'too many'])),
            'What came of `notifyRecipients`, again for the same list; ' +
              'absent when nothing was added',
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
    summary: 'The link of a share as a QR code, an SVG image without fixed size',
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

export const resendShare = (deps: SharesOperationDeps) =>
  operation({
    id: 'resendShare',
    method: 'POST',
    path: '/api/shares/{shareId}/resend',
    summary: 'Mail the link of a complete share to its recipients again, to one, or to others',
    tag: 'Shares',
    auth: 'user',
    scope: 'send',
    body: jsonBody(
      v.object({
        to: noted(optional(text(1, 254)), 'One of the recipients'),
        recipients: noted(
          optional(v.union([recipientsSchema, v.pipe(v.array(text(1, 320)), v.maxLength(100))])),
          'Who is written to this once; those of the share when absent',
          'ada@example.org, bob@example.org',
        ),
      }),
      textBytesMax,
    ),
    answers: {
      200: {
        description: 'Who is written to, and which words among the recipients are no address',
        schema: v.object({
          success: v.boolean(),
          mail: v.picklist(mailOutcomes),
          recipients: v.array(v.string()),
          ignored: v.array(v.string()),
        }),
      },
    },
    errors: [
      'invalid_input',
      'unauthorized',
      'cross_site',
      'not_found',
      'conflict',
      'expired',
      'rate_limited',
    ],
    load: ({ actor, params }) => deps.shares.findOwn(actor, params['shareId']!),
    async handle({ actor, body }, share) {
      const token = new ResendToken(deps.resendLimiter, share.ownerId)
      const given = body.recipients ?? undefined
      const resending = deps.shares.resend(actor, share.id, {
        token,
        ...(body.to ? { only: body.to } : {}),
        ...(given === undefined ? {} : { recipients: [given].flat().join() }),
      })
      const { outcome: mail, addresses: recipients, ignored } = await token.during(resending)
      return json({ success: true, mail, recipients, ignored })
    },
  })

export const listShareEmails = (deps: SharesOperationDeps) =>
  operation({
    id: 'listShareEmails',
    method: 'GET',
    path: '/api/shares/{shareId}/emails',
    summary: 'Each recipient of a share, and what became of the newest mail to them',
    tag: 'Shares',
    auth: 'user',
    scope: 'read',
    answers: {
      200: {
        description: 'In the order in which they were written; sent mails are known for a week',
        schema: v.array(
          v.object({
            to: v.string(),
            status: noted(
              v.nullable(v.picklist(['queued', 'sent', 'dead'])),
              '`dead`: given up; null when no mail is known',
            ),
            last_error: noted(
              v.string(),
              'Why the mail server refused this mail; empty when it did not, or failed otherwise',
            ),
            at: noted(v.nullable(timestamp), 'When it was sent, given up or written'),
          }),
        ),
      },
    },
    errors: ['unauthorized', 'not_found'],
    load: ({ actor, params }) => deps.shares.findOwn(actor, params['shareId']!),
    async handle(_call, share) {
      const emails = await deps.shares.listEmails(share.id)
      return json(
        emails.map(({ to, state, lastError, at }) => {
          return { to, status: state, last_error: lastError, at: at?.toISOString() ?? null }
        }),
      )
    },
  })

export const listShareLetters = (deps: SharesOperationDeps) =>
  aliasOf(listShareEmails(deps), {
    id: 'listShareLetters',
    path: '/api/shares/{shareId}/letters',
  })

export const listShares = (deps: SharesOperationDeps) =>
  operation({
    id: 'listShares',
    method: 'GET',
    path: '/api/shares',
    summary: 'The shares of the caller, newest first',
    tag: 'Shares',
    auth: 'user',
    scope: 'read',
    answers: { 200: { description: 'All of them, drafts included', schema: v.array(shareSchema) } },
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
    summary: 'Delete a share and its files for good',
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
