import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pluck, type Client } from '../../helpers/client.ts'
import { startService, type Service } from '../../helpers/service.ts'
import { startMailServer, useMailServer, type MailServer } from '../../email/mail-server.ts'

const emails = suite('shares: emails to recipients')
let service: Service
let server: MailServer
let admin: Client
let owner: Client

emails.before.each(async () => {
  service = await startService()
  server = await startMailServer()
  admin = await service.admin()
  owner = await service.user('owner@example.org')
  await useMailServer(admin, server.port)
})
emails.after.each(async () => {
  await service.stop()
  await server.stop()
})

const sent = () => service.app.services.emails.idle()

emails('should email each recipient separately when a share is finalized', async () => {
  const name = 'Fotos <script>alert(1)</script> für Oma 🎄'
  const id = await owner.share(
    { 'a.txt': 'aaa', 'b.txt': 'bb' },
    { name, message: 'Hallo <b>du</b>', recipients: 'Oma <oma@example.org>, opa@example.org; Rex' },
  )
  await sent()
  assert.equal(server.recipients(), ['oma@example.org', 'opa@example.org'])
  for (const email of server.received) {
    assert.is(email.to.length, 1)
    assert.is(email.from, 'files@transfer.test')
    assert.is(email.headers['subject'], `owner@example.org sent you “${name}”`)
    assert.is(email.headers['to'], email.to[0])
    assert.match(email.headers['reply-to']!, 'owner@example.org')
    assert.match(email.text, `http://transfer.test/s/${id}`)
    assert.match(email.html, `href="http://transfer.test/s/${id}"`)
    assert.match(email.text, '2 files · 5 bytes · ')
    assert.match(email.text, /expires \w+, \d+ \w+ \d{4}, \d\d:\d\d/)
    assert.not.match(email.html, /<script|<b>/)
    assert.match(email.html, 'Hallo &lt;b&gt;du&lt;/b&gt;')
  }
  assert.ok(service.logLines.some((line) => line.includes('recipients without address')))
  assert.not.ok(service.logLines.some((line) => line.includes('oma@example.org')))
})

emails('should show the state of each email, and write to one recipient again', async () => {
  const recipients = 'oma@example.org, opa@example.org; Rex'
  const id = await owner.share({ 'a.txt': 'aaa' }, { recipients })
  await sent()
  const list = async () => (await owner.get(`/api/shares/${id}/emails`)).json()
  const [oma, opa, ...more] = await list()
  assert.equal([oma.to, oma.status, oma.last_error], ['oma@example.org', 'sent', ''])
  assert.equal([opa.to, opa.status, more], ['opa@example.org', 'sent', []])
  // An email that was given up, as its administrator sees it too.
  await service.database.sql`
    update emails
    set sent_at = null, dead_at = created_at, last_error = '550 no such mailbox',
      is_refused = true
    where recipient = 'opa@example.org'`
  const [, failed] = await list()
  assert.equal([failed.status, failed.last_error], ['dead', '550 no such mailbox'])
  // The mail server and its errors are shown to administrators only.
  await service.database.sql`
    update emails
    set last_error = 'ECONNREFUSED', is_refused = false
    where recipient = 'opa@example.org'`
  const [, hidden] = await list()
  assert.equal([hidden.status, hidden.last_error], ['dead', ''])

  service.clock.advance(1000)
  const again = await owner.post(`/api/shares/${id}/resend`, { to: 'opa@example.org' })
  assert.equal(again.json().recipients, ['opa@example.org'])
  await sent()
  assert.equal(server.recipients().slice(2), ['opa@example.org'])
  assert.equal((await list())[1].status, 'sent')
  const refused = await owner.post(`/api/shares/${id}/resend`, { to: 'eve@example.org' })
  assert.equal([refused.status, refused.json().field], [400, 'to'])
})

emails('should write once, even when the same list is finalized many times at once', async () => {
  const id = await owner.init({ recipients: 'a@example.org' })
  await owner.chunk(id, 'f', 0, 'x')
  const files = [{ fileId: 'f', originalName: 'f', size: 1 }]
  const answers = await Promise.all([1, 2, 3, 4].map(() => owner.finalize(id, files)))
  assert.equal(pluck(answers, 'status'), [200, 200, 200, 200])
  await sent()
  assert.is(server.received.length, 1)
})

emails('should answer 200 where email is not configured, and log it', async () => {
  await useMailServer(admin, server.port, { smtpFrom: '' })
  const id = await owner.share({ a: 'a' }, { recipients: 'a@example.org' })
  assert.ok(service.logLines.some((line) => line.includes('email not configured')))
  assert.equal((await owner.post(`/api/shares/${id}/resend`)).json(), {
    success: true,
    mail: 'not configured',
    recipients: ['a@example.org'],
    ignored: [],
  })
  assert.is((await admin.get('/api/admin/mail')).json().mail, 'not configured')
  await service.app.jobs.runAll()
  assert.is(server.received.length, 0)
})

emails('should resend to all or to those given, and leave the recipients as they are', async () => {
  const id = await owner.share({ a: 'a' }, { recipients: 'a@example.org, Rex' })
  await sent()
  const resend = async (body: object) => {
    const answer = await owner.post(`/api/shares/${id}/resend`, body)
    await sent()
    return [answer.json().mail, answer.json().recipients, answer.json().ignored]
  }
  const given = 'Eve <eve@example.org>, nobody, b@example.org'
  const both = ['eve@example.org', 'b@example.org']
  assert.equal(await resend({ recipients: given }), ['queued', both, ['nobody']])
  assert.equal(server.recipients().slice(1).toSorted(), both.toSorted())
  const list = ['c@example.org', 'd@example.org']
  assert.equal(await resend({ recipients: list }), ['queued', list, []])
  assert.equal(await resend({ recipients: list, to: list[1] }), ['queued', [list[1]], []])
  assert.equal(await resend({}), ['queued', ['a@example.org'], ['Rex']])
  assert.equal(await resend({ recipients: '' }), ['no recipients', [], []])
  assert.equal(await resend({ recipients: null }), ['queued', ['a@example.org'], ['Rex']])
  assert.is((await owner.get(`/api/shares/${id}`)).json().recipients, 'a@example.org, Rex')
  for (const wrong of [7, {}, [7], ['']]) {
    const answer = await owner.post(`/api/shares/${id}/resend`, { recipients: wrong })
    assert.equal([answer.status, answer.json().code], [400, 'invalid_input'])
  }
})

async function waiting(): Promise<string[]> {
  const mails = await service.database.sql<{ recipient: string }[]>`
    select recipient from emails where sent_at is null and dead_at is null order by recipient`
  return mails.map(({ recipient }) => recipient)
}

emails('should withdraw the waiting email of a removed recipient, and of no other', async () => {
  await server.stop()
  const id = await owner.share({ a: 'a' }, { recipients: 'a@example.org, b@example.org' })
  const resend = async (body: object) =>
    (await owner.post(`/api/shares/${id}/resend`, body)).json().mail
  for (const body of [{ recipients: 'c@example.org' }, {}, { recipients: 'c@example.org' }]) {
    assert.is(await resend(body), 'queued')
    await sent()
  }
  const { to, status } = (await owner.get(`/api/shares/${id}/emails`)).json()[2]
  assert.equal([to, status], ['c@example.org', 'queued'])
  await useMailServer(admin, server.port, { smtpFrom: '' })
  assert.is(await resend({}), 'not configured')
  assert.equal(await waiting(), ['a@example.org', 'b@example.org', 'c@example.org'])
  await owner.patch(`/api/shares/${id}`, { recipients: 'Bea <b@example.org>, d@example.org' })
  assert.equal(await waiting(), ['b@example.org', 'c@example.org'])
})

emails('should refuse to resend shares that are not open', async () => {
  const input = { recipients: 'a@example.org', expirationVal: 1, expirationUnit: 'Hours' }
  const draft = await owner.init(input)
  const id = await owner.share({ a: 'a' }, input)
  await sent()
  assert.is((await owner.post(`/api/shares/${draft}/resend`)).status, 409)
  service.clock.advance(3_600_001)
  assert.is((await owner.post(`/api/shares/${id}/resend`)).status, 410)
  assert.is(server.received.length, 1)
})

emails('should send no link whose download limit is reached', async () => {
  const id = await owner.share({ a: 'a' }, { recipients: 'a@example.org', maxDownloads: 1 })
  await sent()
  assert.is((await service.client().get(`/api/shares/${id}/download`)).status, 200)
  for (let n = 0; n < 11; n += 1) {
    assert.equal((await owner.post(`/api/shares/${id}/resend`)).json(), {
      success: true,
      mail: 'limit reached',
      recipients: ['a@example.org'],
      ignored: [],
    })
  }
  await sent()
  assert.is(server.received.length, 1)
  await owner.patch(`/api/shares/${id}`, { maxDownloads: 2 })
  assert.is((await owner.post(`/api/shares/${id}/resend`)).json().mail, 'queued')
})

emails('should email at most 1,000 recipients of an account in an hour', async () => {
  // Refuses connections.
  await useMailServer(admin, 1)
  const queued = async () => (await service.database.sql`select from emails`).count
  const many = Array.from({ length: 99 }, (_, n) => `r${n}@example.org`).join()
  for (let n = 0; n < 10; n += 1) await owner.share({ a: 'a' }, { recipients: many })
  assert.is(await queued(), 990)
  const id = await owner.share({ a: 'a' }, { recipients: many })
  assert.is((await owner.post(`/api/shares/${id}/resend`)).json().mail, 'queue full')
  // Another address begins no new hour.
  await service.database.sql`update users set email = 'new@example.org' where email like 'owner@%'`
  for (let n = 0; n < 11; n += 1) {
    await owner.post('/api/reverse', { sendEmailTo: 'guest@example.org' })
  }
  assert.is(await queued(), 1000)
  await admin.share({ a: 'a' }, { recipients: 'a@example.org' })
  service.clock.advance(3_600_000)
  await owner.share({ a: 'a' }, { recipients: 'a@example.org' })
  assert.is(await queued(), 1002)
})

emails('should withdraw emails when their share is deleted or stopped', async () => {
  await server.stop()
  const id = await owner.share({ a: 'a' }, { recipients: 'a@example.org' })
  const kept = await owner.share({ a: 'a' }, { recipients: 'b@example.org' })
  const stopped = await owner.share({ a: 'a' }, { recipients: 'c@example.org' })
  await sent()
  // Failed ones, which could be retried, go too.
  await service.database.sql`update emails set dead_at = now() where recipient = 'a@example.org'`
  await owner.delete(`/api/shares/${id}`)
  await owner.post(`/api/shares/${stopped}/stop`)
  const { queued, dead } = (await admin.get('/api/admin/mail')).json()
  assert.equal([queued, dead], [1, 0])
  const users = (await admin.get('/api/users')).json()
  const { id: ownerId } = users.find((one: { email: string }) => one.email === 'owner@example.org')
  await admin.delete(`/api/users/${ownerId}`)
  assert.equal(await waiting(), ['owner@example.org'], 'only the notice of the deletion')
  assert.is((await service.client().get(`/api/public/shares/${kept}`)).status, 404)
})

emails('should correct waiting emails once for all when their share is changed', async () => {
  await server.stop()
  const hour = { expirationVal: 1, expirationUnit: 'Hours' }
  const both = ['a@example.org', 'b@example.org']
  const id = await owner.share({ a: 'a' }, { ...hour, recipients: both.join() })
  await sent()
  const change = { ...hour, expirationVal: 3, name: 'Plans', slug: 'our-plans', password: 'sesame' }
  await owner.patch(`/api/shares/${id}`, change)
  const contents = await service.database.sql`select distinct content_sealed from emails`
  assert.is(contents.length, 1)
  service.clock.advance(2 * 3_600_000)
  server = await startMailServer({ port: server.port })
  await service.app.jobs.runAll()
  assert.equal(server.recipients(), both)
  const { headers, text } = server.received[0]!
  assert.match(headers['subject']!, 'Plans')
  assert.match(text, 'http://transfer.test/s/our-plans')
  assert.match(text, 'The link needs a password')
})

emails('should give up emails once the share has expired', async () => {
  await server.stop()
  const input = { recipients: 'a@example.org', expirationVal: 1, expirationUnit: 'Hours' }
  await owner.share({ a: 'a' }, input)
  await sent()
  service.clock.advance(3_600_001)
  server = await startMailServer({ port: server.port })
  await service.app.jobs.runAll()
  assert.is(server.received.length, 0)
  const { dead, mails } = (await admin.get('/api/admin/mail')).json()
  assert.equal([dead, mails[0].last_error], [1, 'no longer relevant'])
  assert.is((await admin.post(`/api/admin/mail/${mails[0].id}/retry`)).status, 409)
})
