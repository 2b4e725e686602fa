// Files removed from a complete share, and downloads that run meanwhile.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertInvariants, settleService } from '../../helpers/invariants.ts'
import { assertNothingLeft, startUnlimited } from '../../bytes/send/scene.ts'
import { assertError } from '../../contract/shapes.ts'
import { add, archiveOf, bytesOf, look, remove, unpackTexts } from './scene.ts'

const removal = suite('removing files')
const hourMs = 60 * 60_000

const service = await startUnlimited()
const owner = await service.admin()
removal.after.each(async () => {
  await assertNothingLeft(service)
  await settleService(service)
  await assertInvariants(service)
})
removal.after(() => service.stop())

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
