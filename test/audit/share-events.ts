import { Guest, type Client } from '../helpers/client.ts'
import type { AuditEvent } from '../../src/audit/events.ts'
import { makeApiToken } from '../accounts/people.ts'
import { adminEmail } from '../helpers/service.ts'
import { type EventRow, left, nothing, person, row } from './event-row.ts'
import type { World } from './world.ts'

const dayMs = 24 * 3_600_000

async function withShare(world: World, input: object = {}) {
  const ann = await world.person()
  const shareId = await ann.client.share({ a: '123' }, { name: 'Letters', ...input })
  await world.settle()
  return { ...ann, shareId }
}

async function withFile(world: World) {
  const ann = await withShare(world)
  const [file] = (await ann.client.get(`/api/public/shares/${ann.shareId}`)).json().files
  return { ...ann, fileId: file.id as number }
}

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

async function withDelivery(world: World) {
  const ann = await withLink(world)
  const guest = await new Guest(world.anonymous(), ann.reverseId).begun({
    senderName: 'Ada',
    senderEmail: 'ada@x.org',
    note: 'a private note',
  })
  await guest.chunk('f', 0, '12345')
  const [delivery] = (await ann.client.get(`/api/reverse/${ann.reverseId}/deliveries`)).json()
  return { ...ann, guest, deliveryId: delivery.id as string }
}

/** Jobs run after a while. */
async function after(world: World, days: number): Promise<null> {
  const { clock, app } = world.service
  await app.jobs.runAll()
  clock.advance(days * dayMs)
  await app.jobs.runAll()
  return null
}

async function withDelivered(world: World) {
  const ann = await withDelivery(world)
  await ann.guest.finalize([{ fileId: 'f', originalName: 'a', size: 5 }])
  await world.settle()
  return ann
}

const listed = [{ fileId: 'f', originalName: 'a', size: 3 }]

async function withAdditions(world: World) {
  const ann = await withShare(world, { expirationVal: 0 })
  const begun = await ann.client.post(`/api/shares/${ann.shareId}/additions`)
  await ann.client.chunk(ann.shareId, 'f', 0, '123')
  await world.settle()
  return { ...ann, uploadToken: begun.json().uploadToken as string }
}

/** A share for one named person, and the token of their link. */
async function withPeople(world: World, input: object = {}) {
  const ann = await withShare(world, { audience: 'named', recipients: 'b@x.org', ...input })
  const [{ id: linkId, url }] = (await ann.client.get(`/api/shares/${ann.shareId}/people`)).json()
  return { ...ann, linkId, token: url.split('/').at(-1) }
}

const patch = ({ client, shareId }: { client: Client; shareId: string }, json: object) =>
  client.patch(`/api/shares/${shareId}`, json)
/** The `leaves` of an action of the owner on the share. */
const ofShare =
  (event: AuditEvent, name = 'Letters', details?: Record<string, unknown>) =>
  ({ email, shareId }: { email: string; shareId: string }) => [
    left(event, email, shareId, name, details),
  ]
const removedFile = ofShare('share.file_removed', 'Letters', { files: 1, bytes: 3 })
const additions = (shareId: string) => `/api/shares/${shareId}/additions`
const after8Days = (world: World) => after(world, 8)
/** Those of other tests go first. */
const afterOthers =
  <T>(prepare: (world: World) => Promise<T>) =>
  async (world: World) => {
    await after8Days(world)
    return prepare(world)
  }

// oxfmt-ignore
export const shareEvents: readonly EventRow[] = [
  row('startAdditions', 'nothing is being added', withShare,
    (_, { client, shareId }) => client.post(additions(shareId)),
    ofShare('share.additions_started')),
  row('finalizeShare', 'files are being added, by the upload token', withAdditions,
    (world, { uploadToken, shareId }) => world.anonymous(uploadToken).finalize(shareId, listed),
    ofShare('share.files_added', 'Letters', { by: 'upload_token', files: 1, bytes: 3 })),
  row('cancelAdditions', 'files are being added', withAdditions,
    (_, { client, shareId }) => client.delete(additions(shareId)),
    ofShare('share.additions_dropped')),
  row('deleteShareFile', 'by a session', withFile,
    (_, { client, shareId, fileId }) => client.delete(`/api/shares/${shareId}/files/${fileId}`),
    removedFile),
  row('deleteShareFiles', 'by a session', withFile,
    (_, { client, shareId, fileId }) =>
      client.delete(`/api/shares/${shareId}/files?files=${fileId}`),
    removedFile),
  row('initShare', 'by a session', person,
    (_, { client }) =>
      client.post('/api/shares/init', { name: 'Draft', password: 'pw of it', message: 'private' }),
    ({ email }) => [{ event: 'share.created', by: email, name: 'Draft' }]),
  row('initShare', 'by an API token',
    async (world) => {
      const ann = await world.person()
      return { ...ann, program: world.anonymous((await makeApiToken(ann.client)).token) }
    },
    (_, { program }) => program.post('/api/shares/init', { name: 'Draft' }),
    ({ email }) => [
      { event: 'share.created', by: email, name: 'Draft', details: { by: 'api_token' } },
    ]),
  row('updateShare', 'by a session', withShare,
    (_, ann) => patch(ann, { name: 'Other', password: 'pw of it', message: 'private' }),
    ofShare('share.changed', 'Letters', { fields: ['name', 'message', 'password'] })),
  row('updateShare', 'a draft without a link', withDraft,
    (_, ann) => patch(ann, { name: 'Other', password: 'pw of it' }), nothing),
  row('updateShare', 'a draft gets its link', withDraft,
    (_, ann) => patch(ann, { published: true }),
    ofShare('share.changed', 'Draft', { fields: ['published'] })),
  row('updateShare', 'it only announces the total size', withShare,
    (_, ann) => patch(ann, { expectedBytes: 9 }), nothing),
  // Deleted at once, so that the clean-up has nothing left to expire.
  row('stopShare', 'by a session', withShare,
    async (_, { client, shareId }) => {
      const answer = await client.post(`/api/shares/${shareId}/stop`)
      await client.delete(`/api/shares/${shareId}`)
      return answer
    },
    (ann) => [
      ...ofShare('share.changed', 'Letters', { fields: ['expires_at'], stopped: true })(ann),
      ...ofShare('share.deleted')(ann),
    ]),
  row('finalizeShare', 'by the upload token', withDraft,
    (world, { uploadToken, shareId }) => world.anonymous(uploadToken).finalize(shareId, listed),
    ofShare('share.finalized', 'Draft', { by: 'upload_token', files: 1, bytes: 3, mails: 1 })),
  row('finalizeShare', 'it is complete already',
    async (world) => {
      const draft = await withDraft(world)
      await draft.client.finalize(draft.shareId, listed)
      await world.settle()
      return draft
    },
    (_, { client, shareId }) => client.finalize(shareId, listed), nothing),
  row('resendShare', 'it has recipients',
    (world) => withShare(world, { recipients: 'b@x.org, c@x.org' }),
    (_, { client, shareId }) => client.post(`/api/shares/${shareId}/resend`),
    ofShare('share.resent', 'Letters', { mails: 2 })),
  row('addSharePerson', 'the share is for named people', withPeople,
    (_, { client, shareId }) => client.post(`/api/shares/${shareId}/people`, { name: 'Bob' }),
    ofShare('share.person_added', 'Letters', { person: 'Bob' })),
  row('removeSharePerson', 'the link works', withPeople,
    (_, { client, shareId, linkId }) => client.delete(`/api/shares/${shareId}/people/${linkId}`),
    ofShare('share.person_removed', 'Letters', { person: 'b@x.org' })),
  row('updateShare', 'a recipient of a share for named people is removed', withPeople,
    (_, ann) => patch(ann, { recipients: '' }),
    (ann) => [
      ...ofShare('share.person_removed', 'Letters', { person: 'b@x.org' })(ann),
      ...ofShare('share.changed', 'Letters', { fields: ['recipients'] })(ann),
    ]),
  row('verifyLinkCode', 'the code is wrong',
    async (world) => {
      const made = await withPeople(world, { recipientProof: 'code' })
      await world.anonymous().post(`/api/shares/${made.token}/code`)
      return made
    },
    (world, { token }) =>
      world.anonymous().post(`/api/shares/${token}/code/verify`, { code: '000000' }),
    ({ shareId }) => [
      left('share.code_failed', 'anonymous', shareId, 'Letters', { person: 'b@x.org' }),
    ]),
  row('deleteShare', 'by its owner', withShare,
    (_, { client, shareId }) => client.delete(`/api/shares/${shareId}`),
    ofShare('share.deleted')),
  row('deleteAnyShare', 'by an administrator', withShare,
    ({ admin }, { shareId }) => admin.delete(`/api/admin/shares/${shareId}`),
    ({ shareId }) => [left('share.deleted', adminEmail, shareId, 'Letters')]),
  row('deleteUser', 'the account had shares', withShare,
    ({ admin }, { id }) => admin.delete(`/api/users/${id}`),
    ({ id, email, shareId }) => [
      left('user.deleted', adminEmail, id, email),
      left('share.deleted', adminEmail, shareId, 'Letters'),
    ]),
  row('job', 'a share has expired',
    (world) => withShare(world, { expirationVal: 1, expirationUnit: 'Days' }),
    (world) => after(world, 1),
    ({ shareId }) => [left('share.expired', 'system', shareId, 'Letters')]),
  row('job', 'a draft was abandoned', afterOthers(withDraft), after8Days,
    ({ shareId }) => [left('share.draft_removed', 'system', shareId, 'Draft')]),
  row('job', 'additions were abandoned', afterOthers(withAdditions), after8Days,
    ({ shareId }) => [left('share.additions_dropped', 'system', shareId, 'Letters')]),
]

/** The event of a delivery that will never be complete. */
const draftRemoved =
  (by: string) =>
  ({ reverseId, deliveryId }: { reverseId: string; deliveryId: string }) => [
    left('delivery.draft_removed', by, deliveryId, 'Ada', { reverse_share: reverseId }),
  ]

const base = ({ reverseId }: { reverseId: string }) => `/api/reverse/${reverseId}`

// oxfmt-ignore
export const guestEvents: readonly EventRow[] = [
  row('createReverseShare', 'with a password', person,
    (_, { client }) => client.post('/api/reverse', { name: 'Photos', password: 'sesame' }),
    ({ email }) => [{ event: 'reverse_share.created', by: email, name: 'Photos' }]),
  row('updateReverseShare', 'some of the values are new', withLink,
    (_, ann) => {
      return ann.client.patch(base(ann), { name: 'Photos', maxSize: 5, password: 'sesame, open' })
    },
    ({ email, reverseId }) => [
      left('reverse_share.changed', email, reverseId, 'Photos', { fields: ['maxSize', 'password'] }),
    ]),
  row('deleteReverseShare', 'by its owner', withDelivery,
    (_, ann) => ann.client.delete(base(ann)),
    ({ email, reverseId }) => [left('reverse_share.deleted', email, reverseId, 'Photos')]),
  row('finalizeDelivery', 'by its guest', withDelivery,
    (_, { guest }) => guest.finalize([{ fileId: 'f', originalName: 'a', size: 5 }]),
    ({ reverseId, deliveryId }) => {
      const details = { reverse_share: reverseId, files: 1, bytes: 5 }
      return [left('delivery.finalized', 'guest', deliveryId, 'Ada', details)]
    }),
  row('cancelDelivery', 'by its guest', withDelivery,
    (_, { guest }) => guest.client.delete(`${guest.base}/delivery`), draftRemoved('guest')),
  row('shareDelivery', 'by the owner of the link', withDelivered,
    (_, ann) => ann.client.post(`${base(ann)}/deliveries/${ann.deliveryId}/share`),
    ({ email, deliveryId }) => {
      const details = { delivery: deliveryId, files: 1, bytes: 5 }
      return [
        { event: 'share.created', by: email, name: 'Photos' },
        { event: 'share.finalized', by: email, name: 'Photos', details },
      ]
    }),
  row('deleteDelivery', 'by the owner of the link', withDelivery,
    (_, ann) => ann.client.delete(`${base(ann)}/deliveries/${ann.deliveryId}`),
    ({ email, reverseId, deliveryId }) => [
      left('delivery.deleted', email, deliveryId, 'Ada', { reverse_share: reverseId }),
    ]),
  row('job', 'a delivery was abandoned', afterOthers(withDelivery), after8Days,
    draftRemoved('system')),
  row('job', 'a delivery was started and nothing sent',
    async (world) => {
      const ann = await withLink(world)
      await new Guest(world.anonymous(), ann.reverseId).init()
      return ann
    },
    (world) => after(world, 2), nothing),
]
