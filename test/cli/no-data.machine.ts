// Commands without existing data: only those that start a service may create any.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createTestDatabase } from '../helpers/postgres.ts'
import { runCommand, ServiceProcess } from '../helpers/service-process.ts'
import { Scene, urlOf } from './scene.ts'

interface Context {
  scene: Scene
}

const nothing = suite<Context>('cli: no data')

nothing.before.each((context) => {
  context.scene = new Scene()
})
nothing.after.each(({ scene }) => scene.clear())

for (const words of ['users list', 'users invite a@example.org', 'clean-up']) {
  nothing(`should create no data for \`${words}\``, async ({ scene }) => {
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

nothing('should create data for the first account, but no folder for files', async ({ scene }) => {
  await scene.text(['users', 'add', 'a@example.org'], 'long enough')
  assert.is((await scene.json(['users', 'list'])).length, 1)
  const failure = await scene.failure(['verify'])
  assert.is(failure.code, 'wrong_storage')
  assert.match(failure.error, 'Start the service first.')
  assert.not.ok(existsSync(path.join(scene.dataDir, 'storage')))
})

nothing('should create no tables and no key where DATABASE_URL is wrong', async ({ scene }) => {
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

nothing('should refuse an unescaped password in DATABASE_URL and print none of it', async () => {
  for (const args of [['serve'], ['config', 'show']]) {
    const env = { DATABASE_URL: 'postgres://app:p@ss/word@h.invalid/x' }
    const { code, stdout, stderr } = await runCommand(args, env)
    assert.is(code, 78, stderr)
    assert.match(stderr, 'DATABASE_URL: in the password, write @ as %40, / as %2F')
    assert.not.match(stdout + stderr, /ss\/|word@/)
  }
})

nothing('should create no tables for files of another database', async ({ scene }) => {
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
})

nothing('should create no database for files that have lost theirs', async ({ scene }) => {
  const service = await scene.startService()
  await (await scene.signIn()).share({ 'a.txt': 'kept' })
  await service.stop()
  rmSync(path.join(scene.dataDir, 'database'), { recursive: true })
  for (const command of ['serve', 'users list']) {
    const env = { ...scene.env, PORT: '0' }
    const { code, stderr } = await runCommand(command.split(' '), env)
    assert.is(code, 1)
    assert.match(stderr, `there are files, but no database in ${scene.dataDir}/database`)
    assert.match(stderr, 'Restore it from a backup')
    assert.not.ok(existsSync(path.join(scene.dataDir, 'database')))
  }
})

nothing('should create no folder for a missing disk', async ({ scene }) => {
  const env = { ...scene.env, STORAGE_DIR: path.join(scene.dataDir, 'disk', 'storage') }
  const add = await runCommand(['users', 'add', 'a@example.org'], env, 'long enough')
  assert.is(add.code, 0)
  const service = await ServiceProcess.start(env)
  await service.stop()
  rmSync(path.join(scene.dataDir, 'disk'), { recursive: true })
  mkdirSync(path.join(scene.dataDir, 'disk'))
  for (const command of ['clean-up', 'serve']) {
    const { code, stderr } = await runCommand([command], { ...env, PORT: '0' })
    assert.is(code, 1)
    assert.match(stderr, 'Check that the disk is mounted.')
    assert.equal(readdirSync(path.join(scene.dataDir, 'disk')), [])
  }
})

nothing('should take its database along when its folder is moved', async ({ scene }) => {
  const one = path.join(scene.dataDir, 'one')
  mkdirSync(one, { mode: 0o711 })
  await runCommand(['migrate'], { DATA_DIR: one })
  const two = path.join(scene.dataDir, 'two')
  renameSync(one, two)
  assert.is((await runCommand(['users', 'list'], { DATA_DIR: two })).code, 0)
  const { stdout } = await runCommand(['config', 'show'], { DATA_DIR: two })
  assert.match(stdout, `Database: ${two}/database\n`)
})
