import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { databaseProcesses, runCommand } from '../helpers/service-process.ts'
import { Scene } from './scene.ts'

const commands = suite<{ scene: Scene }>('cli: commands')
commands.before.each((context) => {
  context.scene = new Scene()
})
commands.after.each(({ scene }) => scene.clear())

commands('should show the configuration, secrets masked, and start nothing', async ({ scene }) => {
  const dataDir = path.join(scene.dataDir, 'not-made')
  const env = { DATA_DIR: dataDir, JWT_SECRET: 'hunter2'.repeat(5), PORT: '81' }
  const { code, stdout, stderr } = await runCommand(['config', 'show'], env)
  assert.is(code, 0)
  assert.is(stderr, '')
  assert.match(stdout, `DATA_DIR=${dataDir}  (environment)`)
  assert.match(stdout, 'BASE_URL=http://localhost:81  (default)')
  assert.match(stdout, 'JWT_SECRET=********  (environment)')
  const json = await runCommand(['config', 'show', '--json'], env)
  const shown = JSON.parse(json.stdout) as { options: { name: string }[]; database: null }
  const secret = shown.options.find(({ name }) => name === 'JWT_SECRET')
  assert.equal(secret, { name: 'JWT_SECRET', value: '********', source: 'environment' })
  assert.is(shown.database, null)
  assert.not.match(stdout + json.stdout, 'hunter2')
  assert.not.ok(existsSync(dataDir))
  const file = path.join(scene.dataDir, 'others')
  writeFileSync(file, `DATA_DIR=${dataDir}\nBASE_URL=https://other.example.org\n`)
  const named = await runCommand(['--config', file, 'config', 'show'])
  assert.match(named.stdout, 'BASE_URL=https://other.example.org ', named.stderr)
})

for (const command of ['serve', 'docs', 'users list']) {
  commands(
    `should report every wrong option to \`${command}\`, and start nothing`,
    async ({ scene }) => {
      const dataDir = path.join(scene.dataDir, 'not-made')
      const env = { DATA_DIR: dataDir, PORT: 'x', LOG_LEVEL: 'y', JWT_SECRET: 'hunter2' }
      const { code, stdout, stderr } = await runCommand(command.split(' '), env, 'a password\n')
      assert.equal([code, stdout], [78, ''])
      const expected = [
        'the configuration is not valid:',
        '  PORT: must be a port number, 0 to 65535',
        '  JWT_SECRET: must have at least 32 characters',
        '  LOG_LEVEL: must be one of debug, info, warn, error, silent',
      ]
      assert.is(stderr, `${expected.join('\n')}\n`)
      assert.not.ok(existsSync(dataDir), 'nothing is created')
    },
  )
}

commands('should explain an unreachable database without its password', async ({ scene }) => {
  const DATABASE_URL = 'postgres://someone:hunter2@127.0.0.1:1/transfer'
  const { code, stderr } = await runCommand(['migrate'], { ...scene.env, DATABASE_URL })
  assert.is(code, 1)
  assert.match(stderr, 'DATABASE_URL')
  assert.not.match(stderr, 'hunter2')
  assert.not.match(stderr, '    at ', 'no stack trace')
})

commands('should migrate an empty database once, then find nothing to do', async ({ scene }) => {
  assert.is(await scene.text(['migrate']), '0001-schema.sql\n')
  assert.is(await scene.text(['migrate']), 'nothing to do: the database is up to date\n')
  assert.equal(await scene.json(['migrate']), { applied: [] })
  assert.equal(databaseProcesses(scene.dataDir), [], 'nothing is left running')
  await scene.startService()
  assert.match(await scene.text(['migrate']), 'nothing to do')
  assert.ok(databaseProcesses(scene.dataDir).length > 0, 'that of the service stays')
})

commands('should refuse a second service on the same data', async ({ scene }) => {
  const { child } = await scene.startService()
  const second = await scene.run(['serve'])
  assert.equal([second.code, second.stdout], [1, ''], 'nothing was taken over')
  const by = `is in use by pid ${child.pid}. Stop that service or command first.`
  assert.is(second.stderr, `DATA_DIR (${scene.dataDir}) ${by}\n`)
  assert.is((await scene.client().get('/readyz')).status, 200)
})
