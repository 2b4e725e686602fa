// Lists in bodies: the first megabyte of each needs no permit, and silent clients keep none.
import { gzipSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { json } from '../../src/http/answer.ts'
import { listBody, operation } from '../../src/http/operation.ts'
import type { PackedList } from '../../src/lib/packed-list.ts'
import { ByteBudget } from '../../src/lib/byte-budget.ts'
import { RawConnection } from '../helpers/raw-connection.ts'
import { common, startListener, type SmallListener } from '../helpers/small-listener.ts'
import { until } from '../helpers/until.ts'

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
let small: SmallListener
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
async function begin(address: string, bytes: number): Promise<RawConnection> {
  const connection = await RawConnection.open(small.url, address)
  const start = `{"files":[${'"0123456789abc",\n'.repeat(Math.ceil(bytes / 17))}`
  await connection.send(
    'POST /receive HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
      `Transfer-Encoding: chunked\r\n\r\n${start.length.toString(16)}\r\n${start}\r\n`,
  )
  return connection
}
const finish = (connection: RawConnection) => connection.send('4\r\n""]}\r\n0\r\n\r\n')

/** Until then a list has no permit. */
const longBytes = 1.2 * mebibyte

lists('should read the first megabyte of every list without a permit', async () => {
  for (let n = 1; n <= 6; n += 1) await begin(`127.0.${n}.1`, 900_000)
  await until('all have begun', () => small.listener.watchdog.size === 6)
  const honest = await begin('127.0.9.1', longBytes)
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
    const silent = await begin('127.0.1.1', longBytes)
    await until('it has a permit', () => longBodies.permits === 1)
    const honest = await begin(address, longBytes)
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
  const first = await begin('127.0.1.1', longBytes)
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
