import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../helpers/until.ts'
import { assertError, Guest, makeLink, randomContent, type Client } from '../helpers/client.ts'
import { type Service, startService } from '../helpers/service.ts'
import { SlowReader } from '../helpers/slow-reader.ts'

const overview = suite('admin: overview')
const path = '/api/admin/overview'
let service: Service
let admin: Client
let ann: Client

overview.before.each(async () => {
  service = await startService()
  admin = await service.admin()
  ann = await service.user('ann@example.org')
})
overview.after.each(() => service.stop())

const look = async () => (await admin.get(path)).json()

overview('should describe a new service, and refuse other periods', async () => {
  const report = await look()
  assert.is(report.days.length, 30)
  assert.equal(report.accounts, [])
  assert.is(report.open_reverse_shares, 0)
  assert.equal(report.running, { uploads: [], downloads: [] })
  for (const days of ['0', '401', '1.5']) {
    assertError(await admin.get(`${path}?days=${days}`), 400, 'invalid_input')
  }
})

overview('should list the ten accounts that use most, and none that use nothing', async () => {
  for (let place = 0; place < 11; place++) {
    const user = await service.user(`user${place}@example.org`)
    await user.share({ a: 'x'.repeat(1_000 * (place + 1)) })
  }
  await new Guest(service.client(), await makeLink(ann)).deliver({ a: 'x'.repeat(50_000) })
  const { accounts } = await look()
  assert.is(accounts.length, 10)
  const [first, second, last] = [accounts[0], accounts[1], accounts.at(-1)]
  assert.equal([first.email, first.used_bytes, first.quota], ['ann@example.org', 50_000, null])
  assert.equal([second.email, second.used_bytes], ['user10@example.org', 11_000])
  assert.is(last.email, 'user2@example.org')
})

overview('should count reverse shares that are open', async () => {
  await makeLink(ann)
  const expired = await makeLink(ann)
  const closed = await makeLink(ann, { once: true })
  await service.database.sql`
    update reverse_shares
    set expires_at = ${new Date(service.clock.now())}
    where id = ${expired}`
  await new Guest(service.client(), closed).deliver({ a: 'a' })
  assert.is((await look()).open_reverse_shares, 1)
  const { id } = (await ann.get('/api/account')).json()
  await admin.put(`/api/users/${id}`, { disabled: true })
  assert.is((await look()).open_reverse_shares, 0)
})

overview('should list uploads that receive bytes, without names of files', async () => {
  const { id } = (await ann.get('/api/account')).json()
  const owner = { id, email: 'ann@example.org' }
  const at = new Date(service.clock.now()).toISOString()
  const draft = await ann.init({ name: 'Holiday' })
  await ann.init({ name: 'without a chunk' })
  const whole = await ann.init({ name: 'All has come' })
  await ann.patch(`/api/shares/${whole}`, { expectedBytes: 1 })
  await ann.chunk(whole, 'a', 0, 'a')
  await ann.patch(`/api/shares/${draft}`, { expectedBytes: 5_000 })
  await ann.chunk(draft, 'secret.txt', 0, 'x'.repeat(2_000))
  const share = await ann.share({ a: 'a'.repeat(300) }, { name: 'Grown' })
  await ann.post(`/api/shares/${share}/additions`)
  await ann.chunk(share, 'b', 0, 'bb')
  const guest = await new Guest(service.client(), await makeLink(ann, { name: 'Private' })).begun()
  await guest.chunk('secret.txt', 0, 'ccc')
  const answer = await admin.get(path)
  const { uploads } = answer.json().running
  const byBytes = uploads.toSorted(
    (one: any, other: any) => other.received_bytes - one.received_bytes,
  )
  const common = { owner, last_received_at: at }
  assert.equal(byBytes, [
    {
      share: { id: draft, name: 'Holiday' },
      received_bytes: 2_000,
      expected_bytes: 5_000,
      ...common,
    },
    { share: null, received_bytes: 3, expected_bytes: null, ...common },
    { share: { id: share, name: 'Grown' }, received_bytes: 2, expected_bytes: null, ...common },
  ])
  assert.not.match(answer.body.toString(), /secret|Private/)
  service.clock.advance(5 * 60_000)
  assert.equal((await look()).running.uploads, [])
})

overview('should list running downloads with progress, and no name of a request', async () => {
  const big = randomContent(24 * 1024 * 1024)
  const shareId = await ann.share({ big })
  const address = `${service.url}/api/shares/${shareId}/download`
  const readers = [await SlowReader.open(address), await SlowReader.open(address)]
  const reverseId = await makeLink(ann, { name: 'Private' })
  await new Guest(service.client(), reverseId).deliver({ big })
  const headers = { authorization: `Bearer ${ann.token}` }
  const received = `${service.url}/api/reverse/${reverseId}/download`
  readers.push(await SlowReader.open(received, headers))
  for (const reader of readers) await reader.read(1)
  const answer = await admin.get(path)
  assert.not.match(answer.body.toString(), /Private/)
  const { downloads } = answer.json().running
  assert.is(downloads.length, 2)
  const { counts } = (await admin.get('/api/admin/status')).json()
  assert.is(counts.running_downloads, 3)
  const nameless = downloads.find(({ share }: any) => share === null)
  assert.equal([nameless.owner.email, nameless.transfers], ['ann@example.org', 1])
  const download = downloads.find(({ share }: any) => share !== null)
  assert.equal(download.share, { id: shareId, name: 'big' })
  assert.is(download.owner.email, 'ann@example.org')
  assert.is(download.transfers, 2)
  assert.ok(download.total_bytes > 2 * big.length)
  assert.ok(download.sent_bytes > 0 && download.sent_bytes < download.total_bytes)
  for (const reader of readers) reader.abort()
  await until('nothing runs', async () => (await look()).running.downloads.length === 0)
})
