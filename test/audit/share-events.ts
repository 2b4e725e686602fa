// Actions on shares and on links for guests: by owners, guests and jobs.
import { makeApiToken } from '../helpers/api-token.ts'
import { adminEmail } from '../helpers/service.ts'
import { Guest } from '../reverse-shares/guest.ts'
import { left, nothing, row, type EventRow } from './event-row.ts'
import type { World } from './world.ts'

const dayMs = 24 * 3_600_000
const person = (world: World) => world.person()

async function withShare(world: World, input: object = {}) {
  const ann = await world.person()
  const shareId = await ann.client.share({ a: '123' }, { name: 'Letters', ...input })
  await world.settle()
  return { ...ann, shareId }
}

/** A share with the id of its first file. */
async function withFile(world: World) {
  const ann = await withShare(world)
  const [file] = (await ann.client.get(`/api/public/shares/${ann.shareId}`)).json().files
  return { ...ann, fileId: file.id as number }
}

/** A draft with one received chunk, and its upload token. */
async function withDraft(world: World) {
  const ann = await world.person()
  const made = await ann.client.post('/api/shares/init', { name: 'Draft', recipients: 'b@x.org' })
  const { shareId, uploadToken } = made.json() as { shareId: string; uploadToken: string }
  await ann.client.chunk(shareId, 'f', 0, '123')
  return { ...ann, shareId, uploadToken }
}

async function withLink(world: World) {
  const ann = await world.person()
  const made = await ann.client.post('/api/reverse', { name: 'Photos', allowSharing: true })
  return { ...ann, reverseId: made.json().id as string }
}

/** A delivery with one received chunk. */
async function withDelivery(world: World) {
  const ann = await withLink(world)
  const guest = new Guest(world.anonymous(), ann.reverseId)
  await guest.init({ senderName: 'Ada', senderEmail: 'ada@x.org', note: 'a private note' })
  await guest.chunk('f', 0, '12345')
  const [delivery] = (await ann.client.get(`/api/reverse/${ann.reverseId}/deliveries`)).json()
  return { ...ann, guest, deliveryId: delivery.id as string }
}

/** Jobs run after a while: advances a day at a time, so that the clock is trusted. */
async function after(world: World, days: number): Promise<null> {
  const { clock, app } = world.service
  await app.jobs.runAll()
  for (let day = 0; day < days; day += 1) {
    clock.advance(dayMs)
    await app.jobs.runAll()
  }
  return null
}

const listed = [{ fileId: 'f', originalName: 'a', size: 3 }]
const finalized = { files: 1, bytes: 3, mails: 1 }

/** A complete share with a file being added. */
async function withAdditions(world: World) {
  const ann = await withShare(world, { expirationVal: 0 })
  const begun = await ann.client.post(`/api/shares/${ann.shareId}/additions`)
  await ann.client.chunk(ann.shareId, 'f', 0, '123')
  await world.settle()
  return { ...ann, uploadToken: begun.json().uploadToken as string }
}

/** The audit event of removed additions. */
const dropped = { event: 'share.additions_dropped', name: 'Letters' } as const

const additionEvents: readonly EventRow[] = [
  row({
    id: 'startAdditions',
    when: 'nothing is being added',
    prepare: withShare,
    act: (_world, { client, shareId }) => client.post(`/api/shares/${shareId}/additions`),
    leaves: ({ email, shareId }) => [left('share.additions_started', email, shareId, 'Letters')],
  }),
  row({
    id: 'startAdditions',
    when: 'something is being added already',
    prepare: withAdditions,
    act: (_world, { client, shareId }) => client.post(`/api/shares/${shareId}/additions`),
    leaves: nothing,
  }),
  row({
    id: 'finalizeShare',
    when: 'files are being added, by the upload token',
    prepare: withAdditions,
    act: (world, { uploadToken, shareId }) =>
      world.anonymous(uploadToken).finalize(shareId, listed),
    leaves: ({ email, shareId }) => [
      left('share.files_added', email, shareId, 'Letters', {
        by: 'upload_token',
        files: 1,
        bytes: 3,
      }),
    ],
  }),
  row({
    id: 'cancelAdditions',
    when: 'files are being added',
    prepare: withAdditions,
    act: (_world, { client, shareId }) => client.delete(`/api/shares/${shareId}/additions`),
    leaves: ({ email, shareId }) => [{ ...dropped, by: email, target: shareId }],
  }),
  row({
    id: 'cancelAdditions',
    when: 'nothing is being added',
    prepare: withShare,
    act: (_world, { client, shareId }) => client.delete(`/api/shares/${shareId}/additions`),
    leaves: nothing,
  }),
  row({
    id: 'deleteShareFile',
    when: 'by a session',
    prepare: withFile,
    act: (_world, { client, shareId, fileId }) =>
      client.delete(`/api/shares/${shareId}/files/${fileId}`),
    leaves: ({ email, shareId }) => [
      left('share.file_removed', email, shareId, 'Letters', { files: 1, bytes: 3 }),
    ],
  }),
  row({
    id: 'deleteShareFiles',
    when: 'by a session',
    prepare: withFile,
    act: (_world, { client, shareId, fileId }) =>
      client.delete(`/api/shares/${shareId}/files?files=${fileId}`),
    leaves: ({ email, shareId }) => [
      left('share.file_removed', email, shareId, 'Letters', { files: 1, bytes: 3 }),
    ],
  }),
]

export const shareEvents: readonly EventRow[] = [
  ...additionEvents,
  row({
    id: 'initShare',
    when: 'by a session',
    prepare: person,
    act: (_world, { client }) =>
      client.post('/api/shares/init', { name: 'Draft', password: 'pw of it', message: 'private' }),
    leaves: ({ email }) => [{ event: 'share.created', by: email, name: 'Draft' }],
  }),
  row({
    id: 'initShare',
    when: 'by an API token',
    prepare: async (world) => {
      const ann = await world.person()
      const { token } = await makeApiToken(ann.client)
      return { ...ann, program: world.anonymous(token) }
    },
    act: (_world, { program }) => program.post('/api/shares/init', { name: 'Draft' }),
    leaves: ({ email }) => [
      { event: 'share.created', by: email, name: 'Draft', details: { by: 'api_token' } },
    ],
  }),
  row({
    id: 'updateShare',
    when: 'by a session',
    prepare: withShare,
    act: (_world, { client, shareId }) =>
      client.call('PATCH', `/api/shares/${shareId}`, {
        json: { name: 'Other', password: 'pw of it', message: 'private' },
      }),
    leaves: ({ email, shareId }) => [
      left('share.changed', email, shareId, 'Letters', { fields: ['name', 'message', 'password'] }),
    ],
  }),
  row({
    id: 'updateShare',
    when: 'it only announces the total size',
    prepare: withShare,
    act: (_world, { client, shareId }) =>
      client.call('PATCH', `/api/shares/${shareId}`, { json: { expectedBytes: 9 } }),
    leaves: nothing,
  }),
  row({
    id: 'stopShare',
    when: 'by a session',
    prepare: withShare,
    // Deleted at once, so that the clean-up has nothing left to expire.
    act: async (_world, { client, shareId }) => {
      const answer = await client.post(`/api/shares/${shareId}/stop`)
      await client.delete(`/api/shares/${shareId}`)
      return answer
    },
    leaves: ({ email, shareId }) => [
      left('share.changed', email, shareId, 'Letters', { fields: ['expires_at'] }),
      left('share.deleted', email, shareId, 'Letters'),
    ],
  }),
  row({
    id: 'finalizeShare',
    when: 'by a session',
    prepare: withDraft,
    act: (_world, { client, shareId }) => client.finalize(shareId, listed),
    leaves: ({ email, shareId }) => [left('share.finalized', email, shareId, 'Draft', finalized)],
  }),
  row({
    id: 'finalizeShare',
    when: 'by the upload token',
    prepare: withDraft,
    act: (world, { uploadToken, shareId }) =>
      world.anonymous(uploadToken).finalize(shareId, listed),
    leaves: ({ email, shareId }) => [
      left('share.finalized', email, shareId, 'Draft', { by: 'upload_token', ...finalized }),
    ],
  }),
  row({
    id: 'finalizeShare',
    when: 'it is complete already',
    prepare: async (world) => {
      const draft = await withDraft(world)
      await draft.client.finalize(draft.shareId, listed)
      await world.settle()
      return draft
    },
    act: (_world, { client, shareId }) => client.finalize(shareId, listed),
    leaves: nothing,
  }),
  row({
    id: 'resendShare',
    when: 'it has recipients',
    prepare: (world) => withShare(world, { recipients: 'b@x.org, c@x.org' }),
    act: (_world, { client, shareId }) => client.post(`/api/shares/${shareId}/resend`),
    leaves: ({ email, shareId }) => [left('share.resent', email, shareId, 'Letters', { mails: 2 })],
  }),
  row({
    id: 'deleteShare',
    when: 'by its owner',
    prepare: withShare,
    act: (_world, { client, shareId }) => client.delete(`/api/shares/${shareId}`),
    leaves: ({ email, shareId }) => [left('share.deleted', email, shareId, 'Letters')],
  }),
  row({
    id: 'deleteAnyShare',
    when: 'by an administrator',
    prepare: withShare,
    act: ({ admin }, { shareId }) => admin.delete(`/api/admin/shares/${shareId}`),
    leaves: ({ shareId }) => [left('share.deleted', adminEmail, shareId, 'Letters')],
  }),
  row({
    id: 'deleteUser',
    when: 'the account had shares',
    prepare: withShare,
    act: ({ admin }, { id }) => admin.delete(`/api/users/${id}`),
    leaves: ({ id, email, shareId }) => [
      left('user.deleted', adminEmail, id, email),
      left('share.deleted', adminEmail, shareId, 'Letters'),
    ],
  }),
  row({
    id: 'job',
    when: 'a share has expired',
    prepare: (world) => withShare(world, { expirationVal: 1, expirationUnit: 'Days' }),
    act: (world) => after(world, 1),
    leaves: ({ shareId }) => [left('share.expired', 'system', shareId, 'Letters')],
  }),
  row({
    id: 'job',
    when: 'a draft was abandoned',
    prepare: async (world) => {
      // Those of other tests go first.
      await after(world, 8)
      return withDraft(world)
    },
    act: (world) => after(world, 8),
    leaves: ({ shareId }) => [left('share.draft_removed', 'system', shareId, 'Draft')],
  }),
  row({
    id: 'job',
    when: 'additions were abandoned',
    prepare: async (world) => {
      await after(world, 8)
      return withAdditions(world)
    },
    act: (world) => after(world, 8),
    leaves: ({ shareId }) => [{ ...dropped, by: 'system', target: shareId }],
  }),
]

/** The event of a delivery that will never be complete. */
const draftRemoved =
  (by: string) =>
  ({ reverseId, deliveryId }: { reverseId: string; deliveryId: string }) => {
    const details = { reverse_share: reverseId }
    return [
      { event: 'delivery.draft_removed' as const, by, target: deliveryId, name: 'Ada', details },
    ]
  }

export const guestEvents: readonly EventRow[] = [
  row({
    id: 'createReverseShare',
    when: 'with a password',
    prepare: person,
    act: (_world, { client }) =>
      client.post('/api/reverse', { name: 'Photos', password: 'sesame' }),
    leaves: ({ email }) => [{ event: 'reverse_share.created', by: email, name: 'Photos' }],
  }),
  row({
    id: 'updateReverseShare',
    when: 'some of the values are new',
    prepare: withLink,
    act: (_world, { client, reverseId }) => {
      const json = { name: 'Photos', maxSize: 5, password: 'sesame, open' }
      return client.call('PATCH', `/api/reverse/${reverseId}`, { json })
    },
    leaves: ({ email, reverseId }) => [
      left('reverse_share.changed', email, reverseId, 'Photos', {
        fields: ['maxSize', 'password'],
      }),
    ],
  }),
  row({
    id: 'updateReverseShare',
    when: 'nothing changes',
    prepare: withLink,
    act: (_world, { client, reverseId }) =>
      client.call('PATCH', `/api/reverse/${reverseId}`, { json: { name: 'Photos' } }),
    leaves: nothing,
  }),
  row({
    id: 'deleteReverseShare',
    when: 'by its owner',
    prepare: withDelivery,
    act: (_world, { client, reverseId }) => client.delete(`/api/reverse/${reverseId}`),
    leaves: ({ email, reverseId }) => [left('reverse_share.deleted', email, reverseId, 'Photos')],
  }),
  row({
    id: 'finalizeDelivery',
    when: 'by its guest',
    prepare: withDelivery,
    act: (_world, { guest }) => guest.finalize([{ fileId: 'f', originalName: 'a', size: 5 }]),
    leaves: ({ reverseId, deliveryId }) => [
      left('delivery.finalized', 'guest', deliveryId, 'Ada', {
        reverse_share: reverseId,
        files: 1,
        bytes: 5,
      }),
    ],
  }),
  row({
    id: 'cancelDelivery',
    when: 'by its guest',
    prepare: withDelivery,
    act: (_world, { guest }) => guest.client.delete(`${guest.base}/delivery`),
    leaves: draftRemoved('guest'),
  }),
  row({
    id: 'shareDelivery',
    when: 'by the owner of the link',
    prepare: async (world) => {
      const ann = await withDelivery(world)
      await ann.guest.finalize([{ fileId: 'f', originalName: 'a', size: 5 }])
      await world.settle()
      return ann
    },
    act: (_world, { client, reverseId, deliveryId }) =>
      client.post(`/api/reverse/${reverseId}/deliveries/${deliveryId}/share`),
    leaves: ({ email, deliveryId }) => [
      { event: 'share.created', by: email, name: 'Photos' },
      {
        event: 'share.finalized',
        by: email,
        name: 'Photos',
        details: { delivery: deliveryId, files: 1, bytes: 5 },
      },
    ],
  }),
  row({
    id: 'deleteDelivery',
    when: 'by the owner of the link',
    prepare: withDelivery,
    act: (_world, { client, reverseId, deliveryId }) =>
      client.delete(`/api/reverse/${reverseId}/deliveries/${deliveryId}`),
    leaves: ({ email, reverseId, deliveryId }) => [
      left('delivery.deleted', email, deliveryId, 'Ada', { reverse_share: reverseId }),
    ],
  }),
  row({
    id: 'job',
    when: 'a delivery was abandoned',
    prepare: async (world) => {
      await after(world, 8)
      return withDelivery(world)
    },
    act: (world) => after(world, 8),
    leaves: draftRemoved('system'),
  }),
  row({
    id: 'job',
    when: 'a delivery was started and nothing sent',
    prepare: async (world) => {
      const ann = await withLink(world)
      await new Guest(world.anonymous(), ann.reverseId).init()
      return ann
    },
    act: (world) => after(world, 2),
    leaves: nothing,
  }),
]
