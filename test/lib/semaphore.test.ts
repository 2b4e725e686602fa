import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf } from '../helpers/failure-of.ts'
import { Semaphore } from '../../src/lib/semaphore.ts'
import { Gate } from '../helpers/replaced.ts'

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

semaphore.run()
