// Commands and the service with options that do not belong together.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createTestDatabase } from '../helpers/postgres.ts'
import { runCommand, ServiceProcess } from '../helpers/service-process.ts'
import { addSecondFactor, admin, codeOf, Scene, urlOf } from './scene.ts'

interface Context {
  scene: Scene
}

const identity = suite<Context>('commands: options of another service')

identity.before.each((context) => {
  context.scene = new Scene()
})
identity.after.each(({ scene }) => scene.clear())

async function end(scene: Scene): Promise<void> {
  await scene.service?.clear()
  scene.service = null
}

identity('should read the options file of the data directory', async ({ scene }) => {
  writeFileSync(path.join(scene.dataDir, 'options'), 'BASE_URL=https://files.example.org\n')
  scene.service = await ServiceProcess.start({ DATA_DIR: scene.dataDir })
  const only = { DATA_DIR: scene.dataDir }
  const { code, stdout, stderr } = await runCommand(['users', 'invite', 'ann@example.org'], only)
  assert.is(code, 0, stderr)
  assert.match(stdout, 'https://files.example.org/invitation')
  const elsewhere = path.join(scene.dataDir, 'others')
  writeFileSync(elsewhere, `DATA_DIR=${scene.dataDir}\nBASE_URL=https://other.example.org\n`)
  const named = await runCommand(['--config', elsewhere, 'users', 'invite', 'bob@example.org'])
  assert.match(named.stdout, 'https://other.example.org/invitation', named.stderr)
})

identity('should create no database beside that of DATABASE_URL', async ({ scene }) => {
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
    const other = await createTestDatabase()
    try {
      const wrong = { ...env, DATABASE_URL: urlOf(other) }
      const refused = await runCommand(['serve'], { ...wrong, PORT: '0', DOCS_PORT: 'off' })
      assert.is(refused.code, 78, refused.stderr)
      assert.match(refused.stderr, 'DATABASE_URL names an empty one')
    } finally {
      await other.drop()
    }
  } finally {
    await end(scene)
    await database.drop()
  }
})

identity('should refuse another secret until it is rotated', async ({ scene }) => {
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
  const again = await scene
    .client()
    .post('/api/auth/verify-2fa', { ...admin, code: codeOf(secret) })
  assert.ok(again.status === 200 || again.json().code === 'wrong_code', again.body.toString())
  const busy = await runCommand(['secret', 'rotate', '--from', file], other)
  assert.is(busy.code, 1, 'not beside a running service')
})

identity('should make a new key file, whatever moment ends it', async ({ scene }) => {
  const key = path.join(scene.dataDir, 'secret.key')
  await scene.startService()
  await scene.json(['settings', 'set', 'smtpPassword=-'], 'pass word')
  // What a password manager that failed passes on must not clear it.
  const empty = await scene.failure(['settings', 'set', 'smtpPassword=-'])
  assert.match(empty.error, 'to clear it, set smtpPassword=')
  assert.is(await scene.text(['settings', 'get', 'smtpPassword']), '********\n')
  await end(scene)
  const before = readFileSync(key)
  await scene.text(['secret', 'rotate'])
  const after = readFileSync(key)
  assert.not.equal(after, before)
  // Killed before the rename: the database has the new secret already.
  writeFileSync(`${key}.next`, after, { mode: 0o600 })
  writeFileSync(key, before)
  assert.is(await scene.text(['settings', 'get', 'smtpPassword']), '********\n')
  assert.equal(readFileSync(key), after)
  // Killed before the commit: it has the former one.
  writeFileSync(`${key}.next`, before, { mode: 0o600 })
  await scene.text(['users', 'list'])
  assert.equal(readFileSync(key), after)
  assert.is(existsSync(`${key}.next`), false)
})

identity('should give up what only a lost secret opens', async ({ scene }) => {
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
