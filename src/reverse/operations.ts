import * as v from 'valibot'
import type { Downloads } from '../downloads/downloads.ts'
import { presentFile, shareFileSchema } from '../files/schemas.ts'
import { json, success } from '../http/answer.ts'
import { contentDisposition } from '../http/content-disposition.ts'
import { jsonBody, operation } from '../http/operation.ts'
import { optional, successSchema } from '../http/schema.ts'
import type { ReverseShares } from './reverse-shares.ts'
import {
  deliverySchema,
  newReverseShareSchema,
  presentDelivery,
  presentReverseShare,
  reverseShareChangeSchema,
  reverseShareSchema,
} from './schemas.ts'

export interface ReverseRoom {
  readonly reverseShares: ReverseShares
  readonly downloads: Downloads
  /** The address guests open a reverse share at. */
  readonly reverseShareUrl: (reverseId: string) => string
}

const declare = operation<ReverseRoom>()
const tag = 'Reverse shares'
const downloadErrors = [
  'unauthorized',
  'not_found',
  'range_not_satisfiable',
  'precondition_failed',
] as const

export const listReverseShares = declare({
  id: 'listReverseShares',
  method: 'GET',
  path: '/api/reverse',
  summary: 'The reverse shares of the caller, newest first',
  tag,
  auth: 'user',
  answers: {
    200: { description: 'All of them, expired ones too', schema: v.array(reverseShareSchema) },
  },
  errors: ['unauthorized'],
  async handle(room, { actor }) {
    const summaries = await room.reverseShares.list(actor)
    return json(
      summaries.map((summary) => {
        const { reverse } = summary
        const isExpired = room.reverseShares.isExpired(reverse)
        return presentReverseShare(summary, room.reverseShareUrl(reverse.id), isExpired)
      }),
    )
  },
})

export const createReverseShare = declare({
  id: 'createReverseShare',
  method: 'POST',
  path: '/api/reverse',
  summary: 'Make a link at which guests without an account deliver files',
  tag,
  auth: 'user',
  body: jsonBody(newReverseShareSchema),
  answers: {
    200: {
      description: 'The link',
      schema: v.object({
        success: v.boolean(),
        url: v.pipe(v.string(), v.url()),
        id: v.string(),
      }),
    },
  },
  errors: ['invalid_input', 'unauthorized', 'cross_site'],
  async handle(room, { actor, body }) {
    const id = await room.reverseShares.create(actor, {
      name: body.name ?? '',
      maxSize: body.maxSize ?? 0,
      password: body.password ?? '',
      notify: body.notify ?? false,
      sendEmailTo: body.sendEmailTo ?? '',
      thankYouMessage: body.thankYouMessage ?? '',
      expirationVal: body.expirationVal,
      expirationUnit: body.expirationUnit,
    })
    return json({ success: true, url: room.reverseShareUrl(id), id })
  },
})

export const updateReverseShare = declare({
  id: 'updateReverseShare',
  method: 'PATCH',
  path: '/api/reverse/{reverseId}',
  summary: 'Change a reverse share; an empty password removes it, a new life counts from now',
  tag,
  auth: 'user',
  body: jsonBody(reverseShareChangeSchema),
  answers: { 200: { description: 'Changed', schema: successSchema } },
  errors: ['invalid_input', 'unauthorized', 'cross_site', 'not_found'],
  find: (room, { actor, params }) => room.reverseShares.findOwn(actor, params['reverseId']!),
  async handle(room, { actor, body }, reverse) {
    await room.reverseShares.update(actor, reverse.id, body)
    return success()
  },
})

export const deleteReverseShare = declare({
  id: 'deleteReverseShare',
  method: 'DELETE',
  path: '/api/reverse/{reverseId}',
  summary: 'Delete a reverse share and everything delivered to it for good',
  tag,
  auth: 'user',
  answers: { 200: { description: 'Deleted', schema: successSchema } },
  errors: ['unauthorized', 'cross_site', 'not_found'],
  async handle(room, { actor, params }) {
    await room.reverseShares.delete(actor, params['reverseId']!)
    return success()
  },
})

export const listReverseShareFiles = declare({
  id: 'listReverseShareFiles',
  method: 'GET',
  path: '/api/reverse/{reverseId}/files',
  summary: 'What guests have delivered, the newest delivery first',
  tag,
  auth: 'user',
  answers: {
    200: { description: 'Files of complete deliveries', schema: v.array(shareFileSchema) },
  },
  errors: ['unauthorized', 'not_found'],
  find: (room, { actor, params }) => room.reverseShares.findOwn(actor, params['reverseId']!),
  async handle(room, _call, reverse) {
    return json((await room.reverseShares.listFiles(reverse)).map(presentFile))
  },
})

export const listDeliveries = declare({
  id: 'listDeliveries',
  method: 'GET',
  path: '/api/reverse/{reverseId}/deliveries',
  summary: 'Each upload of a guest with its sender, newest first; unfinished ones too',
  tag,
  auth: 'user',
  answers: { 200: { description: 'The deliveries', schema: v.array(deliverySchema) } },
  errors: ['unauthorized', 'not_found'],
  find: (room, { actor, params }) => room.reverseShares.findOwn(actor, params['reverseId']!),
  async handle(room, _call, reverse) {
    return json((await room.reverseShares.listDeliveries(reverse)).map(presentDelivery))
  },
})

export const deleteDelivery = declare({
  id: 'deleteDelivery',
  method: 'DELETE',
  path: '/api/reverse/{reverseId}/deliveries/{deliveryId}',
  summary: 'Delete one delivery for good, finished or not',
  tag,
  auth: 'user',
  answers: { 200: { description: 'Deleted', schema: successSchema } },
  errors: ['unauthorized', 'cross_site', 'not_found'],
  find: (room, { actor, params }) => room.reverseShares.findOwn(actor, params['reverseId']!),
  async handle(room, { actor, params }, reverse) {
    await room.reverseShares.deleteDelivery(actor, reverse, params['deliveryId']!)
    return success()
  },
})

export const downloadReverseShare = declare({
  id: 'downloadReverseShare',
  method: 'GET',
  path: '/api/reverse/{reverseId}/download',
  summary: 'Everything delivered, a folder for each delivery, or one delivery, as a ZIP',
  tag,
  auth: 'user',
  query: v.object({
    delivery: optional(
      v.pipe(
        v.string(),
        v.metadata({ description: 'Id of the one delivery wanted; all when absent' }),
        v.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be the id of a delivery'),
      ),
    ),
  }),
  answers: {
    200: { description: 'The archive', contentType: 'application/zip' },
    206: { description: 'The range asked for', contentType: 'application/zip' },
    304: { description: 'Not modified' },
  },
  errors: ['invalid_input', ...downloadErrors],
  find: (room, { actor, params }) => room.reverseShares.findOwn(actor, params['reverseId']!),
  async handle(room, { exchange, query }, reverse) {
    const delivery = query.delivery
      ? await room.reverseShares.findDelivery(reverse, query.delivery)
      : null
    const content = delivery
      ? await room.reverseShares.deliveryContent(delivery)
      : await room.reverseShares.wholeContent(reverse)
    const name = [reverse.name || 'files', delivery?.senderName].filter(Boolean).join(' - ')
    return room.downloads.answer(exchange, {
      content,
      parcelId: delivery?.parcelId ?? null,
      contentType: 'application/zip',
      contentDisposition: contentDisposition('attachment', `${name}.zip`),
      cutKey: delivery?.id ?? reverse.id,
      cutVersion: '',
      counted: null,
    })
  },
})

export const downloadReverseFile = declare({
  id: 'downloadReverseFile',
  method: 'GET',
  path: '/api/reverse/files/{fileId}/download',
  summary: 'One delivered file',
  tag,
  auth: 'user',
  answers: {
    200: { description: 'The whole of it', contentType: '*/*' },
    206: { description: 'The range asked for', contentType: '*/*' },
    304: { description: 'Not modified' },
  },
  errors: downloadErrors,
  find: (room, { actor, params }) => room.reverseShares.findFile(actor, Number(params['fileId'])),
  handle: (room, { exchange }, { delivery, file, content }) =>
    room.downloads.answer(exchange, {
      content,
      parcelId: delivery.parcelId,
      contentType: file.mimeType,
      contentDisposition: contentDisposition('attachment', file.originalName),
      cutKey: delivery.id,
      cutVersion: '',
      counted: null,
    }),
})
