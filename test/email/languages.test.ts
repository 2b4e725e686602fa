// Emails as they arrive: in the recipient's language and time zone, with the logo.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Client } from '../helpers/client.ts'
import { startService, type Service } from '../helpers/service.ts'
import { type MailServer, startMailServer, useMailServer } from './mail-server.ts'

const languages = suite('email: languages')
let service: Service
let server: MailServer
let admin: Client

languages.before.each(async () => {
  service = await startService()
  server = await startMailServer()
  admin = await service.admin()
  await useMailServer(admin, server.port, { timeZone: 'UTC' })
})
languages.after.each(async () => {
  await service.stop()
  await server.stop()
})

const sent = async (to: string) => {
  await service.app.services.emails.run()
  return server.received.filter((email) => email.to[0] === to)
}
const preferences = (client: Client, json: object) => client.put('/api/account/preferences', json)
const recipients = 'ann@example.org, BO@example.org, cy@example.org'

languages('should write to each recipient in their own language and time zone', async () => {
  const ann = await service.user('Ann@example.org')
  const bo = await service.user('bo@example.org')
  await preferences(ann, { language: 'de', timeZone: 'Europe/Berlin' })
  await preferences(bo, { timeZone: 'Asia/Kolkata' })
  await admin.share({ 'größe.txt': 'x' }, { name: 'Photos', recipients, expirationVal: 1 })
  const [german] = await sent('ann@example.org')
  const [indian] = await sent('BO@example.org')
  const [guest] = await sent('cy@example.org')
  assert.match(german!.text, 'sendet Ihnen Dateien')
  assert.match(german!.html, '<html lang="de" dir="ltr">')
  assert.match(german!.text, /bis \S+ \d+\. \S+ 2\d{3}, \d\d:\d\d (MEZ|MESZ)/)
  assert.match(indian!.text, /expires .* GMT\+5:30/)
  assert.match(guest!.text, /expires .* UTC/)
  assert.equal(
    [german, indian, guest].map((email) => email!.headers['content-language']),
    ['de', 'en', 'en'],
  )
  for (const email of server.received) {
    assert.match(email.headers['content-type']!, 'multipart/alternative')
    assert.match(email.html, '<bdi>größe.txt</bdi>')
    assert.match(email.text, 'größe.txt')
  }
})

languages('should give the sender’s time zone to people who have none', async () => {
  const ann = await service.user('ann@example.org')
  await preferences(await service.user('bo@example.org'), { language: 'de' })
  await preferences(ann, { timeZone: 'Asia/Kolkata' })
  await ann.share({ a: 'x' }, { recipients, expirationVal: 1 })
  for (const to of ['cy@example.org', 'BO@example.org']) {
    assert.match((await sent(to))[0]!.text, /\d\d:\d\d GMT\+5:30/)
  }
})

languages('should write to everybody else in the language of the service', async () => {
  await admin.put('/api/config', { language: 'de', timeZone: 'Europe/Vienna' })
  const ann = await service.user('ann@example.org')
  await preferences(ann, { language: 'en' })
  await admin.share({ a: 'x' }, { recipients, expirationVal: 1 })
  assert.match((await sent('cy@example.org'))[0]!.text, /bis .* (MEZ|MESZ)/)
  assert.match((await sent('ann@example.org'))[0]!.text, 'sent you files')
  assert.is((await admin.post('/api/admin/mail/test')).status, 200)
  assert.is(server.received.at(-1)!.headers['subject'], 'Test-E-Mail von Transfer')
})

const bytes = Buffer.alloc(200)
bytes.write('\x89PNG\r\n\x1a\n', 'latin1')
bytes.writeUInt32BE(100, 16)
bytes.writeUInt32BE(50, 20)
const logo = `data:image/png;base64,${bytes.toString('base64')}`
const vector = `data:image/svg+xml;base64,${Buffer.from('<svg/>').toString('base64')}`

languages('should carry the logo, and nothing to load', async () => {
  await admin.put('/api/config', { logo })
  await admin.share({ a: 'x' }, { recipients: 'ann@example.org' })
  const [email] = await sent('ann@example.org')
  assert.match(email!.html, 'src="cid:logo" alt="Transfer" width="80" height="40"')
  assert.equal(
    email!.attachments.map(({ headers }) => [headers['content-type'], headers['content-id']]),
    [['image/png; name=logo.png', '<logo>']],
  )
  assert.ok(email!.attachments[0]!.bytes.equals(bytes))
  assert.not.match(email!.html, /data:|http:\/\/(?!transfer\.test)/)
  await admin.put('/api/config', { logo: '' })
  await admin.share({ a: 'x' }, { recipients: 'cy@example.org' })
  const [ours] = await sent('cy@example.org')
  assert.is(ours!.attachments.length, 1)
  assert.match(ours!.html, /src="cid:logo" alt="" width="28".*>Transfer<\/b>/)
  // A vector logo is shown by few programs.
  await admin.put('/api/config', { logo: vector })
  await admin.share({ a: 'x' }, { recipients: 'bo@example.org' })
  const [plain] = await sent('bo@example.org')
  assert.equal(plain!.attachments, [])
  assert.match(plain!.html, '>Transfer</b>')
})

languages('should show the logo of the time at which it is sent', async () => {
  for (const [before, after, shown] of [
    [logo, '', /alt="Transfer" width="28" height="28"/],
    ['', logo, /alt="" width="80" height="40"/],
    [logo, vector, /<b>Transfer<\/b>/],
    ['', vector, />Transfer<\/b>/],
  ] as const) {
    server.received.length = 0
    await admin.put('/api/config', { logo: before })
    await useMailServer(admin, 1)
    await admin.share({ a: 'x' }, { recipients: 'ann@example.org' })
    // The first attempt fails before the clock goes on.
    await service.app.services.emails.idle()
    await admin.put('/api/config', { logo: after })
    await useMailServer(admin, server.port)
    service.clock.advance(2 * 60_000)
    const [email] = await sent('ann@example.org')
    assert.match(email!.html, shown)
    const pictures = after === vector ? 0 : 1
    assert.is(email!.attachments.length, pictures)
    assert.is(email!.html.split('<img').length - 1, pictures)
  }
})

languages('should send text in short lines that arrive unchanged', async () => {
  const message = `${'ü'.repeat(3_000)}\n.\nFrom me =20 to “you” 😀\n`.repeat(2)
  await admin.share({ a: 'x' }, { recipients: 'ann@example.org', message })
  const [email] = await sent('ann@example.org')
  for (const line of message.trim().split('\n')) assert.match(email!.text, `> ${line}`)
  assert.match(email!.html, 'From me =20 to “you” 😀')
})
