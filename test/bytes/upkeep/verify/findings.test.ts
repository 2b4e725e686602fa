// Each kind of damage, and what must not be reported: healthy bytes, and concurrent work.
import * as fs from 'node:fs'
import path from 'node:path'
import { until } from '../../../helpers/until.ts'
import {
  assertError,
  Guest,
  makeLink,
  randomContent,
  type Client,
} from '../../../helpers/client.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { randomRowId } from '../../../../src/lib/random-id.ts'
import { containerFolder, segmentFile } from '../../../../src/bytes/segments/files-on-disk.ts'
import { startUnlimited } from '../../send/scene.ts'
import type { Service } from '../../../helpers/service.ts'
import { assertInvariants, settleService } from '../../../helpers/invariants.ts'
import { countLockWaits } from '../../../helpers/locks.ts'
import { send, startAdding } from '../../../shares/additions/scene.ts'
import { beforeReading, chunkPlace, flip, found, isMarked, placeOf, verify } from './scene.ts'

const findings = suite('verify: findings')
const races = suite('verify: beside a running service')
let service: Service
let owner: Client

for (const each of [findings, races]) {
  each.before.each(async () => {
    service = await startUnlimited()
    owner = await service.admin()
  })
  each.after.each(() => service.stop())
}

const large = randomContent(3_000_000, 'large')

findings('should report nothing for a healthy store', async () => {
  const shareId = await owner.share({ 'a.bin': large, 'b.txt': 'b', 'empty.txt': '' })
  await startAdding(owner, shareId)
  await send(owner, shareId, { 'added.bin': randomContent(400_000, 'added') })
  const link = await makeLink(owner, { allowSharing: true })
  await new Guest(service.client(), link).deliver({ 'in.bin': randomContent(300_000, 'in') })
  const [delivery] = (await owner.get(`/api/reverse/${link}/deliveries`)).json()
  assert.is((await owner.post(`/api/reverse/${link}/deliveries/${delivery.id}/share`)).status, 200)
  const draft = await owner.init()
  for (const content of [large, randomContent(200_000, 'again')]) {
    assert.is((await owner.chunk(draft, 'twice', 0, content)).status, 200)
  }
  const { run, findings: all } = await verify(service)
  assert.equal(all, [])
  assert.equal(run.counts, { missing: 0, short: 0, rotten: 0, orphaned: 0 })
  assert.is(run.bytesChecked, large.length + 1 + 400_000 + 2 * 300_000 + 200_000)
  assert.is(run.bytesTotal, run.bytesChecked)
  await assertSound()
})

findings('should allow downloads of restored files again', async () => {
  const shareId = await owner.share({ 'a.bin': large })
  const link = await makeLink(owner, { allowSharing: true })
  await new Guest(service.client(), link).deliver({ 'lost.bin': large })
  await service.app.storage.writers.close()
  const changed = await placeOf(service, 'a.bin')
  const { file } = await placeOf(service, 'lost.bin')
  flip(changed)
  fs.renameSync(file, `${file}.away`)
  assert.equal((await found(service)).toSorted(), ['missing lost.bin', 'rotten a.bin'])
  flip(changed)
  fs.renameSync(`${file}.away`, file)
  assert.equal(await found(service), [])
  const marked = [await isMarked(service, 'a.bin'), await isMarked(service, 'lost.bin')]
  assert.equal(marked, [false, false])
  assert.ok((await owner.get(`/api/shares/${shareId}/download`)).body.includes(large))
})

findings('should report a missing or short segment once, with all its files', async () => {
  await owner.share({ 'a.txt': 'aaa', 'b.txt': 'bbb' })
  await owner.share({ 'c.txt': 'ccc', 'd.bin': large })
  await service.app.storage.writers.close()
  fs.rmSync((await placeOf(service, 'a.txt')).file)
  const short = await placeOf(service, 'd.bin')
  fs.truncateSync(short.file, short.at + 1_000_000)
  const { run, findings: all } = await verify(service)
  assert.equal(run.counts, { missing: 1, short: 1, rotten: 0, orphaned: 0 })
  const told = all.map(({ kind, fileName, files }) => `${kind} ${fileName} ${files}`)
  assert.equal(told.toSorted(), ['missing a.txt 2', 'short d.bin 1'])
  for (const name of ['a.txt', 'b.txt', 'd.bin']) assert.ok(await isMarked(service, name), name)
  assert.not.ok(await isMarked(service, 'c.txt'))
})

findings('should rewrite lost or changed manifests', async () => {
  await owner.share({ 'a.txt': 'aaa' })
  const link = await makeLink(owner, { allowSharing: true })
  await new Guest(service.client(), link).deliver({ 'in.txt': 'in' })
  await settleService(service)
  const places = await Promise.all(['a.txt', 'in.txt'].map((name) => placeOf(service, name)))
  const [first, second] = places.map(({ file }) =>
    path.join(path.dirname(file), 'manifest.json'),
  ) as [string, string]
  const before = [first, second].map((name) => fs.readFileSync(name, 'utf8'))
  fs.rmSync(first)
  fs.writeFileSync(second, '{broken')
  assert.equal(await found(service), [])
  const after = [first, second].map((name) => fs.readFileSync(name, 'utf8'))
  assert.equal(after, before)
  const said = () => service.logLines.filter((line) => line.includes('rewrote damaged manifest'))
  assert.is(said().length, 2)
  assert.equal(await found(service), [])
  assert.is(said().length, 2)
})

findings('should drop damaged chunks, so that they are sent again', async () => {
  const draft = await owner.init()
  for (const [key, content] of Object.entries({ good: 'good', rotten: large })) {
    assert.is((await owner.chunk(draft, key, 0, content)).status, 200)
  }
  const lost = await owner.init()
  assert.is((await owner.chunk(lost, 'lost', 0, 'lost')).status, 200)
  await service.app.storage.writers.close()
  flip(await chunkPlace(service, 'rotten'))
  fs.rmSync((await chunkPlace(service, 'lost')).file)
  assert.equal((await found(service)).toSorted(), ['missing', 'rotten rotten'])
  const list = [{ fileId: 'rotten', originalName: 'r', size: large.length }]
  const refused = await owner.finalize(draft, list, { discardUnlisted: true })
  assertError(refused, 400, 'incomplete_upload')
  assert.is((await owner.chunk(draft, 'rotten', 0, large)).status, 200)
  assert.is((await owner.finalize(draft, list, { discardUnlisted: true })).status, 200)
  const [row] = await service.database.sql<{ liveBytes: number }[]>`
    select live_bytes from containers join shares on container_id = containers.id
    where shares.id = ${lost}`
  assert.is(row!.liveBytes, 0)
})

findings('should find segments unknown to the database, and remove only those', async () => {
  await owner.share({ 'a.txt': 'aaa' })
  const { containerId, file } = await placeOf(service, 'a.txt')
  const folder = containerFolder(service.storageDir, randomRowId())
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, 'manifest.json'), '{}')
  const segment = segmentFile(service.storageDir, containerId, randomRowId())
  fs.copyFileSync(file, segment)
  fs.mkdirSync(path.join(service.storageDir, 'lost+found'))
  const { run } = await verify(service)
  assert.is(run.counts.orphaned, 2)
  assert.ok(fs.existsSync(folder) && fs.existsSync(segment), 'only found')
  assert.is(await service.app.services.verify.removeOrphans(), 2)
  assert.not.ok(fs.existsSync(folder) || fs.existsSync(segment))
  assert.is(await service.app.services.verify.removeOrphans(), 0)
  assert.ok(fs.readdirSync(service.storageDir).includes('lost+found'))
  assert.equal(await found(service), [])
})

findings('should not report as orphans what is being deleted', async () => {
  const shareId = await owner.share({ 'a.txt': 'aaa' })
  const { storage } = service.app
  const remove = storage.removeNow.bind(storage)
  // As after a crash: the rows are gone, the bytes are still there.
  storage.removeNow = async () => 0
  await owner.delete(`/api/shares/${shareId}`)
  storage.removeNow = remove
  assert.equal(await found(service), [])
})

findings('should report no damage on a missing disk, and fail', async () => {
  await owner.share({ 'a.txt': 'aaa' })
  await service.app.storage.writers.close()
  fs.renameSync(service.storageDir, `${service.storageDir}-away`)
  fs.mkdirSync(service.storageDir)
  const failure = await verify(service).catch((error: unknown) => error)
  assert.match(String(failure), 'that it is mounted')
  await service.app.services.startCheck.run()
  assert.is(service.app.services.startCheck.last, null)
  assert.not.ok(await isMarked(service, 'a.txt'))
  fs.rmSync(service.storageDir, { recursive: true })
  fs.renameSync(`${service.storageDir}-away`, service.storageDir)
  assert.equal(await found(service), [])
})

/** Runs something once, right before bytes of a segment are checked. */
function onceBefore(segmentId: string, deed: () => Promise<unknown>): () => boolean {
  let isDone = false
  const undo = beforeReading(service, async (id) => {
    if (id !== segmentId) return
    isDone = true
    undo()
    await deed()
  })
  return () => isDone
}

async function assertSound(): Promise<void> {
  await settleService(service)
  await assertInvariants(service)
}

races('should report nothing for a share that is deleted while it is read', async () => {
  const shareId = await owner.share({ 'a.txt': 'aaa', 'b.txt': 'bbb' })
  const { segmentId } = await placeOf(service, 'a.txt')
  const wasDeleted = onceBefore(segmentId, () => owner.delete(`/api/shares/${shareId}`))
  assert.equal(await found(service), [])
  assert.ok(wasDeleted())
  await assertSound()
})

races('should not drop a chunk that was sent again while it was read', async () => {
  const draft = await owner.init()
  const [first, second] = [randomContent(300_000, 1), randomContent(300_000, 2)]
  assert.is((await owner.chunk(draft, 'f', 0, first)).status, 200)
  const place = await chunkPlace(service, 'f')
  flip(place)
  const wasSent = onceBefore(place.segmentId, () => owner.chunk(draft, 'f', 0, second))
  assert.equal(await found(service), [])
  assert.ok(wasSent())
  const list = [{ fileId: 'f', originalName: 'f', size: second.length }]
  assert.is((await owner.finalize(draft, list)).status, 200)
  await assertSound()
})

races('should leave a chunk to its file when the upload is finalized', async () => {
  const draft = await owner.init()
  assert.is((await owner.chunk(draft, 'f', 0, 'content')).status, 200)
  const place = await chunkPlace(service, 'f')
  flip(place)
  const list = [{ fileId: 'f', originalName: 'f.txt', size: 7 }]
  const wasFinalized = onceBefore(place.segmentId, () => owner.finalize(draft, list))
  assert.equal(await found(service), ['rotten f.txt'])
  assert.ok(wasFinalized())
})

// As the deletion of an account does it: first all links, then their deliveries.
races('should drop a chunk of a delivery whose link is being deleted', async () => {
  const link = await makeLink(owner)
  const guest = new Guest(service.client(), link)
  await guest.init()
  assert.is((await guest.chunk('f', 0, 'content')).status, 200)
  await service.app.storage.writers.close()
  const place = await chunkPlace(service, 'f')
  flip(place)
  const { database } = service
  const waits = async () => (await countLockWaits(database)) > 0
  let deleting: Promise<unknown> = Promise.resolve()
  const wasLocked = onceBefore(place.segmentId, async () => {
    await new Promise<void>((resolve) => {
      deleting = database.begin(async (sql) => {
        await sql`select 1 from reverse_shares where id = ${link} for update`
        resolve()
        await until('the check waits for the link', waits)
        await sql`delete from deliveries where reverse_share_id = ${link}`
      })
    })
  })
  assert.equal(await found(service), ['rotten f'])
  assert.ok(wasLocked())
  await deleting
})

races('should report nothing for a container whose bytes go before its rows', async () => {
  await owner.share({ 'a.txt': 'aaa' })
  await service.app.storage.writers.close()
  const { containerId, segmentId, file } = await placeOf(service, 'a.txt')
  const { database } = service
  const wasDeleted = onceBefore(segmentId, async () => {
    await database.sql`
      insert into tombstones (container_id, created_at)
      select id, now() from containers where id = ${containerId}`
    fs.rmSync(file)
  })
  assert.equal(await found(service), [])
  assert.ok(wasDeleted())
})

// The rows of a copy's segments contain their length before the files are linked.
races('should not report segments that a copy is about to link', async () => {
  const link = await makeLink(owner, { allowSharing: true })
  await new Guest(service.client(), link).deliver({ 'in.txt': 'from a guest' })
  const [delivery] = (await owner.get(`/api/reverse/${link}/deliveries`)).json()
  const { database } = service
  const draft = await owner.init()
  await database.sql`
    insert into segments (id, container_id, root_id, committed_end, created_at)
    select gen_random_uuid(), shares.container_id, storage_roots.id, 12, now()
    from shares, storage_roots
    where shares.id = ${draft}`
  assert.equal(await found(service), [])
  await service.app.services.startCheck.run()
  assert.ok(service.app.services.startCheck.isFine)
  await owner.delete(`/api/shares/${draft}`)
  assert.is((await owner.post(`/api/reverse/${link}/deliveries/${delivery.id}/share`)).status, 200)
  assert.equal(await found(service), [])
})
