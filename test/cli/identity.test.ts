// What belongs together: the database and the secret.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readKeyFile, Keys } from '../../src/accounts/sign-in/keys.ts'
import { openKeys } from '../../src/cli/identity.ts'
import { loadConfig } from '../../src/config/load.ts'
import type { Database } from '../../src/database/connect.ts'
import { makeFolder } from '../helpers/folder.ts'
import { openDatabase } from '../helpers/postgres.ts'

const identity = suite('cli: identity')

/** Opens connections too, so that what is called at once asks at once. */
async function empty({ sql }: Database): Promise<void> {
  await sql`delete from identity`
  await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.1)`))
}

identity('should refuse one of two secrets with which instances start at once', async () => {
  const { database } = await openDatabase()
  await empty(database)
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

identity('should make one key file for a first start and a command beside it', async () => {
  const { database } = await openDatabase()
  await empty(database)
  const dataDir = makeFolder()
  const { config } = loadConfig({ DATA_DIR: dataDir })
  const opened = await Promise.all(
    [true, false, false].map((isService) => openKeys(database, config, { isService })),
  )
  const { fingerprint } = new Keys((await readKeyFile(dataDir))!)
  for (const keys of opened) assert.is(keys.fingerprint, fingerprint)
})

identity(
  'should not take a folder from its database for one that no service has used',
  async () => {
    const { database } = await openDatabase()
    await empty(database)
    const dataDir = makeFolder()
    const note = path.join(dataDir, 'instance.json')
    const text = '{"database":"another","isEmbedded":false}\n'
    writeFileSync(note, text)
    const { config } = loadConfig({ DATA_DIR: dataDir })
    const opening = openKeys(database, config, { isService: true })
    const error = await opening.catch((caught: unknown) => caught)
    assert.match(String(error), 'belongs to another database')
    assert.is(readFileSync(note, 'utf8'), text)
  },
)
