// Commands of root for the data of another user.
import { chmodSync, chownSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { lchownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { makeFolder } from '../helpers/folder.ts'
import { runCommand } from '../helpers/service-process.ts'
import { Scene } from './scene.ts'

interface Context {
  folder: string
  dataDir: string
  env: Record<string, string>
}

const uid = 65_534
const commands = suite<Context>('cli: commands of root')

commands.before.each((scene) => {
  scene.folder = makeFolder()
  chmodSync(scene.folder, 0o755)
  scene.dataDir = path.join(scene.folder, 'data')
  mkdirSync(scene.dataDir, { mode: 0o700 })
  chownSync(scene.dataDir, uid, uid)
  const file = path.join(scene.folder, 'options')
  writeFileSync(file, `DATA_DIR=${scene.dataDir}\nDOCS_PORT=off\n`, { mode: 0o600 })
  scene.env = { OPTIONS_FILE: file }
})

if (process.getuid?.() !== 0) {
  process.stdout.write('\nskipped: commands of root: the tests do not run as root\n')
} else {
  commands('should run as the owner of the data, with options for root alone', async (scene) => {
    const none = await runCommand(['users', 'list'], scene.env)
    assert.equal([none.code, none.stdout], [1, ''])
    assert.match(none.stderr, scene.dataDir)
    const wrong = await runCommand(['users', 'list'], { ...scene.env, LOG_LEVEL: 'loud' })
    assert.is(wrong.code, 78)
    const STORAGE_DIR_FILE = path.join(scene.folder, 'name')
    writeFileSync(STORAGE_DIR_FILE, path.join(scene.folder, 'stored'), { mode: 0o600 })
    const env = { ...scene.env, STORAGE_DIR_FILE }
    const added = await runCommand(['users', 'add', 'a@example.org'], env, 'a password')
    assert.is(added.code, 0, added.stderr)
    const owners = readdirSync(scene.dataDir, { recursive: true }).map(
      (name) => statSync(path.join(scene.dataDir, String(name))).uid,
    )
    assert.equal([...new Set(owners)], [uid])
    const listed = await runCommand(['users', 'list', '--json'], scene.env)
    assert.match(listed.stdout, 'a@example.org')
  })

  commands('should not read for the owner what only root may read', async (scene) => {
    const secret = path.join(scene.folder, 'secret')
    writeFileSync(secret, 'a secret of root that has 32 characters', { mode: 0o600 })
    const planted = path.join(scene.dataDir, 'options')
    writeFileSync(planted, `JWT_SECRET_FILE=${secret}\n`)
    chownSync(planted, uid, uid)
    const env = { DATA_DIR: scene.dataDir }
    const { code, stderr } = await runCommand(['users', 'list'], env)
    assert.is(code, 78, stderr)
    assert.match(stderr, `${planted}: it belongs to another user: give it to root`)
    chownSync(planted, 0, uid)
    chmodSync(planted, 0o660)
    assert.match((await runCommand(['users', 'list'], env)).stderr, 'its group can write it')
  })

  commands('should keep the environment of root from the owner', async (scene) => {
    const shown = path.join(scene.dataDir, 'environment')
    const showing = path.join(scene.folder, 'showing.cjs')
    const text = `if (process.getuid() !== 0) require('fs').writeFileSync('${shown}',
      JSON.stringify(process.env))\n`
    writeFileSync(showing, text)
    chmodSync(showing, 0o644)
    const NODE_OPTIONS = `--require=${showing}`
    await runCommand(['users', 'list'], { ...scene.env, NODE_OPTIONS, CLOUD_TOKEN: 'of root' })
    const environment = readFileSync(shown, 'utf8')
    assert.match(environment, scene.dataDir)
    assert.not.match(environment, 'of root')
  })

  commands('should check a backup as its owner, who may have put links into it', async (given) => {
    const scene = new Scene()
    await scene.startService()
    const place = path.join(given.folder, 'backup')
    const { snapshot } = await scene.json(['backup', place])
    await scene.clear()
    const owned = path.join(given.folder, 'of root')
    writeFileSync(owned, 'as it was', { mode: 0o600 })
    const note = path.join(place, 'snapshots', snapshot, 'verified.json')
    symlinkSync(owned, `${note}.new`)
    for (const name of ['.', ...readdirSync(place, { recursive: true })]) {
      lchownSync(path.join(place, String(name)), uid, uid)
    }
    await runCommand(['backup', 'verify', place], {})
    assert.is(readFileSync(owned, 'utf8'), 'as it was')
    rmSync(`${note}.new`)
    const { code, stderr } = await runCommand(['backup', 'verify', place], {})
    assert.is(code, 0, stderr)
    assert.is(statSync(note).uid, uid)
  })
}
