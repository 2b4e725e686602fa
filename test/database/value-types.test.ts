import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Context, setUp, tearDown, failureOf } from './connected.ts'

const values = suite<Context>('database values')
values.before(setUp)
values.after(tearDown)

values('should read counts, sums and sizes as numbers, and dates as dates', async ({ db }) => {
  const [row] = await db.sql`
    select count(*) as count, sum(n) as sum, avg(n) as average, max(9007199254740991) as largest,
      min(-9007199254740991) as smallest, '1970-01-01Z'::timestamptz as at
    from generate_series(1, 4) n`
  assert.equal(
    { ...row },
    {
      count: 4,
      sum: 10,
      average: 2.5,
      largest: 9_007_199_254_740_991,
      smallest: -9_007_199_254_740_991,
      at: new Date(0),
    },
  )
})

for (const text of ['9007199254740992', '-9007199254740992', "'NaN'::numeric", '1e300::numeric']) {
  values(`should refuse ${text}, which no number can hold, and continue`, async ({ db }) => {
    const failure = await failureOf(db.sql.unsafe(`select ${text} as value`))
    assert.instance(failure, RangeError)
    assert.is((await db.sql`select 1 as one`)[0]?.['one'], 1)
  })
}

values('should carry arrays of any strings both ways', async ({ db }) => {
  const strings = fc.array(fc.option(fc.string({ unit: 'grapheme' })), { maxLength: 8 })
  const property = fc.asyncProperty(strings, async (given) => {
    const sent = given.map((value) => value?.replaceAll('\0', '') ?? null)
    const [row] = await db.sql`select ${sent as string[]}::text[] as value`
    assert.equal(row?.['value'], sent)
  })
  await fc.assert(property, { numRuns: 100 })
})

values('should carry arrays of every type in the schema', async ({ db }) => {
  const id = '00000000-0000-4000-8000-000000000001'
  const [row] = await db.sql`
    select ${[1, 2]}::int[] as ints, ${[3, 4]}::bigint[] as bigints, ${[id]}::uuid[] as ids,
      ${['t', 'f']}::boolean[] as flags, ${['1970-01-01Z']}::timestamptz[] as dates,
      ${['\\x00ff']}::bytea[] as bytes, ${['a', 'b']}::text[] as texts,
      array[[1, 2], [3, null]] as nested, ${[]}::int[] as none`
  assert.equal(
    { ...row },
    {
      ints: [1, 2],
      bigints: [3, 4],
      ids: [id],
      flags: [true, false],
      dates: [new Date(0)],
      bytes: [Buffer.from([0, 255])],
      texts: ['a', 'b'],
      nested: [
        [1, 2],
        [3, null],
      ],
      none: [],
    },
  )
})

values('should accept fragments, lists, cursors and plain text', async ({ db }) => {
  const { sql } = db
  await sql`insert into items ${sql([1, 2, 3].map((id) => ({ id, name: `n${id}` })))}`
  const filter = sql`where id in ${sql([1, 3])}`
  const rows = await sql`select ${sql(['id', 'name'])} from items ${filter} order by id`
  assert.equal(
    rows.map((row) => ({ ...row })),
    [
      { id: 1, name: 'n1' },
      { id: 3, name: 'n3' },
    ],
  )
  const pages: number[][] = []
  for await (const page of sql`select generate_series(1, 5) as n`.cursor(2)) {
    pages.push(page.map((row) => Number(row['n'])))
  }
  assert.equal(pages, [[1, 2], [3, 4], [5]])
  for await (const page of sql`select generate_series(1, 5) as n`.cursor(2)) {
    assert.is(page.length, 2)
    break
  }
  assert.is((await sql.unsafe('select $1::int as n', [7]))[0]?.['n'], 7)
})

values('should not print notices of the server', async ({ db }) => {
  let printed = ''
  process.stdout.write = ((text: string) => {
    printed += text
    return true
  }) as typeof process.stdout.write
  try {
    await db.sql`do $$ begin raise notice 'noted'; raise warning 'warned'; end $$`
  } finally {
    Reflect.deleteProperty(process.stdout, 'write')
  }
  assert.is(printed, '')
})

values.run()
