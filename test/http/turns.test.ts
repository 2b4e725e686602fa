// Requests take turns before the first query: many of one client delay no other.
import type { Socket } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { json } from '../../src/http/answer.ts'
import { operation } from '../../src/http/operation.ts'
import { inTurns, Permits } from '../../src/lib/permits.ts'
import { Gate } from '../helpers/replaced.ts'
import { startListener, type SmallListener } from '../helpers/small-listener.ts'
import { until } from '../helpers/until.ts'
import { attackFrom, head } from '../helpers/raw-connection.ts'

const declare = operation
const common = { method: 'GET', summary: 'x', tag: 'Test', answers: {}, errors: [] } as const

let gate = new Gate()
/** Addresses whose request was looked up, in order. */
let found: string[] = []
const operations = [
  declare({
    ...common,
    id: 'found',
    path: '/found',
    auth: 'none',
    async load({ ip }) {
      found.push(ip)
      await gate.passed
    },
    handle: async () => json({}),
  }),
  declare({ ...common, id: 'plain', path: '/plain', auth: 'none', handle: async () => json({}) }),
]

const turns = suite('turns')
let small: SmallListener
let sockets: Socket[] = []

turns.before.each(async () => {
  gate = new Gate()
  found = []
  const lookUps = new Permits(inTurns(2), { waitersMax: 8, waitMsMax: 60_000 })
  small = await startListener(operations, { lookUps })
})
turns.after.each(async () => {
  gate.open()
  for (const socket of sockets) socket.destroy()
  sockets = []
  await small.stop()
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

turns('should let clients take turns, and answer requests without a query at once', async () => {
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

turns('should refuse the client with most waiting requests when too many wait', async () => {
  const flood: string[][] = []
  for (let n = 0; n < 10; n += 1) {
    flood.push(await ask('127.0.1.1'))
    await waits(n + 1)
  }
  const honest = await ask('127.0.2.1')
  await until('one is refused', () => flood.flat().length === 1)
  assert.equal(flood.flat(), ['503'])
  gate.open()
  await until('the honest one is answered', () => honest[0] === '200')
  await until('all are answered', () => small.listener.watchdog.size === 0)
  assert.is(flood.flat().filter((status) => status === '200').length, 9)
})

turns('should forget a waiting request whose client has disconnected', async () => {
  await ask('127.0.1.1')
  await ask('127.0.1.1')
  await waits(2)
  await ask('127.0.3.1')
  await waits(3)
  sockets.at(-1)!.resetAndDestroy()
  await waits(2)
  gate.open()
  await waits(0)
  assert.not(found.includes('127.0.3.1'))
})

turns.run()
