import { once } from 'node:events'
import type { Socket } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Gate, until } from '../helpers/until.ts'
import { json } from '../../src/http/answer.ts'
import { readBody } from '../../src/http/body.ts'
import type { ConnectionBounds } from '../../src/http/connections.ts'
import { countConnections, head, RawConnection } from '../helpers/raw-connection.ts'
import { route, type SmallListener, startListener } from '../helpers/small-listener.ts'

let gate = new Gate()
let running = 0

const quick = route('GET /quick', async () => json('quick'))
const slow = route('GET /slow', async () => {
  running += 1
  await gate.passed
  running -= 1
  return json('slow')
})
const endless = route('GET /endless', async () => ({
  kind: 'bytes',
  status: 200,
  headers: { 'Content-Length': 1024 ** 4 },
  cookies: [],
  async send(writer) {
    const data = Buffer.alloc(64 * 1024)
    for (;;) await writer.write(data)
  },
}))
const large = route('GET /large', async () => json('x'.repeat(30_000_000)))

const bounds = suite('limits on connections')
let small: SmallListener

async function start(limits: Partial<ConnectionBounds>): Promise<void> {
  small = await startListener([quick, slow, endless, large], {}, limits)
}
const connect = (localAddress = '127.0.0.1') => RawConnection.open(small.url, localAddress)
const get = (path: string) => head(`GET ${path}`)
const count = () => countConnections(small.listener.server)

/** Sends a request that stays open on each of these. */
async function occupy(...connections: RawConnection[]): Promise<void> {
  const before = running
  for (const connection of connections) await connection.send(get('/slow'))
  await until('they are served', () => running === before + connections.length)
}

/** A client that never reads, so that the buffers of both sides fill up, and one that waits. */
async function serveBoth(from?: string, of?: string) {
  const silent = await connect(from)
  silent.stopReading()
  await silent.send(get('/endless'))
  await occupy(await connect(of))
  await until('both are served', () => small.listener.watchdog.size === 2)
  return untilNothingMoves()
}

async function untilNothingMoves() {
  const { watchdog } = small.listener
  await until('nothing moves', () => {
    watchdog.check()
    small.clock.advance(1_000)
    return watchdog.listSlow().length > 0
  })
  return watchdog
}

bounds.before.each(() => {
  gate = new Gate()
  running = 0
})
bounds.after.each(async () => {
  gate.open()
  RawConnection.destroyAll()
  await small.stop()
})

bounds('should close the longest idle one', async () => {
  await start({ max: 3 })
  const first = await connect()
  const second = await connect()
  await first.ask(get('/quick'))
  await connect()
  await connect()
  await second.over()
  assert.not.ok(first.isOver, 'it was idle for a shorter time')
  assert.is((await first.ask(get('/quick'))).status, 200)
  assert.is(await count(), 3)
})

bounds('should close one with a partial header before an active one', async () => {
  await start({ max: 2 })
  const served = await connect()
  await occupy(served)
  const half = await connect()
  await half.send('GET /quick HT')
  const third = await connect()
  assert.is((await third.ask(get('/quick'))).status, 200)
  await half.over()
  gate.open()
  assert.is((await served.readAnswer()).json(), 'slow')
})

bounds('should refuse a new one while all others make progress', async () => {
  await start({ max: 2 })
  const both = [await connect(), await connect()]
  await occupy(...both)
  await (await connect()).over()
  assert.is(await count(), 2)
  assert.match(small.logLines.join(''), /too many connections/)
  gate.open()
  for (const connection of both) assert.is((await connection.readAnswer()).status, 200)
})

bounds('should end the slowest transfer for a new one', async () => {
  await start({ max: 2 })
  const watchdog = await serveBoth()
  const third = await connect()
  assert.is((await third.ask(get('/quick'))).status, 200)
  await until('the silent one is gone', () => watchdog.size === 1)
})

bounds('should count single addresses, and networks', async () => {
  await start({ ofAddressMax: 2, ofNetworkMax: 3 })
  await occupy(await connect('127.0.1.1'), await connect('127.0.1.1'))
  await (await connect('127.0.1.1')).over()
  await occupy(await connect('127.0.1.2'))
  await (await connect('127.0.1.3')).over()
  const other = await connect('127.0.2.1')
  assert.is((await other.ask(get('/quick'))).status, 200)
})

bounds('should not count the connections of a trusted proxy by its address', async () => {
  await start({ ofAddressMax: 1, ofNetworkMax: 1, isProxy: (peer) => peer === '127.0.0.1' })
  for (const connection of [await connect(), await connect()]) {
    assert.is((await connection.ask(get('/quick'))).status, 200)
  }
})

bounds('should limit the pipelined requests of all connections', async () => {
  await start({ pipelinedMax: 10 })
  const first = await connect()
  await first.send(get('/slow').repeat(4 + 10))
  await until('its requests have been read', () => small.listener.watchdog.size === 14)
  const second = await connect()
  await second.send(get('/slow').repeat(5))
  await second.over()
  gate.open()
  for (let answers = 0; answers < 14; answers += 1) {
    assert.is((await first.readAnswer()).status, 200)
  }
  const third = await connect()
  await third.send(get('/slow').repeat(14))
  for (let answers = 0; answers < 14; answers += 1) {
    assert.is((await third.readAnswer()).status, 200)
  }
})

bounds('should deliver finished answers before it stops', async () => {
  await start({})
  const idle = await connect()
  const connection = await connect()
  connection.stopReading()
  await connection.send(get('/large'))
  await until('it is answered', () => small.listener.watchdog.size === 1)
  const stopped = small.stop(20_000)
  await idle.over()
  connection.readOn()
  const { body } = await connection.readAnswer()
  assert.is(body.length, 30_000_002)
  await stopped
})

bounds('should end no slow transfer for an address above its limit', async () => {
  await start({ max: 3, ofAddressMax: 1 })
  const watchdog = await serveBoth('127.0.5.1', '127.0.6.1')
  await (await connect('127.0.6.1')).over()
  assert.is(watchdog.size, 2)
})

bounds('should answer the first request of a connection that came before the close', async () => {
  await start({})
  const used = await connect()
  await used.ask(get('/quick'))
  const fresh = await connect()
  const silent = await connect()
  await until('all are accepted', async () => (await count()) === 3)
  const stopped = small.stop()
  await used.over()
  const answer = await fresh.ask(get('/quick'))
  assert.is(answer.status, 200)
  assert.is(answer.headers['connection'], 'close')
  await silent.over()
  await stopped
})

// Clients that shut down their side after the request (RFC 9112 section 9.6 lets them read on).

let isAtWork = false
const work = route('POST /work', async ({ context }) => {
  const { length } = await readBody(context, 1024)
  isAtWork = true
  await gate.passed
  return json({ length, aborted: context.signal.aborted })
})
const posted = (length: number) => `${head('POST /work', { 'Content-Length': length })}body`
const closing = suite('half-closed connections')
closing.before.each(async () => {
  small = await startListener([work])
  gate = new Gate()
  isAtWork = false
})
closing.after.each(() => small.stop())

async function assertNothingLeft(): Promise<void> {
  const { server, watchdog } = small.listener
  await until('no context is left', () => watchdog.size === 0)
  await until('no connection is left', async () => (await countConnections(server)) === 0)
}

closing('should be answered when the answer takes its time, and closed after it', async () => {
  const accepted = once(small.listener.server, 'connection')
  const connection = await RawConnection.open(small.url)
  const [socket] = (await accepted) as [Socket]
  await connection.send(posted(4))
  await connection.finish()
  await until('the service has seen the end', () => socket.readableEnded && isAtWork)
  gate.open()
  const answer = await connection.readAnswer()
  assert.equal([answer.status, answer.json()], [200, { length: 4, aborted: false }])
  await connection.over()
  await assertNothingLeft()
})

closing('should be refused in the middle of a body', async () => {
  const connection = await RawConnection.open(small.url)
  await connection.send(posted(400))
  await connection.finish()
  assert.is((await connection.readAnswer()).status, 400)
  await connection.over()
  await assertNothingLeft()
})

closing('should count as disconnected when they end long after the request', async () => {
  const connection = await RawConnection.open(small.url)
  await connection.send(posted(4))
  await until('it is at work', () => isAtWork)
  small.clock.advance(5_000)
  await connection.finish()
  await assertNothingLeft()
  assert.is(connection.unread, '')
  gate.open()
})

closing('should end with their client while idle or working', async () => {
  const silent = await RawConnection.open(small.url)
  await silent.finish()
  await silent.over()
  const connection = await RawConnection.open(small.url)
  await connection.send(posted(4))
  await connection.finish()
  connection.destroy()
  await until('it is at work', () => isAtWork)
  gate.open()
  await assertNothingLeft()
})
