import { OutgoingMessage, ServerResponse } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf, until } from '../helpers/until.ts'
import { type Answer, json, page, LongList } from '../../src/http/answer.ts'
import { CodedError } from '../../src/lib/errors.ts'
import { busy } from '../../src/lib/permits.ts'
import { RawConnection } from '../helpers/raw-connection.ts'
import { route, startListener } from '../helpers/small-listener.ts'

let ended: string[] = []
let hasWaited = false

const answering = (path: string, make: () => Answer) => route(`GET ${path}`, async () => make())

function bytes(send: Extract<Answer, { kind: 'bytes' }>['send'], length = 6): Answer {
  return {
    kind: 'bytes',
    status: 200,
    headers: { 'Content-Length': length, 'Content-Type': 'text/plain' },
    cookies: ['a=1', 'b=2'],
    ...(send ? { send } : {}),
    discard: () => ended.push('discarded'),
  }
}

/** Pages of 8 KB. */
async function* pages(count: number, failsAfter = Infinity): AsyncGenerator<string[]> {
  try {
    for (let page = 0; page < count; page += 1) {
      if (page === failsAfter) throw new Error('the database is gone')
      yield Array.from({ length: 8 }, () => `${page} `.padEnd(1_000, 'x'))
    }
  } finally {
    ended.push('list ended')
  }
}

const longPage = `<p>${'long ü '.repeat(1000)}`

const operations = [
  answering('/json', () => json({ ü: 1 }, { status: 200, cookies: ['a=1', 'b=2'] })),
  answering('/page', () => page({ html: '<p>ü', nonce: 'abc' }, 404)),
  answering('/long-page', () => page({ html: longPage, nonce: 'abc' })),
  answering('/unsendable', () => ({
    ...bytes(() => Promise.resolve()),
    headers: { 'X-Name': 'not in a header: \n' },
  })),
  answering('/broken', () =>
    bytes(async (writer) => {
      await writer.write(Buffer.from('abc'))
      throw new Error('the disk is gone')
    }),
  ),
  answering('/endless', () =>
    bytes(async (writer) => {
      const data = Buffer.alloc(256 * 1024)
      try {
        for (;;) {
          const written = writer.write(data)
          hasWaited ||= !writer.flush()
          await written
        }
      } finally {
        ended.push(writer.signal.aborted ? 'aborted' : 'not aborted')
      }
    }, 1024 ** 4),
  ),
  answering('/list', () => json({ items: new LongList(pages(40)), last: true })),
  answering('/short-list', () => json({ items: new LongList(pages(1)), last: true })),
  answering('/broken-early', () => json(new LongList(pages(2, 1)))),
  answering('/broken-late', () => json(new LongList(pages(40, 20)))),
  answering('/endless-list', () => json(new LongList(pages(Infinity)))),
  answering('/busy', () => {
    throw busy()
  }),
  answering('/away', () => {
    throw new CodedError('unavailable', { cause: new Error('the database is away') })
  }),
]

const sending = suite('send')

const small = await startListener(operations)
sending.before.each(() => {
  ended = []
  small.logLines.length = 0
  small.client.cookies.clear()
})

sending('should send JSON with its length, its cookies and the headers of the API', async () => {
  const answer = await small.client.get('/json')
  assert.equal(answer.json(), { ü: 1 })
  assert.is(answer.headers['content-length'], '8')
  assert.equal(answer.headers['set-cookie'], ['a=1', 'b=2'])
  assert.is(answer.headers['cache-control'], 'no-store')
  assert.is(answer.headers['x-content-type-options'], 'nosniff')
  assert.is(answer.headers['referrer-policy'], 'no-referrer')
  assert.is(answer.headers['x-powered-by'], undefined)
  assert.is(answer.headers['server'], undefined)
})

sending('should discard an answer whose head cannot be sent', async () => {
  assert.is((await small.client.get('/unsendable')).status, 500)
  assert.equal(ended, ['discarded'])
})

sending('should send a long list in pieces, and a short one with its length', async () => {
  const answer = await small.client.get('/list')
  assert.is(answer.headers['content-length'], undefined)
  assert.is(answer.headers['content-type'], 'application/json; charset=utf-8')
  assert.is(answer.headers['cache-control'], 'no-store')
  const { items, last } = answer.json()
  assert.equal([items.length, items[0].length, last], [320, 1_000, true])
  assert.is(new Set(items).size, 40)
  const short = await small.client.get('/short-list')
  assert.is(short.headers['content-length'], String(short.body.length))
  assert.is(short.json().items.length, 8)
  assert.equal(ended, ['list ended', 'list ended'])
  const head = await small.client.call('HEAD', '/endless-list')
  assert.equal([head.status, head.body.length], [200, 0])
  assert.is(ended.length, 3, 'it is not read to its end')
})

sending('should answer an error before a list has started, and abort after', async () => {
  assert.is((await small.client.get('/broken-early')).status, 500)
  await failureOf(small.client.get('/broken-late'))
  assert.is(small.listener.watchdog.size, 0)
  assert.equal(ended, ['list ended', 'list ended'])
})

sending('should take no permit for an answer that waits behind another one', async () => {
  const slow: RawConnection[] = []
  for (let n = 0; n < 3; n += 1) {
    const connection = await RawConnection.open(small.url)
    connection.stopReading()
    const paths = ['/endless', '/list', '/list', '/list']
    await connection.send(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
    slow.push(connection)
  }
  await until('all of them have arrived', () => small.listener.watchdog.size === 12)
  assert.is((await small.client.get('/list')).json().items.length, 320)
  for (const connection of slow) connection.destroy()
  await until('they have gone', () => small.listener.watchdog.size === 0)
})

sending('should compress long pages for clients that accept it', async () => {
  const packed = await small.client.get('/long-page', { 'accept-encoding': 'br, gzip;q=0.5' })
  assert.is(packed.headers['content-encoding'], 'gzip')
  assert.is(Number(packed.headers['content-length']), packed.body.length)
  assert.is(gunzipSync(packed.body).toString(), longPage)
  for (const accepted of ['br', 'gzip;q=0']) {
    const plain = await small.client.get('/long-page', { 'accept-encoding': accepted })
    assert.is(plain.headers['content-encoding'], undefined, accepted)
    assert.is(plain.body.toString(), longPage)
  }
  const short = await small.client.get('/page', { 'accept-encoding': 'gzip' })
  assert.is(short.headers['content-encoding'], undefined)
})

sending('should close the connection when promised bytes do not come', async () => {
  const connection = await RawConnection.open(small.url)
  await connection.send('GET /broken HTTP/1.1\r\nHost: x\r\n\r\n')
  await connection.over()
  assert.not.match(connection.unread, /abc[^]*def|"error"/)
  connection.destroy()
  await until('the log has the cause', () =>
    small.logLines.some((line) => line.includes('the disk is gone')),
  )
})

sending('should stop sending when the client disconnects', async () => {
  const connection = await RawConnection.open(small.url)
  await connection.send('GET /endless HTTP/1.1\r\nHost: x\r\n\r\n')
  await connection.readAnswer({ isHead: true })
  await until('the sender waits for the client', () => hasWaited)
  connection.destroy()
  await until('the sender was notified', () => ended.length === 1)
  assert.equal(ended, ['aborted'])
  await until('the context has ended', () => small.listener.watchdog.size === 0)
  assert.not.ok(small.logLines.some((line) => line.includes('"error"')))
})

sending('should not treat a disconnected client as an error of the service', async () => {
  // The write fails before Node reports that the connection is closed.
  const { prototype } = ServerResponse
  const real = Object.getOwnPropertyDescriptor(OutgoingMessage.prototype, 'write')!
  const write = (_data: Buffer, done: (error: Error) => void) => {
    const error = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
    setImmediate(() => done(error))
    return false
  }
  Object.defineProperty(prototype, 'write', { ...real, value: write })
  const connection = await RawConnection.open(small.url)
  try {
    await connection.send('GET /endless HTTP/1.1\r\nHost: x\r\n\r\n')
    await connection.over()
    await until('the context has ended', () => small.listener.watchdog.size === 0)
  } finally {
    Reflect.deleteProperty(prototype, 'write')
    connection.destroy()
  }
  assert.equal(ended, ['aborted'])
  await until('it is in the log', () => small.logLines.length > 0)
  const levels = small.logLines.map((line) => JSON.parse(line).level)
  assert.equal(levels, ['info'])
})

sending('should log errors of many requests every ten seconds, with their number', async () => {
  const logged = () =>
    small.logLines
      .map((line) => JSON.parse(line))
      .filter(({ message }) => message !== 'request')
      .map(({ level, cause, times }) => [level, cause.message, times])
  small.clock.advance(10_000)
  for (const path of ['/away', '/busy', '/away', '/away']) {
    const answer = await small.client.get(path)
    assert.is(answer.status, 503)
    assert.equal(Object.keys(answer.json()).toSorted(), ['code', 'error'], 'without the cause')
  }
  const away = 'the database is away'
  const busyText = busy().message
  assert.equal(logged(), [
    ['error', away, undefined],
    ['warn', busyText, undefined],
  ])
  small.logLines.length = 0
  small.clock.advance(10_000)
  await small.client.get('/away')
  await small.client.get('/broken-early')
  await small.client.get('/broken-early')
  assert.equal(logged(), [
    ['error', away, 3],
    ['error', 'the database is gone', undefined],
    ['error', 'the database is gone', undefined],
  ])
})
