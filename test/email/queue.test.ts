// Guarantees of the queue: no email is lost while the mail server is down or the service restarts,
// and none is sent again once the server has accepted it.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Gate, until } from '../helpers/until.ts'
import type { Client } from '../helpers/client.ts'
import { adminEmail, startService, type Service } from '../helpers/service.ts'
import { countLockWaits } from '../helpers/locks.ts'
import { startAgain } from '../helpers/restart.ts'
import { type MailServer, refusal, startMailServer, useMailServer } from './mail-server.ts'

const outbox = suite('email: queue')
const minuteMs = 60_000
const hourMs = 60 * minuteMs
let service: Service
let server: MailServer
let admin: Client
/** The answers of the server, set by each test. */
let onRecipient: (address: string) => Error | null
let onMessage: () => Promise<Error | null>

async function listen(port = 0): Promise<MailServer> {
  return startMailServer({
    port,
    onRcptTo: ({ address }, _session, callback) => callback(onRecipient(address)),
    onMailFrom: (_address, _session, callback) => {
      onMessage().then(callback, callback)
    },
  })
}

outbox.before.each(async () => {
  onRecipient = () => null
  onMessage = async () => null
  service = await startService()
  server = await listen()
  admin = await service.admin()
  await useMailServer(admin, server.port)
})
outbox.after.each(async () => {
  await service.stop()
  await server.stop()
})

const write = (recipients: string) => admin.share({ a: 'a' }, { recipients, expirationVal: 0 })
const sent = () => service.app.services.emails.idle()
const list = async (status = '') =>
  (await admin.get(`/api/admin/mail${status && `?status=${status}`}`)).json()

/** Advances the time and runs the job, as often as a waiting email needs to become due. */
async function laterOn(ms: number): Promise<void> {
  service.clock.advance(ms)
  await service.app.jobs.runAll()
}

outbox('should keep emails through an outage and send each once afterwards', async () => {
  await server.stop()
  await write('a@example.org, b@example.org, c@example.org, d@example.org, e@example.org')
  await sent()
  for (let n = 0; n < 3; n += 1) await laterOn(minuteMs)
  const waiting = await list()
  assert.equal([waiting.mail, waiting.queued, waiting.dead], ['configured', 5, 0])
  assert.ok(waiting.mails.some((mail: { last_error: string }) => /ECONN/.test(mail.last_error)))
  server = await listen(server.port)
  await laterOn(hourMs)
  await laterOn(hourMs)
  const emails = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@example.org`)
  assert.equal(server.recipients(), emails)
  assert.equal((await list()).queued, 0)
  assert.ok((await list('sent')).mails.every((mail: { sent_at: string }) => mail.sent_at))
})

outbox('should free at a start the emails that a dead process was sending', async () => {
  await server.stop()
  await write('a@example.org')
  await sent()
  const leasedUntil = new Date(service.clock.now() + 30 * minuteMs)
  await service.database.sql`
    update emails
    set process_id = gen_random_uuid(), leased_until = ${leasedUntil}, next_attempt_at = created_at`
  server = await listen(server.port)
  await laterOn(minuteMs)
  assert.is(server.received.length, 0, 'another process holds it')
  const again = await startAgain(service)
  await again.app.jobs.runAll()
  assert.is(server.received.length, 1)
  await again.close()
})

outbox('should never send again what the server accepted, though the database failed', async () => {
  const { sql } = service.database
  await sql`
    create function refuse() returns trigger language plpgsql
    as $$ begin raise exception 'no more writing'; end $$`
  await sql`
    create trigger refuse before update of sent_at on emails
    for each row when (new.sent_at is not null) execute function refuse()`
  await write('a@example.org, b@example.org, c@example.org, d@example.org, e@example.org')
  await sent()
  const taken = server.received.length
  assert.ok(taken >= 1 && taken <= 4, `${taken} of at most 4 at once`)
  for (let n = 0; n < 3; n += 1) await laterOn(hourMs)
  assert.is(server.received.length, taken, 'nothing is sent that could not be recorded')
  await sql`drop trigger refuse on emails`
  await laterOn(hourMs)
  assert.equal(new Set(server.recipients()).size, 5)
  assert.is(server.received.length, 5)
  assert.is((await list()).queued, 0)
})

outbox('should send each once when two processes work on the same queue', async () => {
  await server.stop()
  const names = Array.from({ length: 30 }, (_, n) => `a${n}@example.org`)
  await write(names.join(','))
  await sent()
  server = await listen(server.port)
  const other = await startAgain(service)
  service.clock.advance(2 * minuteMs)
  await Promise.all([service.app.jobs.runAll(), other.app.jobs.runAll()])
  assert.equal(server.recipients(), names.toSorted())
  await other.close()
})

outbox('should send four at once, and four more after these have ended together', async () => {
  const { database } = service
  const [first, second, held, recorded] = [new Gate(), new Gate(), new Gate(), new Gate()]
  let [begun, most] = [0, 0]
  onMessage = async () => {
    begun += 1
    most = Math.max(most, begun - server.received.length)
    await (begun <= 4 ? first : second).passed
    return null
  }
  await write(Array.from({ length: 8 }, (_, n) => `a${n}@example.org`).join(','))
  await until('four are being sent', () => begun === 4)
  const holding = database.begin(async (sql) => {
    await sql`lock table emails in share mode`
    held.open()
    await recorded.passed
  })
  await held.passed
  first.open()
  await until('four results wait', async () => (await countLockWaits(database)) === 4)
  recorded.open()
  await holding
  await until('the other four are being sent', () => begun === 8)
  second.open()
  await sent()
  assert.equal([server.received.length, most], [8, 4])
})

outbox('should give up permanently refused emails, and retry them by hand', async () => {
  onRecipient = () => refusal(550, '5.1.1 no such mailbox <script>')
  await write('nobody@example.org')
  await sent()
  const { dead, queued, mails } = await list('dead')
  assert.equal([dead, queued, mails.length], [1, 0, 1])
  const { id, last_error, attempts, to, kind } = mails[0]
  assert.is(last_error, '550 5.1.1 no such mailbox <script>')
  assert.equal([attempts, to, kind], [1, 'nobody@example.org', 'share'])
  await laterOn(hourMs)
  assert.is((await list('dead')).mails[0].attempts, 1)

  onRecipient = () => null
  assert.is((await admin.post(`/api/admin/mail/${id}/retry`)).status, 200)
  await sent()
  assert.equal(server.recipients(), ['nobody@example.org'])
  assert.is((await admin.post(`/api/admin/mail/${id}/retry`)).status, 409)
  await laterOn(hourMs)
  assert.is(server.received.length, 1)
})

outbox('should retry for days and then give up', async () => {
  onRecipient = () => refusal(451, '4.3.0 try later')
  await write('a@example.org')
  await sent()
  for (let hours = 0; hours < 6 * 24; hours += 2.1) {
    service.clock.advance(2.1 * hourMs)
    await service.app.services.emails.run()
  }
  assert.equal((await list()).dead, 1)
  assert.ok((await list('dead')).mails[0].attempts > 50)
})

outbox('should abort hanging emails when the service stops, and send them later', async () => {
  let isHanging = true
  const reached = new Promise<void>((resolve) => {
    onMessage = () => {
      resolve()
      return isHanging ? new Promise(() => {}) : Promise.resolve(null)
    }
  })
  await write('a@example.org')
  await reached
  await service.app.services.emails.close(50)
  isHanging = false
  service.clock.advance(2 * minuteMs)
  const again = await startAgain(service)
  await again.app.jobs.runAll()
  assert.equal(server.recipients(), ['a@example.org'])
  await again.close()
})

outbox('should keep contents sealed, as long as they are needed, and show no links', async () => {
  await server.stop()
  const id = await write('a@example.org')
  await sent()
  const dump = async () => JSON.stringify(await service.database.sql`select * from emails`)
  const [row] = await service.database.sql<{ content: Buffer }[]>`
    select content_sealed as content
    from emails`
  assert.not.ok(row!.content.includes(id))
  assert.match(service.keys.unseal(row!.content), id)
  assert.not.match((await admin.get('/api/admin/mail')).body.toString(), id, 'links are keys')
  server = await listen(server.port)
  await laterOn(2 * minuteMs)
  assert.match(await dump(), '"contentSealed":null')
  await laterOn(8 * 24 * hourMs)
  assert.is(await dump(), '[]')
})

outbox('should send in time even if the clock was wrong when it was queued', async () => {
  await server.stop()
  await write('a@example.org')
  await sent()
  service.clock.jump(-30 * 365 * 24 * hourMs)
  server = await listen(server.port)
  await service.app.jobs.runAll()
  assert.is(server.received.length, 1)
})

outbox('should let one refused recipient hold up no other', async () => {
  onRecipient = (address) => (address.startsWith('slow') ? refusal(450, '4.2.1 greylisted') : null)
  await write('slow@example.org, a@example.org, b@example.org')
  await sent()
  assert.equal(server.recipients(), ['a@example.org', 'b@example.org'])
  assert.match((await list('queued')).mails[0].last_error, 'greylisted')
  onRecipient = () => null
  await laterOn(2 * minuteMs)
  assert.is(server.received.length, 3)
})

outbox('should not send what has become useless while others were sent', async () => {
  const gate = new Gate()
  let begun = 0
  onMessage = async () => {
    begun += 1
    await gate.passed
    return null
  }
  const names = ['a', 'b', 'c', 'd'].map((name) => `${name}@example.org`)
  await write(names.join(','))
  await until('four are being sent', () => begun === 4)
  await service.client().post('/api/auth/password-reset/request', { email: adminEmail })
  await service.app.services.passwordReset.idle()
  service.clock.advance(hourMs)
  gate.open()
  await sent()
  assert.equal(server.recipients(), names)
  const dead = (await list('dead')).mails.map((mail: { kind: string }) => mail.kind)
  assert.equal(dead, ['password_reset'])
})
