import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connect, type Database, databaseFailure, type Sql } from '../../src/database/connect.ts'
import { failureOf } from '../helpers/failure-of.ts'
import { Gate } from '../helpers/replaced.ts'
import { until } from '../helpers/until.ts'
import { connectTests, type Context, isUnavailable } from './connected.ts'
import { pluck } from '../helpers/lists.ts'

const transactions = suite<Context>('database transactions')
connectTests(transactions)
transactions.before.each(async ({ db }) => {
  await db.sql`truncate items`
})

transactions('should commit when resolved and roll back when rejected', async ({ db }) => {
  const result = await db.begin(async (sql) => {
    await sql`insert into items (id) values (1)`
    return 'done'
  })
  assert.is(result, 'done')
  const failure = await failureOf(
    db.begin(async (sql) => {
      await sql`insert into items (id) values (2)`
      throw new Error('no')
    }),
  )
  assert.is(failure.message, 'no')
  const ids = (await db.sql`select id from items`).map((row) => row['id'] as number)
  assert.equal(ids, [1])
})

transactions('should fail entirely after a failed statement, even when caught', async ({ db }) => {
  const failure = await failureOf(
    db.begin(async (sql) => {
      await sql`insert into items (id) values (1)`
      await sql`select 1 / 0`.catch(() => {})
    }),
  )
  assert.is(failure.message, 'division by zero')
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

transactions('should fail entirely with its last statement', async (all) => {
  const { db } = all
  let isAsked = false
  const lasts: [name: string, last: (sql: Sql) => Promise<unknown>, message: string][] = [
    ['refused by the server', (sql) => sql`select 1 / 0`, 'division by zero'],
    ['never sent', () => Promise.reject(new Error('no')), 'no'],
  ]
  for (const [name, last, message] of lasts) {
    const failure = await failureOf(
      db.begin(async (sql, closeWith) => {
        await sql`insert into items (id) values (1)`
        closeWith(last)
      }),
    )
    assert.is(failure.message, message, name)
    assert.is((await db.sql`select from items`).length, 0, name)
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
  const [locked, release] = [new Gate(), new Gate()]
  const first = db.begin(
    async (sql) => {
      const read = sql`select id from items where id = 1 for update`
      assert.is((await Promise.all([read, sql`select 1`]))[0].length, 1)
      locked.open()
      await release.passed
    },
    { readsFirst: true },
  )
  await locked.passed
  const taken = await db.sql`select id from items where id = 1 for update skip locked`
  release.open()
  await first
  assert.is(taken.length, 0)
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

// ---

const bounds = suite<Context>('database bounds')
connectTests(bounds)

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
  const holding = new Gate()
  const release = new Gate()
  const held = db.begin(async (sql) => {
    await sql`select 1`
    holding.open()
    await release.passed
  })
  try {
    await Promise.race([holding.passed, held])
    const failures = await Promise.all([
      failureOf(db.sql`select 1`),
      failureOf(db.begin(async (sql) => sql`select 1`)),
    ])
    assert.equal(failures.map(isUnavailable), [true, true])
    assert.equal(failures[0].headers, { 'Retry-After': '5' })
    release.open()
    await held
    assert.is((await db.sql`select 1 as one`)[0]?.['one'], 1)
  } finally {
    release.open()
  }
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
  const left = async () =>
    (await observer.sql`select from pg_stat_activity where application_name like 'closing %'`)
      .length
  await until('every connection has ended', async () => (await left()) === 0)
})

bounds('should refuse queries once it is closed', async ({ open }) => {
  const db = open({})
  await db.sql`select 1`
  await db.close()
  assert.ok(isUnavailable(await failureOf(db.sql`select 1`)))
  assert.ok(isUnavailable(await failureOf(db.begin(async (sql) => sql`select 1`))))
})
