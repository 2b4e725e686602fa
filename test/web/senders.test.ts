import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { groupBySender, timeOf, type Sent } from '../../src/web/views/requests/senders.ts'

const senders = suite('web: senders of deliveries')

function delivery(id: string, minute: number, more: Partial<Sent> = {}): Sent {
  return {
    id,
    sender_name: '',
    sender_email: '',
    created_at: new Date(minute * 60_000).toISOString(),
    finalized_at: null,
    ...more,
  }
}

const idsOf = (deliveries: readonly Sent[]) =>
  groupBySender(deliveries).map(([, list]) => list.map(({ id }) => id).join(' '))

for (const [what, one, other, isSame] of [
  ['an address in another case', { sender_email: 'a@b.c' }, { sender_email: 'A@B.c' }, true],
  [
    'an address under two names',
    { sender_email: 'a@b.c', sender_name: 'Ann' },
    { sender_email: 'a@b.c', sender_name: 'Bob' },
    true,
  ],
  ['a name without an address', { sender_name: 'Ann' }, { sender_name: 'Ann' }, true],
  [
    'a name with two addresses',
    { sender_name: 'Ann', sender_email: 'a@b.c' },
    { sender_name: 'Ann', sender_email: 'd@e.f' },
    false,
  ],
  [
    'a name with an address and without',
    { sender_name: 'Ann', sender_email: 'a@b.c' },
    { sender_name: 'Ann' },
    false,
  ],
  ['a name that is an address', { sender_name: 'a@b.c' }, { sender_email: 'a@b.c' }, false],
  ['nothing', {}, {}, false],
] as const) {
  senders(`should treat ${what} as ${isSame ? 'one sender' : 'two senders'}`, () => {
    const found = idsOf([delivery('old', 1, one), delivery('new', 2, other)])
    assert.equal(found, isSame ? ['new old'] : ['new', 'old'])
  })
}

senders('should sort by the time of completion, and keep the order of equal times', () => {
  const ann = { sender_name: 'Ann' }
  const late = { ...ann, finalized_at: new Date(9 * 60_000).toISOString() }
  const list = [
    delivery('draft', 5),
    delivery('b', 4, ann),
    delivery('c', 4, ann),
    delivery('late', 1, late),
  ]
  assert.equal(idsOf(list), ['late b c', 'draft'])
})

senders('should keep all deliveries, newest first everywhere', () => {
  const some = fc.record({
    minute: fc.nat(20),
    sender_name: fc.constantFrom('', 'Ann', 'Bob'),
    sender_email: fc.constantFrom('', 'a@b.c', 'A@b.c'),
  })
  fc.assert(
    fc.property(fc.array(some), (list) => {
      const all = list.map(({ minute, ...who }, place) => delivery(`${place}`, minute, who))
      const groups = groupBySender(all)
      const shown = groups.flatMap(([, deliveries]) => deliveries)
      assert.equal(new Set(shown), new Set(all))
      assert.is(shown.length, all.length)
      const firsts = groups.map(([, deliveries]) => deliveries[0]!)
      for (const times of [firsts, ...groups.map(([, deliveries]) => deliveries)]) {
        const seen = times.map(timeOf)
        assert.equal(seen, seen.toSorted().toReversed())
      }
    }),
  )
})
