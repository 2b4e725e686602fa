import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError, Guest, makeLink, pluck, type Answer, type Client } from '../helpers/client.ts'
import { failureOf } from '../helpers/until.ts'
import { assertInvariants, settleService } from '../helpers/invariants.ts'
import { startService } from '../helpers/service.ts'
import { filesOf, getThumbnail, jpegOf } from '../shares/thumbnails/scene.ts'

const thumbnails = suite('reverse shares: thumbnails')
const photo = Buffer.alloc(2000, 1)
const minuteMs = 60_000
let owner: Client
let guest: Guest
let link = ''
let people = 0

const service = await startService()
thumbnails.before.each(async () => {
  people += 1
  owner = await service.user(`owner${people}@example.org`)
  link = await makeLink(owner, { allowSharing: true })
  guest = new Guest(service.client(), link)
})
thumbnails.after(async () => {
  await settleService(service)
  await assertInvariants(service)
})

function put(fileId: string, body: Buffer): Promise<Answer> {
  const headers = { 'content-type': 'image/jpeg' }
  return guest.client.call('PUT', `${guest.base}/thumbnails/${fileId}`, { body, headers })
}

const show = (fileId: number, by: Client) => by.get(`/api/reverse/files/${fileId}/thumbnail`)

async function delivered(): Promise<any> {
  const [delivery] = (await owner.get(`/api/reverse/${link}/deliveries`)).json()
  return delivery
}

thumbnails('should show the owner what the guest has drawn, before and after the end', async () => {
  await guest.init()
  for (const key of ['a', 'b', 'c']) await guest.chunk(key, 0, photo, `${key}.jpg`)
  assert.equal((await put('a', jpegOf('a'))).json(), { success: true })
  // The first one stays.
  assert.is((await put('a', jpegOf('another'))).status, 200)
  assert.equal((await delivered()).files, [])
  await guest.finalize(
    ['a', 'b', 'c'].map((key) => ({ fileId: key, originalName: `${key}.jpg`, size: 2000 })),
  )
  service.clock.advance(59 * minuteMs)
  assert.is((await put('b', jpegOf('b'))).status, 200)
  service.clock.advance(2 * minuteMs)
  assertError(await put('c', jpegOf('c')), 409, 'already_complete')
  const { id, files } = await delivered()
  assert.equal(
    files.map((file: any) => file.thumbnail),
    [true, true, undefined],
  )
  for (const [place, key] of ['a', 'b'].entries()) {
    assert.equal((await show(files[place].id, owner)).body, jpegOf(key))
  }
  assertError(await show(files[2].id, owner), 404, 'not_found')
  assertError(await show(files[0].id, service.client()), 401, 'unauthorized')
  assertError(await show(files[0].id, guest.client), 401, 'unauthorized')
  const other = await service.user(`other${people}@example.org`)
  assertError(await show(files[0].id, other), 404, 'not_found')
  // A share of the delivery has copies.
  const shared = await owner.post(`/api/reverse/${link}/deliveries/${id}/share`, {})
  const { shareId } = shared.json()
  await owner.delete(`/api/reverse/${link}/deliveries/${id}`)
  assertError(await show(files[0].id, owner), 404, 'not_found')
  const copies = await filesOf(service.client(), shareId)
  assert.equal(pluck(copies, 'thumbnail'), [true, true, undefined])
  assert.equal((await getThumbnail(owner, shareId, copies[1]!.id)).body, jpegOf('b'))
})

thumbnails('should not find a file that goes while its thumbnail comes', async () => {
  await guest.init()
  await guest.chunk('gone', 0, photo, 'gone.jpg')
  const { deliveries } = service.app.services
  const proofs = { token: guest.client.token!, deliveryId: null }
  const target = deliveries.thumbnailTarget(await deliveries.findDelivery(link, proofs), 'gone')
  const { sql } = service.database
  assert.equal(await target.place(sql, 1), { fileKey: 'gone' })
  await guest.finalize([], { discardUnlisted: true })
  assert.is((await failureOf(target.place(sql, 1))).code, 'not_found')
})

thumbnails('should take none without its file, from others, or larger than its file', async () => {
  assertError(await put('a', jpegOf('a')), 401, 'unauthorized')
  await guest.init()
  await guest.chunk('tiny', 0, 'x', 'tiny.jpg')
  assertError(await put('a', jpegOf('a')), 404, 'not_found')
  // All that has come of a file counts.
  for (const index of [1, 0]) await guest.chunk('pieces', index, 'x'.repeat(jpegOf('').length - 1))
  assert.is((await put('pieces', jpegOf(''))).status, 200)
  const refused = await put('tiny', jpegOf('tiny'))
  assertError(refused, 413, 'payload_too_large')
  assert.match(refused.json().error, 'larger than what has been received')
  const listed = [{ fileId: 'tiny', originalName: 'tiny.jpg', size: 1 }]
  await guest.finalize(listed, { discardUnlisted: true })
  assertError(await put('tiny', jpegOf('tiny')), 413, 'payload_too_large')
  await owner.delete(`/api/reverse/${link}`)
  assertError(await put('tiny', jpegOf('tiny')), 404, 'not_found')
})
