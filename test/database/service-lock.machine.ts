// The lock of the one service on a database, and the effect of its loss.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf, until } from '../helpers/until.ts'
import { connect, type Database } from '../../src/database/connect.ts'
import { holdProcessLock, type ProcessLock } from '../../src/database/process-lock.ts'
import { DatabaseInUse } from '../../src/database/service-lock.ts'
import { randomRowId } from '../../src/lib/random-id.ts'
import { createTestDatabase, type TestDatabase } from '../helpers/postgres.ts'

const locks = suite('db: lock of the service')
let address: TestDatabase & { applicationName: string }
let database: Database
let lock: ProcessLock
let replacedBy: DatabaseInUse[]

locks.before.each(async () => {
  address = { ...(await createTestDatabase()), applicationName: 'test' }
  database = connect(address)
  replacedBy = []
  lock = await hold()
})
locks.after.each(async () => {
  await lock.close()
  await database.close()
  await address.drop()
})

function hold(): Promise<ProcessLock> {
  return holdProcessLock(randomRowId(), database, address, {
    database: 'the database',
    onReplaced: (error) => replacedBy.push(error),
  })
}

const endHolder = () => database.sql`
  select pg_terminate_backend(l.pid)
  from pg_locks l
  where l.locktype = 'advisory' and l.objsubid = 2 and l.classid = 2 and l.granted
    and l.database = (select oid from pg_database where datname = current_database())`

locks('should admit commands beside the service', async () => {
  const command = await holdProcessLock(randomRowId(), database, address)
  await command.close()
})

locks('should be taken again when its connection was lost', async () => {
  await endHolder()
  const isHeld = async () => {
    const rows = await database.sql`
      select 1 from pg_locks
      where locktype = 'advisory' and objsubid = 2 and classid = 2 and granted
        and database = (select oid from pg_database where datname = current_database())`
    return rows.length === 1
  }
  await until('it is held again', isHeld)
  assert.equal(replacedBy, [])
})

locks('should end the service when another one holds it by then', async () => {
  const other = connect({ ...address, applicationName: 'transfer-service 7 on elsewhere' })
  await other.begin(async (sql) => {
    const waiting = sql`select pg_advisory_lock(2, 1)`.then(() => 'granted')
    await until('the other one waits', async () => {
      const rows = await database.sql`
        select 1 from pg_locks
        where locktype = 'advisory' and objsubid = 2 and not granted
          and database = (select oid from pg_database where datname = current_database())`
      return rows.length > 0
    })
    await endHolder()
    assert.is(await waiting, 'granted')
    await until('the service is notified', () => replacedBy.length === 1)
  })
  assert.match(replacedBy[0]!.message, 'the database is in use by pid 7 on elsewhere')
  assert.instance(await failureOf(hold()), DatabaseInUse)
  await other.close()
})
