import * as v from 'valibot'
import { bearerToken } from '../accounts/sign-in/credentials.ts'
import type { UnlockProofs } from '../shares/link-proofs.ts'
import { json } from '../http/answer.ts'
import type { RequestContext } from '../http/request-context.ts'
import { jsonBody, ok, operation, textBytesMax } from '../http/operation.ts'
import { noted, successSchema, text } from '../http/schema.ts'
import { CodedError } from '../lib/errors.ts'
import { uploadOperations } from '../bytes/receive/upload-operations.ts'
import { thumbnailOperation } from '../shares/thumbnails/operations.ts'
import {
  finalizeBodyWith,
  finalizeErrors,
  presentRenamed,
  renamedSchema,
} from '../bytes/receive/finalize-body.ts'
import { isDraft } from './deliveries-sql.ts'
import type { DeliveryProofs } from './link-of-guest.ts'
import { newDeliverySchema, publicReverseShareSchema } from './schemas.ts'
import { dayMs } from '../lib/clock.ts'
import type { RequestDeps } from './deps.ts'

const tag = 'Guests'
const unlocked = { tag, auth: 'none', linkToken: 'unlock' } as const
const uploading = { tag, auth: 'none', linkToken: 'upload' } as const

export const getPublicReverseShare = (deps: RequestDeps) =>
  operation({
    id: 'getPublicReverseShare',
    method: 'GET',
    path: '/api/public/reverse/{reverseId}',
    summary: 'Get what a reverse share asks for; its instructions only once unlocked',
    ...unlocked,
    answers: ok('The link', publicReverseShareSchema),
    errors: ['expired', 'closed', 'rate_limited'],
    load: ({ params, ip }) => deps.deliveries.findLink(params['reverseId']!, ip),
    async handle({ context }, reverse) {
      const proofs = unlockProofs(deps, context, reverse.id)
      const isUnlocked = await deps.deliveries.unlocking.isUnlocked(reverse, proofs)
      return json({
        name: reverse.name,
        maxSize: reverse.maxSize,
        protected: reverse.passwordHash !== null,
        thankYouMessage: reverse.thankYouMessage,
        ownerName: reverse.ownerName,
        instructions: isUnlocked ? reverse.instructions : '',
        allowedExtensions: [...reverse.allowedExtensions],
        requiredFields: [...reverse.requiredFields],
        once: reverse.once,
        allowSharing: reverse.allowSharing,
      })
    },
  })

export const verifyReversePassword = (deps: RequestDeps) =>
  operation({
    id: 'verifyReversePassword',
    method: 'POST',
    path: '/api/public/reverse/{reverseId}/verify',
    summary: 'Unlock a protected reverse share for an hour',
    tag,
    auth: 'none',
    body: jsonBody(v.object({ password: text(0, 256) })),
    answers: ok(
      'Unlocked: use the cookie, or the token as Bearer',
      v.object({ valid: v.boolean(), accessToken: v.string() }),
      ['Set-Cookie'],
    ),
    errors: ['wrong_password', 'expired', 'closed', 'rate_limited'],
    load: ({ params, ip }) => deps.deliveries.findLink(params['reverseId']!, ip),
    async handle({ body, context, ip }, reverse) {
      const { accessToken, version } = await deps.linkAttempts.during(
        { kind: 'reverse', ...reverse },
        ip,
        () => deps.deliveries.unlocking.unlock(reverse, body.password, ip),
      )
      const header = context.header('cookie')
      const cookie = deps.linkCookies.unlockCookie(header, reverse.id, version)
      return json({ valid: true, accessToken }, { cookies: [cookie] })
    },
  })

export const initDelivery = (deps: RequestDeps) =>
  operation({
    id: 'initDelivery',
    method: 'POST',
    path: '/api/public/reverse/{reverseId}/init',
    summary: 'Start a delivery; unlock a protected link first',
    ...unlocked,
    limit: { name: 'delivery', counts: 'authorised' },
    body: jsonBody(newDeliverySchema, textBytesMax),
    answers: ok(
      'Token for sending chunks and finalizing, also set as a cookie',
      v.object({
        success: v.boolean(),
        reverseShareId: v.string(),
        uploadToken: noted(v.string(), 'Bearer token of this delivery'),
      }),
      ['Set-Cookie'],
    ),
    errors: ['password_required', 'expired', 'closed'],
    async load({ context, params, ip }) {
      const reverse = await deps.deliveries.findLink(params['reverseId']!, ip)
      const proofs = unlockProofs(deps, context, reverse.id)
      if (!(await deps.deliveries.unlocking.isUnlocked(reverse, proofs))) {
        throw new CodedError('password_required')
      }
      return reverse
    },
    async handle({ body, context, ip }, { id }) {
      const sender = {
        senderName: body.senderName?.trim() ?? '',
        senderEmail: body.senderEmail ?? '',
        note: body.note ?? '',
      }
      const begun = await deps.deliveries.init(ip, id, sender, body.allowSharing ?? false)
      const { deliveryId, uploadToken } = begun
      const lifeMs = deps.settings.values.draftLifeDays * dayMs
      const header = context.header('cookie')
      const cookie = deps.linkCookies.deliveryCookie(header, id, deliveryId, lifeMs)
      return json({ success: true, reverseShareId: id, uploadToken }, { cookies: [cookie] })
    },
  })

export const uploadsToDelivery = (deps: RequestDeps) =>
  uploadOperations(deps, {
    tag,
    path: '/api/public/reverse/{reverseId}',
    ids: { chunk: 'uploadDeliveryChunk', tar: 'uploadDeliveryTar', list: 'listDeliveryChunks' },
    access: { auth: 'none', linkToken: 'upload' },
    endings: ['expired', 'closed'],
    refusals: ['extension_not_allowed'],
    load: ({ context, params }) =>
      deps.deliveries.findDraft(...delivererOf(deps, context, params['reverseId']!)),
    target: (_call, found) => deps.deliveries.uploadTarget(found),
    received: ({ delivery: { containerId, id } }) => ({ containerId, takesChunks: isDraft(id) }),
  })

export const putDeliveryThumbnail = (deps: RequestDeps) =>
  thumbnailOperation(deps, {
    id: 'putDeliveryThumbnail',
    tag,
    path: '/api/public/reverse/{reverseId}',
    description:
      'It cannot be larger than what has been received of the file, the first one of a file ' +
      'stays, and it can also be sent for an hour after the delivery is complete. The owner of ' +
      'the link sees it, and recipients of a share made from the delivery.',
    access: { auth: 'none', linkToken: 'upload' },
    endings: ['unauthorized', 'expired', 'closed'],
    load: ({ context, params }) =>
      deps.deliveries.findDelivery(...delivererOf(deps, context, params['reverseId']!)),
    target: (_call, found, fileKey) => deps.deliveries.thumbnailTarget(found, fileKey),
  })

export const finalizeDelivery = (deps: RequestDeps) =>
  operation({
    id: 'finalizeDelivery',
    method: 'POST',
    path: '/api/public/reverse/{reverseId}/finalize',
    summary: 'Complete a delivery once all its files are received',
    ...uploading,
    body: finalizeBodyWith({}),
    answers: ok(
      'Delivered, with the thank-you message of the owner',
      v.object({
        success: v.boolean(),
        thankYouMessage: v.string(),
        reference: noted(v.string(), 'Reference of the delivery', '7F3A-92C1'),
        renamed: renamedSchema,
      }),
    ),
    errors: [...finalizeErrors, 'extension_not_allowed', 'expired', 'closed', 'rate_limited'],
    load: ({ context, params }) =>
      deps.deliveries.findDelivery(...delivererOf(deps, context, params['reverseId']!)),
    async handle({ body, ip }, found) {
      const actor = { kind: 'guest', ip } as const
      const discardUnlisted = body.rest.discardUnlisted ?? false
      const input = { files: body.items, discardUnlisted }
      const completed = await deps.deliveries.finalize(actor, found, input)
      const { thankYouMessage, reference } = completed
      return json({ success: true, thankYouMessage, reference, ...presentRenamed(completed) })
    },
  })

export const cancelDelivery = (deps: RequestDeps) =>
  operation({
    id: 'cancelDelivery',
    method: 'DELETE',
    path: '/api/public/reverse/{reverseId}/delivery',
    summary: 'Cancel an unfinished delivery and delete its chunks, which frees its space',
    ...uploading,
    answers: ok('Cancelled; the cookie of the delivery is cleared', successSchema, ['Set-Cookie']),
    errors: ['unauthorized', 'expired', 'already_complete'],
    load: ({ context, params }) =>
      deps.deliveries.findAbandonable(...delivererOf(deps, context, params['reverseId']!)),
    async handle({ context, ip }, found) {
      await deps.deliveries.giveUp({ kind: 'guest', ip }, found)
      const header = context.header('cookie')
      const cookie = deps.linkCookies.withoutDelivery(header, found.reverse.id)
      return json({ success: true }, { cookies: [cookie] })
    },
  })

type Deps = Pick<RequestDeps, 'linkCookies'>

export function unlockProofs(
  { linkCookies }: Deps,
  context: RequestContext,
  reverseId: string,
): UnlockProofs {
  return {
    token: bearerToken(context),
    version: linkCookies.unlockedVersion(context.header('cookie'), reverseId),
  }
}

export function deliveryProofs(
  { linkCookies }: Deps,
  context: RequestContext,
  reverseId: string,
): DeliveryProofs {
  const deliveryId = linkCookies.deliveryId(context.header('cookie'), reverseId)
  return { token: bearerToken(context), deliveryId }
}

const delivererOf = (
  deps: Deps,
  context: RequestContext,
  reverseId: string,
): [reverseId: string, proofs: DeliveryProofs] => [
  reverseId,
  deliveryProofs(deps, context, reverseId),
]
