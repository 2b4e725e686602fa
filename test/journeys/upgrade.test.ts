// An instance of the first version with all migrations since then: nothing is lost.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pluck } from '../helpers/client.ts'
import type { Database } from '../../src/database/connect.ts'
import { migrate } from '../../src/database/migrate.ts'
import { createLog } from '../../src/lib/log.ts'
import { packageRoot } from '../../src/lib/package-root.ts'
import { makeFolder } from '../helpers/folder.ts'
import { startService } from '../helpers/service.ts'

interface Instance {
  readonly shareId: string
  readonly draftId: string
  readonly reverseId: string
  readonly apiToken: string
  /** Base64 by path in the folder of the files. */
  readonly files: Readonly<Record<string, string>>
}

const firstMigration = '0001-schema.sql'
const file = path.join(packageRoot, 'test/journeys/upgrade/instance.jsonl')
const [head, ...tables] = readFileSync(file, 'utf8').trimEnd().split('\n')
const instance = JSON.parse(head!) as Instance
const { shareId, draftId, reverseId, apiToken } = instance

const upgrade = suite('journey: upgrade')

const service = await startService({ empty: true, restore })
const ann = service.client()
const anyone = service.client()
const credentials = { email: 'ann@example.org', password: 'password of ann@example.org' }
ann.token = (await ann.post('/api/auth/login', credentials)).json().token

async function restore(database: Database, storageDir: string): Promise<void> {
  const folder = makeFolder()
  cpSync(path.join(packageRoot, 'sql', firstMigration), path.join(folder, firstMigration))
  await migrate(database, { folder, log: createLog({ level: 'silent' }) })
  const { sql } = database
  for (const line of tables) {
    const { table, rows } = JSON.parse(line) as { table: string; rows: object[] }
    await sql`
      insert into ${sql(table)} overriding system value
      select *
      from json_populate_recordset(null::${sql(table)}, ${JSON.stringify(rows)}::text::json)`
  }
  for (const table of ['users', 'files']) {
    await sql`
      select setval(pg_get_serial_sequence(${table}, 'id'), (select max(id) from ${sql(table)}))`
  }
  for (const [name, content] of Object.entries(instance.files)) {
    const target = path.join(storageDir, name)
    mkdirSync(path.dirname(target), { recursive: true })
    writeFileSync(target, Buffer.from(content, 'base64'))
  }
}

upgrade('should keep shares with their files, links and passwords', async () => {
  const shares = (await ann.get('/api/shares')).json()
  const states = shares.map(({ id, name, status, max_downloads: most }: any) => {
    return [id, name, status, most].join(' ')
  })
  assert.equal(states, [`${draftId} Draft draft 0`, `${shareId} Holiday complete 3`])
  assert.is((await anyone.get(`/api/shares/${shareId}/download`)).status, 401)
  const unlocked = await anyone.post('/api/shares/holiday-photos/verify', { password: 'sesame' })
  const { files } = unlocked.json()
  assert.equal(pluck<any, string>(files, 'original_name'), ['a.txt', 'folder/b.bin'])
  assert.equal(pluck<any, string>(files, 'size'), [23, 1000])
  const answer = await anyone.get(`/api/shares/${shareId}/files/${files[0].id}`)
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
  const answer = await ann.get(`/api/reverse/files/${delivery.files[0].id}/download`)
  assert.is(answer.body.toString(), 'a scan')
})

upgrade('should keep contacts, settings and API tokens', async () => {
  const [contact] = (await ann.get('/api/account/contacts')).json()
  assert.is(contact.email, 'bob@example.org')
  assert.is((await anyone.get('/api/public/branding')).json().appName, 'Old Transfers')
  const headers = { authorization: `Bearer ${apiToken}` }
  assert.is((await anyone.get('/api/shares', headers)).status, 200)
})
