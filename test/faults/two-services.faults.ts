// Two services on one storage: the second refuses and names the first; a dead one does not count.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createTestDatabase, type TestDatabase } from '../helpers/postgres.ts'
import { PostgresProxy } from '../helpers/postgres-proxy.ts'
import {
  makeDataDir,
  removeDataDir,
  runCommand,
  ServiceProcess,
  type Environment,
} from '../helpers/service-process.ts'
import { FaultScene } from './scene.ts'

interface Shared {
  testDatabase: TestDatabase
  proxy: PostgresProxy
  dataDirs: string[]
  processes: ServiceProcess[]
  first: Environment
  second: Environment
}

const shared = suite<Shared>('two services with one database')

shared.before.each(async (context) => {
  context.testDatabase = await createTestDatabase()
  context.proxy = await PostgresProxy.start(context.testDatabase.socketDir)
  context.dataDirs = [makeDataDir(), makeDataDir()]
  context.processes = []
  const { user, database } = context.testDatabase
  const env = {
    DATABASE_URL: `postgres://${user}:secret@127.0.0.1:${context.proxy.port}/${database}`,
    STORAGE_DIR: path.join(context.dataDirs[0]!, 'storage'),
    ADMIN_EMAIL: 'admin@example.org',
    ADMIN_PASSWORD: 'correct horse battery',
    JWT_SECRET: 'one secret for both of the services',
  }
  context.first = { ...env, DATA_DIR: context.dataDirs[0]! }
  context.second = { ...env, DATA_DIR: context.dataDirs[1]! }
})
shared.after.each(async ({ processes, dataDirs, proxy, testDatabase }) => {
  for (const process of processes) await process.clear()
  await proxy.close()
  await testDatabase.drop()
  for (const folder of dataDirs) await removeDataDir(folder)
})

async function start(context: Shared, env: Environment): Promise<ServiceProcess> {
  const service = await ServiceProcess.start(env)
  context.processes.push(service)
  return service
}

async function refusal(env: Environment): Promise<string> {
  const { code, stdout, stderr } = await runCommand(['serve'], { ...env, HOST: '127.0.0.1' })
  assert.is(code, 1, stderr)
  assert.not.match(stdout, 'listening on')
  return stderr
}

shared('should refuse the second, and name the database and the first', async (context) => {
  const service = await start(context, context.first)
  const said = await refusal({ ...context.second, PORT: '0' })
  const { proxy, testDatabase } = context
  assert.match(said, `DATABASE_URL (127.0.0.1:${proxy.port}/${testDatabase.database}) is in use by`)
  assert.match(said, `pid ${service.child.pid} on `)
  assert.not.match(said, 'secret')
  for (const args of [['users', 'list'], ['clean-up']]) {
    const { code, stderr } = await runCommand(args, context.first)
    assert.is(code, 0, stderr)
  }
  assert.not(service.hasEnded)
})

shared('should start at once after the first has been killed', async (context) => {
  const service = await start(context, context.first)
  service.child.kill('SIGKILL')
  await service.ended()
  await start(context, context.second)
})

shared.run()

// ---

interface Copied {
  scene: FaultScene
  copyDir: string
}

const copied = suite<Copied>('two services with a copied database')

copied.before(async (context) => {
  context.scene = new FaultScene()
  await context.scene.start()
  await context.scene.sender.share({ 'a.txt': 'here' })
  await context.scene.service.stop()
  context.copyDir = mkdtempSync(path.join(tmpdir(), 'transfer-test-copy-'))
  chmodSync(context.copyDir, 0o711)
  const { status } = spawnSync('cp', ['-a', `${context.scene.dataDir}/.`, context.copyDir])
  assert.is(status, 0)
  await context.scene.start()
})
copied.after(async ({ scene, copyDir }) => {
  await scene.clear()
  await removeDataDir(copyDir)
})

copied('should refuse the second, and its commands that remove files', async (context) => {
  const { scene, copyDir } = context
  const containers = path.join(scene.dataDir, 'storage')
  const copy = { DATA_DIR: copyDir, STORAGE_DIR: containers }
  const byFirst = `STORAGE_DIR (${containers}) is in use by pid ${scene.service.child.pid} on `
  assert.match(await refusal({ ...copy, PORT: '0' }), byFirst)
  const cleanUp = await runCommand(['clean-up'], copy)
  assert.is(cleanUp.code, 1)
  assert.match(cleanUp.stderr, byFirst)
  const list = await runCommand(['users', 'list'], copy)
  assert.is(list.code, 0, list.stderr)
  const beside = await scene.command(['clean-up'])
  assert.is(beside.code, 0, beside.stderr)

  await scene.kill()
  const second = await ServiceProcess.start(copy)
  await second.stop()
})

copied.run()
