// Shares with so many files that no single statement could remove all of their rows.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError, type Client } from '../helpers/client.ts'
import { startService, type Service } from '../helpers/service.ts'
import { tarOf } from '../../bench/lib/tar.ts'
import { addManyChunks, addManyFiles, setEverywhere } from '../helpers/many-rows.ts'
import { containersOnDisk } from '../helpers/invariants.ts'

const many = suite('shares with very many files')
const fileCount = 300_000
/** More than a request frees before it answers. */
const rowCount = 120_000
/** Bad plans take minutes; good ones seconds, even on a machine with other work. */
const patience = '20s'
const hourMs = 60 * 60_000
let service: Service
let owner: Client

many.before.each(async () => {
  service = await startService()
  owner = await service.user('owner@example.org')
})
many.after.each(() => service.stop())

async function shareWithMany(files = fileCount): Promise<string> {
  const id = await owner.share({ 'a.txt': 'a' }, { expirationVal: 1, expirationUnit: 'Hours' })
  await addManyFiles(service.database.sql, id, files)
  return id
}

async function countRows(): Promise<Record<string, number>> {
  const [row] = await service.database.sql<Record<string, number>[]>`
    select (select count(*) from files) as files, (select count(*) from extents) as extents,
      (select count(*) from chunks) as chunks, (select count(*) from tombstones) as tombstones,
      (select count(*) from containers) as containers`
  return row!
}

const stateOf = async (id: string) =>
  (await owner.get('/api/shares')).json().find((one: { id: string }) => one.id === id)?.status

const giveSlug = (id: string) => owner.patch(`/api/shares/${id}`, { slug: 'large-one' })

many('should expire, and not hold up those behind them in the same run', async () => {
  const large = await shareWithMany()
  const behind = await owner.share({ b: 'b' }, { expirationVal: 1, expirationUnit: 'Hours' })
  await setEverywhere(service.database, 'statement_timeout', '3s')
  service.clock.advance(hourMs + 1)
  await service.app.jobs.runAll()
  assert.equal([await stateOf(large), await stateOf(behind)], ['expired', 'expired'])
  assert.equal(await countRows(), { files: 0, extents: 0, chunks: 0, tombstones: 0, containers: 2 })
  assert.is(containersOnDisk(service), 0)
})

many('should be deleted at once, and their rows later', async () => {
  const large = await shareWithMany()
  assert.is((await giveSlug(large)).status, 200)
  await setEverywhere(service.database, 'statement_timeout', '3s')
  assert.is((await owner.delete(`/api/shares/${large}`)).status, 200)
  assertError(await owner.get(`/api/shares/${large}`), 404)
  assertError(await service.client().get(`/api/public/shares/${large}`), 404)
  assert.is(await stateOf(large), undefined)
  assert.is(containersOnDisk(service), 0)
  const next = await owner.share({ b: 'b' })
  assert.is((await giveSlug(next)).status, 200)
  await service.app.jobs.runAll()
  assert.equal(await countRows(), { files: 1, extents: 1, chunks: 0, tombstones: 0, containers: 1 })
})

many('should be received and removed with plans of a nearly empty service', async () => {
  const { database } = service
  await owner.share({ 'a.txt': 'a' })
  await database.sql.unsafe('analyze')
  await setEverywhere(database, 'plan_cache_mode', 'force_generic_plan')
  const few = tarOf(['b.txt', 'c/d.txt'], [Buffer.from('b')])
  const sendAndDelete = async (archive: readonly Buffer[], files: number) => {
    const id = await owner.init()
    const sent = await owner.call('POST', `/api/shares/${id}/tar`, {
      body: Buffer.concat(archive),
      headers: { 'content-type': 'application/x-tar' },
    })
    assert.equal([sent.status, sent.json().files], [200, files])
    assert.is((await owner.post(`/api/shares/${id}/finalize`, { files: 'received' })).status, 200)
    assert.is((await owner.get(`/api/shares/${id}/download`)).status, 200)
    assert.is((await owner.delete(`/api/shares/${id}`)).status, 200)
    await service.app.jobs.runAll()
  }
  await Promise.all(Array.from({ length: 24 }, () => sendAndDelete(few, 2)))
  await setEverywhere(database, 'statement_timeout', patience)
  const names = Array.from({ length: 30_000 }, (_, n) => `folder ${n % 100}/${n}.txt`)
  await sendAndDelete(tarOf(names, [Buffer.from('content')]), names.length)
})

many('should be downloaded in part with any plan that the database has kept', async () => {
  const shareId = await shareWithMany(95_000)
  const { sql } = service.database
  const [row] = await sql<{ first: number; last: number }[]>`
    select min(id) as first, max(id) as last from files`
  await setEverywhere(service.database, 'plan_cache_mode', 'force_generic_plan')
  await setEverywhere(service.database, 'statement_timeout', patience)
  const { first, last } = row!
  const selection = `${first}-${first + 20_000},${first + 20_002}-${last}`
  const answer = await owner.get(`/api/shares/${shareId}/download?files=${selection}`, {
    range: 'bytes=-30',
  })
  assert.is(answer.status, 206)
  await sql`update files set damaged_at = now() where id > ${last - 30_000}`
  assertError(await owner.get(`/api/shares/${shareId}/download?files=${selection}`), 410)
})

many('should drop very many chunks of additions, and then accept others', async () => {
  const id = await owner.share({ 'a.txt': 'a' })
  const additions = `/api/shares/${id}/additions`
  assert.is((await owner.post(additions)).status, 200)
  await owner.chunk(id, 'copy1', 0, 'left')
  await service.database.sql`update chunks set file_key = 'copy0'`
  await addManyChunks(service.database.sql, id, rowCount)
  await setEverywhere(service.database, 'statement_timeout', '3s')
  assert.is((await owner.delete(additions)).status, 200)
  assert.ok((await countRows())['chunks']! > 0, 'the job removes the rest')
  assert.is((await owner.post(additions)).status, 200)
  assert.is((await countRows())['chunks'], 0, 'the old chunks do not count as new ones')
  await owner.chunk(id, 'copy1', 0, 'new')
  const list = [{ fileId: 'copy1', originalName: 'new.txt', size: 3 }]
  assert.is((await owner.finalize(id, list)).status, 200)
})
