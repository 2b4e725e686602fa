import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf, until } from '../helpers/until.ts'
import fc from 'fast-check'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import path from 'node:path'
import { type Test } from '../helpers/suite.ts'
import { type Bulk, openBulk } from '../../src/database/bulk.ts'
import { connect, type ConnectOptions, type Database } from '../../src/database/connect.ts'
import { databaseFailure, isUniqueViolation, type Sql } from '../../src/database/connect.ts'
import { CodedError } from '../../src/lib/errors.ts'
import { pluck } from '../helpers/client.ts'
import { makeFolder } from '../helpers/folder.ts'
import { createTestDatabase, type TestDatabase } from '../helpers/postgres.ts'

interface Context {
  database: TestDatabase
  db: Database
  /** Connects once more, until the end of the test. */
  open: (options: Partial<ConnectOptions>) => Database
}

function connectSuite(name: string): Test<Context> {
  const connected = suite<Context>(name)
  const opened: Database[] = []
  connected.before(async (context) => {
    context.database = await createTestDatabase()
    context.open = (options) => {
      const db = connect({ ...context.database, applicationName: 'test', ...options })
      opened.push(db)
      return db
    }
    context.db = connect({ ...context.database, applicationName: 'test' })
    await context.db.sql`create table items (id integer primary key, name text)`
  })
  connected.after.each(async () => {
    for (const db of opened.splice(0)) await db.close()
  })
  connected.after(async ({ database, db }) => {
    await db.close()
    await database.drop()
  })
  return connected
}

function isUnavailable(error: unknown): boolean {
  return error instanceof CodedError && error.code === 'unavailable' && error.status === 503
}

const transactions = connectSuite('database transactions')
transactions.before.each(async ({ db }) => {
  await db.sql`truncate items`
})

transactions('should commit when resolved and roll back when rejected', async ({ db }) => {
  const result = await db.begin(async (sql) => {
    await sql`insert into items (id) values (1)`
    return 'done'
  })
  assert.is(result, 'done')
  const failing = db.begin(async (sql) => {
    await sql`insert into items (id) values (2)`
    throw new Error('no')
  })
  assert.is((await failureOf(failing)).message, 'no')
  const ids = (await db.sql`select id from items`).map((row) => row['id'] as number)
  assert.equal(ids, [1])
})

transactions('should fail entirely after a failed statement, even when caught', async ({ db }) => {
  const failing = db.begin(async (sql) => {
    await sql`insert into items (id) values (1)`
    await sql`select 1 / 0`.catch(() => {})
  })
  assert.is((await failureOf(failing)).message, 'division by zero')
  assert.is((await db.sql`select from items`).length, 0)
})

transactions('should commit a last statement with the rest', async ({ db }) => {
  const insert = (sql: Sql, id: number) => sql`insert into items (id) values (${id})`
  for (const readsFirst of [false, true]) {
    await db.sql`truncate items`
    const result = await db.begin(
      async (sql, closeWith) => {
        await sql`select 1`
        closeWith((last) => insert(last, 1))
        closeWith(async (last) => {
          await Promise.resolve()
          await insert(last, 2)
        })
        await insert(sql, 3)
        return 'done'
      },
      { readsFirst },
    )
    assert.is(result, 'done')
    assert.is((await db.sql`select from items`).length, 3)
  }
})

transactions('should fail entirely with its last statement', async ({ db }) => {
  let isAsked = false
  const lasts: [last: (sql: Sql) => Promise<unknown>, message: string][] = [
    [(sql) => sql`select 1 / 0`, 'division by zero'],
    [() => Promise.reject(new Error('never sent')), 'never sent'],
  ]
  for (const [last, message] of lasts) {
    const failing = db.begin(async (sql, closeWith) => {
      await sql`insert into items (id) values (1)`
      closeWith(last)
    })
    assert.is((await failureOf(failing)).message, message)
    assert.is((await db.sql`select from items`).length, 0, message)
  }
  await failureOf(
    db.begin((_sql, closeWith) => {
      closeWith(async () => (isAsked = true))
      return Promise.reject(new Error('no'))
    }),
  )
  assert.not(isAsked)
})

transactions('should keep the locks of first reads until its end', async ({ db }) => {
  await db.sql`insert into items (id) values (1)`
  const reads = async (sql: Sql) => {
    const read = sql`select id from items where id = 1 for update`
    assert.is((await Promise.all([read, sql`select 1`]))[0].length, 1)
    const taken = await db.sql`select id from items where id = 1 for update skip locked`
    assert.is(taken.length, 0)
  }
  await db.begin(reads, { readsFirst: true })
})

transactions('should bound statements, locks and idle transactions', async (context) => {
  const { socketDir, user, database } = context.database
  const db = connect({ socketDir, user, database, applicationName: 'test' })
  const [row] = await db.sql`
    select current_setting('statement_timeout') as statement,
      current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle,
      current_setting('application_name') as name`
  await db.close()
  assert.equal({ ...row }, { statement: '10s', lock: '5s', idle: '30s', name: 'test' })
})

/**
 * A statement of a transaction whose connection is gone must not run on the next connection, where
 * it would be committed by itself; and the rollback of it must not crash the process.
 */
transactions('should end with a lost connection and run nothing on another', async (context) => {
  const { db } = context
  const other = context.open({ connectionsMax: 1 })
  const failure = await failureOf(
    db.begin(async (sql) => {
      await sql`insert into items (id) values (1)`
      const [row] = await sql`select pg_backend_pid() as pid`
      await other.sql`select pg_terminate_backend(${row?.['pid'] as number}, 1000)`
      const late = [2, 3, 4].map((id) => sql`insert into items (id) values (${id})`.catch(() => {}))
      await Promise.all(late)
      await sql`insert into items (id) values (5)`
    }),
  )
  assert.ok(databaseFailure(failure), String(failure))
  assert.is((await db.sql`select from items`).length, 0)
  await db.begin(async (sql) => sql`insert into items (id) values (6)`)
  assert.is((await db.sql`select from items`).length, 1)
})

/** A list that ends early without an error would look complete. */
transactions('should not end a list of pages when its connection is lost', async ({ open }) => {
  const other = open({ connectionsMax: 1 })
  const read = async (sql: Sql, leaves: boolean) => {
    const seen: number[] = []
    const pages = sql`select generate_series(1, 9) as n, pg_backend_pid() as pid`.cursor(3)
    for await (const page of pages) {
      seen.push(page.length)
      if (seen.length < 2) continue
      await other.sql`select pg_terminate_backend(${page[0]?.['pid']}, 1000)`
      if (leaves) throw new Error('left')
    }
    throw new Error(`ended after ${seen.length} pages`)
  }
  for (const leaves of [false, true]) {
    for (const start of [
      (db: Database) => read(db.sql, leaves),
      (db: Database) => db.begin((sql) => read(sql, leaves)),
    ]) {
      // A reader who leaves may do so before the loss shows: the next one would meet it.
      const db = open({ connectionsMax: 1 })
      const failure = await failureOf(start(db))
      if (leaves) assert.is(failure.message, 'left')
      else {
        assert.is(databaseFailure(failure)?.code, 'unavailable', String(failure))
        assert.is((await db.sql`select 1 as one`)[0]?.['one'], 1)
      }
    }
  }
})

transactions('should send nothing of a parallel branch after its end', async ({ db }) => {
  const branches: Promise<unknown>[] = []
  for (let round = 0; round < 50; round += 1) {
    await failureOf(
      db.begin(async (sql) => {
        const branch = async () => {
          await sql`select 1`
          await sql`insert into items (id) values (${round})`
        }
        branches.push(branch().catch(() => {}))
        await sql`select 2`
        throw new Error('no')
      }),
    )
  }
  await Promise.all(branches)
  assert.is((await db.sql`select from items`).length, 0)
})

const bounds = connectSuite('database bounds')

bounds('should reach a server through the folder of its socket', async ({ database }) => {
  const { socketDir, user, database: name } = database
  const query = new URLSearchParams({ port: '5432', host: socketDir, user })
  const db = connect({ url: `postgres:///${name}?${query}`, applicationName: 'test' })
  const rows = await db.sql`select current_database() as name`
  await db.close()
  assert.equal([...rows], [{ name }])
})

bounds('should answer 503 when no connection is free in time', async ({ open }) => {
  const db = open({ connectionsMax: 1, waitMs: 500 })
  await db.begin(async (held) => {
    await held`select 1`
    const asked = [db.sql`select 1`, db.begin(async (sql) => sql`select 1`)]
    const failures = await Promise.all(asked.map(failureOf))
    assert.equal(failures.map(isUnavailable), [true, true])
    assert.equal(failures[0]!.headers, { 'Retry-After': '5' })
  })
  assert.is((await db.sql`select 1 as one`)[0]?.['one'], 1)
})

bounds('should answer 503 when too many wait', async ({ open }) => {
  const db = open({ connectionsMax: 2, waitersMax: 3 })
  const all = await Promise.allSettled(Array.from({ length: 9 }, () => db.sql`select pg_sleep(0)`))
  const refused = all.filter((one) => one.status === 'rejected')
  assert.is(refused.length, 4)
  assert.ok(refused.every((one) => isUnavailable(one.reason)))
})

bounds('should use each connection for one query at a time', async ({ db }) => {
  const pids = await Promise.all(
    Array.from({ length: 8 }, () => db.sql`select pg_backend_pid() as pid, pg_sleep(0.05)`),
  )
  assert.is(new Set(pids.map((rows) => rows[0]?.['pid'] as number)).size, 8)
})

const unsendable = { value: undefined } as unknown as { value: string }

bounds('should settle every query beside values that cannot be sent', async ({ open }) => {
  const db = open({ connectionsMax: 1 })
  const bad = (sql: Sql) => sql`select ${unsendable.value}::int`
  const settled = await Promise.allSettled([bad(db.sql), bad(db.sql), db.sql`select 1`])
  assert.equal(pluck(settled.slice(0, 2), 'status'), ['rejected', 'rejected'])
  await failureOf(db.begin((sql) => Promise.all([sql`select 1`, bad(sql)])))
  const failure = await failureOf(db.begin((sql) => bad(sql).catch(() => {})))
  assert.ok(failure, 'a caught one fails its transaction too')
  assert.is((await db.sql`select 3 as n`)[0]?.['n'], 3)
})

bounds('should close while a connection is being opened', async ({ db: observer, open }) => {
  for (let round = 0; round < 10; round += 1) {
    const db = open({ connectionsMax: 1, applicationName: `closing ${round}` })
    // Whether it succeeds depends on the round; it has to settle.
    const query = Promise.allSettled([db.sql`select 1`])
    for (let turn = 0; turn < round; turn += 1) await new Promise(setImmediate)
    await db.close()
    await query
  }
  await until('every connection has ended', async () => {
    const name = 'closing %'
    const left = await observer.sql`
      select from pg_stat_activity where application_name like ${name}`
    return left.length === 0
  })
})

bounds('should refuse queries once it is closed', async ({ open }) => {
  const db = open({})
  await db.sql`select 1`
  await db.close()
  assert.ok(isUnavailable(await failureOf(db.sql`select 1`)))
  assert.ok(isUnavailable(await failureOf(db.begin(async (sql) => sql`select 1`))))
})

// --- What the database refuses, what it carries, and rows in bulk.

const failures = connectSuite('database failures')

failures('should recognize a unique violation, and its constraint', async ({ db }) => {
  await db.sql`insert into items (id) values (1)`
  const error = await failureOf(db.sql`insert into items (id) values (1)`)
  assert.is(isUniqueViolation(error), true)
  assert.is(isUniqueViolation(error, 'items_pkey'), true)
  assert.is(isUniqueViolation(error, 'other_key'), false)
  assert.is(isUniqueViolation(new Error('23505')), false)
  assert.is(databaseFailure(error), null)
})

// oxfmt-ignore
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

const values = connectSuite('database values')

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
  const nested = [[1, 2] as (number | null)[], [3, null]]
  const [bytes, dates] = [[Buffer.from([0, 255])], [new Date(0)]]
  const numbers = { ints: [1, 2], bigints: [3, 4], nested, none: [] }
  const expected = { ...numbers, ids: [id], flags: [true, false], dates, bytes, texts: ['a', 'b'] }
  assert.equal({ ...row }, expected)
})

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
  const failing = async function* () {
    yield Buffer.from('1\n')
    throw new Error('the source has failed')
  }
  for (const [data, expected] of [
    [rows('x\n'), 'invalid input syntax'],
    [rows('2\n'), 'foreign key'],
    [failing(), 'the source has failed'],
  ] as const) {
    const failure = await failureOf(connection.copyIn('copy children from stdin', data))
    assert.match(failure.message, expected)
  }
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
