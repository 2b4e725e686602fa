// An instance of version d355db7, upgraded to this one: migrations, folder and secrets.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connect, type Database } from '../../src/database/connect.ts'
import { migrate } from '../../src/database/migrate.ts'
import { createLog } from '../../src/lib/log.ts'
import { packageRoot } from '../../src/lib/package-root.ts'
import { Client } from '../helpers/client.ts'
import { createTestDatabase, type TestDatabase } from '../helpers/postgres.ts'
import { PostgresProxy } from '../helpers/postgres-proxy.ts'
import { makeDataDir, removeDataDir, ServiceProcess } from '../helpers/service-process.ts'

const shareId = 'N5AuUU_6EJxFXudfZCkMjf'
const draftId = 'tZqRMv7fXLcJ7yneSSuoHi'
const reverseId = 'AbUhxFLarrYh2jSid7C3_o'
const apiToken = 'transfer_40900bfc78d3e2e689263eef352f5a74d6d5ee106d72d84f21d288a624917aaaba3014d4'
const secret = 'a secret of the upgrade test, long enough'
const lastMigration = '0023'

interface Instance {
  readonly rows: Readonly<Record<string, readonly object[]>>
  /** Base64 by path in the folder of the files. */
  readonly files: Readonly<Record<string, string>>
}

const file = path.join(packageRoot, 'test/journeys/upgrade/instance.json')
const instance = JSON.parse(readFileSync(file, 'utf8')) as Instance

const upgrade = suite('journey: upgrade')
let dataDir: string
let testDatabase: TestDatabase
let database: Database
let proxy: PostgresProxy
let service: ServiceProcess
let ann: Client
let anyone: Client

upgrade.before(async () => {
  dataDir = makeDataDir()
  testDatabase = await createTestDatabase()
  database = connect({ ...testDatabase, applicationName: 'test' })
  await restoreRows()
  for (const [name, content] of Object.entries(instance.files)) {
    const target = path.join(dataDir, 'parcels', name)
    mkdirSync(path.dirname(target), { recursive: true })
    writeFileSync(target, Buffer.from(content, 'base64'))
  }
  proxy = await PostgresProxy.start(testDatabase.socketDir)
  const { user } = testDatabase
  service = await ServiceProcess.start({
    DATA_DIR: dataDir,
    DATABASE_URL: `postgres://${user}:x@127.0.0.1:${proxy.port}/${testDatabase.database}`,
    JWT_SECRET: secret,
  })
  ann = new Client(service.url)
  anyone = new Client(service.url)
  const credentials = { email: 'ann@example.org', password: 'a long password of ann' }
  ann.token = (await ann.post('/api/auth/login', credentials)).json().token
})
upgrade.after(async () => {
  for (const client of [ann, anyone]) await client?.close()
  await service?.clear()
  await proxy?.close()
  await database?.close()
  await testDatabase?.drop()
  await removeDataDir(dataDir)
})

async function restoreRows(): Promise<void> {
  const folder = path.join(dataDir, 'old-sql')
  mkdirSync(folder)
  const source = path.join(packageRoot, 'sql')
  for (const name of readdirSync(source).filter((one) => one.slice(0, 4) <= lastMigration)) {
    cpSync(path.join(source, name), path.join(folder, name))
  }
  await migrate(database, { folder, log: createLog({ level: 'error', write: () => {} }) })
  const { sql } = database
  for (const [table, rows] of Object.entries(instance.rows)) {
    await sql`
      insert into ${sql(table)} overriding system value
      select *
      from json_populate_recordset(null::${sql(table)}, ${JSON.stringify(rows)}::text::json)`
  }
  for (const table of ['users', 'files']) {
    await sql`
      select setval(pg_get_serial_sequence(${table}, 'id'), (select max(id) from ${sql(table)}))`
  }
  // Drafts are removed after a week.
  await sql`update shares set created_at = now() where state = 'draft'`
  await sql`update parcels set changed_at = now()`
}

upgrade('should keep files where they are', async () => {
  assert.ok(!readdirSync(dataDir).includes('storage'))
})

upgrade('should keep shares with their files, links and passwords', async () => {
  const shares = (await ann.get('/api/shares')).json()
  assert.equal(
    shares.map((share: any) => [share.id, share.name, share.status, share.max_downloads]),
    [
      [draftId, 'Draft', 'draft', 0],
      [shareId, 'Holiday', 'complete', 3],
    ],
  )
  assert.is((await anyone.get(`/api/shares/${shareId}/download`)).status, 401)
  const unlocked = await anyone.post('/api/shares/holiday-photos/verify', {
    password: 'sesame',
  })
  const { files } = unlocked.json()
  assert.equal(
    files.map((one: any) => [one.original_name, one.size]),
    [
      ['a.txt', 23],
      ['folder/b.bin', 1000],
    ],
  )
  const [a] = files
  const answer = await anyone.get(`/api/shares/${shareId}/files/${a.id}`)
  assert.is(answer.body.toString(), 'first half, second half')
})

upgrade('should continue a draft', async () => {
  const { chunks } = (await ann.get(`/api/shares/${draftId}/chunks`)).json()
  assert.is(chunks.length, 1)
  assert.is((await ann.chunk(draftId, 'd1', 1, 'and completed')).status, 200)
  const done = await ann.finalize(draftId, [{ fileId: 'd1', originalName: 'd.txt', size: 18 }])
  assert.is(done.status, 200, done.body.toString())
})

upgrade('should keep file requests, their requirements, and their deliveries', async () => {
  const [request] = (await ann.get('/api/reverse')).json()
  assert.equal([request.id, request.name], [reverseId, 'Scans'])
  assert.equal(request.requiredFields, ['name'])
  const [delivery] = (await ann.get(`/api/reverse/${reverseId}/deliveries`)).json()
  const [scan] = delivery.files
  const answer = await ann.get(`/api/reverse/files/${scan.id}/download`)
  assert.is(answer.body.toString(), 'a scan')
})

upgrade('should keep contacts, settings and API tokens', async () => {
  const [contact] = (await ann.get('/api/account/contacts')).json()
  assert.is(contact.email, 'bob@example.org')
  assert.is((await anyone.get('/api/public/branding')).json().appName, 'Old Transfers')
  const headers = { authorization: `Bearer ${apiToken}` }
  assert.is((await anyone.get('/api/shares', headers)).status, 200)
})

upgrade.run()
