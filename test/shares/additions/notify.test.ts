import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pluck, type Answer } from '../../helpers/client.ts'
import { startService } from '../../helpers/service.ts'
import { startMailServer, useMailServer } from '../../email/mail-server.ts'
import { add, remove, send, startAdding, type Files } from './scene.ts'
import { fileIds } from '../../bytes/send/scene.ts'

const notify = suite('shares: emails about added files')

const service = await startService()
const server = await startMailServer()
const admin = await service.admin()
const owner = await service.user('owner@example.org')
await useMailServer(admin, server.port)

const sent = () => service.app.services.emails.idle()
const asked = { notifyRecipients: true }
const recipients = 'Oma <oma@example.org>, opa@example.org, OPA@example.org; Rex'

async function shareWith(input: object = {}): Promise<string> {
  const id = await owner.share({ 'a.txt': 'aaa' }, { name: 'Holiday', recipients, ...input })
  await sent()
  server.received.length = 0
  return id
}

async function addAndTell(id: string, files: Files, more: object = asked): Promise<Answer> {
  await startAdding(owner, id)
  const answer = await owner.finalize(id, await send(owner, id, files), more)
  await sent()
  return answer
}

notify('should tell each recipient once, with the link and the number of added files', async () => {
  const id = await shareWith({ password: 'sesame', message: 'the safe is 1234' })
  const answer = await addAndTell(id, { '<b>.txt': 'bb', 'c.txt': 'c' })
  const shareUrl = `http://transfer.test/s/${id}`
  assert.equal(answer.json(), { success: true, shareUrl, mail: 'queued' })
  assert.equal(server.recipients(), ['oma@example.org', 'opa@example.org'])
  for (const email of server.received) {
    assert.equal([email.to.length, email.headers['to']], [1, email.to[0]])
    assert.is(email.headers['subject'], 'owner@example.org added 2 files to “Holiday”')
    assert.match(email.headers['reply-to']!, 'owner@example.org')
    const said = email.text.replaceAll(/\s+/g, ' ')
    assert.match(said, 'added 2 files to “Holiday”. 2 files · 3 bytes · ')
    assert.match(email.text, shareUrl)
    assert.match(email.text, 'The link needs a password')
    assert.not.match(email.text + email.html, /1234|txt/)
  }
  const emails = (await owner.get(`/api/shares/${id}/emails`)).json()
  assert.equal(pluck<any, string>(emails, 'to'), ['oma@example.org', 'opa@example.org'])
  assert.equal(pluck<any, string>(emails, 'status'), ['sent', 'sent'])
  const [{ details }] = (await admin.get('/api/audit?event=share.files_added')).json()
  assert.equal(details, { files: 2, bytes: 3, mails: 2 })
})

notify('should name no removed file in waiting emails, and lead to the custom link', async () => {
  const files = { 'a.txt': 'aaa', 'payroll.txt': 'b' }
  await useMailServer(admin, 1)
  const id = await owner.share(files, { name: 'Holiday', recipients: 'oma@example.org' })
  await addAndTell(id, { 'c.txt': 'c', 'salaries.txt': 'd' })
  const ids = await fileIds(service, id)
  for (const name of ['payroll.txt', 'salaries.txt']) await remove(owner, id, ids[name]!)
  await owner.patch(`/api/shares/${id}`, { slug: 'our-plans' })
  await service.app.services.emails.idle()
  await useMailServer(admin, server.port)
  server.received.length = 0
  service.clock.advance(2 * 60_000)
  await service.app.jobs.runAll()
  const texts = server.received.map(({ text, html }) => text + html)
  assert.is(texts.length, 2)
  assert.ok(texts.some((text) => text.includes('a.txt') && text.includes('2 files · 4 bytes')))
  assert.ok(texts.every((text) => text.includes('c.txt') && !/payroll|salaries/.test(text)))
  assert.ok(texts.every((text) => text.includes('http://transfer.test/s/our-plans')))
})

notify('should tell recipients only when asked to, and not about nothing', async () => {
  const id = await shareWith()
  for (const more of [{}, { notifyRecipients: false }, { notifyRecipients: null }]) {
    assert.is((await addAndTell(id, { 'b.txt': 'b' }, more)).json().mail, undefined)
  }
  assert.is((await addAndTell(id, {})).json().mail, undefined)
  await startAdding(owner, id)
  const files = [{ fileId: 'never-sent', originalName: 'x', size: 1 }]
  assert.is((await owner.finalize(id, files, asked)).status, 400)
  const refused = await owner.finalize(id, files, { notifyRecipients: 'yes' })
  assert.equal([refused.status, refused.json().field], [400, 'notifyRecipients'])
  await service.app.jobs.runAll()
  assert.is(server.received.length, 0)
})

notify('should add the files and report it where email is not possible', async () => {
  const withoutRecipients = await shareWith({ recipients: 'Rex' })
  assert.is((await addAndTell(withoutRecipients, { 'b.txt': 'b' })).json().mail, 'no recipients')
  const used = await shareWith({ maxDownloads: 1 })
  await service.client().get(`/api/shares/${used}/download`)
  assert.is((await addAndTell(used, { 'b.txt': 'b' })).json().mail, 'limit reached')
  assert.is(server.received.length, 0)
  const id = await shareWith()
  await useMailServer(admin, server.port, { smtpFrom: '' })
  assert.is((await addAndTell(id, { 'b.txt': 'b' })).json().mail, 'not configured')
  await useMailServer(admin, server.port)
  for (const each of [withoutRecipients, used, id]) {
    assert.is((await owner.get(`/api/shares/${each}`)).json().files.length, 2)
  }
})

notify('should count together with resends, and still add the files', async () => {
  // The emails of earlier tests are forgotten.
  service.clock.advance(3_600_000)
  const id = await shareWith()
  for (let n = 0; n < 9; n += 1) await owner.post(`/api/shares/${id}/resend`)
  assert.is((await addAndTell(id, { 'b.txt': 'b' })).json().mail, 'queued')
  await sent()
  server.received.length = 0
  const above = await addAndTell(id, { 'c.txt': 'c' })
  assert.equal([above.status, above.json().mail], [200, 'too many'])
  assert.is((await owner.get(`/api/shares/${id}`)).json().files.length, 3)
  assert.is((await owner.post(`/api/shares/${id}/resend`)).status, 429)
  // Without emails nothing is counted, and the token of the additions counts as its owner.
  await add(owner, id, { 'd.txt': 'd' })
  const program = service.client()
  program.token = await startAdding(owner, id)
  const files = await send(program, id, { 'e.txt': 'e' })
  assert.is((await program.finalize(id, files, asked)).json().mail, 'too many')
  await sent()
  assert.is(server.received.length, 0)
})
