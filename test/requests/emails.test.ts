// What owners and guests are told by email, and in which transaction.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Passwords } from '../../src/accounts/passwords/passwords.ts'
import { Tokens } from '../../src/accounts/sign-in/tokens.ts'
import { Manifests } from '../../src/bytes/upkeep/manifests.ts'
import { operator, type UserActor } from '../../src/lib/actor.ts'
import { createLog } from '../../src/lib/log.ts'
import { PackedList } from '../../src/lib/packed-list.ts'
import { Deliveries } from '../../src/requests/deliveries.ts'
import type {
  DeliveryEmails,
  DeliveryReceived,
  Invitation,
} from '../../src/requests/delivery-emails.ts'
import { type NewReverseShare, ReverseShares } from '../../src/requests/reverse-shares.ts'
import { LinkMisses } from '../../src/shares/link-misses.ts'
import { Unlocking } from '../../src/shares/link-password.ts'
import { type MailServer, startMailServer, useMailServer } from '../email/mail-server.ts'
import { type Service, startService } from '../helpers/service.ts'
import { Guest } from './guest.ts'

const emails = suite('reverse shares: emails')
let service: Service
let server: MailServer

emails.before(async () => {
  service = await startService()
  server = await startMailServer()
  await useMailServer(await service.admin(), server.port)
})
emails.after(async () => {
  await service.stop()
  await server.stop()
})

emails('should email the invitation, and the owner after a delivery', async () => {
  const owner = await service.user('owner@example.org')
  const made = await owner.post('/api/reverse', {
    name: 'Fotos <b>vom Fest</b>',
    notify: true,
    sendEmailTo: 'oma@example.org',
  })
  assert.is(made.status, 200, made.body.toString())
  const { id } = made.json()
  await service.app.services.emails.idle()
  assert.equal(server.recipients(), ['oma@example.org'])
  assert.match(server.received[0]!.text, `http://transfer.test/r/${id}`)
  assert.not.match(server.received[0]!.html, '<b>vom')

  const sender = { senderName: 'Oma', senderEmail: 'oma@example.org', note: 'Viele Grüße' }
  await new Guest(service.client(), id).deliver({ 'Torte.jpg': 'x' }, sender)
  await service.app.services.emails.idle()
  assert.equal(server.recipients(), ['oma@example.org', 'owner@example.org'])
  const told = server.received[1]!
  const [delivery] = (await owner.get(`/api/reverse/${id}/deliveries`)).json()
  assert.match(told.text, `http://transfer.test/requests/${id}?delivery=${delivery.id}`)
  for (const words of ['Oma', 'Viele Grüße', 'Torte.jpg']) assert.match(told.text, words)
})

emails('should invite with the custom link', async () => {
  const owner = await service.user('custom@example.org')
  const customSlug = 'our-party'
  await owner.post('/api/reverse', { customSlug, sendEmailTo: 'eve@example.org' })
  await service.app.services.emails.idle()
  const invitation = server.received.find(({ to }) => to[0] === 'eve@example.org')
  assert.match(invitation?.text ?? '', 'http://transfer.test/r/our-party')
})

emails('should email a first delivery at once, then one summary in five minutes', async () => {
  const owner = await service.user('gatherer@example.org')
  const { emails } = service.app.services
  const make = async (name: string): Promise<string> =>
    (await owner.post('/api/reverse', { name, notify: true })).json().id
  const id = await make('Photos')
  const deliver = (number: number, to = id) =>
    new Guest(service.client(), to).deliver(
      { [`${number}.jpg`]: 'x' },
      { senderName: `Guest ${number}`, senderEmail: '', note: '' },
    )
  const subjects = async (): Promise<string[]> => {
    await emails.run()
    return server.received
      .filter(({ to }) => to[0] === 'gatherer@example.org')
      .map(({ headers }) => headers['subject'] ?? '')
  }
  const expected = ['Guest 0 sent 1 file to “Photos”']
  await deliver(0)
  assert.equal(await subjects(), expected)

  await Promise.all(Array.from({ length: 25 }, (_, index) => deliver(index + 1)))
  assert.equal(await subjects(), expected)
  // Another link does not wait for this one.
  await deliver(0, await make('Films'))
  expected.push('Guest 0 sent 1 file to “Films”')
  assert.equal(await subjects(), expected)

  service.clock.advance(5 * 60_000)
  expected.push('25 more deliveries to “Photos”')
  assert.equal(await subjects(), expected)
  const { text } = server.received.at(-1)!
  assert.match(text, 'Guests sent 25 files (25 bytes) to “Photos”:')
  assert.is(text.match(/^- Guest \d+: 1 file/gm)?.length, 20)
  assert.match(text, '- +5 more')
  assert.match(text, new RegExp(`http://transfer.test/requests/${id}$`, 'm'))

  await deliver(30)
  assert.equal(await subjects(), expected)
  service.clock.advance(5 * 60_000)
  expected.push('Guest 30 sent 1 file to “Photos”')
  assert.equal(await subjects(), expected)
  service.clock.advance(5 * 60_000)
  await deliver(31)
  expected.push('Guest 31 sent 1 file to “Photos”')
  assert.equal(await subjects(), expected)
})

// ---

const notifying = suite('reverse shares: notifications')
let actor: UserActor

notifying.before(async () => {
  service = await startService()
  const email = 'owner@example.org'
  const user = { email, name: 'Owner', password: 'long enough', isAdmin: false }
  const { id } = await service.app.services.users.create(operator, user)
  actor = {
    kind: 'user',
    userId: id,
    isAdmin: false,
    sessionId: '',
    ip: '127.0.0.1',
  }
})
notifying.after(() => service.stop())

/** The rules with a port that records its calls, or fails. */
function makeRules(failure: Error | null = null) {
  const invitations: Invitation[] = []
  const received: DeliveryReceived[] = []
  const deliveryEmails: Pick<
    DeliveryEmails,
    'invitation' | 'deliveryReceived' | 'withdraw' | 'send'
  > = {
    async invitation(sql, invitation) {
      // The row must be visible in the transaction.
      const rows = await sql`select 1 from reverse_shares where id = ${invitation.reverseShareId}`
      assert.is(rows.length, 1)
      if (failure) throw failure
      invitations.push(invitation)
    },
    async deliveryReceived(sql, delivery) {
      const rows = await sql`
        select 1 from deliveries where id = ${delivery.deliveryId} and state = 'complete'`
      assert.is(rows.length, 1)
      if (failure) throw failure
      received.push(delivery)
    },
    withdraw: async () => {},
    send: () => {},
  }
  const { database, clock, app } = service
  const { services, storage } = app
  const { audit, uploads, downloads, settings } = services
  const passwords = new Passwords()
  const tokens = new Tokens(service.keys, clock)
  const log = createLog({ level: 'error', write: () => {} })
  const manifests = new Manifests({ database, root: storage.root, log, owners: [] })
  const shared = { database, audit, storage, settings, deliveryEmails, clock }
  return {
    invitations,
    received,
    reverseShares: new ReverseShares({ ...shared, downloads, passwords }),
    deliveries: new Deliveries({
      ...shared,
      uploads,
      manifests,
      tokens,
      linkMisses: new LinkMisses(clock),
      unlocking: new Unlocking({ passwords, tokens, renewHash: async () => {} }, 'unlock-reverse'),
    }),
  }
}

const link: NewReverseShare = {
  name: 'Photos',
  maxSize: 100,
  password: 'sesame',
  notify: true,
  sendEmailTo: 'guest@example.org',
  thankYouMessage: '',
  instructions: '',
  allowedExtensions: [],
  requiredFields: [],
  once: false,
  allowSharing: false,
  expirationVal: 0,
  expirationUnit: null,
}
const guest = { kind: 'guest', ip: '127.0.0.2' } as const
const sender = { senderName: 'Ada', senderEmail: 'ada@example.org', note: 'Hi' }

notifying('should announce the link and the delivery, once and without secrets', async () => {
  const { reverseShares, deliveries, invitations, received } = makeRules()
  const id = await reverseShares.create(actor, link)
  assert.equal(invitations, [
    {
      ownerId: actor.userId,
      reverseShareId: id,
      reverseShareName: 'Photos',
      to: 'guest@example.org',
      isProtected: true,
      maxSize: 100,
      expiresAt: null,
    },
  ])
  const { deliveryId } = await deliveries.init('127.0.0.1', id, sender, false)
  const found = await deliveries.findDelivery(id, { token: null, deliveryId })
  await deliveries.finalize(guest, found, { files: new PackedList(), discardUnlisted: false })
  await deliveries.finalize(guest, found, { files: new PackedList(), discardUnlisted: false })
  assert.equal(received, [
    {
      ownerId: actor.userId,
      reverseShareId: id,
      reverseShareName: 'Photos',
      deliveryId: found.delivery.id,
      ...sender,
      fileCount: 0,
      size: 0,
      firstFiles: [],
    },
  ])
})

notifying('should undo a change whose email fails in the same transaction', async () => {
  const { reverseShares } = makeRules(new Error('no outbox'))
  const before = await reverseShares.list(actor)
  await reverseShares.create(actor, link).then(
    () => assert.unreachable(),
    (error: Error) => assert.is(error.message, 'no outbox'),
  )
  assert.is((await reverseShares.list(actor)).length, before.length)
})

emails.run()
notifying('should announce nothing unless asked to', async () => {
  const { reverseShares, deliveries, invitations, received } = makeRules()
  const id = await reverseShares.create(actor, { ...link, notify: false, sendEmailTo: '' })
  const { deliveryId } = await deliveries.init('127.0.0.1', id, sender, false)
  const found = await deliveries.findDelivery(id, { token: null, deliveryId })
  await deliveries.finalize(guest, found, { files: new PackedList(), discardUnlisted: false })
  assert.equal([invitations, received], [[], []])
})

notifying.run()
