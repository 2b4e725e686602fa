// The edges of the listener: malformed requests, input between requests, and slow clients.
import { type AddressInfo, connect } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../helpers/until.ts'
import * as v from 'valibot'
import { json } from '../../src/http/answer.ts'
import { readBody } from '../../src/http/body.ts'
import { jsonBody, operation } from '../../src/http/operation.ts'
import { CodedError } from '../../src/lib/errors.ts'
import {
  countConnections,
  head,
  type RawAnswer,
  RawConnection,
  rawRequest,
} from '../helpers/raw-connection.ts'
import { common, route, startListener } from '../helpers/small-listener.ts'

/** The bodies of requests that reached a handler. */
let handled: string[] = []

const echo = route('POST /echo', async ({ context }) => {
  const body = (await readBody(context, 1000)).toString()
  handled.push(body)
  return json({ body })
})
const refuse = operation({
  ...common,
  id: 'refuse',
  method: 'POST',
  path: '/refuse',
  body: jsonBody(v.object({})),
  load: () => Promise.reject(new CodedError('not_found')),
  handle: async () => json({}),
})

const listener = suite('listener')
const small = await startListener([echo, refuse])
listener.after.each(() => RawConnection.destroyAll())
listener.before.each(() => {
  handled = []
})

function assertRefusal(answer: RawAnswer, status: number, code: string): void {
  assert.is(answer.status, status, answer.body.toString())
  assert.match(answer.headers['content-type'] ?? '', /^application\/json/)
  assert.is(Number(answer.headers['content-length']), answer.body.length)
  assert.is(answer.json().code, code)
  assert.type(answer.json().error, 'string')
}

const smuggled = 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\n\r\nsmuggled'
const post = 'POST /echo HTTP/1.1\r\nHost: x\r\n'

// oxfmt-ignore
const shapes: [what: string, data: string][] = [
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['no Host', `GET / HTTP/1.1\r\n\r\n${smuggled}`],
  ['two Hosts', `GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n${smuggled}`],
  ['two Hosts that differ', `GET / HTTP/1.0\r\nHOST: x\r\nhost: y\r\n\r\n${smuggled}`],
  ['NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n'],
  ['a lone CR in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX: a\rY: b\r\n\r\n'],
  ['both lengths',
    `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
  ['two lengths', `${post}Content-Length: 4\r\nContent-Length: 8\r\n\r\nbody${smuggled}`],
  ['a signed length', `${post}Content-Length: +4\r\n\r\nbody${smuggled}`],
  ['a length that overflows',
    `${post}Content-Length: 18446744073709551620\r\n\r\nbody${smuggled}`],
  ['a space before the colon', `${post}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`],
  ['an unknown coding', `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`],
  ['chunked that is not last',
    `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`],
  ['chunks in HTTP/1.0', `${post.replace('HTTP/1.1', 'HTTP/1.0')}Connection: keep-alive\r\n` +
    `Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
  ['two Authorization headers',
    `${post}Authorization: Bearer a\r\nauthorization: Bearer b\r\n\r\n${smuggled}`],
  ['two types', `${post}Content-Type: text/plain\r\nContent-Type: application/json\r\n` +
    `Content-Length: 2\r\n\r\n{}${smuggled}`],
  ['an invalid chunk size', `${post}Transfer-Encoding: chunked\r\n\r\nxyz\r\n\r\n${smuggled}`],
  ['a chunk size that overflows',
    `${post}Transfer-Encoding: chunked\r\n\r\n10000000000000004\r\nbody\r\n0\r\n\r\n${smuggled}`],
  ['a chunk without its end',
    `${post}Transfer-Encoding: chunked\r\n\r\n4\r\nbodyXX0\r\n\r\n${smuggled}`],
]

for (const [what, data] of shapes) {
  listener(`should refuse ${what} with 400 and close`, async () => {
    const connection = await RawConnection.open(small.url)
    assertRefusal(await connection.ask(Buffer.from(data, 'latin1')), 400, 'bad_request')
    await connection.over()
    assert.not.ok(handled.includes('smuggled'), 'the rest was not treated as a request')
  })
}

for (const [what, start, status, code] of [
  ['a field that is too large', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}`, 431],
  ['a target that is too long', `GET /${'y'.repeat(20_000)} HTTP/1.1\r\nHost: x`, 431],
  ['200 fields', `OPTIONS /nothing HTTP/1.1\r\nHost: x\r\n${fields(199)}`, 404, 'not_found'],
  ['201 fields', `OPTIONS /nothing HTTP/1.1\r\nHost: x\r\n${fields(200)}`, 431],
] as const) {
  listener(`should answer ${status} to ${what}`, async () => {
    const answer = await rawRequest(small.url, `${start}\r\n\r\n`)
    assertRefusal(answer, status, code ?? 'headers_too_large')
  })
}

function fields(count: number): string {
  return Array.from({ length: count }, (_, n) => `${n.toString(36)}:`).join('\r\n')
}

listener('should send the usual headers with refusals of the parser', async () => {
  const answer = await rawRequest(small.url, 'GET / HTTP/1.1\r\nbroken\r\n\r\n')
  assert.is(answer.headers['x-content-type-options'], 'nosniff')
  assert.is(answer.headers['referrer-policy'], 'no-referrer')
  assert.is(answer.headers['cache-control'], 'no-store')
  assert.is(answer.headers['connection'], 'close')
})

listener('should refuse upgrades and the asterisk', async () => {
  const upgrade = head('GET /nothing', { Connection: 'Upgrade', Upgrade: 'websocket' })
  for (const asked of [upgrade, head('OPTIONS *')]) {
    assertRefusal(await rawRequest(small.url, asked), 404, 'not_found')
  }
})

listener('should refuse CONNECT with 405 and close', async () => {
  const connection = await RawConnection.open(small.url)
  const answer = await connection.ask('CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n')
  assertRefusal(answer, 405, 'method_not_allowed')
  assert.match(answer.headers['allow'] ?? '', /GET/)
  await connection.over()
  connection.destroy()
})

listener('should survive clients that request a tunnel and reset their connection', async () => {
  const tunnel = 'CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n'
  for (const before of ['', 'GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n']) {
    for (let turn = 0; turn < 20; turn += 1) {
      const connection = await RawConnection.open(small.url)
      await connection.send(before + tunnel)
      if (turn % 2 === 0) await connection.readAnswer()
      connection.reset()
    }
  }
  const { server } = small.listener
  await until('all are closed', async () => (await countConnections(server)) === 0)
})

listener('should accept the absolute form of a target, and use only its path', async () => {
  for (const origin of ['http://x', 'https://elsewhere.test:1', 'HTTP://X']) {
    const data = `POST ${origin}/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\na`
    assert.equal((await rawRequest(small.url, data)).json(), { body: 'a' })
  }
  assertRefusal(await rawRequest(small.url, head('GET ftp://x/echo')), 404, 'not_found')
})

listener('should answer HTTP/1.0 without a Host', async () => {
  const answer = await rawRequest(small.url, 'POST /echo HTTP/1.0\r\nContent-Length: 1\r\n\r\na')
  assert.equal(answer.json(), { body: 'a' })
})

listener('should set every timeout of Node, and none that breaks long uploads', () => {
  const { server } = small.listener
  assert.is(server.requestTimeout, 0)
  assert.is(server.headersTimeout, 20_000)
  assert.is(server.keepAliveTimeout, 3_660_000)
  assert.is(server.timeout, 0)
})

listener('should answer a partial header with 408, as JSON, and close', async () => {
  const { server } = small.listener
  const { port } = server.address() as AddressInfo
  const partial = 'GET / HTTP/1.1\r\nHost: x\r\nX-Half: '
  // Only the 20 s are shortened: the test checks that the timeout runs. Node checks every 5 s.
  server.headersTimeout = 50
  const connection = await RawConnection.open(small.url)
  // Neither read an answer nor end: like phones that are out of reach.
  const silent = Array.from({ length: 20 }, () => {
    return connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
  })
  for (const socket of silent) socket.write(partial)
  try {
    assertRefusal(await connection.ask(partial), 408, 'request_timeout')
    await until('all are closed', async () => (await countConnections(server)) === 0)
  } finally {
    for (const socket of silent) socket.destroy()
    server.headersTimeout = 20_000
  }
})

listener('should keep the connection after refusing a small body', async () => {
  const connection = await RawConnection.open(small.url)
  const body = '{"some":"json"}'
  for (let count = 0; count < 3; count += 1) {
    const answer = await connection.ask(head('POST /refuse', { 'Content-Length': body.length }))
    assertRefusal(answer, 404, 'not_found')
    assert.is.not(answer.headers['connection'], 'close')
    await connection.send(body)
  }
  const last = await connection.ask(`${post}Content-Length: 4\r\n\r\nlast`)
  assert.equal(last.json(), { body: 'last' })
})

listener('should let its answer be read while 20 MiB are still being sent', async () => {
  const connection = await RawConnection.open(small.url)
  const bytes = 20 * 1024 * 1024
  const answer = await connection.ask(`${post}Content-Length: ${bytes}\r\n\r\n`)
  assertRefusal(answer, 413, 'payload_too_large')
  await connection.send(Buffer.alloc(bytes))
  assert.equal((await connection.ask(`${post}Content-Length: 1\r\n\r\na`)).json(), { body: 'a' })
})

listener('should refuse Expect: 100-continue before the body', async () => {
  const connection = await RawConnection.open(small.url)
  const fields = { 'Content-Length': 100, Expect: '100-continue' }
  const answer = await connection.ask(head('POST /refuse', fields))
  assertRefusal(answer, 404, 'not_found')
  // The client may never send its body, so no request can follow on this connection.
  assert.is(answer.headers['connection'], 'close')
  await connection.over()
})
