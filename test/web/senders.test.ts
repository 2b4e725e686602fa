import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { groupBySender, type Sent } from '../../src/web/views/requests/senders.ts'

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
