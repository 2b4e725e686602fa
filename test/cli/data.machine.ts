// Commands, and the data they find: none, that of another service, or what was left behind.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../helpers/until.ts'
import { placed } from '../../src/cli/machine-problem.ts'
import { endOf } from '../helpers/child.ts'
import { makeFolder } from '../helpers/folder.ts'
import { createTestDatabase } from '../helpers/postgres.ts'
import { databaseProcesses, runCommand, spawnCommand } from '../helpers/service-process.ts'
import { ServiceProcess } from '../helpers/service-process.ts'
import { codeAt } from '../accounts/people.ts'
import { addSecondFactor, admin, Scene, urlOf } from './scene.ts'

const data = suite<{ scene: Scene }>('cli: data')
const commands = suite<{ scene: Scene }>('cli: commands')

for (const each of [data, commands]) {
  each.before.each((context) => {
    context.scene = new Scene()
  })
  each.after.each(({ scene }) => scene.clear())
}

for (const words of ['users list', 'users disable a@example.org', 'clean-up']) {
  data(`should create no data for \`${words}\``, async ({ scene }) => {
    const args = words.split(' ')
    for (const dataDir of [path.join(scene.dataDir, 'mistyped'), scene.dataDir]) {
      const before = readdirSync(scene.dataDir, { recursive: true })
      const { code, stdout, stderr } = await runCommand(args, { DATA_DIR: dataDir })
      assert.equal([code, stdout], [1, ''])
      const hint = 'Check DATA_DIR, or start the service with it first.'
      assert.is(stderr, `there is no data in ${dataDir}. ${hint}\n`)
      assert.equal(readdirSync(scene.dataDir, { recursive: true }), before, 'nothing is created')
    }
    assert.is((await scene.failure(args)).code, 'no_database')
  })
}

data('should create data for the first account, but no folder for files', async ({ scene }) => {
  await scene.text(['users', 'add', 'a@example.org'], 'long enough')
  assert.is((await scene.json(['users', 'list'])).length, 1)
  const failure = await scene.failure(['verify'])
  assert.is(failure.code, 'wrong_storage')
  assert.match(failure.error, 'Start the service first.')
  assert.not.ok(existsSync(path.join(scene.dataDir, 'storage')))
})

data('should create no tables and no key where DATABASE_URL is wrong', async ({ scene }) => {
  const DATABASE_URL = urlOf(await createTestDatabase())
  const dataDir = path.join(scene.dataDir, 'mistyped')
  const JWT_SECRET = 'a secret of the tests, long enough'
  const env = { DATA_DIR: dataDir, DATABASE_URL, JWT_SECRET }
  const { code, stderr } = await runCommand(['verify'], env)
  assert.is(code, 1)
  assert.match(stderr, /^there is no data in the database of DATABASE_URL .* Check DATABASE_URL/)
  assert.not.ok(existsSync(dataDir))
  const migrated = await runCommand(['migrate', '--json'], env)
  assert.ok(JSON.parse(migrated.stdout).applied.length > 0, 'no migration was applied before')
})

data('should create no database for files that have another one', async ({ scene }) => {
  const service = await scene.startService()
  await (await scene.signIn()).share({ 'a.txt': 'kept' })
  await service.stop()
  const DATABASE_URL = urlOf(await createTestDatabase())
  const env = { ...scene.env, DATABASE_URL, PORT: '0' }
  for (const command of ['serve', 'migrate']) {
    const { code, stderr } = await runCommand([command], env)
    assert.is(code, 78)
    assert.match(stderr, 'belongs to another database')
  }
  const foreign = { ...env, DATA_DIR: path.join(scene.dataDir, 'other') }
  const STORAGE_DIR = path.join(scene.dataDir, 'storage')
  const files = await runCommand(['migrate'], { ...foreign, STORAGE_DIR })
  assert.match(files.stderr, 'belongs to another database')

  rmSync(path.join(scene.dataDir, 'database'), { recursive: true })
  for (const command of ['serve', 'users list']) {
    const { code, stderr } = await runCommand(command.split(' '), { ...scene.env, PORT: '0' })
    assert.is(code, 1)
    assert.match(stderr, `there are files, but no database in ${scene.dataDir}/database`)
    assert.match(stderr, 'Restore it from a backup')
    assert.not.ok(existsSync(path.join(scene.dataDir, 'database')))
  }
})

data('should take its database along when its folder is moved', async ({ scene }) => {
  const one = path.join(scene.dataDir, 'one')
  mkdirSync(one, { mode: 0o711 })
  await runCommand(['migrate'], { DATA_DIR: one })
  const two = path.join(scene.dataDir, 'two')
  renameSync(one, two)
  assert.is((await runCommand(['users', 'list'], { DATA_DIR: two })).code, 0)
  const { stdout } = await runCommand(['config', 'show'], { DATA_DIR: two })
  assert.match(stdout, `Database: ${two}/database\n`)
})

async function end(scene: Scene): Promise<void> {
  await scene.service?.clear()
  scene.service = null
}

data('should create no database beside that of DATABASE_URL', async ({ scene }) => {
  const database = await createTestDatabase()
  try {
    const env = { ...scene.env, DATABASE_URL: urlOf(database) }
    scene.service = await ServiceProcess.start(env)
    const before = existsSync(path.join(scene.dataDir, 'database', 'pg'))
    const added = await runCommand(['users', 'add', 'ann@example.org'], scene.env, 'password 1')
    assert.is(added.code, 78, added.stderr)
    assert.match(added.stderr, /belongs to a database that DATABASE_URL names.*is not set/s)
    assert.is(existsSync(path.join(scene.dataDir, 'database', 'pg')), before)
    const right = await runCommand(['users', 'add', 'ann@example.org'], env, 'password 1')
    assert.is(right.code, 0, right.stderr)
    await end(scene)
    const wrong = { ...env, DATABASE_URL: urlOf(await createTestDatabase()) }
    const refused = await runCommand(['serve'], { ...wrong, PORT: '0', DOCS_PORT: 'off' })
    assert.is(refused.code, 78, refused.stderr)
    assert.match(refused.stderr, 'DATABASE_URL names an empty one')
  } finally {
    await end(scene)
    await database.drop()
  }
})

data('should refuse another secret until it is rotated', async ({ scene }) => {
  const first = 'a'.repeat(40)
  const second = 'b'.repeat(40)
  await scene.startService({ JWT_SECRET: first })
  const secret = await addSecondFactor(await scene.signIn())
  await end(scene)

  const other = { ...scene.env, JWT_SECRET: second, PORT: '0', DOCS_PORT: 'off' }
  const refused = await runCommand(['serve'], other)
  assert.is(refused.code, 78, refused.stderr)
  assert.match(refused.stderr, /^JWT_SECRET is not the secret of this database.*secret rotate/)
  assert.not.match(refused.stderr, '    at ')
  const listed = await runCommand(['users', 'list'], other)
  assert.is(listed.code, 78, listed.stderr)
  const unset = await runCommand(['users', 'list'], scene.env)
  assert.match(unset.stderr, 'secret.key is missing, and JWT_SECRET is not set')
  assert.is(existsSync(path.join(scene.dataDir, 'secret.key')), false, 'no key is made')

  const file = path.join(scene.dataDir, 'former')
  writeFileSync(file, `${'c'.repeat(40)}\n`)
  const wrong = await runCommand(['secret', 'rotate', '--from', file], other)
  assert.match(wrong.stderr, 'does not hold the secret of this database')
  const missing = await runCommand(['secret', 'rotate', '--from', `${file}-x`], other)
  assert.is(missing.stderr, `--from: ${file}-x is not a file\n`)
  writeFileSync(file, `${first}\n`)
  const rotated = await runCommand(['secret', 'rotate', '--from', file], other)
  assert.is(rotated.code, 0, rotated.stderr)

  await scene.startService({ JWT_SECRET: second })
  // A code is valid once, so that the answer to the one used before may say so.
  const step = { ...admin, code: codeAt(secret, Date.now()) }
  const again = await scene.client().post('/api/auth/verify-2fa', step)
  assert.ok(again.status === 200 || again.json().code === 'wrong_code', again.body.toString())
  const busy = await runCommand(['secret', 'rotate', '--from', file], other)
  assert.is(busy.code, 1, 'not beside a running service')
})

data('should make a new key file, whatever moment ends it', async ({ scene }) => {
  const key = path.join(scene.dataDir, 'secret.key')
  await scene.startService()
  await scene.json(['settings', 'set', 'smtpPassword=-'], 'pass word')
  await end(scene)
  const before = readFileSync(key)
  assert.is(statSync(key).mode & 0o777, 0o600)
  await scene.text(['secret', 'rotate'])
  const after = readFileSync(key)
  assert.is(statSync(key).mode & 0o777, 0o600)
  assert.not.equal(after, before)
  const place = makeFolder()
  // Killed before the rename: the database has the new secret already.
  for (const words of ['settings get smtpPassword', `backup ${place}`, 'secret rotate']) {
    writeFileSync(`${key}.next`, after, { mode: 0o600 })
    writeFileSync(key, before)
    assert.is((await scene.run(words.split(' '))).code, 0, words)
    assert.is(readFileSync(key).equals(after), words !== 'secret rotate', words)
  }
  const [snapshot = ''] = readdirSync(path.join(place, 'snapshots'))
  assert.equal(readFileSync(path.join(place, 'snapshots', snapshot, 'secret.key')), after)
  const last = readFileSync(key)
  // Killed before the commit: it has the former one.
  writeFileSync(`${key}.next`, before, { mode: 0o600 })
  await scene.text(['users', 'list'])
  assert.equal(readFileSync(key), last)
  assert.is(existsSync(`${key}.next`), false)
  rmSync(key)
  assert.match((await scene.run(['secret', 'rotate'])).stderr, 'secret.key is missing')
  assert.is(existsSync(key), false, 'no key is made')
})

data('should give up what only a lost secret opens', async ({ scene }) => {
  await scene.startService()
  await addSecondFactor(await scene.signIn())
  await scene.json(['settings', 'set', 'smtpPassword=-'], 'pass word')
  await end(scene)
  rmSync(path.join(scene.dataDir, 'secret.key'))
  const refused = await runCommand(['serve'], { ...scene.env, PORT: '0', DOCS_PORT: 'off' })
  assert.is(refused.code, 78, refused.stderr)
  const unsure = await scene.run(['secret', 'rotate', '--lost'])
  assert.is(unsure.code, 2, unsure.stderr)
  const { lost } = await scene.json(['secret', 'rotate', '--lost', '--yes'])
  assert.is(lost['second factors'], 1)
  assert.is(lost['secret settings'], 1)
  await scene.startService()
  const client = await scene.signIn()
  assert.is((await client.get('/api/auth/2fa/status')).json().enabled, false)
})

data('should stop the database of a killed command with the next call', async ({ scene }) => {
  await (await scene.startService()).stop()
  const child = spawnCommand(['users', 'list'], scene.env)
  const closed = endOf(child)
  await until('its database runs', () => databaseProcesses(scene.dataDir).length > 0)
  child.kill('SIGKILL')
  await closed
  assert.ok(databaseProcesses(scene.dataDir).length > 0)
  assert.match(await scene.text(['migrate']), 'nothing to do')
  assert.equal(databaseProcesses(scene.dataDir), [])
})

data('should leave the database running that a service took over', async ({ scene }) => {
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

data('should report that the database went away, and what to do', async (context) => {
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

data('should say that the key is damaged, and what to do', async (context) => {
  const { scene } = context
  const service = await scene.startService()
  await service.stop()
  const key = path.join(scene.dataDir, 'secret.key')
  writeFileSync(key, 'short')
  const way = 'If the secret is lost, remove the file and run transfer secret rotate --lost.'
  const said = `${key} is damaged: it must have 32 bytes. Restore it from a backup. ${way}`
  for (const args of [['serve'], ['users', 'list'], ['backup', '-']]) {
    const { code, stderr } = await scene.run(args)
    assert.is(code, 1, stderr)
    assert.match(stderr, `${said}\n`)
    assert.not.match(stderr, '    at ')
  }
  const rotate = ['secret', 'rotate', '--lost', '--yes']
  assert.is((await scene.failure(rotate)).code, 'wrong_secret')
  rmSync(key)
  await scene.text(rotate)
  await scene.text(['users', 'list'])
})

data('should say that a folder cannot be made, and what is in its place', async ({ scene }) => {
  const file = path.join(scene.dataDir, 'file')
  writeFileSync(file, '')
  const DATA_DIR = path.join(scene.dataDir, 'data')
  const isFile = `${file} is a file, but must be a folder.`
  const isBelow = `part of ${file}/x is a file, not a folder. Check this path.`
  const none = '/proc/x cannot be made in /proc. Make it, or check the option that names it.'
  for (const [env, said] of [
    [{ DATA_DIR: file }, isFile],
    [{ DATA_DIR: `${file}/x/y` }, isBelow],
    [{ DATA_DIR, STORAGE_DIR: file }, isFile],
    [{ DATA_DIR, STORAGE_DIR: `${file}/x` }, isBelow],
    [{ DATA_DIR, STORAGE_DIR: '/proc/x' }, none],
  ] as const) {
    const { code, stderr } = await runCommand(['serve'], { ...env, PORT: '0', DOCS_PORT: 'off' })
    assert.is(code, 1, stderr)
    assert.match(stderr, said)
    assert.not.match(stderr, '    at ')
  }
})

data('should say that DATA_DIR is a link to nothing', async ({ scene }) => {
  const link = path.join(scene.dataDir, 'link')
  symlinkSync(path.join(scene.dataDir, 'missing'), link)
  for (const dataDir of [link, path.join(link, 'data')]) {
    const { code, stderr } = await runCommand(['serve'], { DATA_DIR: dataDir, PORT: '0' })
    assert.is(code, 1, stderr)
    const said = 'is a link to a missing folder. Make that folder, or remove the link.'
    assert.is(stderr, `${link} ${said}\n`)
  }
})

data('should say what was being done, and what the operator can do', () => {
  const failed = (code: string, place?: string) => {
    const error = Object.assign(new Error(`${code}: of the system`), { code, syscall: 'mkdir' })
    return (placed(place ? Object.assign(error, { path: place }) : error, 'the backup') as Error)
      .message
  }
  assert.match(failed('EACCES', '/a'), /^the backup failed: the user \S+ may not use \/a\. Give it/)
  const full = 'the disk of its files is full. Free space on it, then try again.'
  assert.is(failed('ENOSPC'), `the backup failed: ${full}`)
  const bug = new Error('a bug')
  assert.is(placed(bug, 'the backup'), bug)
})

commands('should show the configuration, secrets masked, and start nothing', async ({ scene }) => {
  const dataDir = path.join(scene.dataDir, 'not-made')
  const env = { DATA_DIR: dataDir, JWT_SECRET: 'hunter2'.repeat(5), PORT: '81' }
  const { code, stdout, stderr } = await runCommand(['config', 'show'], env)
  assert.equal([code, stderr], [0, ''])
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
    `should report wrong options to \`${command}\`, and start nothing`,
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
