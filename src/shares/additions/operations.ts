import * as v from 'valibot'
import { json, success } from '../../http/answer.ts'
import { operation } from '../../http/operation.ts'
import { successSchema } from '../../http/schema.ts'
import type { Additions } from './additions.ts'

export interface AdditionsRoom {
  readonly additions: Additions
}

const declare = operation<AdditionsRoom>()
const tag = 'Shares'

export const startAdditions = declare({
  id: 'startAdditions',
  method: 'POST',
  path: '/api/shares/{shareId}/additions',
  summary: 'Start adding files to a complete share: it takes chunks until they are finalized',
  tag,
  auth: 'user',
  scope: 'send',
  answers: {
    200: {
      description: 'The share takes chunks; the token may send them and finalize them',
      schema: v.object({ success: v.boolean(), shareId: v.string(), uploadToken: v.string() }),
    },
  },
  errors: ['unauthorized', 'cross_site', 'not_found', 'conflict', 'expired'],
  async handle(room, { actor, params }) {
    const shareId = params['shareId']!
    const uploadToken = await room.additions.start(actor, shareId)
    return json({ success: true, shareId, uploadToken })
  },
})

export const cancelAdditions = declare({
  id: 'cancelAdditions',
  method: 'DELETE',
  path: '/api/shares/{shareId}/additions',
  summary: 'Give up files that are being added; the share stays as it is',
  tag,
  auth: 'user',
  scope: 'send',
  answers: { 200: { description: 'No files are being added', schema: successSchema } },
  errors: ['unauthorized', 'cross_site', 'not_found', 'conflict', 'expired'],
  async handle(room, { actor, params }) {
    await room.additions.cancel(actor, params['shareId']!)
    return success()
  },
})

export const deleteShareFile = declare({
  id: 'deleteShareFile',
  method: 'DELETE',
  path: '/api/shares/{shareId}/files/{fileId}',
  summary: 'Remove one file from a complete share for good',
  tag,
  auth: 'user',
  scope: 'manage',
  answers: { 200: { description: 'Removed', schema: successSchema } },
  errors: ['unauthorized', 'cross_site', 'not_found', 'conflict', 'expired'],
  find: (room, { actor, params }) =>
    room.additions.findWithFile(actor, params['shareId']!, Number(params['fileId'])),
  async handle(room, { actor, params }, share) {
    await room.additions.removeFile(actor, share.id, Number(params['fileId']))
    return success()
  },
})
