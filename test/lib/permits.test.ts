import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  inOrder,
  inTurns,
  oneOfEachKey,
  Permits,
  type Policy,
  type Requester,
} from '../../src/lib/permits.ts'
import { failureOf } from '../helpers/failure-of.ts'
import { Gate } from '../helpers/replaced.ts'

const permits = suite('permits')

async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn += 1) await Promise.resolve()
}

/** One permit of each policy, for one requester. */
const policies: readonly (readonly [name: string, policy: () => Policy<any>, wanted: unknown])[] = [
  ['in order', () => inOrder(1), undefined],
  ['in turns', () => inTurns(1), { key: 'a' }],
  ['one of each key', oneOfEachKey, 'a'],
]
for (const [name, policy, given] of policies) {
  const wanted = given as any

  permits(`should pass a permit on in order, also when a task fails: ${name}`, async () => {
    const turns = new Permits(policy())
    const begun: number[] = []
    const gates = [0, 1, 2].map(() => new Gate())
    const done = gates.map((gate, place) =>
      turns.run(async () => {
        begun.push(place)
        await gate.passed
        if (place === 1) throw new Error('it failed')
      }, wanted),
    )
    const failed = failureOf(done[1]!)
    for (const [place, gate] of gates.entries()) {
      await settle()
      assert.equal(begun, [0, 1, 2].slice(0, place + 1))
      assert.equal([turns.permits, turns.waiting], [1, 2 - place])
      assert.is(turns.tryTake(wanted), null)
      gate.open()
    }
    await Promise.all([done[0], done[2]])
    assert.is((await failed).message, 'it failed')
    const giveBack = turns.tryTake(wanted)!
    giveBack()
    giveBack()
    assert.is(turns.permits, 0, 'given back once')
  })

  permits(`should refuse with 503 when too many wait: ${name}`, async () => {
    const turns = new Permits(policy(), { waitersMax: 1 })
    const giveBack = await turns.take(wanted)
    const waiting = turns.take(wanted)
    const error = await failureOf(turns.take(wanted))
    assert.equal([error.status, error.headers], [503, { 'Retry-After': '5' }])
    giveBack()
    ;(await waiting)()
  })

  permits(`should forget callers that leave, and those whose time is over: ${name}`, async () => {
    const timers: (() => void)[] = []
    const setTimer = (ms: number, call: () => void) => {
      assert.is(ms, 500)
      timers.push(call)
      return () => {}
    }
    const turns = new Permits(policy(), { waitersMax: 2, waitMsMax: 500, clock: { setTimer } })
    const giveBack = await turns.take(wanted)
    const leaving = new AbortController()
    const left = failureOf(turns.take(wanted, leaving.signal))
    const late = failureOf(turns.take(wanted))
    leaving.abort(new Error('gone'))
    assert.is((await left).message, 'gone')
    assert.is((await failureOf(turns.take(wanted, leaving.signal))).message, 'gone')
    timers[1]!()
    assert.is((await late).code, 'unavailable')
    // Their places are free again.
    const others = [turns.take(wanted), turns.take(wanted)]
    giveBack()
    ;(await others[0]!)()
    ;(await others[1]!)()
    const held = await turns.take(wanted)
    const refused = failureOf(turns.take(wanted))
    turns.refuseAll()
    assert.is((await refused).code, 'unavailable')
    held()
  })
}

permits('should give so many permits at once', async () => {
  const turns = new Permits(inOrder(2))
  const first = [await turns.take(), await turns.take()]
  const third = turns.take()
  await settle()
  assert.equal([turns.permits, turns.waiting], [2, 1])
  for (const giveBack of first) giveBack()
  ;(await third)()
  assert.is(turns.permits, 0)
})

permits('should run tasks of other keys beside each other', async () => {
  const turns = new Permits(oneOfEachKey())
  const giveBack = await turns.take('a')
  const second = turns.take('a')
  ;(await turns.take('b'))()
  assert.equal([turns.permits, turns.waiting], [1, 1])
  giveBack()
  ;(await second)()
})

permits('should let requesters take turns, and refuse the latest of the heaviest', async () => {
  const turns = new Permits(inTurns(1), { waitersMax: 4 })
  const order: string[] = []
  const gate = new Gate()
  const run = (requester: Requester) =>
    turns.run(async () => void order.push(requester.key), requester)
  const first = turns.run(() => gate.passed, { key: 'before' })
  const flood = [0, 1, 2, 3].map(() => run({ key: 'flood' }))
  const honest = run({ key: 'honest' })
  assert.is((await failureOf(flood[3]!)).code, 'unavailable')
  assert.is((await failureOf(run({ key: 'flood' }))).code, 'unavailable')
  const signIn = run({ key: 'sign-in', isFirst: true })
  assert.is((await failureOf(flood[2]!)).code, 'unavailable')
  gate.open()
  await Promise.all([first, flood[0], flood[1], honest, signIn])
  assert.equal(order, ['sign-in', 'flood', 'honest', 'flood'])
})
