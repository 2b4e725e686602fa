import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Tokens } from '../../src/accounts/sign-in/tokens.ts'
import { LinkMisses } from '../../src/shares/link-misses.ts'
import { Unlocking } from '../../src/shares/link-password.ts'
import { operator, type UserActor } from '../../src/lib/actor.ts'
import { Manifests } from '../../src/blobs/manifests.ts'
import { createLog } from '../../src/lib/log.ts'
import { Deliveries } from '../../src/reverse-shares/deliveries.ts'
import type {
  DeliveryReceived,
  Invitation,
  DeliveryEmails,
} from '../../src/reverse-shares/delivery-emails.ts'
import { ReverseShares, type NewReverseShare } from '../../src/reverse-shares/reverse-shares.ts'
import { Passwords } from '../../src/accounts/passwords/passwords.ts'
import { PackedList } from '../../src/lib/packed-list.ts'
import { startService, type Service } from '../helpers/service.ts'

const notifying = suite('reverse shares: notifications')
let service: Service
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
    isFresh: true,
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
  const found = await deliveries.findDelivery(id, { tokens: [], deliveryId })
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

notifying('should announce nothing unless asked to', async () => {
  const { reverseShares, deliveries, invitations, received } = makeRules()
  const id = await reverseShares.create(actor, { ...link, notify: false, sendEmailTo: '' })
  const { deliveryId } = await deliveries.init('127.0.0.1', id, sender, false)
  const found = await deliveries.findDelivery(id, { tokens: [], deliveryId })
  await deliveries.finalize(guest, found, { files: new PackedList(), discardUnlisted: false })
  assert.equal([invitations, received], [[], []])
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

notifying.run()
