import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Gate, until } from '../helpers/until.ts'
import { Guest, makeLink } from '../helpers/client.ts'
import { countLockWaits } from '../helpers/locks.ts'
import { startService } from '../helpers/service.ts'
import { unpackTexts } from '../shares/additions/scene.ts'

const downloads = suite('reverse shares: downloads')

const service = await startService({ env: { RATE_LIMIT_DOWNLOAD: '3/1h' } })
const owner = await service.user('owner@example.org')

const guestOf = (id: string) => new Guest(service.client(), id)

const today = () => new Date(service.clock.now()).toISOString().slice(0, 10)

downloads('should pack every delivery into a separate folder', async () => {
  const id = await makeLink(owner, { name: 'Photos' })
  const content = 'x'.repeat(400_000)
  for (const [senderName, files] of [
    ['Ada', { 'a.txt': 'one', 'b/c.bin': content }],
    ['Ada', { 'a.txt': 'two' }],
    ['../..\\evil/\u0001', { 'a.txt': 'three' }],
    ['', { 'a.txt': '' }],
  ] as const) {
    await guestOf(id).deliver(files, { senderName })
    service.clock.advance(1000)
  }
  const draft = await guestOf(id).begun({ senderName: 'Unfinished' })
  await draft.chunk('f', 0, 'not in it')

  const answer = await owner.get(`/api/reverse/${id}/download`)
  assert.equal(unpackTexts(answer.body), {
    [`${today()} Ada/a.txt`]: 'one',
    [`${today()} Ada/b/c.bin`]: content,
    [`${today()} Ada (1)/a.txt`]: 'two',
    [`${today()} .._.._evil__/a.txt`]: 'three',
    [`${today()} guest/a.txt`]: '',
  })
  assert.is(Number(answer.headers['content-length']), answer.body.length)
  assert.match(String(answer.headers['content-disposition']), /^attachment; filename="Photos\.zip"/)
})

downloads('should pack one delivery with the names of its guest', async () => {
  const id = await makeLink(owner, { name: 'Photos' })
  await guestOf(id).deliver({ 'a.txt': 'one', 'b/c.txt': 'two' }, { senderName: 'Ada' })
  const [delivery] = (await owner.get(`/api/reverse/${id}/deliveries`)).json()
  const answer = await owner.get(`/api/reverse/${id}/download?delivery=${delivery.id}`)
  assert.equal(unpackTexts(answer.body), { 'a.txt': 'one', 'b/c.txt': 'two' })
  assert.match(String(answer.headers['content-disposition']), /filename="Photos - Ada\.zip"/)
})

downloads('should answer an empty archive before any delivery, and 404 for a draft', async () => {
  const id = await makeLink(owner)
  const path = `/api/reverse/${id}/download`
  assert.is((await owner.get(path)).body.length, 22)
  const guest = await guestOf(id).begun()
  await guest.chunk('f', 0, 'x')
  const [draft] = (await owner.get(`/api/reverse/${id}/deliveries`)).json()
  assert.is((await owner.get(path)).body.length, 22)
  assert.is((await owner.get(`${path}?delivery=${draft.id}`)).status, 404)
  const unknown = '00000000-0000-4000-8000-000000000000'
  assert.is((await owner.get(`${path}?delivery=${unknown}`)).status, 404)
  assert.is((await owner.get(`${path}?delivery=x`)).status, 400)
})

for (const [what, status] of [
  ['all deliveries', 503],
  ['one delivery', 404],
] as const) {
  downloads(`should pack no part of a delivery deleted meanwhile, in ${what}`, async () => {
    const id = await makeLink(owner)
    await guestOf(id).deliver({ 'a.txt': 'a', 'b.txt': 'b' })
    service.clock.advance(1000)
    await guestOf(id).deliver({ 'c.txt': 'c' })
    await service.app.services.manifests.idle()
    const [first] = await service.database.sql<{ id: string; containerId: string }[]>`
      select id, container_id from deliveries where reverse_share_id = ${id}
      order by created_at, id limit 1`
    const released = new Gate()
    const held = new Gate()
    const holding = service.database.begin(async (sql) => {
      await sql`lock table files in access exclusive mode`
      held.open()
      await released.passed
      await sql`delete from deliveries where id = ${first!.id}`
      const file = sql`
        select id from files where container_id = ${first!.containerId} order by id limit 1`
      await sql`delete from extents where file_id in (${file})`
      await sql`delete from files where id in (${file})`
    })
    await held.passed
    const query = status === 404 ? `?delivery=${first!.id}` : ''
    const asking = owner.get(`/api/reverse/${id}/download${query}`)
    await until('it waits', async () => (await countLockWaits(service.database)) > 0)
    released.open()
    await holding
    const answer = await asking
    const found = answer.status === 200 ? Object.keys(unpackTexts(answer.body)) : answer.status
    assert.equal(found, status)
  })
}

downloads('should keep the folders of earlier deliveries, and change the ETag', async () => {
  const id = await makeLink(owner)
  await guestOf(id).deliver({ 'a.txt': 'first' }, { senderName: 'Zoe' })
  const before = await owner.get(`/api/reverse/${id}/download`)
  service.clock.advance(1000)
  await guestOf(id).deliver({ 'a.txt': 'second' }, { senderName: 'Ada' })
  const after = await owner.get(`/api/reverse/${id}/download`)
  assert.is.not(before.headers['etag'], after.headers['etag'])
  const first = 30 + Buffer.byteLength(`${today()} Zoe/a.txt`)
  assert.ok(after.body.subarray(0, first).equals(before.body.subarray(0, first)))
})
