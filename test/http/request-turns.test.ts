// Every request takes a turn before it runs, whatever it asks for.
import { once } from 'node:events'
import { connect, Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Gate, until } from '../helpers/until.ts'
import * as v from 'valibot'
import { json } from '../../src/http/answer.ts'
import { listBody, operation } from '../../src/http/operation.ts'
import { RequestTurns } from '../../src/http/request-context.ts'
import { GatheredRequest } from '../../src/http/body.ts'
import { ByteBudget } from '../../src/lib/byte-budget.ts'
import type { PackedList } from '../../src/lib/packed-list.ts'
import { inTurns, Permits } from '../../src/lib/permits.ts'
import { attackFrom, head, RawConnection } from '../helpers/raw-connection.ts'
import { common, route, type SmallListener, startListener } from '../helpers/small-listener.ts'

const turns = suite('turns of requests')

const of = (key: string, network = key) => ({ key, network })
const immediate = () => new Promise((resolve) => setImmediate(resolve))

turns('should start a few requests in each turn of the event loop', async () => {
  const queue = new RequestTurns()
  let started = 0
  for (let n = 0; n < 100; n += 1) queue.add(of('a'), () => (started += 1))
  const counts = [started]
  while (queue.waiting > 0) {
    await immediate()
    counts.push(started)
  }
  assert.equal(counts, [8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 100])
})

turns('should forget a request whose connection has closed', async () => {
  const queue = new RequestTurns()
  const order: number[] = []
  const forget = Array.from({ length: 12 }, (_, n) => queue.add(of('a'), () => order.push(n)))
  for (const one of forget.slice(6, 11)) one()
  while (queue.waiting > 0) await immediate()
  assert.equal(order, [0, 1, 2, 3, 4, 5, 6, 7, 11])
})

turns('should let bodies of very many chunks take turns', async () => {
  const socket = new Socket()
  const request = new GatheredRequest(socket)
  const waiting: (() => void)[] = []
  request.queue = (readOn) => waiting.push(readOn)
  let received = 0
  request.on('data', (data: Buffer) => (received += data.length))
  for (let n = 0; n < 999; n += 1) assert.ok(request.push(Buffer.from('a')))
  assert.not(request.push(Buffer.from('a')), 'the socket is paused')
  request.push(Buffer.from('a'))
  await immediate()
  await immediate()
  assert.equal([received, waiting.length], [1001, 1])
  let isResumed = false
  socket.resume = () => ((isResumed = true), socket)
  await immediate()
  assert.not(isResumed)
  waiting[0]!()
  assert.ok(isResumed)
  socket.destroy()
})

const kinds: Record<string, string> = {
  'unknown addresses': 'GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n',
  'wrong methods': 'PUT /quick HTTP/1.1\r\nHost: x\r\n\r\n',
  'refused requests': 'GET /quick HTTP/1.1\r\nA: b\r\n\r\n',
  'refused bodies': 'POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n{"a',
  'operations without queries': 'GET /quick HTTP/1.1\r\nHost: x\r\n\r\n',
}
const connectionsOfFlood = 60

const floods = suite('turns of requests: floods')
let small: SmallListener
const sockets: Socket[] = []
const handled: string[] = []

const handle = async ({ ip }: { ip: string }) => {
  handled.push(ip)
  return json('')
}

floods.before.each(async () => {
  handled.length = 0
  small = await startListener([route('GET /quick', handle), route('POST /body', handle)])
})
floods.after.each(clear)

async function clear(): Promise<void> {
  for (const socket of sockets.splice(0)) socket.destroy()
  await small.stop()
}

async function open(localAddress: string): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(small.url).port), localAddress })
  sockets.push(socket)
  socket.resume()
  await once(socket, 'connect')
  return socket
}

for (const [kind, text] of Object.entries(kinds)) {
  floods(`should answer a newcomer beside a flood of ${kind}`, async () => {
    const flood = []
    for (let n = 0; n < connectionsOfFlood; n += 1) flood.push(await open('127.0.1.1'))
    const honest = await open('127.0.2.1')
    const lines = () => small.logLines.filter((line) => line.includes('"message":"request"'))
    // The kernel has all of them before the service reads one.
    for (const socket of flood) socket.write(text.repeat(4))
    honest.write(kinds['operations without queries']!)
    await until('the newcomer is answered', () => lines().some((line) => line.includes('127.0.2')))
    const place = lines().findIndex((line) => line.includes('127.0.2'))
    assert.ok(place < 40, `${place} of ${connectionsOfFlood * 4} were answered before`)
  })
}

async function isOpen(address: string): Promise<boolean> {
  const socket = await open(address)
  socket.write(kinds['unknown addresses']!)
  return Promise.race([
    once(socket, 'data').then(() => true),
    once(socket, 'close').then(() => false),
  ])
}

floods('should count a connection with very many chunks for 64', async () => {
  await small.stop()
  small = await startListener([], {}, { newOfNetworkMax: 66 })
  const costly = await open('127.0.1.1')
  const start = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'
  costly.write(start + '1\r\na\r\n'.repeat(3000))
  await once(costly, 'data')
  for (let n = 2; n <= 3; n += 1) assert.ok(await isOpen(`127.0.1.${n}`))
  assert.not(await isOpen('127.0.1.4').catch(() => false))
  assert.ok(await isOpen('127.0.2.1'))
})

floods('should close connections of a network that begins too many', async () => {
  await small.stop()
  small = await startListener([], {}, { newOfNetworkMax: 3, isProxy: (ip) => ip === '127.0.4.1' })
  for (let n = 1; n <= 3; n += 1) assert.ok(await isOpen(`127.0.3.${n}`))
  assert.not(await isOpen('127.0.3.4').catch(() => false))
  for (const address of ['127.0.4.1', '127.0.0.1', '127.0.5.1']) {
    for (let n = 0; n < 3; n += 1) assert.ok(await isOpen(address), address)
  }
  for (const address of ['127.0.4.1', '127.0.0.1']) assert.ok(await isOpen(address), address)
  small.clock.advance(10_000)
  assert.ok(await isOpen('127.0.3.5'))
})

let gate = new Gate()
/** Addresses whose request was looked up, in order. */
let found: string[] = []
const operations = [
  operation({
    ...common,
    id: 'found',
    method: 'GET',
    path: '/found',
    async load({ ip }) {
      found.push(ip)
      await gate.passed
    },
    handle: async () => json({}),
  }),
  route('GET /plain', async () => json({})),
]

const lookUps = suite('turns at the first query')

lookUps.before.each(async () => {
  gate = new Gate()
  found = []
  const turns = new Permits(inTurns(2), { waitersMax: 8, waitMsMax: 60_000 })
  small = await startListener(operations, { lookUps: turns })
})
lookUps.after.each(() => {
  gate.open()
  return clear()
})

/** Sends a request from a new connection of an address; the answer is in the returned list. */
async function ask(address: string, path = '/found'): Promise<string[]> {
  const socket = await attackFrom(Number(new URL(small.url).port), address)
  sockets.push(socket)
  socket.resume()
  const answers: string[] = []
  socket.on('data', (data) => answers.push(data.toString('latin1').slice(9, 12)))
  socket.write(head(`GET ${path}`))
  return answers
}

const waits = (count: number) =>
  until(`${count} requests are there`, () => small.listener.watchdog.size === count)

lookUps('should let clients take turns, and answer requests without a query at once', async () => {
  for (let n = 0; n < 6; n += 1) {
    await ask('127.0.1.1')
    await waits(n + 1)
  }
  const honest = await ask('127.0.2.1')
  await waits(7)
  const plain = await ask('127.0.1.1', '/plain')
  await until('the plain one is answered', () => plain[0] === '200')
  assert.equal(found, ['127.0.1.1', '127.0.1.1'])
  gate.open()
  await until('the honest one is answered', () => honest[0] === '200')
  assert.ok(found.indexOf('127.0.2.1') <= 3, found.join())
})

// Lists in bodies: the first megabyte of each needs no permit, and silent clients keep none.

const mebibyte = 1024 * 1024
const receive = operation({
  ...common,
  id: 'receive',
  method: 'POST',
  path: '/receive',
  body: listBody('files', v.string(), v.object({})),
  async handle({ body }) {
    return json((body as { items: PackedList<string> }).items.length)
  },
})

const lists = suite('long lists of bodies')
let longBodies: ByteBudget

lists.before.each(async () => {
  longBodies = new ByteBudget({
    bytesMax: 2 * mebibyte,
    shareBytesMin: mebibyte,
    shareBytesMax: mebibyte,
    permitsPerClientMax: 1,
    permitsPerNetworkMax: 1,
    permitsKept: 1,
    waitersMax: 2,
    waitMsMax: 60_000,
    endsIdle: true,
  })
  small = await startListener([receive], { longBodies })
})
lists.after.each(async () => {
  RawConnection.destroyAll()
  await small.stop()
})

/** Begins a chunked list from an address, with this many bytes of it. */
async function beginList(address: string, bytes: number): Promise<RawConnection> {
  const connection = await RawConnection.open(small.url, address)
  const start = `{"files":[${'"0123456789abc",\n'.repeat(Math.ceil(bytes / 17))}`
  const fields = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }
  const chunk = `${start.length.toString(16)}\r\n${start}\r\n`
  await connection.send(head('POST /receive', fields) + chunk)
  return connection
}
const finish = (connection: RawConnection) => connection.send('4\r\n""]}\r\n0\r\n\r\n')

/** Until then a list has no permit. */
const longBytes = 1.2 * mebibyte

lists('should read the first megabyte of every list without a permit', async () => {
  for (let n = 1; n <= 6; n += 1) await beginList(`127.0.${n}.1`, 900_000)
  await until('all have begun', () => small.listener.watchdog.size === 6)
  const honest = await beginList('127.0.9.1', longBytes)
  await until('it has a permit', () => longBodies.permits === 1)
  await finish(honest)
  assert.is((await honest.readAnswer()).status, 200)
  assert.equal([longBodies.permits, longBodies.waiting], [0, 0])
})

for (const [who, address] of [
  ['another client', '127.0.2.1'],
  ['the same client', '127.0.1.1'],
] as const) {
  lists(`should end a list that stands still while one of ${who} waits`, async () => {
    const silent = await beginList('127.0.1.1', longBytes)
    await until('it has a permit', () => longBodies.permits === 1)
    const honest = await beginList(address, longBytes)
    await until('the other waits', () => longBodies.waiting === 1)
    const answer = silent.readAnswer()
    // What it did before and while it waited for its permit does not count.
    for (let seen = 0; seen < 3; seen += 1) {
      small.listener.watchdog.check()
      small.clock.advance(2_000)
    }
    small.listener.watchdog.check()
    assert.is((await answer).status, 408)
    await until('the other has the permit', () => longBodies.waiting === 0)
    await finish(honest)
    assert.is((await honest.readAnswer()).status, 200)
  })
}

lists('should wait for a permit in the middle of a packed list', async () => {
  const first = await beginList('127.0.1.1', longBytes)
  await until('it has a permit', () => longBodies.permits === 1)
  const items = Array.from({ length: 200_000 }, (_, n) => `file ${n}`)
  const packed = small.client.call('POST', '/receive', {
    body: gzipSync(JSON.stringify({ files: items })),
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  })
  await until('it waits', () => longBodies.waiting === 1)
  await finish(first)
  assert.is((await first.readAnswer()).status, 200)
  const answer = await packed
  assert.equal([answer.status, answer.json()], [200, items.length])
  assert.is(longBodies.permits, 0)
})
