// Every command as a process of the built start file.
import { readFileSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Client } from '../helpers/client.ts'
import { plantSeed } from '../helpers/seed.ts'
import {
  databaseProcesses,
  makeBallast,
  makeDataDir,
  removeDataDir,
} from '../helpers/service-process.ts'
import { runCommand, ServiceProcess } from '../helpers/service-process.ts'

const words = suite('cli: words')

words('should show the configuration, secrets masked, and start nothing', async () => {
  const dataDir = path.join(makeDataDir(), 'not-made')
  try {
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
    assert.equal(readdirSync(path.dirname(dataDir)), [])
  } finally {
    await removeDataDir(path.dirname(dataDir))
  }
})

const options = [
  'serve',
  'docs',
  'migrate',
  'config show',
  'users list',
  'users add a@example.org',
  'clean-up',
  'verify',
]
for (const command of options) {
  words(`should report every wrong option to \`${command}\`, and start nothing`, async () => {
    const dataDir = makeDataDir()
    try {
      const env = { DATA_DIR: dataDir, PORT: 'x', LOG_LEVEL: 'y', JWT_SECRET: 'hunter2' }
      const { code, stdout, stderr } = await runCommand(command.split(' '), env, 'a password\n')
      assert.is(code, 78)
      assert.is(stdout, '')
      const expected = [
        'the configuration is not valid:',
        '  PORT: must be a port number, 0 to 65535',
        '  JWT_SECRET: must have at least 32 characters',
        '  LOG_LEVEL: must be one of debug, info, warn, error, silent',
      ]
      assert.is(stderr, `${expected.join('\n')}\n`)
      assert.equal(readdirSync(dataDir), [], 'nothing is created')
    } finally {
      await removeDataDir(dataDir)
    }
  })
}

words('should explain an unreachable database without showing its password', async () => {
  const dataDir = makeDataDir()
  try {
    const DATABASE_URL = 'postgres://someone:hunter2@127.0.0.1:1/transfer'
    const { code, stderr } = await runCommand(['migrate'], { DATA_DIR: dataDir, DATABASE_URL })
    assert.is(code, 1)
    assert.match(stderr, 'DATABASE_URL')
    assert.not.match(stderr, 'hunter2')
    assert.not.match(stderr, '    at ', 'no stack trace')
  } finally {
    await removeDataDir(dataDir)
  }
})

// ---

interface Scene {
  dataDir: string
  env: Record<string, string>
}

const alone = suite<Scene>('cli: commands without a running service')

alone.before((scene) => {
  scene.dataDir = makeDataDir()
  makeBallast(scene.dataDir)
  scene.env = { DATA_DIR: scene.dataDir }
})
alone.after((scene) => removeDataDir(scene.dataDir))

alone('should migrate an empty database, and find nothing to do the second time', async (scene) => {
  const first = await runCommand(['migrate'], scene.env)
  assert.is(first.stderr, '')
  assert.is(first.code, 0)
  assert.is(first.stdout, '0001-schema.sql\n')
  const second = await runCommand(['migrate'], scene.env)
  assert.is(second.code, 0)
  assert.is(second.stdout, 'nothing to do: the database is up to date\n')
  const third = await runCommand(['migrate', '--json'], scene.env)
  assert.equal(JSON.parse(third.stdout), { applied: [] })
  assert.equal(databaseProcesses(scene.dataDir), [], 'nothing is left running')
})

// ---

interface BesideScene extends Scene {
  service: ServiceProcess
  password: string
  token: string
}

const beside = suite<BesideScene>('cli: commands beside a running service')

beside.before(async (scene) => {
  scene.dataDir = makeDataDir()
  makeBallast(scene.dataDir)
  scene.env = { DATA_DIR: scene.dataDir, LOG_LEVEL: 'debug' }
  scene.password = 'a password of nobody else'
  plantSeed(scene.dataDir)
  scene.service = await ServiceProcess.start(scene.env)
})
beside.after(async (scene) => {
  await scene.service.clear()
  await removeDataDir(scene.dataDir)
})

beside('should add a user who can sign in at once', async (scene) => {
  const added = await runCommand(['users', 'add', 'b@example.org'], scene.env, scene.password)
  assert.is(added.stderr, '')
  assert.is(added.stdout, 'created user 1: b@example.org\n')
  const client = new Client(scene.service.url)

  const login = { email: 'b@example.org', password: scene.password }
  const answer = await client.post('/api/auth/login', login)
  assert.is(answer.status, 200)
  assert.is(answer.json().user.is_admin, false)
  scene.token = answer.json().token
  assert.is((await client.get('/readyz')).status, 200, 'the service’s database keeps running')
})

beside('should migrate beside the service without ending its database', async (scene) => {
  const { code, stdout } = await runCommand(['migrate'], scene.env)
  assert.is(code, 0)
  assert.match(stdout, 'nothing to do')
  assert.ok(databaseProcesses(scene.dataDir).length > 0)
})

beside('should refuse a second service on the same data', async (scene) => {
  const second = await runCommand(['serve'], { ...scene.env, HOST: '127.0.0.1', PORT: '0' })
  assert.is(second.code, 1)
  const by = `is in use by pid ${scene.service.child.pid}. Stop that service or command first.`
  assert.is(second.stderr, `DATA_DIR (${scene.dataDir}) ${by}\n`)
  assert.is(second.stdout, '', 'nothing was taken over')
  assert.not.match(second.stdout, 'listening on')
  const client = new Client(scene.service.url)
  assert.is((await client.get('/readyz')).status, 200)
})

beside('should keep its key private, and log no password, token or key', async (scene) => {
  const { stdout, stderr } = await scene.service.stop()
  const key = path.join(scene.dataDir, 'secret.key')
  assert.is(statSync(key).mode & 0o777, 0o600)
  const secret = readFileSync(key)
  for (const hidden of [
    scene.password,
    scene.token,
    secret.toString('hex'),
    secret.toString('base64'),
  ]) {
    assert.not.match(stdout + stderr, hidden)
  }
  assert.match(stdout, '"message":"request"', 'the key was written')
})
