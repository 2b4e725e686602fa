import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError, Client, okay, pluck } from '../../helpers/client.ts'
import type { ListedFileRow } from '../../../src/bytes/files-sql.ts'
import { renderStrip } from '../../../src/shares/thumbnails/pictures.ts'
import { startService } from '../../helpers/service.ts'
import { assertInvariants, settleService } from '../../helpers/invariants.ts'
import { addThumbnails, filesOf, getThumbnail, jpegOf, putThumbnail } from './scene.ts'

const thumbnails = suite('thumbnails')
let owner: Client
let anonymous: Client
let people = 0
let earlier = 0

const service = await startService({ env: { RATE_LIMIT_DOWNLOAD: '1/1h' } })
thumbnails.before.each(async () => {
  people += 1
  owner = await service.user(`owner${people}@example.org`)
  anonymous = service.client()
  earlier += await count()
})
thumbnails.after(async () => {
  await settleService(service)
  await assertInvariants(service)
})

/** Rows of thumbnails that are new since the test began. */
const count = async () => (await service.database.sql`select from thumbnails`).count - earlier

const listed = (fileId: string, originalName = fileId) => ({ fileId, originalName, size: 1 })

thumbnails('should give a file the thumbnail that was sent while it was uploaded', async () => {
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

thumbnails('should let only the owner change those of complete files while adding', async () => {
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

thumbnails('should take ids with slashes and of any script, percent-encoded', async () => {
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

thumbnails('should refuse what is no small JPEG', async () => {
  const shareId = await owner.share({ a: 'x' })
  const put = (body: Buffer | AsyncIterable<Uint8Array>, type?: string | null) =>
    putThumbnail(owner, shareId, 'file-0', body, type)
  const jpeg = jpegOf('x')
  for (const type of ['image/webp', 'image/svg+xml', 'text/html', 'image/jpegx', '', null]) {
    assertError(await put(jpeg, type), 415, 'not_a_jpeg')
  }
  assertError(await put(Buffer.from('<svg onload="alert(1)"/>')), 415, 'not_a_jpeg')
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

thumbnails('should forget them with their file, their additions and their share', async () => {
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

thumbnails('should be discarded with the chunks of their files', async () => {
  const shareId = await owner.init()
  for (const key of ['a', 'b']) {
    await owner.chunk(shareId, key, 0, key)
    assert.is((await putThumbnail(owner, shareId, key, jpegOf(key))).status, 200)
  }
  const discarded = await owner.post(`/api/shares/${shareId}/discard`, { fileIds: ['a', 'c'] })
  assert.is(discarded.status, 200)
  assert.is(await count(), 1)
  // Another file with the same id.
  await owner.chunk(shareId, 'a', 0, 'z')
  await owner.finalize(shareId, [listed('a'), listed('b')])
  assert.equal(pluck(await filesOf(anonymous, shareId), 'thumbnail'), [undefined, true])
})

thumbnails('should take 2,000 of a share, also from many requests at once', async () => {
  const shareId = await owner.init()
  const files = Array.from({ length: 20 }, (_, place) => `f${place}`)
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
  assert.is(refused.length, 10)
  assert.is(await count(), 2000)
  const kept = files[answers.findIndex(({ status }) => status === 200)]!
  assert.is((await putThumbnail(owner, shareId, kept, jpegOf('again'))).status, 200)
  const list = files.map((id) => listed(id))
  assert.is((await owner.finalize(shareId, list)).status, 200)
  assert.is((await filesOf(anonymous, shareId)).filter(({ thumbnail }) => thumbnail).length, 10)
  assert.is(await count(), 10, 'thumbnails of files that are not listed are gone')
})

const hour = { expirationVal: 1, expirationUnit: 'Hours' } as const

async function pictured(input: Record<string, unknown> = {}) {
  const shareId = await owner.share({ 'a.jpg': 'a' }, input)
  await addThumbnails(owner, shareId, { 0: jpegOf('picture') })
  const { files } = (await owner.get(`/api/shares/${shareId}`)).json()
  return { shareId, fileId: files[0].id }
}

thumbnails('should send an image of this site alone, and 304 while it is unchanged', async () => {
  const { shareId, fileId } = await pictured()
  const answer = await okay(getThumbnail(anonymous, shareId, fileId))
  assert.equal(answer.body, jpegOf('picture'))
  const { headers } = answer
  assert.is(headers['content-type'], 'image/jpeg')
  assert.is(headers['cross-origin-resource-policy'], 'same-origin')
  assert.is(headers['cache-control'], 'private, no-cache')
  const etag = String(headers['etag'])
  const again = () => getThumbnail(anonymous, shareId, fileId, '', { 'if-none-match': etag })
  const unchanged = await again()
  assert.equal([unchanged.status, unchanged.body.length], [304, 0])
  assert.is(unchanged.headers['cache-control'], 'private, no-cache')
  await addThumbnails(owner, shareId, { 0: jpegOf('another') })
  assert.equal((await again()).body, jpegOf('another'))
  assert.is((await getThumbnail(owner, shareId, fileId, '?as=owner')).status, 200)
  await owner.delete(`/api/shares/${shareId}`)
  assertError(await again(), 404, 'not_found')
  const asOwner = { 'if-none-match': etag }
  assertError(await getThumbnail(owner, shareId, fileId, '?as=owner', asOwner), 404, 'not_found')
})

thumbnails('should show it for a slug, and under no other share', async () => {
  const { shareId, fileId } = await pictured()
  await owner.patch(`/api/shares/${shareId}`, { slug: 'holiday' })
  assert.is((await getThumbnail(anonymous, 'holiday', fileId)).status, 200)
  const second = await pictured()
  assertError(await getThumbnail(anonymous, second.shareId, fileId), 404, 'not_found')
  assertError(await getThumbnail(owner, second.shareId, fileId, '?as=owner'), 404, 'not_found')
  assertError(await getThumbnail(anonymous, 'unknown', fileId), 404, 'not_found')
})

thumbnails('should show it to the owner after expiry while the files exist', async () => {
  const { shareId, fileId } = await pictured(hour)
  service.clock.jump(2 * 3_600_000)
  assertError(await getThumbnail(anonymous, shareId, fileId), 410, 'expired')
  assertError(await getThumbnail(owner, shareId, fileId), 410, 'expired')
  assert.is((await getThumbnail(owner, shareId, fileId, '?as=owner')).status, 200)
  const other = await service.user('other@example.org')
  assertError(await getThumbnail(other, shareId, fileId, '?as=owner'), 404, 'not_found')
  assertError(await getThumbnail(anonymous, shareId, fileId, '?as=owner'), 401, 'unauthorized')
})

thumbnails('should show any number, count none, and open no lease', async () => {
  const { shareId, fileId } = await pictured({ maxDownloads: 1 })
  const asked = Array.from({ length: 20 }, () => getThumbnail(anonymous, shareId, fileId))
  for (const answer of await Promise.all(asked)) {
    assert.is(answer.status, 200)
    assert.is(answer.headers['set-cookie'], undefined)
  }
  const { sql } = service.database
  const [left] = await sql<{ leases: number; downloads: number; count: number }[]>`
    select (select count(*) from leases) as leases, (select count(*) from downloads) as downloads,
      download_count as count
    from shares
    where id = ${shareId}`
  assert.equal(left, { leases: 0, downloads: 0, count: 0 })
  assert.is((await anonymous.get(`/api/shares/${shareId}/download`)).status, 200)
  // Who sees the list of files sees their thumbnails.
  const later = service.client()
  const list = await later.get(`/api/public/shares/${shareId}`)
  assert.is((await getThumbnail(later, shareId, fileId)).status, list.status)
})

thumbnails('should put how many more there are in place of the sign of a film', () => {
  const film = {
    id: 1,
    entryName: 'a',
    hasThumbnail: true,
    isDamaged: false,
    mimeType: 'video/mp4',
  }
  const first = Array.from({ length: 4 }, () => film as unknown as ListedFileRow)
  const html = renderStrip('id', { first, count: 9, damaged: 0, wholeBytes: 0, wholeIds: null })
  assert.is(html.match(/class="film"/g)?.length, 3)
  assert.match(html, '<span class="more">+6</span>')
})
