// The lock of the one service on a database, and the effect of its loss.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connect, type Database } from '../../src/database/connect.ts'
import { holdProcessLock, type ProcessLock } from '../../src/database/process-lock.ts'
import { DatabaseInUse } from '../../src/database/service-lock.ts'
import { randomRowId } from '../../src/lib/random-id.ts'
import { failureOf } from '../helpers/failure-of.ts'
import { createTestDatabase, type TestDatabase } from '../helpers/postgres.ts'
import { until } from '../helpers/until.ts'

interface Context {
  testDatabase: TestDatabase
  database: Database
  lock: ProcessLock
  replacedBy: DatabaseInUse[]
}

const locks = suite<Context>('db: lock of the service')

locks.before.each(async (context) => {
  context.testDatabase = await createTestDatabase()
  context.database = connect({ ...context.testDatabase, applicationName: 'test' })
  context.replacedBy = []
  context.lock = await hold(context)
})
locks.after.each(async ({ lock, database, testDatabase }) => {
  await lock.close()
  await database.close()
  await testDatabase.drop()
})

function hold({ testDatabase, database, replacedBy }: Context): Promise<ProcessLock> {
  const address = { ...testDatabase, applicationName: 'test' }
  return holdProcessLock(randomRowId(), database, address, {
    database: 'the database',
    onReplaced: (error) => replacedBy.push(error),
  })
}

const endHolder = ({ database }: Context) => database.sql`
  select pg_terminate_backend(l.pid)
  from pg_locks l
  where l.locktype = 'advisory' and l.objsubid = 2 and l.classid = 2 and l.granted
    and l.database = (select oid from pg_database where datname = current_database())`

locks('should admit commands beside the service', async ({ testDatabase, database }) => {
  const address = { ...testDatabase, applicationName: 'test' }
  const command = await holdProcessLock(randomRowId(), database, address)
  await command.close()
})

locks('should be taken again when its connection was lost', async (context) => {
  await endHolder(context)
  const isHeld = async () => {
    const rows = await context.database.sql`
      select 1 from pg_locks
      where locktype = 'advisory' and objsubid = 2 and classid = 2 and granted
        and database = (select oid from pg_database where datname = current_database())`
    return rows.length === 1
  }
  await until('it is held again', isHeld)
  assert.equal(context.replacedBy, [])
})

locks('should end the service when another one holds it by then', async (context) => {
  const { testDatabase, replacedBy } = context
  const other = connect({ ...testDatabase, applicationName: 'transfer-service 7 on elsewhere' })
  await other.begin(async (sql) => {
    const waiting = sql`select pg_advisory_lock(2, 1)`.then(() => 'granted')
    await until('the other one waits', async () => {
      const rows = await context.database.sql`
        select 1 from pg_locks
        where locktype = 'advisory' and objsubid = 2 and not granted
          and database = (select oid from pg_database where datname = current_database())`
      return rows.length > 0
    })
    await endHolder(context)
    assert.is(await waiting, 'granted')
    await until('the service is notified', () => replacedBy.length === 1)
  })
  assert.match(replacedBy[0]!.message, 'the database is in use by pid 7 on elsewhere')
  assert.instance(await failureOf(hold(context)), DatabaseInUse)
  await other.close()
})
