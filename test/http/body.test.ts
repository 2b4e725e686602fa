import * as fc from 'fast-check'
import { gzipSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Gate, until } from '../helpers/until.ts'
import * as v from 'valibot'
import { json } from '../../src/http/answer.ts'
import { feedBody, GatheredBytes, readBody } from '../../src/http/body.ts'
import type { RequestContext } from '../../src/http/request-context.ts'
import { jsonBody, listBody, operation } from '../../src/http/operation.ts'
import { feedUnpacked } from '../../src/http/json-body.ts'
import { optional, text } from '../../src/http/schema.ts'
import { CodedError } from '../../src/lib/errors.ts'
import { RawConnection } from '../helpers/raw-connection.ts'
import { assertError } from '../helpers/client.ts'
import { common, route, startListener } from '../helpers/small-listener.ts'

let failures: unknown[] = []
let gate = new Gate()
let isHeld = false

const whole = route('POST /whole', async ({ context }) =>
  json({ body: (await readBody(context, 100)).toString() }),
)

const held = route('POST /held', async ({ context }) => {
  let bytes = 0
  try {
    await feedBody(context, 1024 * 1024 * 1024, (data) => {
      bytes += data.length
      isHeld = true
      return gate.passed
    })
  } catch (error) {
    failures.push(error)
    throw error
  }
  return json({ bytes })
})

/** Takes each piece in several turns of the event loop, and tells what it had taken at the end. */
const slow = route('POST /slow', async ({ context }) => {
  let taken = 0
  await feedBody(context, 1024 * 1024 * 1024, async (data) => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
    taken += data.length
  })
  return json({ taken })
})

const late = route('POST /late', async ({ context }) => {
  isHeld = true
  await gate.passed
  let [bytes, pieces] = [0, 0]
  await feedBody(context, 1024 * 1024, (data) => {
    bytes += data.length
    pieces += 1
  })
  return json({ bytes, pieces })
})

const throwing = route('POST /throwing', async ({ context }) => {
  await feedBody(context, 1000, (data) => {
    if (data.includes('later')) return Promise.reject(new CodedError('disk_full'))
    throw new CodedError('conflict')
  })
  return json({})
})

let reading: RequestContext | null = null
const packed = route('POST /packed', async ({ context }) => {
  reading = context
  await feedUnpacked(context, 1024 * 1024, () => {})
  return json({})
})

const list = operation({
  ...common,
  method: 'POST',
  id: 'list',
  path: '/list',
  body: listBody(
    'items',
    v.object({ a: v.number() }),
    v.object({ other: optional(text(0, 5)) }),
    'all',
  ),
  handle: async ({ body: { items, rest } }) =>
    json({ items: items ? [...items.pages()].flat() : 'all', rest }),
})

const object = operation({
  ...common,
  method: 'POST',
  id: 'object',
  path: '/object',
  body: jsonBody(v.object({ a: optional(v.number()) })),
  handle: async ({ body }) => json(body),
})

const bodies = suite('body')
const small = await startListener([whole, held, late, slow, throwing, list, object, packed])
bodies.after.each(() => RawConnection.destroyAll())
bodies.before.each(hold)

function hold(): void {
  failures = []
  gate = new Gate()
  isHeld = false
}

bodies('should arrive in few pieces, however many the client has made of it', async () => {
  const bytes = 100_000
  const connection = await RawConnection.open(small.url)
  await connection.send('POST /late HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
  const sent = connection.send(`${'1\r\nx\r\n'.repeat(bytes)}0\r\n\r\n`)
  await until('the request waits', () => isHeld)
  gate.open()
  await sent
  const answer = (await connection.readAnswer()).json<{ bytes: number; pieces: number }>()
  assert.is(answer.bytes, bytes)
  assert.ok(answer.pieces < bytes / 100, `${answer.pieces} pieces`)
})

bodies('should not end before its last piece has been taken', async () => {
  for (let round = 0; round < 60; round += 1) {
    const body = Buffer.alloc(300_000 + 7_000 * round)
    const answer = await small.client.call('POST', '/slow', { body })
    assert.equal(answer.json(), { taken: body.length })
  }
})

bodies('should be refused above its limit, but not at it', async () => {
  assert.is((await small.client.call('POST', '/whole', { body: 'x'.repeat(100) })).status, 200)
  async function* pieces() {
    for (let count = 0; count < 3; count += 1) yield Buffer.alloc(50)
  }
  for (const body of ['x'.repeat(101), pieces()]) {
    const refused = await small.client.call('POST', '/whole', { body })
    assert.is(refused.status, 413)
    assert.equal([refused.json().code, refused.json().limit], ['payload_too_large', 100])
  }
})

bodies('should answer an error of the reader, at once or later', async () => {
  const now = await small.client.call('POST', '/throwing', { body: 'x' })
  assert.is(now.json().code, 'conflict')
  const later = await small.client.call('POST', '/throwing', { body: 'later' })
  assert.is(later.json().code, 'disk_full')
})

bodies('should not be read further while the reader asks for a pause', async () => {
  const connection = await RawConnection.open(small.url)
  const bytes = 64 * 1024 * 1024
  await connection.send(`POST /held HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`)
  const sending = connection.send(Buffer.alloc(bytes))
  await until('the first bytes have arrived', () => isHeld)
  let sent = false
  void sending.then(() => {
    sent = true
  })
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  assert.not.ok(sent, '64 MiB do not fit into the buffers of two sockets')
  gate.open()
  assert.equal((await connection.readAnswer()).json(), { bytes })
})

bodies('should end with the client, and report an incomplete body as an error', async () => {
  for (const head of ['Content-Length: 100', 'Transfer-Encoding: chunked']) {
    hold()
    const connection = await RawConnection.open(small.url)
    await connection.send(`POST /held HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n5\r\nhello\r\n`)
    await until('the first bytes have arrived', () => isHeld)
    connection.destroy()
    gate.open()
    await until('the reader was notified', () => failures.length === 1)
    assert.is((failures[0] as CodedError).code, 'incomplete_body')
  }
})

const post = (path: string, body: string | Buffer) => small.client.call('POST', path, { body })

for (const body of [
  '\n{ "\\u0069tems" : [ ] }\t',
  '{"x":[{"items":[1]}],"y":"\\"items\\":[","items":[]}',
  '{"x":[[],["items",[]]],"items":[]}',
]) {
  bodies(`should find the list of ${JSON.stringify(body)}`, async () => {
    assert.equal((await post('/list', body)).json(), { items: [], rest: {} })
  })
}

const wrongLists: [body: string, code: string, field?: string][] = [
  ['', 'invalid_input', 'items'],
  ['{}', 'invalid_input', 'items'],
  ['{"items":null}', 'invalid_input', 'items'],
  ['{"items":{"0":{"a":1}}}', 'invalid_input', 'items'],
  ['{"items":[{"a":1},{"a":"x"}]}', 'invalid_input', 'items[1].a'],
  ['{"items":[7]}', 'invalid_input', 'items[0]'],
  ['{"items":[[{"a":1}]]}', 'invalid_input', 'items[0].a'],
  ['{"items":[],"other":"too long"}', 'invalid_input', 'other'],
  ['{"items":[],"items":[]}', 'invalid_json'],
  ['{"items":[]', 'invalid_json'],
  ['{"items":[{"a":1},]}', 'invalid_json'],
  ['{"items":[,{"a":1}]}', 'invalid_json'],
  ['{"items":[{"a":1}}', 'invalid_json'],
  ['{"items":[{"a":1}]]}', 'invalid_json'],
  ['{"items"[]}', 'invalid_json'],
  ['{"x":["items",[]]}', 'invalid_input', 'items'],
  ['{"x":{"items":[]}}', 'invalid_input', 'items'],
  ['{"items":[],"items":7}', 'invalid_input', 'items'],
  ['{"items":[]}x', 'invalid_json'],
  ['{"items":[{"a":01}]}', 'invalid_json'],
  ['{items:[]}', 'invalid_json'],
  ['[{"items":[]}]', 'invalid_json'],
  ['null', 'invalid_json'],
]

for (const [body, code, field] of wrongLists) {
  bodies(`should refuse ${body || 'nothing'}`, async () => {
    const answer = await post('/list', body)
    assert.is(answer.status, 400, answer.body.toString())
    assert.equal([answer.json().code, answer.json().field], [code, field])
  })
}

bodies('should name the word to send in place of too many items', async () => {
  assert.equal((await post('/list', '{"items":"all"}')).json(), { items: 'all', rest: {} })
  const refused = await post('/list', `{"items":[${'{"a":1},'.repeat(250_000)}{"a":1}]}`)
  assert.is(refused.status, 413)
  assert.match(refused.json().error, 'at most 250000 items; send "items": "all" instead')
})

bodies('should not use __proto__ for missing keys', async () => {
  const item = await post('/list', '{"items":[{"__proto__":{"a":1}}]}')
  assert.equal([item.status, item.json().field], [400, 'items[0].a'])
  const rest = await post('/list', '{"items":[],"__proto__":{"other":"x"},"constructor":1}')
  assert.equal(rest.json(), { items: [], rest: {} })
  assert.equal((await post('/object', '{"__proto__":{"a":1}}')).json(), {})
})

bodies('should read a list that arrives byte by byte', async () => {
  const text = '{"other":"\ufeffü😀","items":[{"a":12,"ü😀":"\\u00fc"} , {"a":3,"items":[","]}]}'
  const body = Buffer.from(text)
  async function* bytes() {
    for (const byte of body) yield Buffer.from([byte])
  }
  const answer = await small.client.call('POST', '/list', { body: bytes() })
  assert.equal(answer.json(), { items: [{ a: 12 }, { a: 3 }], rest: { other: '\ufeffü😀' } })
})

const postPacked = (body: Buffer | AsyncIterable<Buffer>, coding = 'gzip') => {
  const headers = { 'Content-Type': 'application/json', 'Content-Encoding': coding }
  return small.client.call('POST', '/list', { body, headers })
}

bodies('should read a gzipped list, cut at any byte', async () => {
  const items = Array.from({ length: 20_000 }, (_, a) => ({ a }))
  const plain = Buffer.from(JSON.stringify({ items, other: 'x' }))
  const packed = gzipSync(plain)
  assert.ok(packed.length < plain.length / 3)
  async function* pieces() {
    for (let at = 0; at < packed.length; at += 777) yield packed.subarray(at, at + 777)
  }
  for (const body of [packed, pieces()]) {
    const answer = await postPacked(body)
    assert.is(answer.status, 200)
    assert.equal(answer.json(), { items, rest: { other: 'x' } })
  }
  assert.is((await postPacked(plain, 'Identity')).status, 200)
})

const soundGzip = gzipSync('{"items":[{"a":1}]}')
const wrongSum = Buffer.concat([soundGzip.subarray(0, -8), Buffer.alloc(8, 7)])
const wrongPacked: [name: string, body: Buffer, coding: string, code: string][] = [
  ['an item that does not fit', gzipSync('{"items":[{"a":"x"}]}'), 'gzip', 'invalid_input'],
  ['data that is not gzip', Buffer.from('{"items":[]}'), 'gzip', 'invalid_json'],
  ['gzip that ends early', soundGzip.subarray(0, -9), 'gzip', 'invalid_json'],
  ['gzip whose sum is wrong', wrongSum, 'gzip', 'invalid_json'],
  ['another coding', soundGzip, 'br', 'invalid_content_type'],
  ['two codings', soundGzip, 'gzip, gzip', 'invalid_content_type'],
]
for (const [name, body, coding, code] of wrongPacked) {
  bodies(`should refuse ${name}`, async () => {
    const answer = await postPacked(body, coding)
    assert.equal([answer.status, answer.json().code], [400, code])
    assert.is(answer.headers['accept-encoding'], coding === 'gzip' ? undefined : 'gzip')
    assert.is((await postPacked(soundGzip)).status, 200)
  })
}

bodies('should refuse packed data without an end, in pieces of one byte', async () => {
  // A header without an end (RFC 1952 section 2.3.1, FNAME): it unpacks to nothing.
  const head = Buffer.from([31, 139, 8, 8, 0, 0, 0, 0, 0, 3])
  const connection = await RawConnection.open(small.url)
  const pieces = 100_000
  const fields = 'Content-Encoding: gzip\r\nTransfer-Encoding: chunked'
  await connection.send(`POST /packed HTTP/1.1\r\nHost: x\r\n${fields}\r\n\r\na\r\n`)
  await connection.send(Buffer.concat([head, Buffer.from('\r\n')]))
  await until('it is being read', () => reading?.bodyBytes === head.length)
  await connection.send('1\r\nx\r\n'.repeat(pieces))
  await until('all of it was received', () => reading?.bodyBytes === head.length + pieces)
  assert.is((await connection.ask('0\r\n\r\n')).json().code, 'invalid_json')
})

bodies('should refuse data after the end of packed data', async () => {
  async function* padded() {
    yield soundGzip
    for (let count = 0; count < 50; count += 1) {
      yield Buffer.alloc(64 * 1024)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  assertError(await postPacked(padded()), 400, 'invalid_json')
})

bodies('should unpack no more than the limit of a list', async () => {
  // 80 MB in items that are each valid, and fewer of them than the limit.
  const items = gzipSync(`{"a":1,"more":"${'x'.repeat(400)}"},`.repeat(2000))
  const pieces = [gzipSync('{"items":['), ...Array.from({ length: 100 }, () => items)]
  const body = Buffer.concat(pieces)
  assert.ok(body.length < 1024 * 1024)
  const refused = await postPacked(body)
  assert.is(refused.status, 413)
  assert.equal([refused.json().code, refused.json().limit], ['payload_too_large', 2 ** 26])
})

const gathering = suite('GatheredBytes')
const kibibyte = 1024

function memoryOf(buffers: readonly Buffer[]): number {
  const memories = new Set(buffers.map(({ buffer }) => buffer))
  return [...memories].reduce((sum, { byteLength }) => sum + byteLength, 0)
}

gathering('should return what was added, and know its memory (property)', () => {
  const sizes = fc.oneof(fc.constant(1), fc.nat(3000), fc.integer({ min: 0, max: 70_000 }))
  fc.assert(
    fc.property(fc.array(sizes, { maxLength: 60 }), fc.nat(60), (lengths, takeAt) => {
      const gathered = new GatheredBytes()
      const pieces = lengths.map((length, index) => Buffer.alloc(length, index))
      const taken: Buffer[] = []
      for (const [index, piece] of pieces.entries()) {
        gathered.add(piece)
        if (index !== takeAt) continue
        taken.push(...gathered.take())
        assert.equal([gathered.length, gathered.memoryBytes], [0, 0])
      }
      const { length, memoryBytes } = gathered
      const rest = gathered.take()
      assert.is(Buffer.concat(rest).length, length)
      assert.ok(memoryOf(rest) <= memoryBytes)
      assert.ok(memoryBytes <= 2 * length + 4 * kibibyte || memoryBytes <= length + 32 * kibibyte)
      assert.ok(Buffer.concat([...taken, ...rest]).equals(Buffer.concat(pieces)))
    }),
  )
})
