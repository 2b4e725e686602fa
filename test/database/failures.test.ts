// What the database refuses, what it carries, and rows in bulk.
import fc from 'fast-check'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Bulk, openBulk } from '../../src/database/bulk.ts'
import { databaseFailure, isUniqueViolation } from '../../src/database/connect.ts'
import { CodedError } from '../../src/lib/errors.ts'
import { makeFolder } from '../helpers/folder.ts'
import { createTestDatabase, type TestDatabase } from '../helpers/postgres.ts'
import { failureOf } from '../helpers/failure-of.ts'
import { connectTests, type Context, isUnavailable } from './connected.ts'

const failures = suite<Context>('database failures')
connectTests(failures)

failures('should recognize a unique violation, and its constraint', async ({ db }) => {
  await db.sql`insert into items (id) values (1)`
  const error = await failureOf(db.sql`insert into items (id) values (1)`)
  assert.is(isUniqueViolation(error), true)
  assert.is(isUniqueViolation(error, 'items_pkey'), true)
  assert.is(isUniqueViolation(error, 'other_key'), false)
  assert.is(isUniqueViolation(new Error('23505')), false)
  assert.is(databaseFailure(error), null)
})

// prettier-ignore
const states: [state: string, code: string | undefined][] = [
  ['08006', 'unavailable'], ['40001', 'unavailable'], ['40P01', 'unavailable'],
  ['53100', 'disk_full'], ['53300', 'unavailable'], ['55P03', 'unavailable'],
  ['57014', 'unavailable'], ['57P01', 'unavailable'], ['57P03', 'unavailable'],
  ['23505', undefined], ['42601', undefined], ['XX000', undefined],
]
for (const [state, code] of states) {
  failures(`should answer SQLSTATE ${state} with ${code ?? 'no specific code'}`, async ({ db }) => {
    const text = `do $$ begin raise exception 'x' using errcode = '${state}'; end $$`
    const error = await failureOf(db.sql.unsafe(text))
    assert.is(databaseFailure(error)?.code, code)
    assert.is(databaseFailure(error)?.cause, code === undefined ? undefined : error)
  })
}

failures('should report that no server is there', async ({ open }) => {
  const db = open({ socketDir: '/nowhere' })
  for (let attempt = 0; attempt < 3; attempt += 1) {
    assert.is(databaseFailure(await failureOf(db.sql`select 1`))?.code, 'unavailable')
  }
  const failure = await failureOf(db.begin(async (sql) => sql`select 1`))
  assert.is(databaseFailure(failure)?.code, 'unavailable')
})

const badServers: [what: string, answer: (socket: Socket) => void][] = [
  ['never answers', () => {}],
  ['closes every connection at once', (socket) => void socket.end()],
  ['breaks every connection', (socket) => void socket.destroy()],
  ['answers nonsense', (socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
]
for (const [what, answer] of badServers) {
  failures(`should not wait for a server that ${what}`, async ({ open }) => {
    const folder = makeFolder()
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      answer(socket)
    })
    server.listen(path.join(folder, '.s.PGSQL.5432'))
    await once(server, 'listening')
    const db = open({ socketDir: folder, waitMs: 300, connectionsMax: 1 })
    try {
      for (const ask of [() => db.sql`select 1`, () => db.begin((sql) => sql`select 1`)]) {
        assert.is(databaseFailure(causeOf(await failureOf(ask())))?.code, 'unavailable')
      }
    } finally {
      for (const socket of sockets) socket.destroy()
      server.close()
    }
  })
}

/** A 503 of our own in the form that databaseFailure gives its cause. */
function causeOf(error: unknown): unknown {
  return isUnavailable(error) ? Object.assign(new Error('x'), { code: 'CONNECT_TIMEOUT' }) : error
}

// ---

const values = suite<Context>('database values')
connectTests(values)

values('should read counts, sums and sizes as numbers, and dates as dates', async ({ db }) => {
  const [row] = await db.sql`
    select count(*) as count, sum(n) as sum, avg(n) as average, max(9007199254740991) as largest,
      min(-9007199254740991) as smallest, '1970-01-01Z'::timestamptz as at
    from generate_series(1, 4) n`
  const ends = { largest: 9_007_199_254_740_991, smallest: -9_007_199_254_740_991 }
  assert.equal({ ...row }, { count: 4, sum: 10, average: 2.5, ...ends, at: new Date(0) })
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
  const pairs = [1, 2, 3, null]
  const expected = {
    ints: [1, 2],
    bigints: [3, 4],
    ids: [id],
    flags: [true, false],
    dates: [new Date(0)],
    bytes: [Buffer.from([0, 255])],
    texts: ['a', 'b'],
    nested: [pairs.slice(0, 2), pairs.slice(2)],
    none: [],
  }
  assert.equal({ ...row }, expected)
})

// ---

const bulk = suite('database: bulk')
let database: TestDatabase
let connection: Bulk

bulk.before.each(async () => {
  database = await createTestDatabase()
  connection = openBulk({ ...database, applicationName: 'test' })
})
bulk.after.each(async () => {
  await connection.close()
  await database.drop()
})

async function sizeOf(rows: AsyncIterable<Buffer>): Promise<number> {
  let size = 0
  for await (const data of rows) size += data.length
  return size
}

bulk('should copy rows of any size out, and go on after them', async () => {
  // Around the buffers of the stream and of the socket: the last rows may fill either.
  for (const size of [0, 1, 1_000, 16_000, 16_384, 33_000, 65_536, 70_000, 1_000_000]) {
    const text = `copy (select repeat('a', ${size}) from generate_series(1, 3)) to stdout`
    assert.is(await sizeOf(await connection.copyOut(text)), 3 * (size + 1))
  }
  assert.is(await sizeOf(await connection.copyOut('copy (select where false) to stdout')), 0)
})

bulk('should copy rows in, and report the errors of the server', async () => {
  const { sql } = connection
  await sql.unsafe(`
    create table parents (id integer primary key);
    create table children (id integer references parents);
    insert into parents values (1)`)
  const rows = async function* (text: string) {
    yield Buffer.from(text)
  }
  await connection.copyIn('copy children from stdin', rows('1\n1\n'))
  // The server refuses the first with its row, and the second after the last row.
  for (const [text, expected] of [
    ['x\n', /invalid input syntax/],
    ['2\n', /foreign key/],
  ] as const) {
    const failure = await failureOf(connection.copyIn('copy children from stdin', rows(text)))
    assert.match(failure.message, expected)
  }
  const failing = async function* () {
    yield Buffer.from('1\n')
    throw new Error('the source has failed')
  }
  const failure = await failureOf(connection.copyIn('copy children from stdin', failing()))
  assert.match(failure.message, /the source has failed/)
  const [row] = await sql<{ count: number }[]>`select count(*) as count from children`
  assert.is(row?.count, 2)
})

failures('should not treat the errors of others as its own', () => {
  const others = [
    new Error('x'),
    Object.assign(new Error('x'), { code: 'ECONNRESET' }),
    Object.assign(new Error('x'), { code: 'ENOENT' }),
    new CodedError('unavailable'),
    null,
    'CONNECTION_CLOSED',
  ]
  for (const error of others) assert.is(databaseFailure(error), null)
})
