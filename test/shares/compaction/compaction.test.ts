// Disk space of removed files is freed, and nothing else changes.
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startUnlimited } from '../../blobs/send/scene.ts'
import { listManifestsDue, markManifestWritten } from '../../../src/shares/manifests-sql.ts'
import { CodedError } from '../../../src/lib/errors.ts'
import type { Client } from '../../helpers/client.ts'
import { randomContent } from '../../helpers/content.ts'
import { assertInvariants, settleService } from '../../helpers/invariants.ts'
import type { Service } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'
import { bytesBelow } from '../../helpers/traces.ts'
import { archiveOf, bytesOf, look, remove, send, startAdding } from '../additions/scene.ts'
import { compactFully, existing, graceMs, placesOf, segmentsOf } from './scene.ts'

const weekMs = 7 * 24 * 60 * 60_000
const compaction = suite('compaction')
let service: Service
let owner: Client

compaction.before.each(async () => {
  service = await startUnlimited()
  owner = await service.admin()
})
compaction.after.each(async () => {
  await owner.close()
  await service.stop()
})

async function assertSound(): Promise<void> {
  await settleService(service)
  await assertInvariants(service)
}

const large = randomContent(900_000, 'large')
const small = randomContent(300_000, 'small')
const tiny = randomContent(2_000, 'tiny')

/** A share whose files were removed but for a quarter. */
async function shrunk(): Promise<string> {
  const shareId = await owner.share({ large, small, tiny, empty: '' })
  const { files } = await look(service, owner, shareId)
  await remove(owner, shareId, files[0]!.id)
  return shareId
}

compaction('should return the bytes to the disk, and change nothing else', async () => {
  const shareId = await shrunk()
  const before = await look(service, owner, shareId)
  const places = await placesOf(service, shareId)
  const old = await segmentsOf(service, shareId)
  assert.ok(bytesBelow(service.storageDir) > 1_200_000)
  await compactFully(service)
  assert.equal(await bytesOf(service, shareId), { used: 302_000, live: 302_000 })
  assert.ok(bytesBelow(service.storageDir) < 310_000, 'on disk too')
  assert.equal(existing(old), [])
  for (const place of await placesOf(service, shareId)) assert.not(places.includes(place))
  assert.equal(await look(service, owner, shareId), before, 'the same ETag too')
  await assertSound()
  const { sql } = service.database
  assert.is((await sql`select 1 from segment_tombstones`).length, 0)
  const settled = await placesOf(service, shareId)
  await compactFully(service)
  assert.equal(await placesOf(service, shareId), settled, 'once is enough')
})

compaction('should free after a week what a killed process had left behind', async () => {
  const shareId = await owner.share({ small })
  service.clock.advance(61_000)
  await service.app.storage.writers.closeIdle()
  const [old] = await segmentsOf(service, shareId)
  appendFileSync(old!.file, large)
  const killedAt = (service.clock.now() - weekMs + 10 * graceMs) / 1000
  utimesSync(old!.file, killedAt, killedAt)
  const before = await look(service, owner, shareId)
  await compactFully(service)
  assert.equal(existing([old!]), [old!.id], 'a restored database may still refer to it')
  service.clock.advance(10 * graceMs)
  await compactFully(service)
  assert.equal(existing([old!]), [])
  assert.equal(await look(service, owner, shareId), before)
  assert.equal(await bytesOf(service, shareId), { used: 300_000, live: 300_000 })
  await assertSound()
})

compaction('should wait five minutes before it removes a segment', async () => {
  const shareId = await shrunk()
  const old = await segmentsOf(service, shareId)
  await service.app.jobs.runAll()
  await settleService(service)
  service.clock.advance(graceMs - 1000)
  await service.app.jobs.runAll()
  assert.is(existing(old).length, old.length)
  await assertSound()
  service.clock.advance(1000)
  await service.app.jobs.runAll()
  assert.equal(existing(old), [])
  await assertSound()
})

compaction('should not remove a segment before the manifest names the new place', async () => {
  const shareId = await shrunk()
  const old = await segmentsOf(service, shareId)
  const { sql } = service.database
  const { manifests } = service.app.services
  await until('the first manifest is written', async () => {
    // One that the removal has overtaken waits for the job.
    manifests.wake()
    await manifests.idle()
    return (await sql`select 1 from shares where manifest_revision is null`).length === 0
  })
  // No manifest can be written while this is in its way.
  const obstacle = path.join(path.dirname(old[0]!.file), 'manifest.json.new')
  mkdirSync(obstacle)
  await service.app.jobs.runAll()
  service.clock.advance(graceMs)
  await service.app.jobs.runAll()
  assert.is(existing(old).length, old.length)
  rmdirSync(obstacle)
  await settleService(service)
  await service.app.jobs.runAll()
  assert.equal(existing(old), [])
  const text = manifestOf(old[0]!.file)
  for (const { id } of old) assert.not(text.includes(id))
  for (const place of await placesOf(service, shareId)) assert.ok(text.includes(place.slice(0, 36)))
})

function manifestOf(segment: string): string {
  return readFileSync(path.join(path.dirname(segment), 'manifest.json'), 'utf8')
}

compaction('should keep a manifest due that was overtaken while being written', async () => {
  const shareId = await shrunk()
  const { sql } = service.database
  const [due] = await listManifestsDue(sql)
  assert.is(due!.id, shareId)
  await sql`update shares set generation = generation + 1`
  await markManifestWritten(sql, due!)
  const [again] = await listManifestsDue(sql)
  assert.equal(again, { ...due!, generation: due!.generation + 1 })
  await markManifestWritten(sql, again!)
  assert.equal([...(await listManifestsDue(sql))], [])
})

compaction('should leave segments alone when half of their bytes are referenced', async () => {
  const shareId = await owner.share({ a: randomContent(500, 'a'), b: randomContent(501, 'b') })
  const { files } = await look(service, owner, shareId)
  await remove(owner, shareId, files[0]!.id)
  const places = await placesOf(service, shareId)
  await compactFully(service)
  assert.equal(await placesOf(service, shareId), places)
  assert.equal(await bytesOf(service, shareId), { used: 1001, live: 501 })
})

compaction('should free cancelled, replaced and discarded files', async () => {
  const shareId = await owner.share({ a: 'a' })
  await startAdding(owner, shareId)
  await send(owner, shareId, { b: large })
  await compactFully(service)
  assert.is((await bytesOf(service, shareId)).used, 900_001, 'kept while they may be finalized')
  await owner.delete(`/api/shares/${shareId}/additions`)
  await compactFully(service)
  assert.equal(await bytesOf(service, shareId), { used: 1, live: 1 })

  const draft = await owner.init()
  for (const content of [large, small, tiny]) await owner.chunk(draft, 'f', 0, content)
  await compactFully(service)
  assert.is((await bytesOf(service, draft)).used, 1_202_000, 'drafts are left alone')
  await owner.finalize(draft, [{ fileId: 'f', originalName: 'f', size: tiny.length }])
  await compactFully(service)
  assert.equal(await bytesOf(service, draft), { used: 2000, live: 2000 })
  await assertSound()
})

compaction('should drop segments without a live byte, also on a full disk', async () => {
  const shareId = await owner.share({ large })
  const full = await shrunk()
  const [file] = (await look(service, owner, shareId)).files
  await remove(owner, shareId, file!.id)
  const { space } = service.app.storage
  const reserve = space.reserve.bind(space)
  space.reserve = () => Promise.reject(new CodedError('disk_full'))
  await compactFully(service)
  assert.equal(await bytesOf(service, shareId), { used: 0, live: 0 })
  assert.equal(await segmentsOf(service, shareId), [])
  assert.is((await bytesOf(service, full)).used, 1_202_000, 'no room to copy')
  assert.equal(
    service.logLines.filter((line) => /"level":"(warn|error)"/.test(line)),
    [],
  )
  space.reserve = reserve
  await compactFully(service)
  assert.is((await bytesOf(service, full)).used, 302_000)
  await assertSound()
})

compaction('should move files with many extents, and keep the order of the extents', async () => {
  const shareId = await owner.init()
  const parts = Array.from({ length: 40 }, (_, index) => randomContent(70_000 + index, index))
  const dropped = randomContent(100_000, 'dropped')
  // Their order differs from the order on disk, with files to remove in between.
  for (const [turn, index] of [...parts.keys()].toReversed().entries()) {
    assert.is((await owner.chunk(shareId, 'gone', turn, dropped)).status, 200)
    assert.is((await owner.chunk(shareId, 'kept', index, parts[index]!)).status, 200)
  }
  const whole = Buffer.concat(parts)
  const list = [
    { fileId: 'gone', originalName: 'gone', size: 40 * dropped.length },
    { fileId: 'kept', originalName: 'kept', size: whole.length },
  ]
  assert.is((await owner.finalize(shareId, list)).status, 200)
  const { files } = await look(service, owner, shareId)
  await remove(owner, shareId, files[0]!.id)
  const before = await look(service, owner, shareId)
  await compactFully(service)
  assert.equal(await look(service, owner, shareId), before)
  const one = await owner.get(`/api/shares/${shareId}/files/${files[1]!.id}`)
  assert.ok(one.body.equals(whole))
  assert.equal(await bytesOf(service, shareId), { used: whole.length, live: whole.length })
  await assertSound()
})

compaction('should never copy damaged bytes, and never move their segment', async () => {
  const shareId = await shrunk()
  const [segment] = await segmentsOf(service, shareId)
  const bytes = readFileSync(segment!.file)
  const at = bytes.indexOf(tiny)
  bytes[at + 5]! ^= 1
  writeFileSync(segment!.file, bytes)
  const places = await placesOf(service, shareId)
  await compactFully(service)
  assert.equal(await placesOf(service, shareId), places)
  assert.equal(existing([segment!]), [segment!.id])
  const { sql } = service.database
  const damaged = await sql<{ originalName: string }[]>`
    select original_name from files where damaged_at is not null`
  assert.equal(
    damaged.map((row) => row.originalName),
    ['tiny'],
  )
  const { files } = (await owner.get(`/api/public/shares/${shareId}`)).json()
  const good = await owner.get(`/api/shares/${shareId}/files/${files[0].id}`)
  assert.ok(good.body.equals(small), 'undamaged files can be downloaded')
  const told = service.logLines.filter((line) => line.includes(segment!.id))
  assert.is(told.length, 1, 'told once')
  assert.match(told[0]!, 'file damaged on disk')
  const left = await sql`select id from segments where damaged_at is not null`
  assert.equal([...left], [{ id: segment!.id }], 'not checked again')
  // Operators who repair the file by hand find it in its place.
  bytes[at + 5]! ^= 1
  writeFileSync(segment!.file, bytes)
  await assertSound()
})

for (const [what, harm] of [
  ['cut short', (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 950_000))],
  ['missing', (file: string) => rmSync(file)],
] as const) {
  compaction(`should leave a segment that is ${what} where it is`, async () => {
    const shareId = await shrunk()
    const whole = await owner.share({ large, small })
    const [segment] = await segmentsOf(service, shareId)
    harm(segment!.file)
    const [file] = (await look(service, owner, whole)).files
    await remove(owner, whole, file!.id)
    const places = await placesOf(service, shareId)
    await compactFully(service)
    assert.equal(await placesOf(service, shareId), places)
    assert.is((await bytesOf(service, whole)).used, 300_000, 'others are not held up')
    assert.is(service.logLines.filter((line) => line.includes('lost bytes')).length, 1)
  })
}

compaction('should do nothing while the disk is not mounted', async () => {
  const shareId = await shrunk()
  const marker = path.join(service.storageDir, 'storage-root.json')
  const content = readFileSync(marker)
  rmSync(marker)
  const places = await placesOf(service, shareId)
  await compactFully(service)
  assert.equal(await placesOf(service, shareId), places)
  writeFileSync(marker, content)
  await compactFully(service)
  assert.is((await bytesOf(service, shareId)).used, 302_000)
})

compaction('should keep the segment that a chunk of new additions is in', async () => {
  const shareId = await shrunk()
  await startAdding(owner, shareId)
  const list = await send(owner, shareId, { more: small })
  await service.app.jobs.runAll()
  assert.is((await owner.finalize(shareId, list)).status, 200)
  const before = await look(service, owner, shareId)
  await compactFully(service)
  assert.equal(await look(service, owner, shareId), before)
  await assertSound()
})

compaction('should serve a cached archive from the new places', async () => {
  const shareId = await shrunk()
  const before = await archiveOf(owner, shareId)
  assert.is((await archiveOf(owner, shareId)).headers['etag'], before.headers['etag'])
  const old = await segmentsOf(service, shareId)
  // A download settles after its answer, and keeps its segments until then.
  await settleService(service)
  await compactFully(service)
  assert.equal(existing(old), [])
  const after = await archiveOf(owner, shareId)
  assert.is(after.headers['etag'], before.headers['etag'])
  assert.ok(after.body.equals(before.body))
  const folder = path.dirname(old[0]!.file)
  assert.is(readdirSync(folder).filter((name) => name.endsWith('.seg')).length, 1)
})

compaction.run()
