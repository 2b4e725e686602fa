import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../helpers/until.ts'
import { endOf } from '../helpers/child.ts'
import { Client, pluck, randomContent } from '../helpers/client.ts'
import { mainFile } from '../helpers/main-file.ts'
import { createTestDatabase } from '../helpers/postgres.ts'
import { makeDataDir, removeDataDir, runCommand } from '../helpers/service-process.ts'
import { ServiceProcess, spawnCommand, type Ended } from '../helpers/service-process.ts'
import { Scene, urlOf } from './scene.ts'

interface Context {
  scene: Scene
  owner: Client
  folders: string[]
  place: string
}

const files = {
  'large.bin': randomContent(3_000_000, 'large'),
  'small.txt': Buffer.from('a few words'),
  'empty.txt': Buffer.alloc(0),
}

const backup = suite<Context>('cli: backup')

backup.before.each(async (context) => {
  context.scene = new Scene()
  context.folders = []
  context.place = path.join(folderOf(context), 'backup')
  await context.scene.startService()
  context.owner = await context.scene.signIn()
})
backup.after.each(async ({ scene, folders }) => {
  await scene.clear()
  for (const folder of folders) await removeDataDir(folder)
})

function folderOf({ folders }: Context): string {
  const folder = makeDataDir()
  folders.push(folder)
  return folder
}

function runIn(env: Record<string, string>, args: readonly string[]): Promise<Ended> {
  return runCommand(args, { BASE_URL: 'http://transfer.test', ...env })
}

async function must(work: Promise<Ended>): Promise<string> {
  const { code, stdout, stderr } = await work
  assert.is(code, 0, stderr)
  return stdout
}

function segmentsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith('.seg'))
    .map(({ parentPath, name }) => path.join(parentPath, name))
}

function damageByte(file: string, offset: number): void {
  const bytes = readFileSync(file)
  bytes[offset]! ^= 1
  writeFileSync(file, bytes)
}

async function assertThere(env: Record<string, string>, shareIds: readonly string[]) {
  const service = await ServiceProcess.start({ BASE_URL: 'http://transfer.test', ...env })
  const client = new Client(service.url)
  try {
    assert.is((await client.get('/readyz')).json().status, 'ok')
    for (const shareId of shareIds) {
      const { files: listed } = (await client.get(`/api/public/shares/${shareId}`)).json()
      assert.is(listed.length, Object.keys(files).length)
      for (const { id, original_name: name } of listed) {
        const { status, body } = await client.get(`/api/shares/${shareId}/files/${id}`)
        assert.is(status, 200)
        assert.ok(body.equals(files[name as keyof typeof files]), name)
      }
    }
  } finally {
    await service.clear()
  }
}

/** Restores into another folder, where these shares are whole. Returns it, and what was said. */
async function restored(context: Context, shareIds: readonly string[], ...more: string[]) {
  const DATA_DIR = folderOf(context)
  const said = await must(runIn({ DATA_DIR }, ['restore', context.place, ...more]))
  await assertThere({ DATA_DIR }, shareIds)
  return { DATA_DIR, said }
}

/** Snapshots are named by the second. */
const untilAfter = (snapshot: string) =>
  until('a second passes', () => {
    const end = snapshot.replace(/T(\d\d)-(\d\d)-(\d\d)Z/, 'T$1:$2:$3.999Z')
    return new Date().toISOString() > end
  })

backup('should copy only new bytes, and restore to another path', async (context) => {
  const { scene, owner, place } = context
  const first = await owner.share(files)
  const bytes = 3_000_011
  const full = await scene.json(['backup', place])
  assert.equal([full.files, full.stored_bytes, full.copied_bytes], [3, bytes, bytes])
  await untilAfter(full.snapshot)
  const second = await owner.share(files)
  const more = await scene.json(['backup', place, '--rate', '100'])
  assert.equal([more.files, more.stored_bytes, more.copied_bytes], [6, 2 * bytes, bytes])
  const listed = await scene.json(['backup', 'list', place])
  assert.equal(pluck<any, string>(listed, 'snapshot'), [full.snapshot, more.snapshot])
  const { last_backup: last } = (await owner.get('/api/admin/status')).json()
  assert.equal([last.place, last.copied_bytes, last.damaged], [place, bytes, 0])
  assert.match(await listUnfinished(context, full.snapshot), /^2020-01-03T00-00-00Z .*incomplete$/m)

  const { DATA_DIR, said } = await restored(context, [first, second])
  assert.match(said, /restored 6 files, 6\.0 MB/)
  assert.is(statSync(path.join(DATA_DIR, 'secret.key')).mode & 0o777, 0o600)
  assert.not(existsSync(path.join(DATA_DIR, 'restoring')))
  await restored(context, [first], '--snapshot', full.snapshot)
})

/** Lists what is still copied, or was left by copies that were killed. */
async function listUnfinished({ scene, place }: Context, whole: string): Promise<string> {
  const snapshots = path.join(place, 'snapshots')
  const copies = ['2020-01-01T00-00-00Z', '2020-01-02T00-00-00Z', '2020-01-03T00-00-00Z']
  const [folder = '', file = '', link = ''] = copies.map((name) => path.join(snapshots, name))
  mkdirSync(folder)
  copyFileSync(path.join(snapshots, whole, 'backup.json'), path.join(folder, 'backup.json'))
  writeFileSync(file, '')
  symlinkSync(path.join(place, 'missing'), link)
  const listed = await scene.json(['backup', 'list', place])
  const unfinished = listed.filter((row: { is_complete: boolean }) => !row.is_complete)
  assert.equal(pluck<any, string>(unfinished, 'snapshot'), copies)
  assert.equal(pluck<any, string>(unfinished, 'files'), [null, null, null])
  return scene.text(['backup', 'list', place])
}

backup('should pass a backup through a pipe', async (context) => {
  const { scene, owner } = context
  const shareId = await owner.share(files)
  const DATA_DIR = folderOf(context)
  const { code, stderr } = await endOfPipe(
    `node "$MAIN" backup - | DATA_DIR=${DATA_DIR} node "$MAIN" restore --no-mail -`,
    scene.env,
  )
  assert.is(code, 0, stderr)
  await assertThere({ DATA_DIR }, [shareId])
  const settings = await must(runIn({ DATA_DIR }, ['settings', 'get', 'emailsHeld']))
  assert.is(settings, 'true\n')
  await must(runIn({ DATA_DIR }, ['emails', 'release']))
  assert.is((await runIn({ DATA_DIR }, ['settings', 'get', 'emailsHeld'])).code, 1)
  const early = await endOfPipe('node "$MAIN" backup - | head -c 100000 | wc -c', scene.env)
  assert.is(early.stdout.trim(), '100000')
  assert.match(early.stderr, /^the backup is not complete: the program that reads it has ended$/m)
})

backup('should restore nothing from an archive that is cut', async (context) => {
  const { scene, owner } = context
  await owner.share(files)
  const folder = folderOf(context)
  const archive = path.join(folder, 'archive.tar')
  assert.is((await endOfPipe(`node "$MAIN" backup - > ${archive}`, scene.env)).code, 0)
  const whole = readFileSync(archive)
  const DATA_DIR = path.join(folder, 'data')
  // Within a segment, before the last file, and without its last blocks of zeros.
  for (const bytes of [1_000_000, whole.length - 6_000, 3_000, 0]) {
    writeFileSync(archive, whole.subarray(0, bytes))
    const env = { ...scene.env, DATA_DIR }
    const { code, stderr } = await endOfPipe(`node "$MAIN" restore - < ${archive}`, env)
    assert.is(code, 1, String(bytes))
    assert.ok(stderr.trim() !== '', stderr)
    assert.equal(segmentsIn(path.join(DATA_DIR, 'storage')), [])
    assert.not(existsSync(path.join(DATA_DIR, 'secret.key')))
  }
  writeFileSync(archive, whole)
  assert.is((await endOfPipe(`node "$MAIN" restore - < ${archive}`, { DATA_DIR })).code, 0)
  // Unpacked, it is a backup like any other.
  const unpacked = path.join(folder, 'unpacked')
  mkdirSync(unpacked)
  assert.is(spawnSync('tar', ['-xf', archive, '-C', unpacked]).status, 0)
  const { stdout } = await runIn({}, ['backup', 'verify', unpacked])
  assert.match(stdout, /^checked 3\.0 MB of .*: no problems found\n$/)
})

function endOfPipe(script: string, env: Record<string, string>): Promise<Ended> {
  const { PATH = '' } = process.env
  const args = ['--norc', '-o', 'pipefail', '-c', script]
  return runCommand(args, { PATH, MAIN: mainFile, ...env }, '', ['bash'])
}

backup('should keep earlier snapshots when it is killed', async (context) => {
  const { scene, owner, place } = context
  const shareId = await owner.share(files)
  const { snapshot } = await scene.json(['backup', place])
  for (let count = 0; count < 3; count += 1) await owner.share(files)
  await untilAfter(snapshot)
  const before = segmentsIn(place)
  const child = spawnCommand(['backup', place, '--rate', '1'], scene.env)
  await until('it copies', () => segmentsIn(place).length > before.length)
  const other = await scene.failure(['backup', place])
  assert.match(other.error, /another backup or restore is using/)
  child.kill('SIGKILL')
  await endOf(child)
  // A power cut may leave anything behind the end of the last snapshot.
  for (const segment of segmentsIn(place)) {
    if (!before.includes(segment)) writeFileSync(segment, 'garbage')
  }
  await restored(context, [shareId])
  await scene.text(['backup', place])
  const { stdout } = await runIn({}, ['backup', 'verify', place])
  assert.match(stdout, /^checked 12\.0 MB of .*: no problems found\n$/)
  assert.is((await scene.json(['backup', 'list', place])).length, 2)
})

backup('should refuse a restore that was killed, until it is removed', async (context) => {
  const { scene, owner, place } = context
  const shareId = await owner.share(files)
  await scene.text(['backup', place])
  const DATA_DIR = folderOf(context)
  const storage = path.join(DATA_DIR, 'storage')
  const child = spawnCommand(['restore', place, '--rate', '1'], { DATA_DIR })
  await until('it copies', () => existsSync(storage) && segmentsIn(storage).length > 0)
  child.kill('SIGKILL')
  await endOf(child)
  for (const args of [['serve'], ['restore', place]]) {
    const { code, stderr } = await runIn({ DATA_DIR }, args)
    assert.is(code, 1)
    assert.match(stderr, `remove ${DATA_DIR}/restoring and everything in ${storage}, then run it`)
  }
  const key = path.join(DATA_DIR, 'secret.key')
  writeFileSync(key, '')
  const later = await runIn({ DATA_DIR }, ['restore', place])
  assert.match(later.stderr, `remove ${DATA_DIR}/restoring, ${key} and everything in ${storage}`)
  rmSync(key)
  rmSync(path.join(DATA_DIR, 'restoring'), { recursive: true })
  rmSync(storage, { recursive: true })
  await must(runIn({ DATA_DIR }, ['restore', place]))
  await assertThere({ DATA_DIR }, [shareId])
  // A signal ends it while nothing comes, and leaves nothing that has to be removed.
  const waiting = folderOf(context)
  const hung = spawnCommand(['restore', '-'], { DATA_DIR: waiting })
  await until('it waits', () => existsSync(path.join(waiting, 'database/pg/PG_VERSION')))
  hung.kill('SIGTERM')
  assert.is((await endOf(hung)).code, 1)
  assert.not(existsSync(path.join(waiting, 'restoring')))
})

backup('should name files that are damaged in the backup', async (context) => {
  const { scene, owner, place } = context
  const [first, second] = [await owner.share(files), await owner.share({ other: 'other words' })]
  await scene.text(['backup', place])
  const large = segmentsIn(place).find((name) => statSync(name).size > 1_000_000)!
  damageByte(large, 1_234)
  const checked = await runIn({}, ['backup', 'verify', place, '--json'])
  assert.is(checked.code, 1)
  const { damaged } = JSON.parse(checked.stdout)
  const [{ owner: whose, name }, ...none] = damaged
  assert.equal([whose, name, none], [`share ${first}`, 'large.bin', []])
  assert.match((await runIn({}, ['backup', 'list', place])).stdout, /: 1 damaged/)
  const DATA_DIR = folderOf(context)
  const { code, stdout, stderr } = await runIn({ DATA_DIR }, ['restore', place])
  assert.is(code, 1)
  assert.match(stderr, `damaged  share ${first}  file “large.bin”`)
  assert.match(stdout, '1 files are damaged')
  const service = await ServiceProcess.start({ DATA_DIR })
  const client = new Client(service.url)
  assert.is((await client.get(`/api/shares/${second}/download`)).status, 200)
  assert.is((await client.get(`/api/shares/${first}/download`)).status, 410)
  await service.clear()
})

backup('should restore over nothing, and back up into nothing else', async (context) => {
  const { scene, owner, place } = context
  await owner.share(files)
  await scene.text(['backup', place])
  const running = await scene.failure(['restore', place])
  assert.match(running.error, /DATA_DIR .* is not empty: it has secret\.key/)
  const folder = folderOf(context)
  mkdirSync(path.join(folder, 'storage'))
  writeFileSync(path.join(folder, 'storage/file'), '')
  const full = await runIn({ DATA_DIR: folder }, ['restore', place])
  assert.match(full.stderr, /STORAGE_DIR .* is not empty: it has file/)
  assert.equal(readdirSync(folder), ['storage'])

  for (const [name, problem] of [
    [folder, /has other files, such as storage\/?|has other files/],
    [path.join(scene.dataDir, 'storage'), /is in STORAGE_DIR/],
    [path.join(scene.dataDir, 'storage', 'backup'), /is in STORAGE_DIR/],
    [path.join(scene.dataDir, 'backup'), /is in DATA_DIR/],
    [path.join(folder, 'other'), /other is a file, but must be a folder/],
  ] as const) {
    writeFileSync(path.join(folder, 'other'), '')
    assert.match((await scene.failure(['backup', name])).error, problem)
  }
  for (const made of ['backup', 'storage/backup']) {
    assert.not(existsSync(path.join(scene.dataDir, made)), made)
  }
  const missing = await runIn({ DATA_DIR: folderOf(context) }, ['restore', folder])
  assert.match(missing.stderr, /there is no backup in/)
})

backup('should restore into an empty database of DATABASE_URL, and back', async (context) => {
  const { scene, owner, place } = context
  const shareId = await owner.share(files)
  await scene.text(['backup', place])
  const database = await createTestDatabase()
  try {
    const external = { DATA_DIR: folderOf(context), DATABASE_URL: urlOf(database) }
    await must(runIn(external, ['restore', place]))
    const again = { ...external, DATA_DIR: folderOf(context) }
    assert.match((await runIn(again, ['restore', place])).stderr, /DATABASE_URL .* is not empty/)
    assert.equal(readdirSync(again.DATA_DIR, { recursive: true }), ['storage'])
    const moved = path.join(folderOf(context), 'backup')
    await must(runIn(external, ['backup', moved]))
    const DATA_DIR = folderOf(context)
    await must(runIn({ DATA_DIR }, ['restore', moved]))
    for (const env of [external, { DATA_DIR }]) await assertThere(env, [shareId])
  } finally {
    await database.drop()
  }
})

backup('should refuse a backup of a newer version', async (context) => {
  const { scene, place } = context
  await scene.text(['backup', place])
  const [name = ''] = readdirSync(path.join(place, 'snapshots'))
  const headFile = path.join(place, 'snapshots', name, 'backup.json')
  const head = JSON.parse(readFileSync(headFile, 'utf8'))
  const DATA_DIR = folderOf(context)
  const tries: readonly (readonly [change: object, problem: RegExp, code?: number])[] = [
    [{ migrations: [...head.migrations, '9999-later.sql'] }, /newer than this program/, 78],
    [{ format: 2 }, /newer version/],
    [{ migrations: ['0001-other.sql'] }, /does not belong to this program/, 78],
    [{ tables: head.tables.slice(1) }, /lacks the table/],
    [{ storageRoot: 'x' }, /backup\.json of the backup is damaged/],
  ]
  for (const [change, problem, wanted = 1] of tries) {
    writeFileSync(headFile, JSON.stringify({ ...head, ...change }))
    const { code, stderr } = await runIn({ DATA_DIR }, ['restore', place])
    assert.is(code, wanted, stderr)
    assert.match(stderr, problem)
  }
  writeFileSync(headFile, JSON.stringify(head))
  await must(runIn({ DATA_DIR }, ['restore', place]))
})

backup('should remove old snapshots, and their bytes', async (context) => {
  const { scene, owner, place } = context
  const gone = await owner.share(files)
  await scene.text(['backup', place])
  await owner.delete(`/api/shares/${gone}`)
  const kept = await owner.share(files)
  const snapshots = path.join(place, 'snapshots')
  const [name = ''] = readdirSync(snapshots)
  // As if it had been made long ago.
  spawnSync('mv', [path.join(snapshots, name), path.join(snapshots, '2020-01-01T00-00-00Z')])
  assert.equal((await scene.json(['backup', place, '--keep', '9999w'])).removed, [])
  assert.is(segmentsIn(place).length, 2)
  const listed = await scene.json(['backup', 'list', place])
  await untilAfter(listed[1].snapshot)
  const { removed } = await scene.json(['backup', place, '--keep', '7d'])
  assert.equal(removed, ['2020-01-01T00-00-00Z'])
  assert.is(segmentsIn(place).length, 1)
  await restored(context, [kept])
})

backup('should say what another secret loses', async (context) => {
  const { scene, owner, place } = context
  await owner.share(files)
  await scene.text(['backup', place])
  const secret = 'a secret that is long enough for it'
  const other = { DATA_DIR: folderOf(context), JWT_SECRET: secret }
  const { code, stderr } = await runIn(other, ['restore', place])
  assert.is(code, 0)
  assert.match(stderr, /second factors and the SMTP password are lost.*Unset JWT_SECRET/)
  const without = path.join(folderOf(context), 'backup')
  assert.is((await runIn(other, ['backup', without])).code, 78, 'with a secret that opens nothing')
  await must(runIn(other, ['secret', 'rotate', '--lost', '--yes']))
  const said = await runIn(other, ['backup', without])
  assert.is(said.code, 0)
  assert.match(said.stderr, /^JWT_SECRET is not part of the backup/)
  const [name = ''] = readdirSync(path.join(without, 'snapshots'))
  assert.not(existsSync(path.join(without, 'snapshots', name, 'secret.key')))
  const lost = await runIn({ DATA_DIR: folderOf(context) }, ['restore', without])
  assert.match(lost.stderr, /Set the JWT_SECRET of the backed up service/)
  const same = { DATA_DIR: folderOf(context), JWT_SECRET: secret }
  assert.is((await runIn(same, ['restore', without])).stderr, '')
})

/** Restores an archive of files of a snapshot, in their order in a stream. */
async function restoreArchive(place: string, snapshot: string, names: readonly string[]) {
  const folder = path.dirname(place)
  const archive = path.join(folder, 'archive.tar')
  const files = names.map((name) => path.join(path.relative(place, snapshot), name))
  const tar = ['--no-recursion', '--hard-dereference', '-cf', archive, ...files]
  assert.is(spawnSync('tar', tar, { cwd: place }).status, 0)
  const DATA_DIR = path.join(folder, 'data')
  const env = { ARCHIVE: archive, DATA_DIR }
  const { code, stderr } = await endOfPipe('node "$MAIN" restore - < "$ARCHIVE"', env)
  const isClean = !existsSync(`${DATA_DIR}/restoring`) && !existsSync(`${DATA_DIR}/secret.key`)
  return { code, stderr, isClean }
}

backup('should be refused in one sentence where it is damaged', async ({ scene, owner, place }) => {
  await owner.share({ 'a.txt': 'some words' })
  const { snapshot: made } = await scene.json(['backup', place])
  const snapshot = path.join(place, 'snapshots', made)
  const tables = readdirSync(path.join(snapshot, 'database')).map((name) => `database/${name}`)
  const lists = readdirSync(snapshot).filter((name) => name.startsWith('segments.gz'))
  const names = ['backup.json', 'secret.key', ...tables, ...lists, 'complete.json']
  const replaced = async (name: string, content: Buffer, problem: RegExp) => {
    const file = path.join(snapshot, name)
    const before = readFileSync(file)
    writeFileSync(file, content)
    const { code, stderr, isClean } = await restoreArchive(place, snapshot, names)
    assert.is(code, 1, stderr)
    assert.match(stderr, problem)
    assert.not.match(stderr, '    at ')
    assert.ok(isClean)
    writeFileSync(file, before)
  }
  await replaced('secret.key', Buffer.from('short'), /^secret\.key of the backup is damaged$/m)
  const users = path.join(snapshot, 'database/users.gz.000000')
  const rows = gunzipSync(readFileSync(users)).fill(0xff, 0, 3)
  const table = /^the rows .* of the backup are damaged: invalid byte sequence/m
  await replaced('database/users.gz.000000', gzipSync(rows), table)
  const list = /^segments of the backup is damaged$/m
  await replaced('segments.gz.000000', Buffer.from('noise'), list)
})
