// Segments go once nothing refers to them; all others stay as they are.
import { mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import {
  assertError,
  Guest,
  makeLink,
  okay,
  randomContent,
  type Client,
} from '../helpers/client.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { listManifestsDue, markManifestWritten } from '../../src/bytes/upkeep/manifests-sql.ts'
import { hourMs } from '../../src/lib/clock.ts'
import type { Service } from '../helpers/service.ts'
import { assertInvariants, bytesBelow, settleService } from '../helpers/invariants.ts'
import { SlowReader } from '../helpers/slow-reader.ts'
import {
  add,
  archiveOf,
  bytesOf,
  existing,
  freeUnused,
  graceMs,
  look,
  remove,
  segmentsOf,
  send,
  startAdding,
} from '../shares/additions/scene.ts'
import { assertNothingLeft, fileIds, startUnlimited } from './send/scene.ts'

const unused = suite('unused segments')
const large = randomContent(900_000, 'large')
const small = randomContent(300_000, 'small')
let service: Service
let owner: Client

unused.before.each(async () => {
  service = await startUnlimited()
  owner = await service.admin()
})
unused.after.each(async () => {
  await settleService(service)
  await assertInvariants(service)
  await service.stop()
})

/** The next chunk begins a segment. */
const closeWriters = () => service.app.storage.writers.close()

/** A share with a file in each of two segments; the first file is the larger one. */
async function inTwoSegments(): Promise<{ shareId: string; ids: number[] }> {
  const shareId = await owner.share({ large })
  await closeWriters()
  await add(owner, shareId, { small })
  const { files } = await look(service, owner, shareId)
  return { shareId, ids: files.map(({ id }) => id) }
}

unused('should go five minutes after their last file was removed', async () => {
  const { shareId, ids } = await inTwoSegments()
  const old = await segmentsOf(service, shareId)
  await remove(owner, shareId, ids[0]!)
  const before = await look(service, owner, shareId)
  assert.equal(await bytesOf(service, shareId), { used: 1_200_000, live: 300_000 })
  await settleService(service)
  await service.app.jobs.runAll()
  assert.equal(await bytesOf(service, shareId), { used: 300_000, live: 300_000 })
  await service.app.services.manifests.idle()
  service.clock.advance(graceMs - 1000)
  await service.app.jobs.runAll()
  assert.is(existing(old).length, 2)
  service.clock.advance(1000)
  await service.app.jobs.runAll()
  assert.is(existing(old).length, 1)
  assert.equal(await look(service, owner, shareId), before)
  assert.equal([...(await service.database.sql`select 1 from segment_tombstones`)], [])
  await remove(owner, shareId, ids[1]!)
  await settleService(service)
  await freeUnused(service)
  assert.equal([existing(old), await segmentsOf(service, shareId)], [[], []])
})

unused('should stay whole while they have one live byte, without counting for quotas', async () => {
  const shareId = await owner.share({ large, 'tiny.txt': 't' })
  const { files } = await look(service, owner, shareId)
  await remove(owner, shareId, files[0]!.id)
  const old = await segmentsOf(service, shareId)
  await settleService(service)
  await freeUnused(service)
  assert.equal(await segmentsOf(service, shareId), old)
  assert.equal(await bytesOf(service, shareId), { used: 900_001, live: 1 })
  assert.is((await owner.get('/api/account/usage')).json().used_bytes, 1)
  assert.is((await owner.delete(`/api/shares/${shareId}`)).status, 200)
  assert.equal(existing(old), [])
})

unused('should go although a thousand other containers stay due', async () => {
  const { shareId, ids } = await inTwoSegments()
  await remove(owner, shareId, ids[0]!)
  const { sql } = service.database
  await sql`
    with others as (
      insert into containers (id, created_at, is_shrunk)
      select ('00000000-0000-4000-8000-' || lpad(place::text, 12, '0'))::uuid, now(), true
      from generate_series(1, 1000) as place
      returning id
    )
    insert into segments (id, container_id, root_id, owner_id, created_at)
    select gen_random_uuid(), others.id, storage_roots.id, gen_random_uuid(), now()
    from others
    cross join storage_roots`
  await settleService(service)
  for (let run = 0; run < 3; run += 1) await service.app.jobs.runAll()
  assert.is((await bytesOf(service, shareId)).used, 300_000)
  await sql`delete from containers where id::text like '00000000-0000-4000-8000-%'`
})

unused('should go when the process that wrote them was killed before their first row', async () => {
  const draft = await owner.init()
  await owner.chunk(draft, 'f', 0, small)
  await closeWriters()
  const [kept] = await segmentsOf(service, draft)
  const { sql } = service.database
  await sql`
    insert into segments (id, container_id, root_id, owner_id, created_at)
    select gen_random_uuid(), container_id, root_id, gen_random_uuid(), now()
    from segments
    where id = ${kept!.id}`
  const both = await segmentsOf(service, draft)
  for (const { file } of both) if (file !== kept!.file) writeFileSync(file, large)
  assert.is(existing(both).length, 2)
  await service.app.storage.takeOver()
  await freeUnused(service)
  assert.equal(existing(both), [kept!.id])
  assert.equal(await segmentsOf(service, draft), [kept])
})

unused('should go with cancelled, replaced and discarded files', async () => {
  const shareId = await owner.share({ a: 'a' })
  await closeWriters()
  await startAdding(owner, shareId)
  await send(owner, shareId, { b: large })
  await freeUnused(service)
  assert.is((await bytesOf(service, shareId)).used, 900_001, 'kept while they may be finalized')
  await owner.delete(`/api/shares/${shareId}/additions`)
  await settleService(service)
  await freeUnused(service)
  assert.equal(await bytesOf(service, shareId), { used: 1, live: 1 })

  const draft = await owner.init()
  for (const content of [large, small, 'tiny']) {
    await owner.chunk(draft, 'f', 0, content)
    await closeWriters()
  }
  await freeUnused(service)
  assert.is((await bytesOf(service, draft)).used, 1_200_004, 'drafts are left alone')
  await owner.finalize(draft, [{ fileId: 'f', originalName: 'f', size: 4 }])
  await settleService(service)
  await freeUnused(service)
  assert.equal(await bytesOf(service, draft), { used: 4, live: 4 })

  const guest = new Guest(service.client(), await makeLink(owner))
  await guest.init()
  for (const content of [large, 'tiny']) {
    await guest.chunk('f', 0, content)
    await closeWriters()
  }
  const list = [{ fileName: 'f', fileId: 'f', originalName: 'f', size: 4 }]
  assert.is((await guest.finalize(list)).status, 200)
  await settleService(service)
  await freeUnused(service)
  assert.ok(bytesBelow(service.storageDir) < 3000, 'of deliveries too')
})

unused('should go from a draft too once its files are discarded', async () => {
  const draft = await owner.init()
  await owner.chunk(draft, 'f', 0, large)
  await okay(owner.post(`/api/shares/${draft}/discard`, { fileIds: ['f'] }))
  await freeUnused(service)
  assert.equal(await bytesOf(service, draft), { used: 0, live: 0 })
  assert.ok(bytesBelow(service.storageDir) < 1000, 'what does not count is not on disk')
})

unused('should stay until the manifest no longer names them', async () => {
  const { shareId, ids } = await inTwoSegments()
  await settleService(service)
  const old = await segmentsOf(service, shareId)
  const folder = path.dirname(old[0]!.file)
  // No manifest can be written while this is in its way.
  const obstacle = path.join(folder, 'manifest.json.new')
  mkdirSync(obstacle)
  await remove(owner, shareId, ids[0]!)
  await freeUnused(service)
  assert.is(existing(old).length, 2)
  rmdirSync(obstacle)
  await settleService(service)
  await freeUnused(service)
  const [kept] = await segmentsOf(service, shareId)
  assert.equal(existing(old), [kept!.id])
  const text = readFileSync(path.join(folder, 'manifest.json'), 'utf8')
  for (const { id } of old) assert.is(text.includes(id), id === kept!.id)
})

unused('should keep a manifest due that was overtaken while being written', async () => {
  const shareId = await owner.share({ small })
  const { sql } = service.database
  await settleService(service)
  await sql`update shares set manifest_revision = null`
  const [due] = await listManifestsDue(sql, 'shares', null, 1)
  assert.is(due!.id, shareId)
  const revision = 'c0ffee00-0000-4000-8000-000000000000'
  await sql`update shares set revision = ${revision}`
  await markManifestWritten(sql, 'shares', due!)
  assert.equal([...(await listManifestsDue(sql, 'shares', null, 1))], [{ ...due!, revision }])
})

unused('should stay while the disk is not mounted, and while they get chunks', async () => {
  const { shareId, ids } = await inTwoSegments()
  await remove(owner, shareId, ids[0]!)
  const marker = path.join(service.storageDir, 'storage-root.json')
  renameSync(marker, `${marker}.away`)
  const old = await segmentsOf(service, shareId)
  await freeUnused(service)
  assert.equal(await segmentsOf(service, shareId), old)
  renameSync(`${marker}.away`, marker)

  const { containerId } = (
    await service.database.sql`
    select container_id from shares where id = ${shareId}`
  )[0] as { containerId: string }
  const { writers } = service.app.storage
  const writer = await writers.acquire(containerId, 10, new AbortController().signal)
  await freeUnused(service)
  const left = (await segmentsOf(service, shareId)).map(({ id }) => id)
  assert.ok(left.length === 2 && left.includes(writer.segmentId), 'only the other one goes')
  await writers.release(writer)
  await closeWriters()
  await freeUnused(service)
  assert.equal(existing(old).length, 1)
})

const mib = 1024 * 1024
/** More than what is opened ahead, and than what the kernel takes. */
const early = Object.fromEntries([
  ...Array.from({ length: 300 }, (_, n) => [`small-${n}`, `${n}`]),
  ['large', randomContent(16 * mib)],
])
const late = { late: randomContent(500_000) }

/** A share with files in two segments. */
async function shareEarlyAndLate(): Promise<string> {
  const shareId = await owner.share(early, { expirationVal: 1 })
  service.clock.advance(61_000)
  await service.app.storage.writers.closeIdle()
  await add(owner, shareId, late)
  service.clock.advance(61_000)
  await service.app.storage.writers.closeIdle()
  return shareId
}

const begin = async (shareId: string, query = '', headers = {}) => {
  const reader = await SlowReader.open(
    `${service.url}/api/shares/${shareId}/download${query}`,
    headers,
  )
  const first = await reader.read(mib)
  return async () => {
    const { body, isComplete } = await reader.readRest()
    return { body: Buffer.concat([first, body]), isComplete }
  }
}
const asOwner = () => ({ authorization: `Bearer ${owner.token}` })

/** Frees segments long after they were used. Slow clients would not survive a later clock. */
async function freeLater(): Promise<void> {
  const { jobs, services } = service.app
  for (let turn = 0; turn < 3; turn += 1) {
    await jobs.runAll()
    await services.manifests.idle()
    await service.database.sql`update segment_tombstones set created_at = '2001-01-01'`
  }
  await jobs.runAll()
}

unused('should go although those of another share cannot', async () => {
  const shares = [await inTwoSegments(), await inTwoSegments()]
  const rows = await service.database.sql<{ id: string }[]>`
    select id from shares order by container_id`
  const [stuck, other] = rows.map(({ id }) => shares.find(({ shareId }) => shareId === id)!)
  for (const { shareId, ids } of shares) await remove(owner, shareId, ids[0]!)
  await blockSegmentsOf(stuck!.shareId)
  const old = await segmentsOf(service, other!.shareId)
  await freeUnused(service)
  assert.is(existing(old).length, 1)
  await service.database.sql`delete from segment_tombstones`
})

/** As if its segments were tombstones already, so that no statement can make them such. */
async function blockSegmentsOf(shareId: string): Promise<void> {
  // Until after `freeUnused`.
  const at = new Date(service.clock.now() + graceMs - 1000)
  await service.database.sql`
    insert into segment_tombstones (segment_id, container_id, created_at)
    select segments.id, container_id, ${at}
    from segments
    join shares using (container_id)
    where shares.id = ${shareId}`
}

unused('should stay while downloads of removed files run', async () => {
  const shareId = await shareEarlyAndLate()
  const { body: whole } = await archiveOf(owner, shareId)
  const old = await segmentsOf(service, shareId)
  const readers = [await begin(shareId), await begin(shareId, '?as=owner', asOwner())]
  const ids = await fileIds(service, shareId)
  await remove(owner, shareId, ids['late']!)
  await freeLater()
  assert.is((await service.database.sql`select 1 from segment_tombstones`).length, 1)
  assert.is(existing(old).length, old.length)
  for (const readOn of readers) {
    const { body, isComplete } = await readOn()
    assert.ok(isComplete && body.equals(whole))
  }
  await assertNothingLeft(service)
  await freeLater()
  assert.is(existing(old).length, old.length - 1)
})

unused('should refuse a download whose segment went before it was known', async () => {
  const shareId = await shareEarlyAndLate()
  const { downloads } = service.app.services
  const enter = downloads.budget.enter.bind(downloads.budget)
  const ids = await fileIds(service, shareId)
  downloads.budget.enter = async (...call) => {
    downloads.budget.enter = enter
    await remove(owner, shareId, ids['late']!)
    await freeUnused(service)
    return enter(...call)
  }
  const path = `/api/shares/${shareId}/download?as=owner`
  const refused = await owner.get(path)
  assertError(refused, 503, 'unavailable')
  assert.is(refused.headers['retry-after'], '1')
  assert.is((await owner.get(path)).status, 200)
})

unused('should go five minutes after a clock that was ahead is set back', async () => {
  const { shareId, ids } = await inTwoSegments()
  const old = await segmentsOf(service, shareId)
  service.clock.jump(hourMs)
  await remove(owner, shareId, ids[0]!)
  await settleService(service)
  await service.app.jobs.runAll()
  assert.is((await segmentsOf(service, shareId)).length, 1)
  service.clock.jump(-hourMs)
  await freeUnused(service)
  assert.is(existing(old).length, 1)
})
