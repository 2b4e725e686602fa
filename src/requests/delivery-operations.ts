import * as v from 'valibot'
import { answersWith, archiveTypes, formatQuery } from '../bytes/send/content.ts'
import { archivePresentation, inlineQuery, presentationOf } from '../bytes/send/downloads.ts'
import { presentFile, shareFileSchema } from '../bytes/file-schemas.ts'
import { json, success, LongList } from '../http/answer.ts'
import { requesterAt } from '../http/client-ip.ts'
import { refuseAsScript } from '../http/headers.ts'
import { jsonBody, ok, operation, textBytesMax } from '../http/operation.ts'
import { noted, optional, successSchema } from '../http/schema.ts'
import { mapPages } from '../lib/pages.ts'
import { thumbnailAnswer, thumbnailAnswers } from '../shares/thumbnails/operations.ts'
import {
  manages,
  deliveryId,
  deliverySchema,
  presentDelivery,
  seenSchema,
  sharedOnSchema,
  reads,
} from './schemas.ts'
import type { RequestDeps } from './deps.ts'

const downloadErrors = [
  'not_a_script',
  'file_damaged',
  'range_not_satisfiable',
  'precondition_failed',
] as const

export const listReverseShareFiles = (deps: RequestDeps) =>
  operation({
    id: 'listReverseShareFiles',
    method: 'GET',
    path: '/api/reverse/{reverseId}/files',
    summary: 'List delivered files, newest delivery first',
    ...reads,
    answers: ok('Files of complete deliveries', v.array(shareFileSchema)),
    load: ({ actor, params }) => deps.reverseShares.findOwn(actor, params['reverseId']!),
    handle: async (_call, reverse) =>
      json(new LongList(mapPages(deps.received.listFiles(reverse), presentFile))),
  })

export const listDeliveries = (deps: RequestDeps) =>
  operation({
    id: 'listDeliveries',
    method: 'GET',
    path: '/api/reverse/{reverseId}/deliveries',
    summary: 'List deliveries with their senders, newest first, including unfinished ones',
    ...reads,
    answers: ok('The deliveries', v.array(deliverySchema)),
    load: ({ actor, params }) => deps.reverseShares.findOwn(actor, params['reverseId']!),
    handle: async (_call, reverse) =>
      json(new LongList(mapPages(deps.received.listDeliveries(reverse), presentDelivery))),
  })

export const markDeliveriesSeen = (deps: RequestDeps) =>
  operation({
    id: 'markDeliveriesSeen',
    method: 'POST',
    path: '/api/reverse/{reverseId}/seen',
    summary: 'Mark deliveries as seen by the owner; repeating it changes nothing',
    ...manages,
    body: jsonBody(seenSchema, textBytesMax),
    answers: ok('The deliveries are marked as seen', successSchema),
    load: ({ actor, params }) => deps.reverseShares.findOwn(actor, params['reverseId']!),
    async handle({ body }, reverse) {
      await deps.received.markSeen(reverse, body.deliveries)
      return success()
    },
  })

export const shareDelivery = (deps: RequestDeps) =>
  operation({
    id: 'shareDelivery',
    method: 'POST',
    path: '/api/reverse/{reverseId}/deliveries/{deliveryId}/share',
    summary: 'Create a share from a delivery or some of its files, without uploading them again',
    ...manages,
    body: jsonBody(sharedOnSchema, textBytesMax),
    answers: ok(
      'The complete share, independent of the delivery',
      v.object({
        success: v.boolean(),
        shareId: v.string(),
        shareUrl: v.pipe(v.string(), v.url()),
      }),
    ),
    errors: [
      'blocked_extension',
      'sharing_not_allowed',
      'conflict',
      'file_too_large',
      'share_too_large',
      'quota_exceeded',
    ],
    async load({ actor, params }) {
      const reverse = await deps.reverseShares.findOwn(actor, params['reverseId']!)
      const delivery = await deps.received.findDelivery(reverse, params['deliveryId']!)
      return { reverse, delivery }
    },
    async handle({ context, actor, body }, { reverse, delivery }) {
      const { signal } = context
      const wanted = { name: body.name ?? null, fileIds: body.files ?? null, signal }
      const shareId = await deps.received.shareOn(actor, reverse, delivery, wanted)
      return json({ success: true, shareId, shareUrl: deps.shareUrl({ id: shareId, slug: null }) })
    },
  })

export const deleteDelivery = (deps: RequestDeps) =>
  operation({
    id: 'deleteDelivery',
    method: 'DELETE',
    path: '/api/reverse/{reverseId}/deliveries/{deliveryId}',
    summary: 'Permanently delete a delivery, finished or not',
    ...manages,
    answers: ok('Deleted', successSchema),
    load: ({ actor, params }) => deps.reverseShares.findOwn(actor, params['reverseId']!),
    async handle({ actor, params }, reverse) {
      await deps.received.deleteDelivery(actor, reverse, params['deliveryId']!)
      return success()
    },
  })

export const downloadReverseShare = (deps: RequestDeps) =>
  operation({
    id: 'downloadReverseShare',
    method: 'GET',
    path: '/api/reverse/{reverseId}/download',
    summary:
      'Download all deliveries, one folder each, or a single delivery, as a ZIP or tar archive',
    ...reads,
    query: v.object({
      delivery: noted(optional(deliveryId), 'Id of a delivery; all if absent'),
      format: formatQuery,
    }),
    answers: answersWith('The archive', archiveTypes),
    errors: downloadErrors,
    load: ({ actor, params }) => deps.reverseShares.findOwn(actor, params['reverseId']!),
    async handle({ context, query, ip }, reverse) {
      const { format } = query
      const asking = { requester: requesterAt(ip), signal: context.signal }
      const delivery = query.delivery
        ? await deps.received.findDelivery(reverse, query.delivery)
        : null
      const name = [reverse.name || 'files', delivery?.senderName].filter(Boolean).join(' - ')
      return deps.downloads.answer(context, {
        content: delivery
          ? await deps.received.deliveryContent(delivery, format, asking)
          : await deps.received.wholeContent(reverse, format, asking),
        ...archivePresentation(name, format),
        abortKey: delivery?.id ?? reverse.id,
        readingKey: `${reverse.ownerId} ${delivery?.id ?? reverse.id} ${format}`,
        withdrawalVersion: '',
        counted: null,
      })
    },
  })

export const downloadReverseFile = (deps: RequestDeps) =>
  operation({
    id: 'downloadReverseFile',
    method: 'GET',
    path: '/api/reverse/files/{fileId}/download',
    summary: 'Download a delivered file',
    ...reads,
    query: v.object({ inline: inlineQuery }),
    answers: answersWith('The whole file', { contentType: '*/*' }),
    errors: downloadErrors,
    load: ({ actor, params }) => deps.received.findFile(actor, Number(params['fileId'])),
    handle: ({ context, query }, { delivery, file, content }) =>
      deps.downloads.answer(context, {
        content,
        ...presentationOf(file, query.inline === '1'),
        abortKey: delivery.id,
        readingKey: `${delivery.id} ${file.id}`,
        withdrawalVersion: '',
        counted: null,
      }),
  })

export const getReverseThumbnail = (deps: RequestDeps) =>
  operation({
    id: 'getReverseThumbnail',
    method: 'GET',
    path: '/api/reverse/files/{fileId}/thumbnail',
    summary: 'Get the thumbnail of a delivered file',
    ...reads,
    limit: { name: 'getThumbnail', counts: 'authorised' },
    answers: thumbnailAnswers,
    errors: ['not_a_script'],
    async load({ context, actor, params }) {
      refuseAsScript(context)
      const fileId = Number(params['fileId'])
      const { containerId } = await deps.received.findDeliveryOf(actor, fileId)
      return deps.thumbnails.find(containerId, fileId)
    },
    handle: async (_call, body) => thumbnailAnswer(body),
  })
