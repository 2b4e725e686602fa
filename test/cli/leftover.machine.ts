// A PostgreSQL left by a killed process: the next command takes it over and stops it.
import { spawn } from 'node:child_process'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { endOf } from '../helpers/child.ts'
import { mainFile } from '../helpers/main-file.ts'
import { databaseProcesses } from '../helpers/service-process.ts'
import { until } from '../helpers/until.ts'
import { Scene } from './scene.ts'

const leftover = suite<{ scene: Scene }>('cli: a leftover database')

leftover.before.each((context) => {
  context.scene = new Scene()
})
leftover.after.each(({ scene }) => scene.clear())

leftover('should stop the database of a killed command with the next call', async ({ scene }) => {
  await (await scene.startService()).stop()
  const env = { PATH: process.env['PATH'], ...scene.env }
  const child = spawn(process.execPath, [mainFile, 'users', 'list'], { env, stdio: 'ignore' })
  const closed = endOf(child)
  await until('its database runs', () => databaseProcesses(scene.dataDir).length > 0)
  child.kill('SIGKILL')
  await closed
  assert.ok(databaseProcesses(scene.dataDir).length > 0)
  assert.match(await scene.text(['migrate']), 'nothing to do')
  assert.equal(databaseProcesses(scene.dataDir), [])
})

leftover('should leave the database running that a service took over', async ({ scene }) => {
  const first = await scene.startService()
  first.child.kill('SIGKILL')
  await first.ended()
  const second = await scene.startService()
  assert.match(second.stdout, 'took over database server of dead process')
  assert.is((await scene.json(['users', 'list'])).length, 1)
  assert.ok(databaseProcesses(scene.dataDir).length > 0)
  assert.is((await (await scene.signIn()).get('/readyz')).status, 200)
  assert.is((await second.stop()).code, 0)
  assert.equal(databaseProcesses(scene.dataDir), [])
})

leftover('should report that the database went away, and what to do', async (context) => {
  const { scene } = context
  const service = await scene.startService()
  await (await scene.signIn()).share({ 'a.bin': Buffer.alloc(4_000_000, 'a') })
  const command = scene.run(['verify', '--rate', '1'])
  await until('it has started', () =>
    scene.database(async ({ sql }) => (await sql`select 1 from verify_runs`).length > 0),
  )
  await service.stop()
  const { code, stderr } = await command
  assert.is(code, 1)
  assert.match(stderr, /^the database went away \([^\n]+\)\. Run the command again\.\n$/m)
  assert.not.match(stderr, 'try again in a moment')
  assert.equal(databaseProcesses(scene.dataDir), [])
})
