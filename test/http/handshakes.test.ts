// Handshakes that have begun, through sockets; no TLS is spoken.
import { once } from 'node:events'
import { createServer, type Server as HttpServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { handshakeBounds, Handshakes } from '../../src/http/handshakes.ts'
import { FakeClock } from '../helpers/clock.ts'
import { until } from '../helpers/until.ts'

interface Scene {
  readonly server: HttpServer
  readonly handshakes: Handshakes
  readonly clock: FakeClock
  readonly open: (from?: string) => Promise<Socket>
  readonly clients: Socket[]
}

const handshakes = suite<Scene>('tls: bounds of handshakes')
const proxy = '127.0.0.9'

handshakes.before.each(async (context) => {
  const server = createServer()
  const clock = new FakeClock()
  const bounds = { max: 5, ofAddressMax: 3, ofAddressRate: 8, msMax: 60_000 }
  const isProxy = (peer: string) => peer.endsWith(proxy)
  const clients: Socket[] = []
  const counted = new Handshakes(server, { bounds, isProxy, clock })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const open = async (localAddress = '127.0.0.1') => {
    const accepted = once(server, 'connection')
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    socket.on('error', () => {})
    clients.push(socket)
    await accepted
    return socket.resume()
  }
  Object.assign(context, { server, handshakes: counted, clock, open, clients })
})
handshakes.after.each(async ({ server, clients }) => {
  for (const socket of clients) socket.destroy()
  server.close()
  await once(server, 'close')
})

const areClosed = (sockets: readonly Socket[]) =>
  until('they are closed', () => sockets.every(({ closed }) => closed))

handshakes('should close the oldest of an address, and of all', async (scene) => {
  const own = [await scene.open(), await scene.open(), await scene.open(), await scene.open()]
  await areClosed(own.slice(0, 1))
  assert.is(scene.handshakes.count, 3)
  const others = [await scene.open('127.0.0.2'), await scene.open('127.0.0.3')]
  assert.is(scene.handshakes.count, 5)
  await scene.open('127.0.0.4')
  await areClosed(own.slice(0, 2))
  assert.is(scene.handshakes.count, 5)
  assert.equal(
    [...own.slice(2), ...others].map(({ closed }) => closed),
    [false, false, false, false],
  )
})

handshakes('should begin only so many of one address in ten seconds', async (scene) => {
  const begun = []
  for (let n = 0; n < 8; n += 1) begun.push(await scene.open())
  await areClosed(begun.slice(0, 5))
  await areClosed([await scene.open(), await scene.open()])
  assert.is(scene.handshakes.count, 3)
  await scene.open('127.0.0.2')
  assert.is(scene.handshakes.count, 4)
  scene.clock.advance(10_000)
  await scene.open()
  await areClosed(begun.slice(0, 6))
  assert.is(scene.handshakes.count, 4)
})

handshakes('should hold a trusted proxy to the bound of all alone', async (scene) => {
  for (let n = 0; n < 12; n += 1) await scene.open(proxy)
  assert.is(scene.handshakes.count, 5)
})

handshakes('should end those that take too long, and those half closed', async (scene) => {
  const slow = new Handshakes(scene.server, {
    bounds: { max: 5, ofAddressMax: 5, ofAddressRate: 8, msMax: 200 },
    isProxy: () => false,
    clock: scene.clock,
  })
  const [dripping, halfClosed] = [await scene.open(), await scene.open()]
  assert.is(slow.count, 2)
  halfClosed.end('half')
  const drip = setInterval(() => dripping.write('x'), 20)
  await areClosed([dripping, halfClosed]).finally(() => clearInterval(drip))
  assert.is(slow.count, 0)
})

handshakes('should have fewer at once on a small machine', () => {
  assert.equal(handshakeBounds(1024), {
    max: 128,
    ofAddressMax: 64,
    ofAddressRate: 600,
    msMax: 10_000,
  })
  assert.is(handshakeBounds(100_000).max, 512)
  assert.equal(handshakeBounds(16), { max: 2, ofAddressMax: 2, ofAddressRate: 600, msMax: 10_000 })
})

handshakes.run()
