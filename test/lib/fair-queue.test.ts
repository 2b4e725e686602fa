import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { FairQueue, type Requester } from '../../src/lib/permits.ts'
import { Seeded } from '../helpers/seeded.ts'

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

const refusals: readonly {
  readonly title: string
  readonly waiting: readonly Item[]
  readonly newcomer: Requester
  readonly refused: string | null
}[] = [
  {
    title: 'the latest of the heaviest key for a newcomer',
    waiting: [item('a', 'n', 'a1'), item('a', 'n', 'a2'), item('b', 'm')],
    newcomer: { key: 'c', network: 'o' },
    refused: 'a2',
  },
  {
    title: 'a key of the heaviest network, though each of its keys waits once',
    waiting: [item('a', 'n'), item('b', 'n'), item('c', 'n'), item('d', 'm', 'd1')],
    newcomer: { key: 'd', network: 'm' },
    refused: 'a',
  },
  {
    title: 'the newcomer when its key is the heaviest',
    waiting: [item('a', 'n'), item('b', 'm')],
    newcomer: { key: 'a', network: 'n' },
    refused: null,
  },
  {
    title: 'another key of the newcomer’s own network when that one is heavier',
    waiting: [item('a', 'n', 'a1'), item('a', 'n', 'a2'), item('a', 'n', 'a3'), item('b', 'm')],
    newcomer: { key: 'c', network: 'n' },
    refused: 'a3',
  },
  {
    title: 'a stranger for a known newcomer, though all wait once',
    waiting: [known('k', 'x'), item('a', 'n'), item('b', 'm')],
    newcomer: { key: 'a', network: 'n', isKnown: true, isFirst: true },
    refused: 'a',
  },
  {
    title: 'the newcomer rather than a known one, however many of these wait',
    waiting: [known('k', 'x', 'k1'), known('k', 'x', 'k2'), known('k', 'x', 'k3'), item('b', 'm')],
    newcomer: { key: 'a', network: 'n' },
    refused: null,
  },
  {
    title: 'the heaviest known one when only known ones wait',
    waiting: [known('k', 'x', 'k1'), known('k', 'x', 'k2'), known('l', 'y')],
    newcomer: { key: 'm', network: 'z', isKnown: true },
    refused: 'k2',
  },
]

for (const { title, waiting, newcomer, refused } of refusals) {
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
