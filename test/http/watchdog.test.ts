import { EventEmitter } from 'node:events'
import { mock } from 'node:test'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../helpers/until.ts'
import { type Answer, json } from '../../src/http/answer.ts'
import { readBody } from '../../src/http/body.ts'
import type { RequestContext } from '../../src/http/request-context.ts'
import { patienceMs, Watchdog } from '../../src/http/watchdog.ts'
import { CodedError } from '../../src/lib/errors.ts'
import { FakeClock } from '../helpers/clock.ts'
import { RawConnection } from '../helpers/raw-connection.ts'
import { route, type SmallListener, startListener } from '../helpers/small-listener.ts'

let goOn: () => void = () => {}
let received = 0
let sendFailure: unknown = null

const receive = route('POST /receive', async ({ context }) => {
  const poll = setInterval(() => {
    received = context.bodyBytes
  }, 1)
  try {
    return json({ bytes: (await readBody(context, 1024 * 1024)).length })
  } finally {
    clearInterval(poll)
  }
})
const work = route('GET /work', async () => {
  await new Promise<void>((resolve) => {
    goOn = resolve
  })
  return json({ done: true })
})
const send = route('GET /send', async (): Promise<Answer> => ({
  kind: 'bytes',
  status: 200,
  headers: { 'Content-Length': 1024 * 1024 * 1024 },
  cookies: [],
  async send(sink) {
    const data = Buffer.alloc(1024 * 1024)
    try {
      for (let count = 0; count < 1024; count += 1) await sink.write(data)
    } catch (error) {
      sendFailure = error
      throw error
    }
  },
}))

const text = 'x'.repeat(32 * 1024 * 1024)
const whole = route('GET /whole', async () => json({ text }))
const broken = route('GET /broken', async () => {
  throw new CodedError('conflict', { message: text })
})

const watching = suite('watchdog')
let small: SmallListener
let connection: RawConnection

watching.before.each(async () => {
  small = await startListener([receive, work, send, whole, broken])
  connection = await RawConnection.open(small.url)
  received = 0
  sendFailure = null
})
watching.after.each(async () => {
  connection.destroy()
  await small.stop()
})

/** Advances the time, and lets the watchdog check, as it does every few seconds. */
function pass(ms: number): void {
  small.listener.watchdog.check()
  small.clock.advance(ms)
  small.listener.watchdog.check()
}

const head = 'POST /receive HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n'

watching('should wait a minute, and forgive a pause', async () => {
  await connection.send(`${head}some`)
  await until('part of the body was received', () => received === 4)
  pass(patienceMs - 1)
  await connection.send(Buffer.alloc(100_000))
  await until('more of the body was received', () => received === 100_004)
  pass(1)
  pass(patienceMs - 1)
  assert.equal((await connection.ask(Buffer.alloc(99_996))).json(), { bytes: 200_000 })
})

watching('should abort a body that trickles', async () => {
  await connection.send(head)
  await until('the request has started', () => small.listener.watchdog.size === 1)
  let sent = 0
  small.listener.watchdog.check()
  for (let second = 0; second < 61; second += 1) {
    await connection.send('x'.repeat(500))
    sent += 500
    await until('it was received, or answered', () => received === sent || connection.unread !== '')
    small.clock.advance(1000)
    small.listener.watchdog.check()
  }
  assert.is((await connection.readAnswer()).status, 408)
})

watching('should not hurry our own work', async () => {
  await connection.send('GET /work HTTP/1.1\r\nHost: x\r\n\r\n')
  await until('the request has started', () => small.listener.watchdog.size === 1)
  for (let minute = 0; minute < 30; minute += 1) pass(60_000)
  goOn()
  assert.equal((await connection.readAnswer()).json(), { done: true })
})

for (const path of ['/send', '/whole', '/broken']) {
  watching(`should abort a client that never reads the answer of ${path}`, async () => {
    connection.stopReading()
    await connection.send(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    await until('the request has started', () => small.listener.watchdog.size === 1)
    pass(1)
    await until('no context is left', () => {
      pass(patienceMs)
      return small.listener.watchdog.size === 0
    })
    if (path === '/send') await until('its handler has failed', () => sendFailure !== null)
  })
}

watching('should let an answer wait for one before it on the same connection', async () => {
  const asked = 'GET /work HTTP/1.1\r\nHost: x\r\n\r\nGET /whole HTTP/1.1\r\nHost: x\r\n\r\n'
  await connection.send(asked)
  await until('both have started', () => small.listener.watchdog.size === 2)
  for (let minute = 0; minute < 30; minute += 1) pass(60_000)
  goOn()
  assert.equal((await connection.readAnswer()).json(), { done: true })
  assert.is((await connection.readAnswer()).body.length, text.length + '{"text":""}'.length)
})

const discarding = suite('discard')
discarding.before.each(async () => {
  small = await startListener([receive])
  connection = await RawConnection.open(small.url)
  mock.timers.enable({ apis: ['setTimeout'] })
  // More than it takes: refused before it comes.
  const refused = `POST /receive HTTP/1.1\r\nHost: x\r\nContent-Length: ${2 ** 30}\r\n\r\n`
  assert.is((await connection.ask(refused)).status, 413)
})
discarding.after.each(async () => {
  mock.timers.reset()
  connection.destroy()
  await small.stop()
})

discarding('should allow 60 s for the rest of a body, even long after the answer', async () => {
  for (let second = 0; second < 59; second += 1) {
    mock.timers.tick(1000)
    await connection.send('x')
  }
  assert.not.ok(connection.isOver)
  mock.timers.tick(1000)
  await connection.over()
})

discarding('should read at most 256 MiB', async () => {
  const data = Buffer.alloc(2 ** 20)
  for (let count = 0; count < 256; count += 1) await connection.send(data)
  assert.not.ok(connection.isOver)
  await connection.send('x')
  await connection.over()
})

// "Running downloads go on above 4 KiB/s, at most 24 h" (design, section 6), as the watchdog sees
// it: bytes leave in lumps, because the kernel asks for more only when much of its buffers is free.

const pace = suite('downloads: pace')
const kib = 1024
const mib = 1024 * kib
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const lookEveryMs = 5000

/** A running download: what the watchdog reads of it, and whether it was aborted. */
class FakeDownload {
  readonly socket = { bytesWritten: 0, writableLength: 512 * kib }
  readonly response = Object.assign(new EventEmitter(), { socket: this.socket, destroy() {} })
  readonly phase = 'sending'
  readonly paused = false
  bodyBytes = 0
  isCut = false

  readonly abort = () => void (this.isCut = true)
  readonly breakOff = this.abort
  readonly onEnd = () => {}
}

/** How long it lives when `lumpBytes` leave every `everyMs`; at most `limitMs`. */
function lifeMs(lumpBytes: number, everyMs: number, limitMs: number): number {
  const clock = new FakeClock()
  const watchdog = new Watchdog(clock)
  const download = new FakeDownload()
  watchdog.add(download as unknown as RequestContext)
  let passedMs = 0
  while (passedMs < limitMs && !download.isCut) {
    clock.advance(lookEveryMs)
    passedMs += lookEveryMs
    if (passedMs % everyMs === 0) download.socket.bytesWritten += lumpBytes
    watchdog.check()
  }
  return passedMs
}

const lively: [title: string, lumpBytes: number, everyMs: number][] = [
  ['60 KiB/s in lumps of 4 MiB', 4 * mib, 70_000],
  ['10 KiB/s in lumps of 1 MiB', mib, 100_000],
  ['8 KiB/s, evenly', 40 * kib, 5000],
  ['8 KiB/s, every half minute', 240 * kib, 30_000],
]

for (const [title, lumpBytes, everyMs] of lively) {
  pace(`should let a download continue at ${title}`, () => {
    assert.is(lifeMs(lumpBytes, everyMs, hourMs), hourMs)
  })
}

pace('should abort a download that stalls, and one that creeps', () => {
  assert.ok(lifeMs(0, minuteMs, 2 * hourMs) <= hourMs)
  assert.ok(lifeMs(5 * kib, 5000, 2 * hourMs) <= hourMs, '1 KiB/s')
})

pace('should abort every download after 24 hours', () => {
  const life = lifeMs(10 * mib, 5000, 30 * hourMs)
  assert.ok(life >= 24 * hourMs && life <= 24 * hourMs + minuteMs, `${life / hourMs} hours`)
})
