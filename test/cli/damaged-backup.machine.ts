// Backups that are not whole, as `transfer restore` and `transfer backup list` find them.
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { mainFile } from '../helpers/main-file.ts'
import { makeDataDir, removeDataDir, runCommand } from '../helpers/service-process.ts'
import { Scene } from './scene.ts'

interface Context {
  scene: Scene
  /** Removed afterwards. */
  folder: string
  /** The backup, and its only snapshot. */
  place: string
  snapshot: string
}

const damaged = suite<Context>('cli: damaged backups')

damaged.before.each(async (context) => {
  context.scene = new Scene()
  context.folder = makeDataDir()
  context.place = path.join(context.folder, 'backup')
  await context.scene.startService()
  await (await context.scene.signIn()).share({ 'a.txt': 'some words' })
  const { snapshot } = await context.scene.json(['backup', context.place])
  context.snapshot = path.join(context.place, 'snapshots', snapshot)
})
damaged.after.each(async ({ scene, folder }) => {
  await scene.clear()
  await removeDataDir(folder)
})

/** Restores an archive of the files of the backup, in their order in a stream. */
function restoreArchive({ folder, place, snapshot }: Context, names: readonly string[]) {
  const archive = path.join(folder, 'archive.tar')
  const base = path.relative(place, snapshot)
  const files = names.map((name) => (name === 'storage' ? name : `${base}/${name}`))
  const tar = ['--no-recursion', '--hard-dereference', '-cf', archive, ...files]
  assert.is(spawnSync('tar', tar, { cwd: place }).status, 0)
  const DATA_DIR = path.join(folder, 'data')
  const { PATH = '' } = process.env
  const { status, stderr } = spawnSync('sh', ['-c', 'node "$MAIN" restore - < "$ARCHIVE"'], {
    env: { PATH, MAIN: mainFile, ARCHIVE: archive, DATA_DIR },
    encoding: 'utf8',
  })
  const isClean = !existsSync(`${DATA_DIR}/restoring`) && !existsSync(`${DATA_DIR}/secret.key`)
  return { code: status, stderr, isClean }
}

/** As in a stream, without the bytes of files. */
function namesOf({ snapshot }: Context): string[] {
  const names = readdirSync(path.join(snapshot, 'database')).map((name) => `database/${name}`)
  const lists = readdirSync(snapshot).filter((name) => name.startsWith('segments.gz'))
  return ['backup.json', 'secret.key', ...names, ...lists, 'complete.json']
}

damaged('should be refused in one sentence, and leave nothing behind', (context) => {
  const { snapshot } = context
  const names = namesOf(context)
  const refuse = (archive: readonly string[], problem: RegExp) => {
    const { code, stderr, isClean } = restoreArchive(context, archive)
    assert.is(code, 1, stderr)
    assert.match(stderr, problem)
    assert.not.match(stderr, '    at ')
    assert.ok(isClean)
  }
  refuse(['backup.json', ...names], /the archive is not a backup: it contains backup\.json twice/)
  const replaced = (name: string, content: Buffer, problem: RegExp) => {
    const file = path.join(snapshot, name)
    const before = readFileSync(file)
    writeFileSync(file, content)
    refuse(names, problem)
    writeFileSync(file, before)
  }
  replaced('secret.key', Buffer.from('short'), /^secret\.key of the backup is damaged$/m)
  const users = path.join(snapshot, 'database/users.gz.000000')
  const rows = gunzipSync(readFileSync(users)).fill(0xff, 0, 3)
  const table = /^the rows .* of the backup are damaged: invalid byte sequence/m
  replaced('database/users.gz.000000', gzipSync(rows), table)
  const list = /^segments of the backup is damaged$/m
  replaced('segments.gz.000000', Buffer.from('noise'), list)
})

damaged('should be listed as incomplete while they are copied', async (context) => {
  const { scene, place, snapshot } = context
  const copies = ['2020-01-01T00-00-00Z', '2020-01-02T00-00-00Z', '2020-01-03T00-00-00Z']
  const [folder = '', file = '', link = ''] = copies.map((name) => `${place}/snapshots/${name}`)
  mkdirSync(folder)
  copyFileSync(path.join(snapshot, 'backup.json'), path.join(folder, 'backup.json'))
  writeFileSync(file, '')
  symlinkSync(path.join(place, 'missing'), link)
  const listed = await scene.json(['backup', 'list', place])
  assert.equal(
    listed.map((row: { snapshot: string; is_complete: boolean; files: number | null }) => [
      row.snapshot,
      row.is_complete,
      row.files,
    ]),
    [...copies.map((name) => [name, false, null]), [path.basename(snapshot), true, 1]],
  )
  const text = await scene.text(['backup', 'list', place])
  assert.match(text, /^2020-01-03T00-00-00Z .*incomplete$/m)
})

damaged('should name the key that a killed restore has left', async ({ folder, place }) => {
  const DATA_DIR = path.join(folder, 'data')
  const [restoring, key] = [`${DATA_DIR}/restoring`, `${DATA_DIR}/secret.key`]
  mkdirSync(restoring, { recursive: true })
  writeFileSync(key, '')
  const { code, stderr } = await runCommand(['restore', place], { DATA_DIR })
  assert.is(code, 1)
  const all = `${restoring}, ${key} and everything in ${DATA_DIR}/storage`
  const said = `remove ${all}, then run it again`
  assert.match(stderr, said)
  for (const left of [restoring, key]) rmSync(left, { recursive: true })
  assert.is((await runCommand(['restore', place], { DATA_DIR })).code, 0)
})
