// Thumbnails that recipients and owners see: who may, with which headers, and uncounted.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Client } from '../../helpers/client.ts'
import { startService, type Service } from '../../helpers/service.ts'
import { assertError } from '../../contract/shapes.ts'
import { addThumbnails, filesOf, getThumbnail, jpegOf } from './scene.ts'

const showing = suite('thumbnails: showing')
let service: Service
let owner: Client
let other: Client
let anonymous: Client

showing.before.each(async () => {
  service = await startService({ env: { RATE_LIMIT_DOWNLOAD: '1/1h' } })
  owner = await service.user('owner@example.org')
  other = await service.user('other@example.org')
  anonymous = service.client()
})
showing.after.each(() => service.stop())

const hour = { expirationVal: 1, expirationUnit: 'Hours' } as const

/** A share with a thumbnail of its one file. */
async function pictured(
  input: Record<string, unknown> = {},
): Promise<{ shareId: string; fileId: number }> {
  const shareId = await owner.share({ 'a.jpg': 'a' }, input)
  await addThumbnails(owner, shareId, { 0: jpegOf('picture') })
  const { files } = (await owner.get(`/api/shares/${shareId}`)).json()
  return { shareId, fileId: files[0].id }
}

showing('should send an image that runs nothing, and 304 while it is unchanged', async () => {
  const { shareId, fileId } = await pictured()
  const answer = await getThumbnail(anonymous, shareId, fileId)
  assert.is(answer.status, 200)
  assert.equal(answer.body, jpegOf('picture'))
  const { headers } = answer
  assert.is(headers['content-type'], 'image/jpeg')
  assert.is(headers['x-content-type-options'], 'nosniff')
  const policy = "sandbox; default-src 'none'; frame-ancestors 'none'"
  assert.is(headers['content-security-policy'], policy)
  assert.is(headers['cross-origin-resource-policy'], 'same-origin')
  assert.is(headers['cache-control'], 'private, no-cache')
  const etag = String(headers['etag'])
  const again = () => getThumbnail(anonymous, shareId, fileId, '', { 'if-none-match': etag })
  const unchanged = await again()
  assert.equal([unchanged.status, unchanged.body.length], [304, 0])
  assert.is(unchanged.headers['cache-control'], 'private, no-cache')
  await addThumbnails(owner, shareId, { 0: jpegOf('another') })
  assert.equal((await again()).body, jpegOf('another'))
  const head = await anonymous.call('HEAD', `/api/shares/${shareId}/files/${fileId}/thumbnail`)
  assert.equal([head.status, head.body.length], [200, 0])
})

showing('should show it for a slug, and under no other share', async () => {
  const { shareId, fileId } = await pictured()
  await owner.call('PATCH', `/api/shares/${shareId}`, { json: { slug: 'holiday' } })
  assert.is((await getThumbnail(anonymous, 'holiday', fileId)).status, 200)
  const second = await pictured()
  assertError(await getThumbnail(anonymous, second.shareId, fileId), 404, 'not_found')
  assertError(await getThumbnail(owner, second.shareId, fileId, '?as=owner'), 404, 'not_found')
  assertError(await getThumbnail(anonymous, 'unknown', fileId), 404, 'not_found')
})

showing('should show it only to those who have unlocked the share', async () => {
  const { shareId, fileId } = await pictured({ password: 'pw' })
  const open = await pictured({ password: 'other' })
  assertError(await getThumbnail(anonymous, shareId, fileId), 401, 'password_required')
  await anonymous.post(`/api/shares/${open.shareId}/verify`, { password: 'other' })
  assertError(await getThumbnail(anonymous, shareId, fileId), 401, 'password_required')
  await anonymous.post(`/api/shares/${shareId}/verify`, { password: 'pw' })
  const shown = await getThumbnail(anonymous, shareId, fileId)
  assert.is(shown.status, 200)
  const etag = { 'if-none-match': String(shown.headers['etag']) }
  await owner.call('PATCH', `/api/shares/${shareId}`, { json: { password: 'new' } })
  // Not even that it is unchanged.
  const locked = await getThumbnail(anonymous, shareId, fileId, '', etag)
  assertError(locked, 401, 'password_required')
  assert.is(locked.headers['etag'], undefined)
})

showing('should show it to the owner after expiry while the files exist', async () => {
  const { shareId, fileId } = await pictured(hour)
  service.clock.jump(2 * 3_600_000)
  assertError(await getThumbnail(anonymous, shareId, fileId), 410, 'expired')
  assertError(await getThumbnail(owner, shareId, fileId), 410, 'expired')
  assert.is((await getThumbnail(owner, shareId, fileId, '?as=owner')).status, 200)
  assertError(await getThumbnail(other, shareId, fileId, '?as=owner'), 404, 'not_found')
  assertError(await getThumbnail(anonymous, shareId, fileId, '?as=owner'), 401, 'unauthorized')
})

showing('should let browsers ask again, and say no once the share is deleted', async () => {
  const { shareId, fileId } = await pictured()
  const shown = await getThumbnail(anonymous, shareId, fileId)
  assert.is(shown.headers['cache-control'], 'private, no-cache')
  const etag = { 'if-none-match': String(shown.headers['etag']) }
  assert.is((await getThumbnail(anonymous, shareId, fileId, '', etag)).status, 304)
  assert.is((await getThumbnail(owner, shareId, fileId, '?as=owner', etag)).status, 304)
  await owner.delete(`/api/shares/${shareId}`)
  assertError(await getThumbnail(anonymous, shareId, fileId, '', etag), 404, 'not_found')
  assertError(await getThumbnail(owner, shareId, fileId, '?as=owner', etag), 404, 'not_found')
})

showing('should show 200 at once, count none, and open no lease', async () => {
  const { shareId, fileId } = await pictured({ maxDownloads: 1 })
  const asked = Array.from({ length: 200 }, () => getThumbnail(anonymous, shareId, fileId))
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

showing('should show none of a file that is only being added', async () => {
  const { shareId } = await pictured()
  await owner.post(`/api/shares/${shareId}/additions`)
  await owner.chunk(shareId, 'new', 0, 'x')
  const files = await filesOf(anonymous, shareId)
  assert.is(files.length, 1)
  assertError(await getThumbnail(anonymous, shareId, files[0]!.id + 1), 404, 'not_found')
})
