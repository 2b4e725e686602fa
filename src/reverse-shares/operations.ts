import * as v from 'valibot'
import { json, success } from '../http/answer.ts'
import { jsonBody, operation, textBytesMax } from '../http/operation.ts'
import { successSchema } from '../http/schema.ts'
import type { ReverseShares } from './reverse-shares.ts'
import {
  newReverseShareSchema,
  presentReverseShare,
  reverseShareChangeSchema,
  reverseShareSchema,
} from './schemas.ts'

export interface ReverseRoom {
  readonly reverseShares: ReverseShares
  /** The address guests open a reverse share at. */
  readonly reverseShareUrl: (reverseId: string) => string
}

const declare = operation<ReverseRoom>()
const tag = 'Reverse shares'

export const listReverseShares = declare({
  id: 'listReverseShares',
  method: 'GET',
  path: '/api/reverse',
  summary: 'The reverse shares of the caller, newest first',
  tag,
  auth: 'user',
  scope: 'read',
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
  scope: 'manage',
  body: jsonBody(newReverseShareSchema, textBytesMax),
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
      instructions: body.instructions ?? '',
      allowedExtensions: body.allowedExtensions ?? [],
      demands: body.demands ?? [],
      once: body.once ?? false,
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
  scope: 'manage',
  body: jsonBody(reverseShareChangeSchema, textBytesMax),
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
  scope: 'manage',
  answers: { 200: { description: 'Deleted', schema: successSchema } },
  errors: ['unauthorized', 'cross_site', 'not_found'],
  async handle(room, { actor, params }) {
    await room.reverseShares.delete(actor, params['reverseId']!)
    return success()
  },
})
