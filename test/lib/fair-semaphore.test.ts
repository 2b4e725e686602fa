import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Requester } from '../../src/lib/fair-queue.ts'
import { FairSemaphore } from '../../src/lib/fair-semaphore.ts'
import { failureOf } from '../helpers/failure-of.ts'
import { Gate } from '../helpers/replaced.ts'

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

fair('should run the tasks of one key in order', async () => {
  assert.equal(await orderOf(['a', 'a', 'a'].map((key) => ({ key }))), [0, 1, 2])
})

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

fair('should continue after a failing task', async () => {
  const turns = new FairSemaphore(options)
  const failing = turns.run({ key: 'a' }, () => Promise.reject(new Error('it failed')))
  const next = turns.run({ key: 'a' }, async () => 'done')
  assert.is((await failureOf(failing)).message, 'it failed')
  assert.is(await next, 'done')
})

fair.run()
