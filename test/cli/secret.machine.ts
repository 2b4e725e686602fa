// A new secret beside services that share their database.
import { randomUUID } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connect } from '../../src/database/connect.ts'
import { deleteInstance, renewInstance } from '../../src/database/instances-sql.ts'
import { countLockWaits } from '../helpers/locks.ts'
import { createTestDatabase } from '../helpers/postgres.ts'
import { runCommand } from '../helpers/service-process.ts'
import { until } from '../helpers/until.ts'
import { Scene, urlOf } from './scene.ts'

const secrets = suite('cli: secrets')

secrets('should not be changed while an instance serves the database', async () => {
  const made = await createTestDatabase()
  const first = 'a'.repeat(40)
  const scene = new Scene({ DATABASE_URL: urlOf(made), JWT_SECRET: first })
  const database = connect({ ...made, applicationName: 'test' })
  try {
    await (await scene.startService()).stop()
    scene.service = null
    const file = path.join(scene.dataDir, 'former')
    writeFileSync(file, first)
    const env = { ...scene.env, JWT_SECRET: 'b'.repeat(40) }
    const rotate = () => runCommand(['secret', 'rotate', '--from', file], env)
    const id = randomUUID()
    await renewInstance(database.sql, id, [])
    const refused = await rotate()
    assert.is(refused.code, 1, refused.stderr)
    assert.match(refused.stderr, /^the database of DATABASE_URL .* is in use by another process/)
    assert.is((await scene.run(['users', 'list'])).code, 0, 'the former secret is still valid')
    await deleteInstance(database.sql, id)
    assert.is((await rotate()).code, 0)
  } finally {
    await database.close()
    await scene.clear()
    await made.drop()
  }
})

secrets('should not be lost to a command that runs while it is changed', async () => {
  const made = await createTestDatabase()
  const scene = new Scene({ DATABASE_URL: urlOf(made) })
  const database = connect({ ...made, applicationName: 'test' })
  try {
    await (await scene.startService()).stop()
    scene.service = null
    const next = path.join(scene.dataDir, 'secret.key.next')
    let rotated: ReturnType<typeof scene.run> | null = null
    let isOver = false
    await database.begin(async (sql) => {
      await sql`lock table second_factors in access exclusive mode`
      rotated = scene.run(['secret', 'rotate']).finally(() => (isOver = true))
      await until('it waits', async () => isOver || (await countLockWaits(database)) > 0)
      assert.ok(existsSync(next), 'the new key is there')
      const early = await scene.run(['users', 'list'])
      assert.is(early.code, 1, early.stderr)
      assert.match(early.stderr, /Run the command again/)
      assert.ok(existsSync(next), 'the new key is still there')
    })
    const { code, stderr } = await rotated!
    assert.is(code, 0, stderr)
    assert.is((await scene.json(['users', 'list'])).length, 1)
  } finally {
    await database.close()
    await scene.clear()
    await made.drop()
  }
})
