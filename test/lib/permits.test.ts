import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf, Gate } from '../helpers/until.ts'
import {
  FairQueue,
  inOrder,
  inTurns,
  oneOfEachKey,
  Permits,
  type Policy,
  type Requester,
} from '../../src/lib/permits.ts'
import { SharedReads } from '../../src/lib/shared-work.ts'
import { Seeded } from '../helpers/seeded.ts'

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

interface Item {
  readonly for: Requester
  readonly name: string
}

const item = (key: string, network: string, name = key): Item => ({ for: { key, network }, name })

const known = (key: string, network: string, name = key): Item => ({
  for: { key, network, isFirst: true, isKnown: true },
  name,
})

function queueOf(items: readonly Item[]): FairQueue<Item> {
  const queue = new FairQueue<Item>()
  for (const one of items) queue.add(one)
  return queue
}

function drain(queue: FairQueue<Item>): string[] {
  const names: string[] = []
  for (let next = queue.take(); next; next = queue.take()) names.push(next.name)
  return names
}

const queues = suite('FairQueue')

queues('should let networks take turns, and keys within each', () => {
  const botnet = ['a', 'b', 'c'].flatMap((key) => [
    item(key, 'n', `${key}1`),
    item(key, 'n', `${key}2`),
  ])
  const queue = queueOf([...botnet, item('honest', 'm'), item('other', 'o')])
  assert.equal(drain(queue), ['a1', 'honest', 'other', 'b1', 'c1', 'a2', 'b2', 'c2'])
  assert.is(queue.size, 0)
})

queues('should treat a key without a network as a separate network', () => {
  const queue = new FairQueue<{ for: Requester }>()
  for (const key of ['a', 'a', 'b']) queue.add({ for: { key } })
  const keys = [queue.take(), queue.take(), queue.take()].map((one) => one?.for.key)
  assert.equal(keys, ['a', 'b', 'a'])
})

queues('should put known ones first, and others on every fourth turn', () => {
  const first = { ...item('f', 'f'), for: { key: 'f', network: 'f', isFirst: true } }
  const queue = queueOf([
    item('a', 'n'),
    item('b', 'm'),
    first,
    known('k', 'x', 'k1'),
    known('k', 'x', 'k2'),
    known('l', 'y'),
    known('k', 'x', 'k3'),
  ])
  assert.equal(drain(queue), ['k1', 'l', 'k2', 'a', 'k3', 'f', 'b'])
})

queues('should skip items that no longer wait, and forget each once', () => {
  const gone = item('a', 'n', 'gone')
  const queue = queueOf([gone, item('a', 'n', 'stays'), item('b', 'm')])
  queue.delete(gone)
  queue.delete(gone)
  queue.delete(item('nobody', 'x'))
  assert.is(queue.size, 2)
  assert.equal([...queue].map(({ name }) => name).toSorted(), ['b', 'stays'])
  assert.equal(drain(queue), ['stays', 'b'])
})

type Refusal = [title: string, waiting: Item[], newcomer: Requester, refused: string | null]
const of = (key: string, network: string): Requester => ({ key, network })
const [k1, k2, k3] = ['k1', 'k2', 'k3'].map((name) => known('k', 'x', name)) as [Item, Item, Item]
const [a1, a2, a3] = ['a1', 'a2', 'a3'].map((name) => item('a', 'n', name)) as [Item, Item, Item]
const [b, c] = [item('b', 'm'), item('c', 'n')]
// oxfmt-ignore
const refusals: Refusal[] = [
  ['the latest of the heaviest key for a newcomer', [a1, a2, b], of('c', 'o'), 'a2'],
  ['a key of the heaviest network, though each of its keys waits once',
    [a1, item('b', 'n'), c, item('d', 'm', 'd1')], of('d', 'm'), 'a1'],
  ['the newcomer when its key is the heaviest', [a1, b], of('a', 'n'), null],
  ['another key of the newcomer’s own network when that one is heavier',
    [a1, a2, a3, b], of('c', 'n'), 'a3'],
  ['a stranger for a known newcomer, though all wait once',
    [k1, a1, b], { ...of('a', 'n'), isKnown: true, isFirst: true }, 'a1'],
  ['the newcomer rather than a known one, however many of these wait',
    [k1, k2, k3, b], of('a', 'n'), null],
  ['the heaviest known one when only known ones wait',
    [k1, k2, known('l', 'y')], { ...of('m', 'z'), isKnown: true }, 'k2'],
]
for (const [title, waiting, newcomer, refused] of refusals) {
  queues(`should refuse ${title}`, () => {
    assert.is(queueOf(waiting).latestOfHeaviest(newcomer)?.name ?? null, refused)
  })
}

queues('should return each item once, in any sequence of calls', () => {
  const random = new Seeded(7)
  const below = (limit: number) => random.between(0, limit - 1)
  const queue = new FairQueue<Item>()
  const waiting = new Map<string, Item>()
  for (let step = 0; step < 5_000; step += 1) {
    const kind = below(3)
    if (kind === 0) {
      const network = `n${below(4)}`
      const requester = { key: `${network}-${below(3)}`, network, isFirst: below(3) === 0 }
      const added = { for: requester, name: `${step}` }
      waiting.set(added.name, added)
      queue.add(added)
    } else if (kind === 1) {
      const some = [...waiting.values()].at(below(Math.max(1, waiting.size)))
      if (some) queue.delete(some)
      if (some) waiting.delete(some.name)
    } else {
      const taken = queue.take()
      assert.is(taken === null, waiting.size === 0)
      if (taken) assert.ok(waiting.delete(taken.name))
    }
    assert.is(queue.size, waiting.size)
  }
  assert.equal(new Set(drain(queue)), new Set(waiting.keys()))
})

const shared = suite('shared reads')

shared('should read again after a read that failed before it began to wait', async () => {
  const reads = new SharedReads<string>()
  const first = reads.read('key', async () => 'first')
  const second = reads.read('key', () => {
    throw new Error('no connection')
  })
  assert.is(await first, 'first')
  assert.is((await failureOf(second)).message, 'no connection')
  assert.is(await reads.read('key', async () => 'third'), 'third')
})
