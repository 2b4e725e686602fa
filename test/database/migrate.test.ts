import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf } from '../helpers/until.ts'
import { connect, type Database } from '../../src/database/connect.ts'
import { migrate, pendingMigrations } from '../../src/database/migrate.ts'
import { createLog } from '../../src/lib/log.ts'
import { makeFolder } from '../helpers/folder.ts'
import { createTestDatabase, type TestDatabase } from '../helpers/postgres.ts'

let database: TestDatabase
let db: Database
let folder: string
const log = createLog({ level: 'silent' })

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
}

const refusal = async () => (await failureOf(migrate(db, { folder, log }))).message

const migrations = suite('migrations')

migrations.before.each(async () => {
  database = await createTestDatabase()
  db = connect({ ...database, applicationName: 'test' })
  folder = makeFolder()
})
migrations.after.each(async () => {
  await db.close()
  await database.drop()
})

migrations('should apply each file once, in order', async () => {
  write({
    '0002-b.sql': 'alter table a add b int default 2; insert into a values (1);',
    '0001-a.sql': '-- several statements\ncreate table a (a int); create index on a (a);',
    'readme.txt': 'not a migration',
  })
  assert.equal(await pendingMigrations(db, folder), ['0001-a.sql', '0002-b.sql'])
  assert.equal(await migrate(db, { folder, log }), ['0001-a.sql', '0002-b.sql'])
  assert.equal(await migrate(db, { folder, log }), [])
  write({ '0003-c.sql': 'create table c ()' })
  assert.equal(await migrate(db, { folder, log }), ['0003-c.sql'])
  assert.equal({ ...(await db.sql`select * from a`)[0] }, { a: 1, b: 2 })
})

migrations('should apply each file once when many processes start at once', async () => {
  const text = (n: number) => `create table t${n} (); select pg_sleep(0.02);`
  write(Object.fromEntries([1, 2, 3].map((n) => [`000${n}-t.sql`, text(n)])))
  const others = [1, 2, 3].map(() => connect({ ...database, applicationName: 'other' }))
  try {
    const applied = await Promise.all([db, ...others].map((one) => migrate(one, { folder, log })))
    assert.equal(applied.flat().toSorted(), ['0001-t.sql', '0002-t.sql', '0003-t.sql'])
  } finally {
    await Promise.all(others.map((one) => one.close()))
  }
})

migrations('should leave nothing of a failing migration, and name it', async () => {
  write({
    '0001-a.sql': 'create table a ()',
    '0002-b.sql': 'create table b (); select 1 / 0; create table c ();',
  })
  const message = await refusal()
  assert.is(message, 'the migration 0002-b.sql failed: division by zero')
  const [row] = await db.sql`select to_regclass('a') as a, to_regclass('b') as b`
  assert.equal({ ...row }, { a: 'a', b: null })
  assert.equal(await pendingMigrations(db, folder), ['0002-b.sql'])
})

migrations('should refuse a database that is newer than this program', async () => {
  write({ '0001-a.sql': 'select 1', '0002-b.sql': 'select 1' })
  await migrate(db, { folder, log })
  rmSync(path.join(folder, '0002-b.sql'))
  const message = await refusal()
  assert.match(message, 'the database is newer than this program: it has migration 0002-b.sql')
  assert.match(message, ', and the last one here is 0001-a.sql')
})

migrations('should refuse a database with other migrations, and name both', async () => {
  write({ '0001-a.sql': 'select 1', '0002-b.sql': 'select 1' })
  await migrate(db, { folder, log })
  rmSync(path.join(folder, '0002-b.sql'))
  write({ '0002-other.sql': 'create table other ()', '0003-c.sql': 'select 1' })
  const message = await refusal()
  const [said, ...files] = message.split(': ')
  assert.is(said, 'the database does not belong to this program')
  assert.equal(files, ['it has migration 0002-b.sql where 0002-other.sql belongs'])
  assert.is((await db.sql`select to_regclass('other') as t`)[0]?.['t'], null)
})

const wrongNames: [files: string[], message: string][] = [
  [['1-a.sql'], '1-a.sql is not named like 0001-what-changes.sql'],
  [['0001-a.sql', '0001-b.sql'], 'two migrations have the number 0001'],
]
for (const [files, expected] of wrongNames) {
  migrations(`should refuse the names ${files.join(', ')}`, async () => {
    write(Object.fromEntries(files.map((name) => [name, 'select 1'])))
    assert.is(await refusal(), expected)
  })
}
