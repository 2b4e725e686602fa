import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../helpers/until.ts'
import { Guest } from '../helpers/client.ts'
import { startMailServer, useMailServer } from '../email/mail-server.ts'
import { startService } from '../helpers/service.ts'

const emails = suite('reverse shares: emails')

const service = await startService()
/** Emails are accepted after it. */
let accepting = Promise.resolve()
const server = await startMailServer({
  onMailFrom: (_address, _session, callback) => void accepting.then(() => callback()),
})
await useMailServer(await service.admin(), server.port)

emails('should email the invitation, and the owner after a delivery', async () => {
  const owner = await service.user('owner@example.org')
  const made = await owner.post('/api/reverse', {
    name: 'Fotos <b>vom Fest</b>',
    notify: true,
    instructions: 'Bitte alle',
    sendEmailTo: 'oma@example.org',
  })
  assert.is(made.status, 200, made.body.toString())
  const { id, mailed } = made.json()
  assert.is(mailed, true)
  await service.app.services.emails.idle()
  assert.equal(server.recipients(), ['oma@example.org'])
  assert.match(server.received[0]!.text, `http://transfer.test/r/${id}`)
  assert.not.match(server.received[0]!.html, '<b>vom')
  assert.match(server.received[0]!.text, '> Bitte alle')

  const sender = { senderName: 'Oma', senderEmail: 'oma@example.org', note: 'Viele Grüße' }
  await new Guest(service.client(), id).deliver({ 'Torte.jpg': 'x' }, sender)
  await service.app.services.emails.idle()
  assert.equal(server.recipients(), ['oma@example.org', 'owner@example.org'])
  const told = server.received[1]!
  const [delivery] = (await owner.get(`/api/reverse/${id}/deliveries`)).json()
  assert.match(told.text, `http://transfer.test/requests/${id}?delivery=${delivery.id}`)
  for (const words of ['Oma', 'Viele Grüße', 'Torte.jpg']) assert.match(told.text, words)
})

emails('should keep the instructions of a protected request out of the email', async () => {
  const owner = await service.user('careful@example.org')
  const secret = { instructions: 'Room 4', password: 'sesame sesame' }
  await owner.post('/api/reverse', { ...secret, sendEmailTo: 'kim@example.org' })
  await service.app.services.emails.idle()
  const invitation = server.received.find(({ to }) => to[0] === 'kim@example.org')
  assert.match(invitation!.text, 'needs a password')
  assert.not.match(invitation!.text + invitation!.html, 'Room 4')
})

emails('should invite with the custom link', async () => {
  const owner = await service.user('custom@example.org')
  const customSlug = 'our-party'
  const made = await owner.post('/api/reverse', { customSlug, sendEmailTo: 'eve@example.org' })
  // Its owner has not asked to be told.
  await new Guest(service.client(), made.json().id).deliver({ 'a.txt': 'a' })
  await service.app.services.emails.idle()
  const invitation = server.received.find(({ to }) => to[0] === 'eve@example.org')
  assert.match(invitation?.text ?? '', 'http://transfer.test/r/our-party')
  assert.not(server.received.some(({ to }) => to[0] === 'custom@example.org'))
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
  const expected = ['Guest 0 delivered 1 file to “Photos”']
  await deliver(0)
  assert.equal(await subjects(), expected)

  await Promise.all(Array.from({ length: 25 }, (_, index) => deliver(index + 1)))
  assert.equal(await subjects(), expected)
  // Another link does not wait for this one.
  await deliver(0, await make('Films'))
  expected.push('Guest 0 delivered 1 file to “Films”')
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
  expected.push('Guest 30 delivered 1 file to “Photos”')
  assert.equal(await subjects(), expected)
  service.clock.advance(5 * 60_000)
  await deliver(31)
  expected.push('Guest 31 delivered 1 file to “Photos”')
  assert.equal(await subjects(), expected)
})

emails('should say when the invitation cannot be sent', async () => {
  const owner = await service.user('unheard@example.org')
  const admin = await service.admin()
  await admin.put('/api/config', { smtpHost: '' })
  const made = await owner.post('/api/reverse', { sendEmailTo: 'oma@example.org' })
  assert.equal([made.status, made.json().mailed], [200, false])
  await useMailServer(admin, server.port)
})

emails('should correct a waiting invitation when its link is changed', async () => {
  const owner = await service.user('early@example.org')
  await useMailServer(await service.admin(), 1)
  const hour = { expirationVal: 1, expirationUnit: 'Hours' }
  const made = await owner.post('/api/reverse', { ...hour, sendEmailTo: 'ida@example.org' })
  await service.app.services.emails.idle()
  const change = { ...hour, expirationVal: 3, instructions: 'Only drawings' }
  assert.is((await owner.patch(`/api/reverse/${made.json().id}`, change)).status, 200)
  service.clock.advance(2 * 3_600_000)
  await useMailServer(await service.admin(), server.port)
  await service.app.services.emails.run()
  const invitation = server.received.find(({ to }) => to[0] === 'ida@example.org')
  assert.match(invitation?.text ?? '', 'Only drawings')
})

emails('should tell of a delivery that comes while an email is on its way again', async () => {
  const owner = await service.user('impatient@example.org')
  const admin = await service.admin()
  const { emails } = service.app.services
  const { id } = (await owner.post('/api/reverse', { name: 'Plans', notify: true })).json()
  const deliver = (number: number) =>
    new Guest(service.client(), id).deliver({ a: 'a' }, { senderName: `Sender ${number}` })
  await deliver(0)
  await emails.run()
  await deliver(1)
  service.clock.advance(5 * 60_000)
  let accept = () => {}
  accepting = new Promise((resolve) => {
    accept = resolve
  })
  emails.wake()
  const queued = async () => (await admin.get('/api/admin/mail?status=queued')).json().mails
  await until(async () => (await queued())[0]?.attempts === 1)
  const [{ id: mailId }] = await queued()
  assert.is((await admin.post(`/api/admin/mail/${mailId}/retry`)).status, 200)
  await deliver(2)
  accept()
  await emails.idle()
  service.clock.advance(5 * 60_000)
  await emails.run()
  const told = server.received.filter(({ to }) => to[0] === 'impatient@example.org')
  const text = told.map((email) => email.text).join()
  for (const number of [0, 1, 2]) assert.match(text, `Sender ${number}`)
})
