import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startService, type Service } from '../helpers/service.ts'
import { startMailServer, useMailServer, type MailServer } from '../mail/mail-server.ts'
import { Guest } from './guest.ts'

const letters = suite('reverse shares: letters')
let service: Service
let server: MailServer

letters.before(async () => {
  service = await startService()
  server = await startMailServer()
  await useMailServer(await service.admin(), server.port)
})
letters.after(async () => {
  await service.stop()
  await server.stop()
})

letters('should mail the invitation, and the owner when a guest has sent something', async () => {
  const owner = await service.user('owner@example.org')
  const made = await owner.post('/api/reverse', {
    name: 'Fotos <b>vom Fest</b>',
    notify: true,
    sendEmailTo: 'oma@example.org',
  })
  assert.is(made.status, 200, made.body.toString())
  const { id } = made.json()
  await service.app.rooms.mail.idle()
  assert.equal(server.recipients(), ['oma@example.org'])
  assert.match(server.received[0]!.text, `http://transfer.test/r/${id}`)
  assert.not.match(server.received[0]!.html, '<b>vom')

  const sender = { senderName: 'Oma', senderEmail: 'oma@example.org', note: 'Viele Grüße' }
  await new Guest(service.client(), id).deliver({ 'Torte.jpg': 'x' }, sender)
  await service.app.rooms.mail.idle()
  assert.equal(server.recipients(), ['oma@example.org', 'owner@example.org'])
  const told = server.received[1]!
  const [delivery] = (await owner.get(`/api/reverse/${id}/deliveries`)).json()
  assert.match(told.text, `http://transfer.test/requests/${id}?delivery=${delivery.id}`)
  for (const words of ['Oma', 'Viele Grüße', 'Torte.jpg']) assert.match(told.text, words)
})

letters.run()
