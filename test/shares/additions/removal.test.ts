// Files removed from a complete share, and downloads that run meanwhile.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Client } from '../../helpers/client.ts'
import { randomContent } from '../../helpers/content.ts'
import { assertInvariants, settleService } from '../../helpers/invariants.ts'
import type { Service } from '../../helpers/service.ts'
import { bytesBelow } from '../../helpers/traces.ts'
import { SlowReader } from '../../helpers/slow-reader.ts'
import { assertNothingLeft, startUnlimited } from '../../bytes/send/scene.ts'
import { assertError } from '../../contract/shapes.ts'
import { add, archiveOf, bytesOf, look, remove, unpackTexts } from './scene.ts'

const removal = suite('removing files')
const hourMs = 60 * 60_000
const mib = 1024 * 1024
let service: Service
let owner: Client

removal.before(async () => {
  service = await startUnlimited()
  owner = await service.admin()
})
removal.after.each(async () => {
  await assertNothingLeft(service)
  await settleService(service)
  await assertInvariants(service)
})
removal.after(async () => {
  await owner.close()
  await service.stop()
})

async function idsOf(shareId: string): Promise<Record<string, number>> {
  const { files } = (await owner.get(`/api/public/shares/${shareId}`)).json()
  return Object.fromEntries(
    files.map((file: { original_name: string; id: number }) => [file.original_name, file.id]),
  )
}

removal('should remove a file from every view of the share', async () => {
  const shareId = await owner.share({ 'a.txt': 'first', 'b.txt': 'second', 'c.txt': 'third' })
  const before = await look(service, owner, shareId)
  const ids = await idsOf(shareId)
  service.clock.advance(hourMs)
  await remove(owner, shareId, ids['b.txt']!)
  const after = await look(service, owner, shareId)
  assert.equal(
    after.files,
    before.files.filter((file) => file.original_name !== 'b.txt'),
  )
  assert.equal(unpackTexts(after.archive), { 'a.txt': 'first', 'c.txt': 'third' })
  assert.is(after.total_size, 10)
  assert.is.not(after.etag, before.etag)
  assert.is(Date.parse(after.modifiedAt) - Date.parse(before.modifiedAt), hourMs)
  assert.is(after.expires_at, before.expires_at)
  assert.equal(await bytesOf(service, shareId), { used: 16, live: 10 })
  for (const path of [`files/${ids['b.txt']}`, `download?files=${ids['b.txt']}`]) {
    assertError(await owner.get(`/api/shares/${shareId}/${path}`), 404, 'not_found')
  }
  assertError(await owner.delete(`/api/shares/${shareId}/files/${ids['b.txt']}`), 404)
})

removal('should remove several files at once, and ignore those that are gone', async () => {
  const files = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`${n}.txt`, `file ${n}`]))
  const shareId = await owner.share(files)
  const ids = Object.values(await idsOf(shareId)).toSorted((one, other) => one - other)
  const [first, second, third] = ids as [number, number, number]
  const path = `/api/shares/${shareId}/files`
  const many = await owner.delete(`${path}?files=${first}-${third},${ids[9]}`)
  assert.equal(many.json(), { success: true, removed: 4 })
  const again = await owner.delete(`${path}?files=${second},${ids[10]}`)
  assert.equal(again.json(), { success: true, removed: 1 })
  assertError(await owner.delete(`${path}?files=${first}`), 404, 'not_found')
  const left = await look(service, owner, shareId)
  assert.is(left.files.length, 35)
  assert.is(Object.keys(unpackTexts(left.archive)).length, 35)

  const refused = ['', 'a', '1-', '3-1', '1,,2', '1-1001', Array.from(ids, () => '1-30').join()]
  for (const text of refused) {
    assertError(await owner.delete(`${path}?files=${text}`), 400, 'invalid_input')
  }
  assertError(await owner.delete(path), 400, 'invalid_input')
  const other = await owner.share({ a: 'a' })
  const [foreign] = Object.values(await idsOf(other))
  assertError(await owner.delete(`${path}?files=${foreign}`), 404, 'not_found')
  assert.is((await idsOf(other))['a'], foreign)
  const draft = await owner.init()
  assertError(await owner.delete(`/api/shares/${draft}/files?files=1`), 409, 'conflict')
})

removal('should leave an empty share after the last file', async () => {
  const shareId = await owner.share({ 'a.txt': 'first' })
  await remove(owner, shareId, (await idsOf(shareId))['a.txt']!)
  const { archive, files, total_size: totalSize } = await look(service, owner, shareId)
  assert.equal([archive.length, files, totalSize], [22, [], 0])
  await add(owner, shareId, { 'a.txt': 'again' })
  assert.equal(unpackTexts((await archiveOf(owner, shareId)).body), { 'a.txt': 'again' })
})

removal('should answer 404, 409 or 410 when there is nothing to remove', async () => {
  const shareId = await owner.share({ a: 'a' })
  const other = await owner.share({ b: 'b' })
  const expired = await owner.share({ c: 'c' }, { expirationVal: 1, expirationUnit: 'Hours' })
  const foreign = (await idsOf(other))['b']!
  const gone = (await idsOf(expired))['c']!
  const draft = await owner.init()
  assertError(await owner.delete(`/api/shares/${shareId}/files/${foreign}`), 404, 'not_found')
  for (const id of ['2000000000', '99999999999', '-1', 'x']) {
    assertError(await owner.delete(`/api/shares/${shareId}/files/${id}`), 404, 'not_found')
  }
  assertError(await owner.delete(`/api/shares/${draft}/files/${foreign}`), 409, 'conflict')
  service.clock.jump(hourMs + 1)
  assertError(await owner.delete(`/api/shares/${expired}/files/${gone}`), 410, 'expired')
  service.clock.jump(-hourMs - 1)
  assert.is((await look(service, owner, other)).files.length, 1)
})

removal('should happen once when requested many times at the same instant', async () => {
  const shareId = await owner.share({ a: 'a', b: 'bb' })
  const { a } = await idsOf(shareId)
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => owner.delete(`/api/shares/${shareId}/files/${a}`)),
  )
  const statuses = answers.map(({ status }) => status).toSorted((x, y) => x - y)
  assert.equal(statuses, [200, 404, 404, 404])
  assert.is((await look(service, owner, shareId)).total_size, 2)
})

removal('should send running downloads the old bytes to the end', async () => {
  const [big, small] = [randomContent(20 * mib, 'big'), randomContent(3 * mib, 'small')]
  const shareId = await owner.share({ small })
  // Each in a segment of its own.
  await service.app.storage.writers.close()
  await add(owner, shareId, { big })
  await service.app.storage.writers.close()
  const ids = await idsOf(shareId)
  const archive = (await archiveOf(owner, shareId)).body
  const open = (path: string, headers = {}) =>
    SlowReader.open(`${service.url}/api/shares/${shareId}/${path}`, headers)
  const begun = [
    { reader: await open('download'), bytes: archive },
    { reader: await open('download', { range: 'bytes=1000-' }), bytes: archive.subarray(1000) },
    { reader: await open(`files/${ids['big']}`), bytes: big },
  ]
  const heads = await Promise.all(begun.map(({ reader }) => reader.read(100_000)))
  await add(owner, shareId, { more: randomContent(mib, 'more') })
  await remove(owner, shareId, ids['big']!)
  const later = async () => {
    await service.app.jobs.runAll()
    // Only the wall clock: for the watchdog, no client has stalled that long.
    service.clock.jump(5 * 60_000)
  }
  for (let turn = 0; turn < 3; turn += 1) await later()
  assert.ok(bytesBelow(service.storageDir) >= 20 * mib, 'the old bytes stay while they are read')
  for (const [place, { reader, bytes }] of begun.entries()) {
    const { body, isComplete } = await reader.readRest()
    assert.ok(isComplete)
    assert.ok(Buffer.concat([heads[place]!, body]).equals(bytes))
  }
  // A job that is running is not started again, so more turns than three may be needed.
  for (let turn = 0; turn < 12 && bytesBelow(service.storageDir) >= 5 * mib; turn += 1) {
    await later()
  }
  assert.ok(bytesBelow(service.storageDir) < 5 * mib, 'the old bytes are gone from the disk')
  assert.is((await bytesOf(service, shareId)).used, 4 * mib, 'the old bytes are released')
})

removal.run()
