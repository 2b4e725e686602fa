// Waiting for a turn, and sharing the work of others.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { CodedError } from '../../src/lib/errors.ts'
import type { Requester } from '../../src/lib/fair-queue.ts'
import { FairSemaphore } from '../../src/lib/fair-semaphore.ts'
import { Semaphore } from '../../src/lib/semaphore.ts'
import { SharedReads } from '../../src/lib/shared-reads.ts'
import { SharedTasks } from '../../src/lib/shared-tasks.ts'
import { Turns } from '../../src/lib/turns.ts'
import { failureOf } from '../helpers/failure-of.ts'
import { Gate } from '../helpers/replaced.ts'

const turns = suite('Turns')

function held() {
  let release = () => {}
  const task = () =>
    new Promise<void>((resolve) => {
      release = resolve
    })
  return { task, release: () => release() }
}

turns('should run tasks of one key in order, and those of others beside them', async () => {
  const line = new Turns()
  const seen: string[] = []
  const first = held()
  const running = line.run('a', first.task).then(() => seen.push('first'))
  const failing = line.run('a', () => Promise.reject(new Error('no'))).catch(() => seen.push('no'))
  const last = line.run('a', async () => void seen.push('last'))
  await line.run('b', async () => void seen.push('other'))
  assert.equal(seen, ['other'])
  first.release()
  await Promise.all([running, failing, last])
  assert.equal(seen, ['other', 'first', 'no', 'last'])
})

turns('should refuse a task whose turn does not come, and let the next one in', async () => {
  const line = new Turns()
  const first = held()
  const running = line.run('a', first.task)
  const late = await line.run('a', () => Promise.resolve('ran'), { waitMsMax: 1 }).catch(codeOf)
  assert.is(late, 'unavailable')
  const controller = new AbortController()
  const leaving = line
    .run('a', () => Promise.resolve('ran'), { signal: controller.signal })
    .catch((error: unknown) => error)
  controller.abort('left')
  assert.is(await leaving, 'left')
  const next = line.run('a', () => Promise.resolve('ran'))
  first.release()
  await running
  assert.is(await next, 'ran')
})

function codeOf(error: unknown): string {
  return error instanceof CodedError ? error.code : String(error)
}

// ---

async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn += 1) await Promise.resolve()
}

const semaphore = suite('Semaphore')

semaphore('should run so many at once, and the others in order', async () => {
  const turns = new Semaphore(2)
  const gates = Array.from({ length: 5 }, () => new Gate())
  const begun: number[] = []
  const done = gates.map((gate, place) =>
    turns.run(() => {
      begun.push(place)
      return gate.passed
    }),
  )
  await settle()
  assert.equal(begun, [0, 1])
  for (const [place, gate] of gates.entries()) {
    gate.open()
    await settle()
    const expected = Math.min(5, place + 3)
    assert.equal(begun, [0, 1, 2, 3, 4].slice(0, expected))
  }
  await Promise.all(done)
})

semaphore('should pass the permit on when a task fails', async () => {
  const turns = new Semaphore(1)
  const failed = turns.run(async () => {
    throw new Error('no')
  })
  const next = turns.run(async () => 'done')
  assert.is((await failureOf(failed)).message, 'no')
  assert.is(await next, 'done')
  assert.is(await turns.run(async () => 'free again'), 'free again')
})

semaphore('should refuse with 503 when too many wait', async () => {
  const turns = new Semaphore(1, 1)
  const gate = new Gate()
  const running = turns.run(() => gate.passed)
  const waiting = turns.run(async () => 'waited')
  const error = await failureOf(turns.run(async () => {}))
  assert.is(error.status, 503)
  assert.ok(error.headers['Retry-After'])
  gate.open()
  await running
  assert.is(await waiting, 'waited')
})

semaphore('should drop callers that stop waiting, and keep the order of the others', async () => {
  const turns = new Semaphore(1, 2)
  const gate = new Gate()
  const running = turns.run(() => gate.passed)
  const begun: string[] = []
  const begin = (name: string) => async () => void begun.push(name)
  const leaving = new AbortController()
  const left = failureOf(turns.run(begin('left'), leaving.signal))
  const stayed = new AbortController()
  const second = turns.run(begin('second'), stayed.signal)
  leaving.abort(new Error('gone'))
  assert.is((await left).message, 'gone')
  // The place in the queue is free again.
  const third = turns.run(begin('third'))
  assert.is((await failureOf(turns.run(begin('late'), leaving.signal))).message, 'gone')
  gate.open()
  await Promise.all([running, second, third])
  stayed.abort()
  assert.equal(begun, ['second', 'third'])
})

// ---

const options = { atOnceMax: 1, waitersMax: 200, waitMsMax: 60_000 }

/** Runs one task of each requester while the only permit is taken; the order in which they ran. */
async function orderOf(requesters: readonly Requester[], turns = new FairSemaphore(options)) {
  const order: number[] = []
  const gate = new Gate()
  const first = turns.run({ key: 'before' }, () => gate.passed)
  const all = requesters.map((requester, place) =>
    turns.run(requester, async () => void order.push(place)),
  )
  const settled = Promise.allSettled([first, ...all])
  gate.open()
  await settled
  return order
}

const fair = suite('FairSemaphore')

fair('should let keys take turns', async () => {
  const requesters = ['a', 'a', 'a', 'a', 'b', 'c', 'b'].map((key) => ({ key }))
  assert.equal(await orderOf(requesters), [0, 4, 5, 1, 6, 2, 3])
})

fair('should run tasks marked first before others, except for every fourth', async () => {
  const many = Array.from({ length: 8 }, () => ({ key: 'many' }))
  const logins = Array.from({ length: 6 }, (_, place) => ({ key: `${place}`, isFirst: true }))
  const order = await orderOf([...many, ...logins])
  assert.equal(order.slice(0, 8), [8, 9, 10, 0, 11, 12, 13, 1])
  assert.equal(order.slice(8), [2, 3, 4, 5, 6, 7])
})

fair('should refuse the latest of the key that waits most often', async () => {
  const turns = new FairSemaphore({ ...options, waitersMax: 4 })
  const gate = new Gate()
  const first = turns.run({ key: 'before' }, () => gate.passed)
  const flood = Array.from({ length: 4 }, () => turns.run({ key: 'flood' }, async () => 'done'))
  const honest = turns.run({ key: 'honest' }, async () => 'done')
  const refused = await failureOf(flood[3]!)
  assert.is(refused.code, 'unavailable')
  const more = await failureOf(turns.run({ key: 'flood' }, async () => 'done'))
  assert.is(more.code, 'unavailable')
  gate.open()
  await first
  assert.equal(await Promise.all([...flood.slice(0, 3), honest]), ['done', 'done', 'done', 'done'])
})

// ---

const sharing = suite('SharedReads')

/** A source whose reads end when the test says so. */
function source() {
  const started: { end: (value: number) => void; fail: (error: Error) => void }[] = []
  const start = () =>
    new Promise<number>((end, fail) => {
      started.push({ end, fail })
    })
  return { started, start }
}

sharing('should give each caller a read that began after it asked', async () => {
  const { started, start } = source()
  const reads = new SharedReads<number>()
  const first = reads.read('a', start)
  const later = [reads.read('a', start), reads.read('a', start)]
  assert.is(started.length, 1)
  started[0]!.end(1)
  assert.is(await first, 1)
  await Promise.resolve()
  assert.is(started.length, 2)
  const last = reads.read('a', start)
  started[1]!.end(2)
  assert.equal(await Promise.all(later), [2, 2])
  await Promise.resolve()
  assert.is(started.length, 3)
  started[2]!.end(3)
  assert.is(await last, 3)
})

sharing('should start at once when nothing runs, and keep keys apart', async () => {
  const { started, start } = source()
  const reads = new SharedReads<number>()
  for (let round = 0; round < 3; round += 1) {
    const both = [reads.read('a', start), reads.read('b', start)]
    assert.is(started.length, 2)
    for (const [place, { end }] of started.splice(0).entries()) end(place)
    assert.equal(await Promise.all(both), [0, 1])
  }
})

sharing('should fail only those who share the failed read', async () => {
  const { started, start } = source()
  const reads = new SharedReads<number>()
  const messageOf = (error: Error) => error.message
  const first = reads.read('a', start).catch(messageOf)
  const second = reads.read('a', start).catch(messageOf)
  started[0]!.fail(new Error('lost'))
  assert.is(await first, 'lost')
  await Promise.resolve()
  const third = reads.read('a', start)
  started[1]!.fail(new Error('lost again'))
  assert.is(await second, 'lost again')
  await Promise.resolve()
  started[2]!.end(3)
  assert.is(await third, 3)
  const fourth = reads.read('a', start)
  started[3]!.end(4)
  assert.is(await fourth, 4)
})

// ---

interface Context {
  tasks: SharedTasks<string>
  /** How often the work has begun. */
  begun: number
  join: (signal: AbortSignal) => Promise<string>
  /** The signal of the work. */
  unwanted: AbortSignal
  finish: (error?: Error) => void
  requests: AbortController[]
  waiting: Promise<string>[]
}

const shared = suite<Context>('shared tasks')

/** A task for which two requests wait. */
shared.before.each((context) => {
  context.tasks = new SharedTasks()
  context.begun = 0
  context.join = (joining) =>
    context.tasks.join('key', joining, (signal) => {
      context.begun += 1
      return new Promise((resolve, reject) => {
        context.unwanted = signal
        context.finish = (error) => (error ? reject(error) : resolve('done'))
      })
    })
  context.requests = [new AbortController(), new AbortController()]
  context.waiting = context.requests.map(({ signal }) => context.join(signal))
  for (const each of context.waiting) each.catch(() => {})
})

const reasonOf = (promise: Promise<unknown>) => promise.catch((error: unknown) => error)

shared('should give its result to all', async ({ finish, waiting }) => {
  finish()
  assert.equal(await Promise.all(waiting), ['done', 'done'])
})

shared('should give its error to all', async ({ finish, waiting }) => {
  const error = new Error('failed')
  finish(error)
  for (const each of waiting) assert.is(await reasonOf(each), error)
})

shared('should go on while one waits, and end with the last', async (context) => {
  const { unwanted, requests, waiting } = context
  const gone = new Error('gone')
  requests[0]!.abort(gone)
  assert.is(await reasonOf(waiting[0]!), gone)
  assert.equal([unwanted.aborted, context.begun], [false, 1])
  requests[1]!.abort(gone)
  assert.is(await reasonOf(waiting[1]!), gone)
  assert.is(unwanted.aborted, true)
  const next = context.join(new AbortController().signal)
  assert.is(context.begun, 2, 'further requests need another task')
  context.finish()
  assert.is(await next, 'done')
})

shared('should survive a failure after all have left', async ({ requests, waiting, finish }) => {
  for (const request of requests) request.abort()
  await Promise.allSettled(waiting)
  finish(new Error('too late'))
  await new Promise((resolve) => setImmediate(resolve))
})

turns.run()
semaphore.run()
fair.run()
sharing.run()
shared.run()
