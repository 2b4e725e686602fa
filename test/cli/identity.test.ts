// What belongs together: the database and the secret.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openKeys } from '../../src/cli/identity.ts'
import { loadConfig } from '../../src/config/load.ts'
import { makeFolder } from '../helpers/folder.ts'
import { openDatabase } from '../helpers/postgres.ts'

const identity = suite('cli: identity')

identity('should refuse one of two secrets with which instances start at once', async () => {
  const { database } = await openDatabase()
  await database.sql`delete from identity`
  // Both have a connection before either of them asks.
  await Promise.all([database.sql`select 1`, database.sql`select 1`])
  const started = await Promise.allSettled(
    ['a', 'b'].map((letter) => {
      const env = { DATA_DIR: makeFolder(), JWT_SECRET: letter.repeat(40) }
      return openKeys(database, loadConfig(env).config, { isService: true })
    }),
  )
  const refused = started.filter(({ status }) => status === 'rejected')
  assert.is(refused.length, 1)
  const [{ reason }] = refused as [PromiseRejectedResult]
  assert.match(String(reason), 'JWT_SECRET is not the secret of this database')
})
