// A backup as docs/backup.md prints it, and the restore: earlier shares are downloaded from
// a service that has nothing but the copy.
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { endOf } from '../helpers/child.ts'
import { Client } from '../helpers/client.ts'
import { blocksUnder } from '../helpers/docs.ts'
import { findPostgres, startOwnPostgres } from '../helpers/own-postgres.ts'
import { makeBallast, removeDataDir, ServiceProcess } from '../helpers/service-process.ts'

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
  for (const client of scene.clients) await client.close()
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
  const child = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
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

backup('should restore the embedded database and its files', async (scene) => {
  const [copy = '', restore = '', ...rest] = blocksUnder(
    'backup',
    'With the embedded database',
  ).map(({ text }) => text)
  assert.equal(rest, [])
  const dataDir = path.join(scene.folder, 'data')
  mkdirSync(dataDir)
  chmodSync(dataDir, 0o711)
  makeBallast(dataDir)
  const place = (text: string, data: string) =>
    text
      .replaceAll('/var/lib/transfer-service', data)
      .replaceAll('/backup', path.join(scene.folder, 'backup'))

  await start(scene, dataDir)
  const owner = await signIn(scene)
  const first = await owner.share(sent)
  const draft = await owner.init()
  await owner.chunk(draft, 'words', 0, sent['words.txt'])
  let second = ''
  for (const line of place(copy, dataDir).trim().split('\n')) {
    if (line.startsWith('systemctl stop')) {
      // Received between the first copy and the stop.
      second = await owner.share(sent)
      assert.is((await scene.service!.stop()).code, 0)
    } else if (line.startsWith('systemctl start')) {
      await start(scene, dataDir)
    } else {
      await run(scene, line)
    }
  }
  await assertThere(scene, second, sent)
  const owned = client(scene, owner.token)
  assert.is((await owned.delete(`/api/shares/${first}`)).status, 200)
  await scene.service!.stop()
  await removeDataDir(dataDir)

  const restored = path.join(scene.folder, 'elsewhere')
  const commands = place(restore, restored).trim().split('\n')
  assert.match(commands.pop()!, /^systemctl start/)
  for (const command of commands) await run(scene, command)
  await start(scene, restored)
  await assertThere(scene, first, sent)
  await assertThere(scene, second, sent)
  // The key was restored: the session is valid, and the draft continues.
  const back = client(scene, owner.token)
  const files = [{ fileId: 'words', originalName: 'words.txt', size: sent['words.txt'].length }]
  const finalized = await back.finalize(draft, files)
  assert.is(finalized.status, 200, finalized.body.toString())
})

const bin = findPostgres()

if (bin === null) process.stdout.write('\nskipped: backup with pg_dump: no PostgreSQL here\n')
else {
  backup('should restore an external database, copied while the service runs', async (scene) => {
    const [copy = '', restore = '', ...rest] = blocksUnder(
      'backup',
      'With your own PostgreSQL',
    ).map(({ text }) => text)
    assert.equal(rest, [])
    const postgres = await startOwnPostgres(bin)
    try {
      const source = {
        DATA_DIR: path.join(scene.folder, 'data'),
        STORAGE_DIR: path.join(scene.folder, 'storage'),
        DATABASE_URL: postgres.createDatabase('source'),
      }
      await start(scene, source.DATA_DIR, source)
      const owner = await signIn(scene)
      const first = await owner.share(sent)
      const deleted = await owner.share(sent)
      const draft = await owner.init()
      await owner.chunk(draft, 'words', 0, sent['words.txt'])
      const BACKUP = path.join(scene.folder, 'backup')
      let second = ''
      let afterwards = ''
      const PATH = `${bin}:${process.env['PATH']}`
      for (const line of copy.trim().split('\n')) {
        // Bytes arrive between the first copy and the dump; between dump and last copy too,
        // and some are removed.
        if (line.startsWith('pg_dump')) second = await owner.share(sent)
        await run(scene, line, { ...source, BACKUP, PATH })
        if (!line.startsWith('pg_dump')) continue
        afterwards = await owner.share(sent)
        await owner.delete(`/api/shares/${deleted}`)
      }
      await scene.service!.stop()
      rmSync(source.STORAGE_DIR, { recursive: true })

      const target = {
        DATA_DIR: path.join(scene.folder, 'data-2'),
        STORAGE_DIR: path.join(scene.folder, 'containers-2'),
        DATABASE_URL: postgres.createDatabase('target'),
      }
      await run(scene, restore, { ...target, BACKUP, PATH })
      await start(scene, target.DATA_DIR, target)
      await assertThere(scene, first, sent)
      await assertThere(scene, second, sent)
      const recipient = client(scene)
      assert.is((await recipient.get(`/api/public/shares/${afterwards}`)).status, 404)
      const back = client(scene, owner.token)
      const files = [{ fileId: 'words', originalName: 'words.txt', size: sent['words.txt'].length }]
      assert.is((await back.finalize(draft, files)).status, 200)
      // A share deleted in between is back, perhaps without bytes: it can be deleted again.
      assert.is((await back.delete(`/api/shares/${deleted}`)).status, 200)
    } finally {
      await scene.service?.clear()
      scene.service = null
      await postgres.stop()
    }
  })

  backup('should refuse files that belong to another database', async (scene) => {
    const postgres = await startOwnPostgres(bin)
    try {
      const env = {
        DATA_DIR: path.join(scene.folder, 'data'),
        DATABASE_URL: postgres.createDatabase('one'),
      }
      await start(scene, env.DATA_DIR, env)
      await (await signIn(scene)).share(sent)
      await scene.service!.stop()
      assert.ok(existsSync(path.join(env.DATA_DIR, 'storage', 'storage-root.json')))
      const other = { ...env, DATABASE_URL: postgres.createDatabase('other') }
      const ended = await start(scene, env.DATA_DIR, other).then(
        () => '',
        (error: Error) => error.message,
      )
      assert.match(ended, /belongs to another database/)
    } finally {
      await scene.service?.clear()
      scene.service = null
      await postgres.stop()
    }
  })
}

backup.run()
