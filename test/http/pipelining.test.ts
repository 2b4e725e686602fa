import { once } from 'node:events'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Gate, until } from '../helpers/until.ts'
import { json } from '../../src/http/answer.ts'
import { readBody } from '../../src/http/body.ts'
import { RawConnection } from '../helpers/raw-connection.ts'
import { pluck } from '../helpers/client.ts'
import { route, type SmallListener, startListener } from '../helpers/small-listener.ts'

let gate = new Gate()
let running = 0
let runningMax = 0
let aborted = 0
let started = 0

async function wait(signal: AbortSignal): Promise<void> {
  running += 1
  started += 1
  runningMax = Math.max(runningMax, running)
  const left = once(signal, 'abort').then(() => (aborted += 1))
  await Promise.race([gate.passed, left])
  running -= 1
}

const slow = route('GET /slow/{fileId}', async ({ context, params }) => {
  await wait(context.signal)
  return json(Number(params['fileId']) - 1)
})
const echo = route('POST /echo', async ({ context }) => {
  const { length } = await readBody(context, 1024 * 1024)
  return json(length)
})
const pipelining = suite('pipelined requests')
let small: SmallListener
let connection: RawConnection

pipelining.before.each(async () => {
  gate = new Gate()
  running = runningMax = aborted = started = 0
  small = await startListener([slow, echo])
  connection = await RawConnection.open(small.url)
})
pipelining.after.each(async () => {
  gate.open()
  connection.destroy()
  await small.stop()
})

const head = (target: string) => `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`
const many = (count: number) =>
  Array.from({ length: count }, (_, number) => head(`/slow/${number + 1}`)).join('')
const open = () => small.listener.watchdog.size

async function assertAnswers(count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const answer = await connection.readAnswer()
    if (answer.json() !== number) assert.unreachable(`${answer.body.toString()} for ${number}`)
  }
}

pipelining('should be answered in order, four at a time', async () => {
  await connection.send(many(50))
  await until('four are being handled', () => running === 4)
  gate.open()
  await assertAnswers(50)
  assert.is(runningMax, 4)
  await until('every context has ended', () => open() === 0)
})

pipelining('should end without being handled when the client has disconnected', async () => {
  await connection.send(many(100))
  await until('all have been read', () => open() === 100)
  connection.reset()
  // The socket is paused: the service meets the reset at its next write.
  gate.open()
  await until('every context has ended', () => open() === 0)
  assert.ok(runningMax <= 4)
  const lines = small.logLines.map((line) => JSON.parse(line))
  assert.is(lines.filter(({ message }) => message === 'request').length, 100)
  assert.ok(lines.filter((line) => line.aborted).length > 80)
})

pipelining('should stay in the kernel while many wait', async () => {
  const count = 20_000
  const text = many(count)
  const sent = connection.send(text)
  await until('four are being handled', () => running === 4)
  // A service that keeps reading would have read all of it before other requests are answered.
  const other = await RawConnection.open(small.url)
  for (let turn = 0; turn < 50; turn += 1) {
    assert.is((await other.ask(head('/nothing'))).status, 404)
  }
  other.destroy()
  // Two reads of the socket, of 64 KiB each, and the length of their requests.
  const readMax = (2 * 64 * 1024) / head('/slow/0').length
  assert.ok(open() <= readMax, `${open()} requests were read`)
  gate.open()
  await assertAnswers(count)
  await sent
})

pipelining('should accept bodies of requests that had to wait', async () => {
  const body = 'x'.repeat(300_000)
  const post = `POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  void connection.send(many(6) + post + many(6) + post)
  await until('four are being handled', () => running === 4)
  gate.open()
  const answers: unknown[] = []
  while (answers.length < 14) answers.push((await connection.readAnswer()).json())
  const numbers = [0, 1, 2, 3, 4, 5]
  assert.equal(answers, [...numbers, body.length, ...numbers, body.length])
})

pipelining('should ask for a body after the answers before it', async () => {
  const post = 'POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n'
  await connection.send(many(2) + post)
  await until('two are being handled, one waits for its body', () => running === 2 && open() === 3)
  assert.is(connection.unread, '')
  gate.open()
  await assertAnswers(2)
  assert.is((await connection.readAnswer()).status, 100)
  assert.is((await connection.ask('abc')).json(), 3)
})

pipelining('should watch the pace of a body behind another answer', async () => {
  await connection.send(`${many(1)}POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na`)
  await until('both are being handled', () => running === 1 && open() === 2)
  for (let minutes = 0; minutes < 3; minutes += 1) {
    small.listener.watchdog.check()
    small.clock.advance(60_000)
  }
  gate.open()
  assert.is((await connection.readAnswer()).json(), 0)
  assert.is((await connection.readAnswer()).status, 408)
})

pipelining('should leave the body of a waiting request in the kernel', async () => {
  let bytesRead = () => 0
  small.listener.server.once('connection', (socket) => (bytesRead = () => socket.bytesRead))
  const client = await RawConnection.open(small.url)
  const length = 64 * 1024 * 1024
  const post = `POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`
  void client.send(many(5) + post)
  await until('four are being handled', () => running === 4)
  void client.send(Buffer.alloc(length))
  for (let turn = 0; turn < 50; turn += 1) {
    assert.is((await connection.ask(head('/nothing'))).status, 404)
  }
  assert.ok(bytesRead() < 1024 * 1024, `${bytesRead()} bytes were read`)
  client.reset()
  gate.open()
  await until('every context has ended', () => open() === 0)
})

pipelining('should not be started after an answer that closes the connection', async () => {
  const refused = 'GET /slow/1 HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n'
  const answer = await connection.ask(refused + many(20))
  assert.equal([answer.status, answer.headers['connection']], [417, 'close'])
  await connection.over()
  await until('every context has ended', () => open() === 0)
  assert.ok(started <= 3, `${started} were started`)
})

pipelining('should be answered after the client has shut down its side', async () => {
  const warnings: Error[] = []
  const onWarning = (warning: Error) => void warnings.push(warning)
  process.on('warning', onWarning)
  try {
    await connection.send(many(30))
    await connection.finish()
    await until('all have been read', () => open() === 30)
    gate.open()
    // The client's own end closes its side of this test's socket last.
    await assertAnswers(30)
    await new Promise(setImmediate)
  } finally {
    process.off('warning', onWarning)
  }
  assert.equal(pluck(warnings, 'message'), [])
})

pipelining('should wait for a head that was left in the kernel', async () => {
  const { server } = small.listener
  server.headersTimeout = 50
  const late = once(server, 'clientError')
  await connection.send(`${many(5)}GET /slow/6 HTTP/1.1\r\nHost: x\r\nX-Half: `)
  // Node checks every five seconds.
  await late
  gate.open()
  await assertAnswers(5)
  assert.is((await connection.ask('y\r\n\r\n')).json(), 5)
})
