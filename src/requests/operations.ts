import * as v from 'valibot'
import { json, success } from '../http/answer.ts'
import { jsonBody, ok, operation, textBytesMax, type Operation } from '../http/operation.ts'
import { noted, successSchema } from '../http/schema.ts'
import { renderQrCode } from '../lib/qr-code.ts'
import { readExpiration } from '../settings/expiry.ts'
import { chosenSlug } from '../shares/slug.ts'
import * as schemas from './schemas.ts'
import type { RequestDeps } from './deps.ts'
import * as received from './delivery-operations.ts'
import * as guests from './guest-operations.ts'

const listReverseShares = (deps: RequestDeps) =>
  operation({
    id: 'listReverseShares',
    method: 'GET',
    path: '/api/reverse',
    summary: 'List the reverse shares of the caller, newest first',
    ...schemas.reads,
    answers: ok('All reverse shares, including expired ones', v.array(schemas.reverseShareSchema)),
    async handle({ actor }) {
      const { reverseShares, reverseShareUrl } = deps
      const links = await reverseShares.list(actor.userId)
      return json(
        links.map((reverse) =>
          schemas.presentReverseShare(
            reverse,
            reverseShareUrl(reverse),
            reverseShares.isExpired(reverse),
          ),
        ),
      )
    },
  })

const createReverseShare = (deps: RequestDeps) =>
  operation({
    id: 'createReverseShare',
    method: 'POST',
    path: '/api/reverse',
    summary: 'Create a reverse share: a link through which guests send files',
    ...schemas.manages,
    body: jsonBody(schemas.newReverseShareSchema, textBytesMax),
    answers: ok(
      'The link',
      v.object({
        success: v.boolean(),
        url: v.pipe(v.string(), v.url()),
        id: v.string(),
        mailed: noted(v.boolean(), 'Whether the email to `sendEmailTo` is queued'),
      }),
    ),
    errors: ['slug_taken'],
    async handle({ actor, body }) {
      const slug = chosenSlug(body)
      const { id, isMailed: mailed } = await deps.reverseShares.create(actor, {
        name: body.name ?? '',
        maxSize: body.maxSize ?? 0,
        password: body.password ?? '',
        notify: body.notify ?? false,
        sendEmailTo: body.sendEmailTo ?? '',
        thankYouMessage: body.thankYouMessage ?? '',
        instructions: body.instructions ?? '',
        allowedExtensions: body.allowedExtensions ?? [],
        requiredFields: body.requiredFields ?? [],
        once: body.once ?? false,
        allowSharing: body.allowSharing ?? false,
        chosenSlug: slug,
        ...readExpiration(body),
      })
      return json({ success: true, url: deps.reverseShareUrl({ id, slug: slug.slug }), id, mailed })
    },
  })

const getReverseShareQrCode = (deps: RequestDeps) =>
  operation({
    id: 'getReverseShareQrCode',
    method: 'GET',
    path: '/api/reverse/{reverseId}/qr-code',
    summary: 'Get the link of a reverse share as a QR code (SVG without a fixed size)',
    ...schemas.reads,
    answers: ok('The image', v.object({ qrCodeSvg: v.string() })),
    load: ({ actor, params }) => deps.reverseShares.findOwn(actor, params['reverseId']!),
    handle: async (_call, reverse) =>
      json({ qrCodeSvg: await renderQrCode(deps.reverseShareUrl(reverse)) }),
  })

const updateReverseShare = (deps: RequestDeps) =>
  operation({
    id: 'updateReverseShare',
    method: 'PATCH',
    path: '/api/reverse/{reverseId}',
    summary: 'Change a reverse share; an empty password removes it, a new expiry counts from now',
    ...schemas.manages,
    body: jsonBody(schemas.reverseShareChangeSchema, textBytesMax),
    answers: ok('Changed', successSchema),
    errors: ['slug_taken'],
    load: ({ actor, params }) => deps.reverseShares.findOwn(actor, params['reverseId']!),
    async handle({ actor, body }, reverse) {
      await deps.reverseShares.update(actor, reverse.id, body)
      return success()
    },
  })

const deleteReverseShare = (deps: RequestDeps) =>
  operation({
    id: 'deleteReverseShare',
    method: 'DELETE',
    path: '/api/reverse/{reverseId}',
    summary: 'Permanently delete a reverse share and its deliveries',
    ...schemas.manages,
    answers: ok('Deleted', successSchema),
    async handle({ actor, params }) {
      await deps.reverseShares.delete(actor, params['reverseId']!)
      return success()
    },
  })

export function requestOperations(deps: RequestDeps): Operation[] {
  return [
    // For their owner
    listReverseShares,
    createReverseShare,
    getReverseShareQrCode,
    updateReverseShare,
    deleteReverseShare,
    received.listReverseShareFiles,
    received.listDeliveries,
    received.markDeliveriesSeen,
    received.shareDelivery,
    received.deleteDelivery,
    received.downloadReverseShare,
    received.downloadReverseFile,
    received.getReverseThumbnail,
    // For guests
    guests.getPublicReverseShare,
    guests.verifyReversePassword,
    guests.initDelivery,
    guests.cancelDelivery,
    guests.uploadsToDelivery,
    guests.putDeliveryThumbnail,
    guests.finalizeDelivery,
  ].flatMap((declare) => declare(deps))
}
