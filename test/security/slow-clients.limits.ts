// Slow clients that take every permit: others still get theirs (F6).
import type { Socket } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startService, type Service } from '../helpers/service.ts'
import { until } from '../helpers/until.ts'
import { Guest, makeLink } from '../requests/guest.ts'
import { addressIn, attackFrom, head } from '../helpers/raw-connection.ts'

const slow = suite('security: slow clients')
let service: Service
let link = ''
let sockets: Socket[] = []

slow.before(async () => {
  service = await startService({ env: { RATE_LIMIT_UPLOAD: 'off' } })
  const owner = await service.admin()
  link = await makeLink(owner)
  await owner.close()
})
slow.after.each(async () => {
  for (const socket of sockets) socket.destroy()
  sockets = []
  const { watchdog } = service.app.listener
  await until('every context has ended', () => watchdog.size === 0)
})
slow.after(() => service.stop())

/** Advances the time by seconds in which the attackers move nothing. */
function pass(seconds: number): void {
  for (let second = 0; second < seconds; second += 1) {
    service.app.listener.watchdog.check()
    service.clock.advance(1_000)
  }
  service.app.listener.watchdog.check()
}

/** The token of a delivery at the link. */
async function begin(): Promise<{ guest: Guest; token: string }> {
  const guest = new Guest(service.client(), link)
  const { uploadToken } = (await guest.init()).json()
  return { guest, token: uploadToken }
}

async function attack(path: string, fields: Record<string, string | number>, body: string) {
  const port = Number(new URL(service.url).port)
  const { token, guest } = await begin()
  await guest.client.close()
  const text = head(`POST ${path}`, { Authorization: `Bearer ${token}`, ...fields }) + body
  return async (address: string) => {
    const socket = await attackFrom(port, address)
    socket.write(text)
    sockets.push(socket)
  }
}

slow('should reserve permits for account holders, and end others for guests', async () => {
  const { budget } = service.app.services.uploads
  const path = `/api/public/reverse/${link}/chunk`
  const type = 'multipart/form-data; boundary=b'
  const send = await attack(path, { 'Content-Type': type, 'Content-Length': 1_000_000 }, '--b\r\n')
  for (let place = 0; place < 128; place += 1) await send(addressIn(place >> 4))
  await until('the attackers have all permits for guests', () => budget.permits === 96)

  const owner = await service.admin()
  const draft = await owner.init()
  assert.is((await owner.chunk(draft, 'a', 0, 'hello')).status, 200)

  const { guest } = await begin()
  let status = 0
  const sent = guest.chunk('a', 0, 'hello').then((answer) => (status = answer.status))
  pass(1)
  assert.is(status, 0, 'slow clients are known after two seconds')
  pass(3)
  await until('the guest has sent', () => status !== 0)
  assert.is(status, 200)
  await sent
  assert.ok(budget.permits >= 95, 'one was ended for one that waited')
  await guest.client.close()
  await owner.close()
})

slow('should end silent finalizes for others', async () => {
  const path = `/api/public/reverse/${link}/finalize`
  const fields = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }
  const send = await attack(path, fields, '1\r\n{\r\n')
  for (let place = 0; place < 4; place += 1) await send(addressIn(place))
  await until('they are received', () => service.app.listener.watchdog.size === 4)

  const { guest } = await begin()
  assert.is((await guest.chunk('a', 0, 'hello')).status, 200)
  let status = 0
  const stream = async function* () {
    yield JSON.stringify({ files: [{ fileId: 'a', fileName: 'a', originalName: 'a', size: 5 }] })
  }
  const headers = { 'content-type': 'application/json' }
  const sent = guest.client
    .call('POST', path, { headers, body: stream() as never })
    .then((answer) => (status = answer.status))
  pass(4)
  await until('it is finalized', () => status !== 0)
  assert.is(status, 200)
  await sent
  await guest.client.close()
})

slow.run()
