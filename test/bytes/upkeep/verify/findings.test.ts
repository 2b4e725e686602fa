// Each kind of damage, and healthy bytes that must not be reported.
import * as fs from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { randomRowId } from '../../../../src/lib/random-id.ts'
import { containerFolder, segmentFile } from '../../../../src/bytes/segments/files-on-disk.ts'
import { assertError } from '../../../contract/shapes.ts'
import { startUnlimited } from '../../send/scene.ts'
import type { Client } from '../../../helpers/client.ts'
import { randomContent } from '../../../helpers/content.ts'
import { assertInvariants, settleService } from '../../../helpers/invariants.ts'
import type { Service } from '../../../helpers/service.ts'
import { Guest, makeLink } from '../../../requests/guest.ts'
import { send, startAdding } from '../../../shares/additions/scene.ts'
import { chunkPlace, flip, found, isMarked, placeOf, verify } from './scene.ts'

const findings = suite('verify: findings')
let service: Service
let owner: Client

findings.before.each(async () => {
  service = await startUnlimited()
  owner = await service.admin()
})
findings.after.each(() => service.stop())

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
  await settleService(service)
  await assertInvariants(service)
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
  for (const [key, content] of [
    ['good', 'good'],
    ['rotten', large],
  ] as const) {
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
  const unknown = randomRowId()
  const folder = containerFolder(service.storageDir, unknown)
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
