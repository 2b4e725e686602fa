import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import {
  assertError,
  Guest,
  makeLink,
  okay,
  randomContent,
  statusesOf,
  type Client,
} from '../helpers/client.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operator } from '../../src/lib/actor.ts'
import { startService } from '../helpers/service.ts'
import { holdUsage } from '../helpers/locks.ts'

const mebibyte = 1024 * 1024
const limits = suite('reverse shares: limits')
let owner: Client

let people = 0

const service = await startService()
limits.before.each(async () => {
  people += 1
  owner = await service.user(`owner${people}@example.org`)
})

const guestOf = (id: string) => new Guest(service.client(), id)
const setQuota = (userQuota: number) =>
  service.app.services.settings.update(operator, { userQuota })
const hashOf = (data: Buffer) => createHash('sha256').update(data).digest('hex')

async function trueSum(id: string): Promise<number> {
  const [row] = await service.database.sql<{ bytes: number }[]>`
    select coalesce(sum(chunks.length), 0) + (
      select coalesce(sum(files.size), 0)
      from files
      join deliveries on deliveries.container_id = files.container_id
      where deliveries.reverse_share_id = ${id}
    ) as bytes
    from chunks
    join deliveries on deliveries.container_id = chunks.container_id
    where deliveries.reverse_share_id = ${id}`
  return row!.bytes
}

/** One whole upload; true when it was accepted, false when it did not fit. */
async function upload(guest: Guest, parts: readonly Buffer[], name: string): Promise<boolean> {
  for (const [index, part] of parts.entries()) {
    const { status, body } = await guest.chunk('f', index, part)
    if (status === 413) return false
    assert.is(status, 200, body.toString())
  }
  const size = parts.reduce((sum, part) => sum + part.length, 0)
  await okay(guest.finalize([{ fileId: 'f', originalName: name, size }]))
  return true
}

limits('should count discarded chunks and those of others at the same time', async () => {
  const id = await makeLink(owner, { maxSize: mebibyte })
  const guest = await guestOf(id).begun()
  for (const fileId of ['kept', 'discarded']) {
    assert.is((await guest.chunk(fileId, 0, 'x')).status, 200)
  }
  const findParts = () => service.database.sql<{ part: number; userId: number }[]>`
    select get_byte(uuid_send(container_id), 15) % 8 as part, owner_id as user_id
    from deliveries
    join reverse_shares on reverse_shares.id = reverse_share_id
    where reverse_share_id = ${id}
    order by deliveries.created_at`
  const [{ part, userId } = { part: 0, userId: 0 }] = await findParts()
  // Whose bytes are counted in the same row.
  let other: Guest
  do {
    service.clock.advance(1)
    other = guestOf(id)
    assert.is((await other.init()).status, 200)
  } while ((await findParts()).at(-1)!.part !== part)
  const held = await holdUsage(service.database, userId)
  const listed = [{ fileId: 'kept', originalName: 'kept', size: 1 }]
  const finalizing = guest.finalize(listed, { discardUnlisted: true })
  await held.untilWaiting(1)
  const sending = other.chunk('f', 0, 'y')
  await held.untilWaiting(2)
  await held.release()
  assert.equal(statusesOf(await Promise.all([finalizing, sending])), [200, 200])
})

limits('should accept four of twenty uploads where four fit', async () => {
  const bytes = 400_000
  const id = await makeLink(owner, { maxSize: 4 * bytes })
  const guests = Array.from({ length: 20 }, () => guestOf(id))
  await Promise.all(guests.map((guest) => guest.init()))
  const contents = guests.map((_, n) => randomContent(bytes, `guest ${n}`))
  const accepted = await Promise.all(
    guests.map((guest, place) => upload(guest, [contents[place]!], `${place}.bin`)),
  )
  assert.is(accepted.filter(Boolean).length, 4)
  assert.is(await trueSum(id), 4 * bytes)

  const files = (await owner.get(`/api/reverse/${id}/files`)).json()
  assert.is(files.length, 4)
  for (const file of files) {
    const place = Number.parseInt(file.original_name, 10)
    assert.ok(accepted[place])
    const download = await owner.get(`/api/reverse/files/${file.id}/download`)
    assert.is(hashOf(download.body), hashOf(contents[place]!))
  }
})

limits('should accept exactly the limit, and not one byte more', async () => {
  const id = await makeLink(owner, { maxSize: 1000 })
  const guest = await guestOf(id).begun()
  assert.is((await guest.chunk('f', 0, Buffer.alloc(600))).status, 200)
  const other = await guestOf(id).begun()
  const refused = await other.chunk('f', 0, Buffer.alloc(401))
  assert.equal([refused.status, refused.json().code], [413, 'share_too_large'])
  assert.equal([refused.json().limit, refused.json().size], [1000, undefined])
  assert.is((await other.chunk('f', 0, Buffer.alloc(400))).status, 200)
  assert.is((await guest.chunk('f', 1, Buffer.alloc(1))).status, 413)
  // The same chunk again, and a smaller one in its place, need no space.
  assert.is((await other.chunk('f', 0, Buffer.alloc(400))).status, 200)
  assert.is((await other.chunk('f', 0, Buffer.alloc(100))).status, 200)
  assert.is((await guest.chunk('f', 1, Buffer.alloc(300))).status, 200)
})

limits('should free space when a delivery is deleted or the limit raised', async () => {
  const id = await makeLink(owner, { maxSize: 100 })
  await guestOf(id).deliver({ 'a.bin': Buffer.alloc(100) })
  const guest = await guestOf(id).begun()
  assert.is((await guest.chunk('f', 0, 'x')).status, 413)
  await owner.patch(`/api/reverse/${id}`, { maxSize: 101 })
  assert.is((await guest.chunk('f', 0, 'x')).status, 200)
  assert.is((await guest.chunk('f', 1, 'x')).status, 413)
  const deliveries = (await owner.get(`/api/reverse/${id}/deliveries`)).json()
  const first = deliveries.find((delivery: { status: string }) => delivery.status === 'complete')
  await owner.delete(`/api/reverse/${id}/deliveries/${first.id}`)
  assert.is((await guest.chunk('f', 1, 'x')).status, 200)
  await owner.patch(`/api/reverse/${id}`, { maxSize: 0 })
  assert.is((await guest.chunk('f', 2, Buffer.alloc(1000))).status, 200)
})

limits('should bound what a guest sends again by the limit of the link, or the quota', async () => {
  await setQuota(4 * mebibyte)
  for (const input of [{ maxSize: mebibyte }, {}]) {
    const id = await makeLink(owner, input)
    const guest = await guestOf(id).begun()
    let sent = 0
    let refused = await guest.chunk('f', 0, randomContent(mebibyte, 0))
    for (; refused.status === 200; sent += 1) {
      refused = await guest.chunk('f', 0, randomContent(mebibyte, sent + 1))
    }
    assert.equal([refused.status, refused.json().code], [413, 'too_many_rewrites'])
    const limit = input.maxSize ?? 4 * mebibyte
    assert.is(sent, (2 * limit + 8 * mebibyte) / mebibyte)
    // What it has wasted takes nothing from the quota.
    assert.equal((await owner.get('/api/account/usage')).json().used_bytes, mebibyte)
    // Nor from guests of other networks.
    await service.database.sql`update deliveries set network_hash = '\\x00'`
    const other = await guestOf(id).begun()
    await guest.client.delete(`${guest.base}/delivery`)
    assert.is((await other.chunk('f', 0, randomContent(mebibyte, 1))).status, 200)
    await other.client.delete(`${other.base}/delivery`)
  }
  await setQuota(0)
})

limits('should let only running and complete deliveries count for the limit', async () => {
  const id = await makeLink(owner, { maxSize: 1000 })
  const paused = await guestOf(id).begun()
  assert.is((await paused.chunk('f', 0, Buffer.alloc(900))).status, 200)
  const other = await guestOf(id).begun()
  service.clock.advance(59 * 60_000)
  assert.is((await other.chunk('f', 0, Buffer.alloc(900))).status, 413)
  service.clock.advance(2 * 60_000)
  assert.is((await other.chunk('f', 0, Buffer.alloc(900))).status, 200)
  const resumed = await paused.chunk('f', 1, 'x')
  assert.equal([resumed.status, resumed.json().code], [413, 'share_too_large'])
  assert.match(resumed.json().error, /paused/)
  const file = { fileId: 'f', originalName: 'f', size: 900 }
  assert.is((await paused.finalize([file])).json().code, 'share_too_large')
  // Also once the other one is complete, however long ago.
  assert.is((await other.finalize([file])).status, 200)
  service.clock.advance(120 * 60_000)
  assert.is((await paused.finalize([file])).json().code, 'share_too_large')
})

limits('should free the space of a delivery that its guest gives up', async () => {
  const id = await makeLink(owner, { maxSize: 1000 })
  const guest = await guestOf(id).begun()
  await guest.chunk('f', 0, Buffer.alloc(1000))
  const other = await guestOf(id).begun()
  assert.is((await other.chunk('f', 0, 'x')).status, 413)
  assert.is((await guestOf(id).client.delete(`${guest.base}/delivery`)).status, 401)
  assert.equal((await guest.client.delete(`${guest.base}/delivery`)).json(), { success: true })
  assert.is((await guest.client.delete(`${guest.base}/delivery`)).status, 404)
  assert.is((await guest.chunk('f', 0, 'x')).status, 404)
  assert.is((await other.chunk('f', 0, Buffer.alloc(1000))).status, 200)
  await other.finalize([{ fileId: 'f', originalName: 'f', size: 1000 }])
  assertError(await other.client.delete(`${other.base}/delivery`), 409, 'already_complete')
})

limits('should let a delivery end that began before its link expired', async () => {
  const id = await makeLink(owner, { expirationVal: 1, expirationUnit: 'Hours' })
  const guest = await guestOf(id).begun()
  assert.is((await guest.chunk('f', 0, 'a')).status, 200)
  service.clock.advance(2 * 60 * 60_000)
  const pages = async () => {
    const clients = [guest.client, service.client()]
    return Promise.all(clients.map(async (client) => (await client.get(`/r/${id}`)).status))
  }
  assert.is((await guest.show()).status, 410)
  assert.is((await guestOf(id).init()).status, 410)
  assert.equal(await pages(), [200, 410])
  assert.is((await guest.chunk('f', 1, 'b')).status, 200)
  assert.is((await guest.chunks()).status, 200)
  const file = { fileId: 'f', originalName: 'f', size: 2 }
  assert.is((await guest.finalize([file])).status, 200)
  assert.is((await guest.finalize([file])).status, 200)
  assert.equal(await pages(), [410, 410])
  service.clock.advance(24 * 60 * 60_000)
  assert.is((await guest.finalize([file])).status, 410)
})

limits('should count deliveries and shares against one quota', async () => {
  await setQuota(1000)
  await owner.share({ 'a.bin': Buffer.alloc(400) })
  const id = await makeLink(owner)
  const guest = await guestOf(id).begun()
  assert.is((await guest.chunk('f', 0, Buffer.alloc(600))).status, 200)
  const refused = await guest.chunk('f', 1, 'x')
  assert.equal([refused.status, refused.json().code], [413, 'quota_exceeded'])
  assert.equal(Object.keys(refused.json()), ['error', 'code'])
  assert.not.match(refused.json().error, /\d/)
  const draft = await owner.init()
  assert.is((await owner.chunk(draft, 'f', 0, 'x')).json().code, 'quota_exceeded')
  await owner.delete(`/api/reverse/${id}`)
  assert.is((await owner.chunk(draft, 'f', 0, 'x')).status, 200)
  await setQuota(0)
})

limits('should let an address begin 600 deliveries an hour', async () => {
  const limited = await startService({ env: { RATE_LIMIT_UPLOAD: '10000/1h' } })
  const guest = new Guest(limited.client(), await makeLink(await limited.admin()))
  const begin = async () => (await guest.client.post(`${guest.base}/init`, {})).status
  for (let n = 0; n < 600; n += 1) assert.is(await begin(), 200)
  assert.is(await begin(), 429)
  limited.clock.advance(60 * 60_000)
  assert.is(await begin(), 200)
})

limits('should accept twenty long lists per guest in 15 minutes, and short ones', async () => {
  const guest = await guestOf(await makeLink(owner)).begun()
  const send = (text: string) =>
    guest.client.call('POST', `${guest.base}/finalize`, {
      body: gzipSync(text),
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    })
  const item = '{"fileId":"a","fileName":"a","originalName":"a","size":1}'
  const short = `{"files":[${item}]}`
  const long = `{"files":[${`${item}${' '.repeat(90_000)},`.repeat(12)}${item}]}`
  for (let n = 0; n < 20; n += 1) {
    assert.is((await send(short)).status, 400)
    assert.is((await send(long)).status, 400)
  }
  const above = await send(short)
  assert.equal([above.status, above.json().code], [429, 'rate_limited'], above.body.toString())
  assert.ok(Number(above.headers['retry-after']) > 0)
  // Lists that are neither long nor packed are never counted.
  assert.is((await guest.finalize([])).status, 200)
  const share = await owner.init()
  const asOwner = await owner.call('POST', `/api/shares/${share}/finalize`, {
    body: gzipSync('{"files":[]}'),
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  })
  assert.is(asOwner.status, 200)
})
