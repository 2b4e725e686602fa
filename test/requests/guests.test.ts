import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../helpers/until.ts'
import { assertError, Guest, makeLink, multipart, type Client } from '../helpers/client.ts'
import { startService } from '../helpers/service.ts'

const guests = suite('reverse shares: guests')
const hourMs = 60 * 60_000
let owner: Client

let people = 0

const service = await startService()
guests.before.each(async () => {
  people += 1
  owner = await service.user(`owner${people}@example.org`)
})

const guestOf = (id: string) => new Guest(service.client(), id)

guests('should lead from a link to files received by its owner', async () => {
  const thanks = 'Thank you, <b>Ada</b>!'
  const id = await makeLink(owner, { name: 'Photos', maxSize: 1_000_000, thankYouMessage: thanks })
  const guest = guestOf(id)
  assert.equal((await guest.show()).json(), {
    name: 'Photos',
    maxSize: 1_000_000,
    protected: false,
    thankYouMessage: thanks,
    ownerName: `owner${people}@example.org`,
    instructions: '',
    allowedExtensions: [],
    requiredFields: [],
    once: false,
    allowSharing: false,
  })
  const begun = await guest.init({ senderName: 'Ada', senderEmail: 'ada@example.org', note: 'Hi' })
  const { uploadToken, ...rest } = begun.json()
  assert.equal(rest, { success: true, reverseShareId: id })
  assert.is(typeof uploadToken, 'string')

  const content = Buffer.alloc(600_000, 'a file of two chunks, ')
  assert.is((await guest.chunk('f', 1, content.subarray(400_000))).status, 200)
  const list = [{ fileId: 'f', originalName: 'sommer/größe.txt', size: content.length }]
  assertError(await guest.finalize(list), 400, 'incomplete_upload')
  assert.is((await guest.chunk('f', 0, content.subarray(0, 400_000))).status, 200)
  assert.equal((await guest.chunks()).json(), {
    chunks: [{ fileId: 'f', from: 0, to: 1, bytes: content.length }],
  })
  const done = await guest.finalize(list)
  const [{ reference }] = (await owner.get(`/api/reverse/${id}/deliveries`)).json()
  const told = { success: true, thankYouMessage: thanks, reference }
  assert.equal([done.status, done.json()], [200, told])

  const [file] = (await owner.get(`/api/reverse/${id}/files`)).json()
  assert.equal([file.original_name, file.size], ['sommer/größe.txt', content.length])
  assert.ok((await owner.get(`/api/reverse/files/${file.id}/download`)).body.equals(content))
})

guests('should work with cookies alone, also beside the Bearer of an account', async () => {
  const guest = guestOf(await makeLink(owner, { password: 'sesame' }))
  assert.is((await guest.client.post(`${guest.base}/verify`, { password: 'sesame' })).status, 200)
  assert.is((await guest.init()).status, 200)
  guest.client.token = owner.token
  assert.is((await guest.chunk('f', 0, 'abc')).status, 200)
  guest.client.token = null
  const list = [{ fileId: 'f', originalName: 'a.txt', size: 3 }]
  assert.is((await guest.finalize(list)).status, 200)
})

guests('should show little of a locked link and accept nothing', async () => {
  const id = await makeLink(owner, { name: 'N', password: 'sesame', thankYouMessage: 'thanks' })
  const guest = guestOf(id)
  const { name, protected: isProtected, thankYouMessage } = (await guest.show()).json()
  assert.equal([name, isProtected, thankYouMessage], ['N', true, 'thanks'])
  assertError(await guest.init(), 401, 'password_required')
  for (const [password, status, code] of [
    ['wrong', 401, 'wrong_password'],
    [undefined, 400, 'invalid_input'],
    [7, 400, 'invalid_input'],
  ] as const) {
    const answer = await guest.client.post(`${guest.base}/verify`, { password })
    assert.equal([answer.status, answer.json().code], [status, code])
  }
  const { valid, accessToken } = (
    await guest.client.post(`${guest.base}/verify`, { password: 'sesame' })
  ).json()
  assert.is(valid, true)
  const other = guestOf(id)
  other.client.token = accessToken
  assert.is((await other.show()).json().thankYouMessage, 'thanks')
  assert.is((await other.init()).status, 200)
  service.clock.advance(hourMs + 1000)
  const late = guestOf(id)
  late.client.token = accessToken
  assert.is((await late.init()).status, 401)
})

guests('should void unlocks with a new password, but no delivery that has started', async () => {
  const id = await makeLink(owner, { password: 'one' })
  const guest = guestOf(id)
  const started = guestOf(id)
  for (const { client, base } of [guest, started]) {
    assert.is((await client.post(`${base}/verify`, { password: 'one' })).status, 200)
  }
  assert.is((await started.init()).status, 200)
  await owner.patch(`/api/reverse/${id}`, { password: 'two' })
  assert.is((await guest.init()).status, 401)
  assert.is((await started.chunk('f', 0, 'abc')).status, 200)
  await owner.patch(`/api/reverse/${id}`, { password: '' })
  assert.is((await guest.show()).json().protected, false)
  assert.is((await guest.init()).status, 200)
})

guests('should accept chunks only with the token of this delivery', async () => {
  const id = await makeLink(owner)
  const otherId = await makeLink(owner)
  const share = (await owner.post('/api/shares/init', {})).json()
  const guest = guestOf(id)
  const list = [{ fileId: 'f', originalName: 'a.txt', size: 3 }]
  const statuses = async () => [
    (await guest.chunk('f', 0, 'abc')).status,
    (await guest.chunks()).status,
    (await guest.finalize(list)).status,
  ]
  assert.equal(await statuses(), [401, 401, 401])
  for (const token of ['nonsense', owner.token, share.uploadToken]) {
    guest.client.token = token
    assert.equal(await statuses(), [401, 401, 401])
  }
  const elsewhere = await guestOf(otherId).begun()
  guest.client.token = elsewhere.client.token
  assert.equal(await statuses(), [404, 404, 404])
  // The token of a guest opens nothing of the account.
  for (const path of ['/api/reverse', `/api/reverse/${otherId}/files`, '/api/shares']) {
    assert.is((await elsewhere.client.get(path)).status, 401, path)
  }
  assert.is((await elsewhere.client.chunk(share.shareId, 'f', 0, 'x')).status, 401)
})

guests('should answer 410 at every step of an expired link, and keep its files', async () => {
  const id = await makeLink(owner, { expirationVal: 1, expirationUnit: 'Hours' })
  await guestOf(id).deliver({ 'kept.txt': 'kept' })
  const guest = await guestOf(id).begun()
  await guest.chunk('f', 0, 'abc')
  // A delivery that began in time may end within a day: see the limits.
  service.clock.advance(25 * hourMs)
  const list = [{ fileId: 'f', originalName: 'a.txt', size: 3 }]
  const answers = [
    await guest.client.post(`${guest.base}/verify`, { password: 'x' }),
    await guest.chunk('f', 0, 'abc'),
    await guest.chunks(),
    await guest.finalize(list),
  ]
  for (const answer of answers) assert.is(answer.status, 410)
  await service.app.jobs.runAll()
  const [file, ...others] = (await owner.get(`/api/reverse/${id}/files`)).json()
  assert.equal([file.original_name, others], ['kept.txt', []])
  assert.is((await owner.get(`/api/reverse/${id}/download`)).status, 200)
  assert.is((await owner.get('/api/reverse')).json()[0].status, 'expired')
  await owner.patch(`/api/reverse/${id}`, { expirationVal: 1 })
  assert.is((await guest.finalize(list)).status, 200)
})

guests('should refuse a chunk whose link has been over for a day when its body ends', async () => {
  const guest = await guestOf(
    await makeLink(owner, { expirationVal: 1, expirationUnit: 'Hours' }),
  ).begun()
  const fields = { chunkIndex: '0', fileName: 'f', fileId: 'f' }
  const { body, contentType } = multipart(fields, Buffer.alloc(300_000), true)
  let sendRest = () => {}
  const rest = new Promise<void>((resolve) => {
    sendRest = resolve
  })
  async function* slowly(): AsyncGenerator<Buffer> {
    yield body.subarray(0, 200_000)
    await rest
    yield body.subarray(200_000)
  }
  const headers = { 'content-type': contentType }
  const sent = guest.client.call('POST', `${guest.base}/chunk`, { body: slowly(), headers })
  const { budget } = service.app.services.uploads
  await until('the chunk arrives', () => budget.permits > 0)
  service.clock.jump(25 * hourMs)
  sendRest()
  assert.is((await sent).status, 410)
  service.clock.jump(-25 * hourMs)
  const stored = await service.database.sql`select from chunks where length >= 300000`
  assert.is(stored.count, 0)
})

guests('should answer finalize again the same, and refuse another list', async () => {
  const guest = await guestOf(await makeLink(owner, { thankYouMessage: 'Thanks' })).begun()
  await guest.chunk('f', 0, 'abc')
  const list = [{ fileId: 'f', originalName: 'a.txt', size: 3 }]
  const answers = await Promise.all([1, 2, 3].map(() => guest.finalize(list)))
  for (const answer of answers) {
    assert.equal([answer.status, answer.json().thankYouMessage], [200, 'Thanks'])
  }
  const other = await guest.finalize([{ ...list[0]!, originalName: 'b.txt' }])
  assert.equal([other.status, other.json().code], [409, 'already_complete'])
  assert.is((await guest.chunk('g', 0, 'x')).status, 409)
  assert.is((await guest.chunks()).status, 409)
})

guests('should answer 404 for unknown links, and for those of disabled owners', async () => {
  const id = await makeLink(owner)
  const guest = await guestOf(id).begun()
  for (const wrong of [id.slice(0, -1), id + 'x', 'nothing-here', 'a b']) {
    const path = `/api/public/reverse/${encodeURIComponent(wrong)}`
    assert.is((await guest.client.get(path)).status, 404, wrong)
    assert.is((await guest.client.post(`${path}/init`)).status, 404, wrong)
    assert.is((await guest.client.post(`${path}/verify`, { password: '' })).status, 404, wrong)
    assert.is((await guest.client.get(`/r/${encodeURIComponent(wrong)}`)).status, 404, wrong)
  }
  await service.database.sql`
    update users set disabled_at = now() where email = ${`owner${people}@example.org`}`
  assert.is((await guest.show()).status, 404)
  assert.is((await guest.chunk('f', 0, 'abc')).status, 404)
  assert.is((await guest.client.post(`${guest.base}/init`)).status, 404)
})
