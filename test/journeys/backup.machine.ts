// Backups and moves as docs/backup.md and docs/postgresql.md print them: earlier shares are
// downloaded from a service that has nothing but the copy.
import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { endOf } from '../helpers/child.ts'
import { Client } from '../helpers/client.ts'
import { blocksUnder } from '../helpers/docs.ts'
import { findPostgres, startOwnPostgres } from '../helpers/own-postgres.ts'
import { mainFile } from '../helpers/main-file.ts'
import {
  makeBallast,
  removeDataDir,
  runCommand,
  ServiceProcess,
} from '../helpers/service-process.ts'

interface Scene {
  /** The folders of one test. */
  folder: string
  dataDirs: string[]
  service: ServiceProcess | null
  clients: Client[]
}

const account = { email: 'admin@example.org', password: 'correct horse battery' }
const sent = { 'film.mp4': Buffer.alloc(3_000_001, 'frame '), 'words.txt': 'a few words' }

const backup = suite<Scene>('journey: backup')

backup.before.each((scene) => {
  scene.folder = mkdtempSync(path.join(tmpdir(), 'transfer-test-backup-'))
  // As root the database runs as another user, who needs access.
  chmodSync(scene.folder, 0o711)
  scene.dataDirs = []
  scene.service = null
  scene.clients = []
})
backup.after.each(async (scene) => {
  await scene.service?.clear()
  for (const dataDir of scene.dataDirs) await removeDataDir(dataDir)
  rmSync(scene.folder, { recursive: true, force: true })
})

/** Starts the service on a data directory of the scene, instead of the running one. */
async function start(scene: Scene, dataDir: string, env: Record<string, string> = {}) {
  scene.dataDirs.push(dataDir)
  scene.service = await ServiceProcess.start({
    DATA_DIR: dataDir,
    DOCS_PORT: 'off',
    ADMIN_EMAIL: account.email,
    ADMIN_PASSWORD: account.password,
    ...env,
  })
}

function client(scene: Scene, token: string | null = null): Client {
  const made = new Client(scene.service!.url, token)
  scene.clients.push(made)
  return made
}

async function signIn(scene: Scene): Promise<Client> {
  const made = client(scene)
  made.token = (await made.post('/api/auth/login', account)).json().token
  return made
}

/** Runs commands of the page; any failure ends them. */
async function run(scene: Scene, commands: string, env: Record<string, string> = {}) {
  const { PATH = '' } = process.env
  const child = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', commands], {
    cwd: scene.folder,
    env: { PATH, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const { code } = await endOf(child)
  assert.is(code, 0, `${commands}\n${said}`)
}

/** Everything of a share, as an anonymous client sees it. */
async function assertThere(scene: Scene, shareId: string, files: typeof sent): Promise<void> {
  const recipient = client(scene)
  const seen = await recipient.get(`/api/public/shares/${shareId}`)
  assert.is(seen.status, 200, seen.body.toString())
  const listed: { id: number; original_name: string }[] = seen.json().files
  assert.is(listed.length, Object.keys(files).length)
  for (const { id, original_name: name } of listed) {
    const answer = await recipient.get(`/api/shares/${shareId}/files/${id}`)
    assert.is(answer.status, 200)
    assert.ok(answer.body.equals(Buffer.from(files[name as keyof typeof sent])), name)
  }
}

/** The commands of a section, for folders of the scene; those of root and systemd are left out. */
function commandsOf(scene: Scene, page: string, heading: string, data: string): string[] {
  const [block] = blocksUnder(page, heading)
  return block!.text
    .replaceAll('\\\n', '')
    .replaceAll(/^transfer (?=backup|restore)/gm, `DATA_DIR=${data} transfer `)
    .replaceAll('/var/lib/transfer-service', data)
    .replaceAll('/var/backups/transfer-service', path.join(scene.folder, 'backup'))
    .replaceAll('/srv/restored', path.join(scene.folder, 'restored'))
    .replaceAll('install -d -o transfer -g transfer -m 700', 'mkdir -m 711')
    .replaceAll('mkdir -m 700', 'mkdir -m 711')
    .replaceAll(/\btransfer (?=backup|restore|serve)/g, `"${process.execPath}" "${mainFile}" `)
    .trim()
    .split('\n')
}

/** A share, and a draft of one chunk. */
async function fill(scene: Scene) {
  const owner = await signIn(scene)
  const shareId = await owner.share(sent)
  const draft = await owner.init()
  await owner.chunk(draft, 'words', 0, sent['words.txt'])
  return { owner, shareId, draft }
}

/** Everything is back: the share, the session of its owner, and the draft continues. */
async function assertBack(scene: Scene, filled: Awaited<ReturnType<typeof fill>>): Promise<void> {
  await assertThere(scene, filled.shareId, sent)
  const back = client(scene, filled.owner.token)
  const files = [{ fileId: 'words', originalName: 'words.txt', size: sent['words.txt'].length }]
  const finalized = await back.finalize(filled.draft, files)
  assert.is(finalized.status, 200, finalized.body.toString())
}

backup('should restore what the page backs up, to the same path and to another', async (scene) => {
  const dataDir = path.join(scene.folder, 'data')
  mkdirSync(dataDir)
  chmodSync(dataDir, 0o711)
  makeBallast(dataDir)
  await start(scene, dataDir)
  const filled = await fill(scene)
  const [, command] = blocksUnder('backup', 'Back up every day')
  assert.match(command!.text, 'transfer backup --keep 7d')
  const place = path.join(scene.folder, 'backup')
  const save = `"${process.execPath}" "${mainFile}" backup --keep 7d ${place}`
  await run(scene, save, { DATA_DIR: dataDir })
  await filled.owner.delete(`/api/shares/${filled.shareId}`)

  scene.dataDirs.push(`${dataDir}-old`)
  for (const line of commandsOf(scene, 'backup', 'Restore', dataDir)) {
    if (line.startsWith('systemctl stop')) assert.is((await scene.service!.stop()).code, 0)
    else if (line.startsWith('systemctl start')) await start(scene, dataDir)
    else await run(scene, line)
  }
  await assertBack(scene, filled)
  await scene.service!.stop()

  const [make, restore, serve] = commandsOf(scene, 'backup', 'Test a backup', dataDir)
  await run(scene, make!)
  await run(scene, restore!)
  assert.match(serve!, /\benv DATA_DIR=\S+ PORT=8090 DOCS_PORT=off/)
  await start(scene, path.join(scene.folder, 'restored'))
  await assertBack(scene, filled)
  assert.match(scene.service!.stdout, 'emails are held')
})

const bin = findPostgres()

if (bin === null) process.stdout.write('\nskipped: moves to an own PostgreSQL: none is here\n')
else {
  backup('should move to an own PostgreSQL and back, with the same rows', async (scene) => {
    const postgres = await startOwnPostgres(bin)
    try {
      const embedded = path.join(scene.folder, 'data')
      await start(scene, embedded)
      const filled = await fill(scene)
      for (const line of commandsOf(scene, 'postgresql', 'Move between the two', embedded)) {
        if (/^(mkdir|mv|echo)|restore/.test(line) || line.startsWith('systemctl start')) continue
        if (line.startsWith('systemctl')) await scene.service!.stop()
        else await run(scene, line)
        // Names of snapshots are seconds.
        await run(scene, 'sleep 1')
      }
      const place = path.join(scene.folder, 'backup')
      const external = {
        DATA_DIR: path.join(scene.folder, 'external'),
        STORAGE_DIR: path.join(scene.folder, 'external-storage'),
        DATABASE_URL: postgres.createDatabase('target'),
      }
      const transfer = `"${process.execPath}" "${mainFile}"`
      await run(scene, `${transfer} restore ${place}`, external)
      const again = { ...external, DATA_DIR: `${external.DATA_DIR}-2`, STORAGE_DIR: `${place}-2` }
      const refused = await runCommand(['restore', place], again)
      assert.match(refused.stderr, /DATABASE_URL .* is not empty/)
      assert.ok(!existsSync(path.join(again.DATA_DIR, 'restoring')))

      await run(scene, `${transfer} backup ${place}-external`, external)
      const back = path.join(scene.folder, 'back')
      mkdirSync(back)
      chmodSync(back, 0o711)
      await run(scene, `${transfer} restore ${place}-external`, { DATA_DIR: back })
      await run(scene, `${transfer} backup ${place}-back`, { DATA_DIR: back })
      assert.equal(rowsOf(`${place}-external`), rowsOf(place))
      assert.equal(rowsOf(`${place}-back`), rowsOf(place))

      await start(scene, external.DATA_DIR, external)
      await assertBack(scene, filled)
      await scene.service!.stop()
      await start(scene, back)
      await assertBack(scene, filled)
    } finally {
      await scene.service?.clear()
      scene.service = null
      await postgres.stop()
    }
  })
}

/** The rows of each table in the newest snapshot, and the counters. */
function rowsOf(place: string): Record<string, unknown> {
  const snapshots = path.join(place, 'snapshots')
  const folder = path.join(snapshots, readdirSync(snapshots).toSorted().at(-1)!)
  const { tables, storageRoot } = JSON.parse(
    readFileSync(path.join(folder, 'backup.json'), 'utf8'),
  ) as { tables: { name: string }[]; storageRoot: string }
  const rows = readdirSync(path.join(folder, 'database'))
    // Runs of backups differ, and manifests are written again.
    .filter((name) => !/^(backup_runs|shares|deliveries)\./.test(name))
    .toSorted()
    .map((name) => {
      const text = gunzipSync(readFileSync(path.join(folder, 'database', name))).toString()
      return [name, text.split('\n').toSorted()]
    })
  return { tables, storageRoot, rows }
}
