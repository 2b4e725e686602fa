import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Guest, makeLink, pluck, type Client } from '../helpers/client.ts'
import { type Service, startService } from '../helpers/service.ts'
import { containersOnDisk } from '../helpers/invariants.ts'

const owners = suite('reverse shares: owners')
const dayMs = 24 * 60 * 60_000
let service: Service
let owner: Client
let other: Client

owners.before.each(async () => {
  service = await startService()
  owner = await service.user('owner@example.org')
  other = await service.user('other@example.org')
})
owners.after.each(() => service.stop())

const guestOf = (id: string) => new Guest(service.client(), id)

async function rowsLeft(): Promise<number> {
  const [row] = await service.database.sql<{ count: number }[]>`
    select (select count(*) from reverse_shares) + (select count(*) from deliveries)
      + (select count(*) from containers) + (select count(*) from tombstones)
      + (select count(*) from files) + (select count(*) from chunks) as count`
  return row!.count
}

owners('should create links and list them newest first, without secrets', async () => {
  assert.equal((await owner.get('/api/reverse')).json(), [])
  const { success, url, id } = (await owner.post('/api/reverse')).json()
  assert.equal([success, url], [true, `http://transfer.test/r/${id}`])
  service.clock.advance(1000)
  const second = await makeLink(owner, {
    name: 'Second',
    maxSize: 5,
    expirationVal: 0,
    password: 'very secret',
    notify: true,
    sendEmailTo: 'guest@example.org',
    thankYouMessage: 'Thanks',
  })
  const answer = await owner.get('/api/reverse')
  const [newest, oldest] = answer.json()
  const createdAt = new Date(service.clock.now()).toISOString()
  assert.equal(newest, {
    id: second,
    slug: '',
    name: 'Second',
    status: 'open',
    max_size: 5,
    created_at: createdAt,
    expires_at: null,
    protected: true,
    notify_email: true,
    thank_you_message: 'Thanks',
    url: `http://transfer.test/r/${second}`,
    delivery_count: 0,
    file_count: 0,
    total_size: 0,
    instructions: '',
    allowed_extensions: [],
    requiredFields: [],
    once: false,
    closed_at: null,
    new_delivery_count: 0,
    allowSharing: false,
  })
  const sevenDays = new Date(service.clock.now() - 1000 + 7 * dayMs).toISOString()
  assert.equal([oldest.id, oldest.expires_at, oldest.notify_email], [id, sevenDays, false])
  assert.not.match(answer.body.toString(), /secret|argon2|guest@/)
})

owners('should change the given fields and leave the rest', async () => {
  const id = await makeLink(owner, { name: 'Old', password: 'p', thankYouMessage: 'T', maxSize: 9 })
  const change = (json: object) => owner.patch(`/api/reverse/${id}`, json)
  const shown = async () => (await owner.get('/api/reverse')).json()[0]
  const before = await shown()
  for (const json of [{}, { name: null, password: null }, { expirationUnit: 'Hours' }]) {
    assert.equal((await change(json)).json(), { success: true })
    assert.equal(await shown(), before)
  }
  service.clock.advance(1000)
  await change({ name: 'New', notify: true, expirationVal: 1, expirationUnit: 'Days' })
  const expiresAt = new Date(service.clock.now() + dayMs).toISOString()
  assert.equal(await shown(), {
    ...before,
    name: 'New',
    notify_email: true,
    expires_at: expiresAt,
  })
  await change({ password: '', maxSize: 0, expirationVal: 0 })
  const last = await shown()
  assert.equal([last.protected, last.max_size, last.expires_at], [false, 0, null])
})

owners('should list each delivery with its sender, drafts once bytes were received', async () => {
  const id = await makeLink(owner)
  const sender = { senderName: ' Ada ', senderEmail: 'ada@example.org', note: '<i>Hi</i>' }
  await guestOf(id).deliver({ 'a.txt': 'aaa', 'b/c.txt': 'cc' }, sender)
  service.clock.advance(1000)
  await guestOf(id).init()
  const guest = await guestOf(id).begun({ senderName: 'Bob', senderEmail: '' })
  await guest.chunk('f', 0, 'half of it')
  const [draft, complete, ...none] = (await owner.get(`/api/reverse/${id}/deliveries`)).json()
  assert.equal(none, [])
  assert.equal(
    [draft.status, draft.sender_name, draft.finalized_at, draft.files, draft.total_size],
    ['draft', 'Bob', null, [], 10],
  )
  const { files, ...rest } = complete
  assert.equal(
    [rest.status, rest.sender_name, rest.sender_email, rest.note, rest.total_size],
    ['complete', 'Ada', 'ada@example.org', '<i>Hi</i>', 5],
  )
  assert.equal(pluck<any, string>(files, 'original_name'), ['a.txt', 'b/c.txt'])
  assert.equal((await owner.get(`/api/reverse/${id}/files`)).json(), files)
  const [listed] = (await owner.get('/api/reverse')).json()
  assert.equal([listed.delivery_count, listed.file_count, listed.total_size], [1, 2, 5])
})

owners('should delete one delivery with its bytes, and leave the others', async () => {
  const id = await makeLink(owner)
  await guestOf(id).deliver({ 'a.txt': 'a' })
  await guestOf(id).deliver({ 'b.txt': 'b' })
  const draft = await guestOf(id).begun()
  await draft.chunk('f', 0, 'x')
  assert.is(containersOnDisk(service), 3)
  const deliveries = (await owner.get(`/api/reverse/${id}/deliveries`)).json()
  const unwanted = deliveries.filter(
    (delivery: { status: string; files: { original_name: string }[] }) =>
      delivery.status === 'draft' || delivery.files[0]!.original_name === 'a.txt',
  )
  for (const delivery of unwanted) {
    const route = `/api/reverse/${id}/deliveries/${delivery.id}`
    assert.equal((await owner.delete(route)).json(), { success: true })
    assert.is((await owner.delete(route)).status, 404)
  }
  assert.is(containersOnDisk(service), 1)
  assert.is((await draft.chunk('f', 1, 'x')).status, 404)
  const [left, ...none] = (await owner.get(`/api/reverse/${id}/files`)).json()
  assert.equal([left.original_name, none], ['b.txt', []])
})

owners('should delete a link with everything, while guests upload', async () => {
  const id = await makeLink(owner)
  const guests = Array.from({ length: 8 }, () => guestOf(id))
  await Promise.all(guests.map((guest) => guest.init()))
  await guests[0]!.chunk('f', 0, 'x')
  const uploads = guests.map((guest) => guest.chunk('f', 1, Buffer.alloc(300_000)))
  const begins = guests.map(() => guestOf(id).init())
  assert.equal((await owner.delete(`/api/reverse/${id}`)).json(), { success: true })
  for (const answer of await Promise.all([...uploads, ...begins])) {
    assert.ok([200, 404].includes(answer.status), answer.body.toString())
  }
  assert.is((await guests[0]!.show()).status, 404)
  assert.is((await guests[0]!.chunk('f', 0, 'x')).status, 404)
  assert.is((await owner.delete(`/api/reverse/${id}`)).status, 404)
  await service.app.jobs.runAll()
  assert.equal([containersOnDisk(service), await rowsLeft()], [0, 0])
})

owners('should delete an account with what it owns, or hand that over', async () => {
  const admin = await service.admin()
  const idOf = async (email: string) =>
    (await admin.get('/api/users')).json().find((user: { email: string }) => user.email === email)
      .id
  const kept = await makeLink(owner, { name: 'Kept' })
  await guestOf(kept).deliver({ 'a.txt': 'kept' })
  const shareId = await owner.share({ 'b.txt': 'kept' }, { name: 'Kept too' })
  const ownerId = await idOf('owner@example.org')
  const otherId = await idOf('other@example.org')
  for (const [heir, status] of [
    [ownerId, 400],
    [999_999, 400],
    [otherId, 200],
  ] as const) {
    assert.is((await admin.delete(`/api/users/${ownerId}?transferTo=${heir}`)).status, status)
  }
  const [share] = (await other.get('/api/shares')).json()
  assert.equal([share.id, share.name], [shareId, 'Kept too'])
  assert.is((await service.client().get(`/api/shares/${shareId}/download`)).status, 200)
  const [link] = (await other.get('/api/reverse')).json()
  assert.equal([link.id, link.name], [kept, 'Kept'])
  const [file] = (await other.get(`/api/reverse/${kept}/files`)).json()
  assert.is((await other.get(`/api/reverse/files/${file.id}/download`)).body.toString(), 'kept')
  assert.is((await admin.delete(`/api/users/${otherId}`)).status, 200)
  assert.is((await guestOf(kept).show()).status, 404)
  assert.equal([containersOnDisk(service), await rowsLeft()], [0, 0])
})

owners('should clean up only abandoned deliveries', async () => {
  const id = await makeLink(owner, { expirationVal: 0 })
  await guestOf(id).deliver({ 'a.txt': 'kept' })
  const empty = await guestOf(id).begun()
  const started = await guestOf(id).begun()
  await started.chunk('f', 0, 'x')
  const now = () => new Date(service.clock.now())
  await service.database.sql`update chunks set created_at = ${now()}`
  const run = async (ms: number) => {
    service.clock.advance(ms)
    await service.app.jobs.runAll()
  }
  await run(dayMs - 1000)
  assert.is((await empty.chunks()).status, 200)
  await run(2000)
  assert.equal([(await empty.chunks()).status, (await started.chunks()).status], [404, 200])
  await run(6 * dayMs)
  assert.is((await started.chunks()).status, 404)
  assert.is(containersOnDisk(service), 1)
  assert.is((await service.database.sql`select from deliveries`).count, 1)
})
