// Thumbnails that senders store: who may, of which files, and what becomes of them.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Client } from '../../helpers/client.ts'
import { assertInvariants, settleService } from '../../helpers/invariants.ts'
import { startService, type Service } from '../../helpers/service.ts'
import { assertError } from '../../contract/shapes.ts'
import { addThumbnails, filesOf, getThumbnail, jpegOf, putThumbnail } from './scene.ts'

const storing = suite('thumbnails: storing')
let service: Service
let owner: Client
let anonymous: Client

storing.before.each(async () => {
  service = await startService({ env: { RATE_LIMIT_UPLOAD: 'off' } })
  owner = await service.user('owner@example.org')
  anonymous = service.client()
})
storing.after.each(async () => {
  await settleService(service)
  await assertInvariants(service)
  await service.stop()
})

/** Rows of all thumbnails. */
async function count(): Promise<number> {
  const [row] = await service.database.sql<{ count: number }[]>`select count(*) from thumbnails`
  return row!.count
}

const listed = (fileId: string, originalName = fileId) => ({ fileId, originalName, size: 1 })

storing('should give a file the thumbnail that was sent while it was uploaded', async () => {
  const shareId = await owner.init()
  for (const key of ['a', 'b', 'c']) await owner.chunk(shareId, key, 0, key)
  assert.equal((await putThumbnail(owner, shareId, 'b', jpegOf('first'))).json(), { success: true })
  assert.is((await putThumbnail(owner, shareId, 'b', jpegOf('second'))).status, 200)
  await putThumbnail(owner, shareId, 'c', jpegOf('not listed'))
  const list = [listed('a', 'a.txt'), listed('b', 'b.jpg')]
  assert.is((await owner.finalize(shareId, list, { discardUnlisted: true })).status, 200)
  const files = await filesOf(anonymous, shareId)
  const flags = (seen: typeof files) =>
    seen.map(({ original_name: name, thumbnail }) => [name, thumbnail])
  const expected = [
    ['a.txt', undefined],
    ['b.jpg', true],
  ]
  assert.equal(flags(files), expected)
  assert.equal(flags((await owner.get('/api/shares')).json()[0].files), expected)
  assert.equal(flags((await owner.get(`/api/shares/${shareId}`)).json().files), expected)
  const answer = await getThumbnail(anonymous, shareId, files[1]!.id)
  assert.equal([answer.status, answer.body], [200, jpegOf('second')])
  assertError(await getThumbnail(anonymous, shareId, files[0]!.id), 404, 'not_found')
  assert.is(await count(), 1)
})

storing('should let only the owner change those of complete files while adding', async () => {
  const shareId = await owner.share({ 'a.jpg': 'a' })
  await addThumbnails(owner, shareId, { 0: jpegOf('old') })
  const { uploadToken } = (await owner.post(`/api/shares/${shareId}/additions`)).json()
  const holder = new Client(service.url, uploadToken)
  assertError(await putThumbnail(holder, shareId, 'file-0', jpegOf('x')), 404, 'not_found')
  assertError(await putThumbnail(holder, shareId, 'new', jpegOf('x')), 404, 'not_found')
  await holder.chunk(shareId, 'new', 0, 'x')
  assert.is((await putThumbnail(holder, shareId, 'new', jpegOf('new'))).status, 200)
  assert.equal((await filesOf(anonymous, shareId)).length, 1, 'nothing is shown before finalize')
  // The same id again is another file: the first one keeps its thumbnail.
  await holder.chunk(shareId, 'file-0', 0, 'y')
  assert.is((await putThumbnail(holder, shareId, 'file-0', jpegOf('again'))).status, 200)
  await holder.finalize(shareId, [listed('new'), listed('file-0', 'b.jpg')])
  const files = await filesOf(anonymous, shareId)
  const bodies = files.map(async ({ id }) => (await getThumbnail(anonymous, shareId, id)).body)
  assert.equal(await Promise.all(bodies), [jpegOf('old'), jpegOf('new'), jpegOf('again')])
  // Now the id names the file that came last.
  await putThumbnail(owner, shareId, 'file-0', jpegOf('latest'))
  assert.equal((await getThumbnail(anonymous, shareId, files[2]!.id)).body, jpegOf('latest'))
  assert.equal((await getThumbnail(anonymous, shareId, files[0]!.id)).body, jpegOf('old'))
})

storing('should take ids with slashes and of any script, percent-encoded', async () => {
  const shareId = await owner.init()
  const ids = ['1ab-2c.0.1024/Ünder & Co. #1?.jpg', '%2f', 'x'.repeat(200), '🎞'.repeat(100)]
  for (const id of ids) {
    await owner.chunk(shareId, id, 0, 'x', { fileName: 'a.jpg' })
    assert.is((await putThumbnail(owner, shareId, id, jpegOf(id))).status, 200, id)
  }
  assertError(await putThumbnail(owner, shareId, 'x'.repeat(201), jpegOf('')), 404, 'not_found')
  assertError(await putThumbnail(owner, shareId, 'x\u0000', jpegOf('')), 404, 'not_found')
  await owner.finalize(
    shareId,
    ids.map((id) => listed(id, 'a.jpg')),
  )
  const files = await filesOf(anonymous, shareId)
  for (const [place, { id }] of files.entries()) {
    assert.equal((await getThumbnail(anonymous, shareId, id)).body, jpegOf(ids[place]!))
  }
})

storing('should refuse what is no small JPEG', async () => {
  const shareId = await owner.share({ a: 'x' })
  const put = (body: Buffer | AsyncIterable<Uint8Array>, type?: string | null) =>
    putThumbnail(owner, shareId, 'file-0', body, type)
  const jpeg = jpegOf('x')
  for (const type of ['image/webp', 'image/svg+xml', 'text/html', 'image/jpegx', '', null]) {
    assertError(await put(jpeg, type), 415, 'not_a_jpeg')
  }
  const noJpeg = ['', '\xff', '\xff\xd8', '\xff\xd8\xff\xe0', '<svg onload="alert(1)"/>', 'RIFF']
  for (const text of noJpeg) {
    assertError(await put(Buffer.from(text, 'latin1')), 415, 'not_a_jpeg')
  }
  const bomb = jpegOf('x')
  // Its height, after the marker of the frame.
  bomb.writeUInt16BE(20_000, bomb.indexOf('\xff\xc0', 0, 'latin1') + 5)
  const refused = await put(bomb)
  assertError(refused, 415, 'not_a_jpeg')
  assert.match(refused.json().error, /640/)
  const most = jpegOf('x'.repeat(16 * 1024 - jpegOf('').length))
  assert.is((await put(most, 'IMAGE/JPEG; q=1')).status, 200)
  assertError(await put(Buffer.concat([most, Buffer.from('1')])), 413, 'payload_too_large')
  async function* endless() {
    for (let count = 0; count < 1000; count++) yield most
  }
  assertError(await put(endless()), 413, 'payload_too_large')
  const [file] = await filesOf(anonymous, shareId)
  assert.equal((await getThumbnail(anonymous, shareId, file!.id)).body, most)
})

storing('should refuse them once the share has expired', async () => {
  const shareId = await owner.share({ a: 'x' }, { expirationVal: 1, expirationUnit: 'Hours' })
  await addThumbnails(owner, shareId, { 0: jpegOf('x') })
  service.clock.advance(2 * 60 * 60_000)
  assertError(await putThumbnail(owner, shareId, 'file-0', jpegOf('y')), 410, 'expired')
  await settleService(service)
  assert.is(await count(), 0, 'they are gone with the files')
  assertError(await putThumbnail(owner, shareId, 'file-0', jpegOf('y')), 410, 'expired')
})

storing('should forget them with their file, their additions and their share', async () => {
  const shareId = await owner.share({ a: 'x', b: 'y' })
  await addThumbnails(owner, shareId, { 0: jpegOf('a'), 1: jpegOf('b') })
  const [first] = await filesOf(anonymous, shareId)
  await owner.delete(`/api/shares/${shareId}/files/${first!.id}`)
  assertError(await getThumbnail(anonymous, shareId, first!.id), 404, 'not_found')
  assertError(await putThumbnail(owner, shareId, 'file-0', jpegOf('x')), 404, 'not_found')
  assert.is(await count(), 1)
  await owner.post(`/api/shares/${shareId}/additions`)
  await owner.chunk(shareId, 'new', 0, 'z')
  await putThumbnail(owner, shareId, 'new', jpegOf('new'))
  await owner.delete(`/api/shares/${shareId}/additions`)
  await settleService(service)
  assert.is(await count(), 1)
  await owner.delete(`/api/shares/${shareId}`)
  await settleService(service)
  assert.is(await count(), 0)
  const draft = await owner.init()
  await owner.chunk(draft, 'a', 0, 'x')
  await putThumbnail(owner, draft, 'a', jpegOf('x'))
  await owner.delete(`/api/shares/${draft}`)
  await settleService(service)
  assert.is(await count(), 0)
})

storing('should take 2,000 of a share, also from many requests at once', async () => {
  const shareId = await owner.init()
  const files = Array.from({ length: 40 }, (_, place) => `f${place}`)
  for (const id of files) await owner.chunk(shareId, id, 0, 'x')
  const { sql } = service.database
  await sql`
    insert into thumbnails (container_id, file_key, jpeg)
    select container_id, 'earlier-' || place, ${jpegOf('')}
    from shares, generate_series(1, 1990) as place
    where id = ${shareId}`
  const answers = await Promise.all(files.map((id) => putThumbnail(owner, shareId, id, jpegOf(id))))
  const refused = answers.filter(({ status }) => status !== 200)
  for (const answer of refused) assertError(answer, 409, 'too_many_thumbnails')
  assert.is(refused.length, 30)
  assert.is(await count(), 2000)
  const kept = files[answers.findIndex(({ status }) => status === 200)]!
  assert.is((await putThumbnail(owner, shareId, kept, jpegOf('again'))).status, 200)
  const list = files.map((id) => listed(id))
  assert.is((await owner.finalize(shareId, list)).status, 200)
  const shown = await filesOf(anonymous, shareId)
  assert.is(shown.filter(({ thumbnail }) => thumbnail).length, 10)
  assert.is(await count(), 10, 'thumbnails of files that are not listed are gone')
})
