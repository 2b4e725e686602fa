// Two services on one storage, by a copy of the database: the second refuses and names the first;
// a dead one does not count.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  removeDataDir,
  runCommand,
  ServiceProcess,
  type Environment,
} from '../helpers/service-process.ts'
import { FaultScene } from './scene.ts'

async function refusal(env: Environment): Promise<string> {
  const { code, stdout, stderr } = await runCommand(['serve'], { ...env, HOST: '127.0.0.1' })
  assert.is(code, 1, stderr)
  assert.not.match(stdout, 'listening on')
  return stderr
}

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
