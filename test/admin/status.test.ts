import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { makeLink, okay, type Client } from '../helpers/client.ts'
import { version } from '../../src/lib/package-root.ts'
import { deadEmail } from '../email/dead-email.ts'
import { startService, type Service } from '../helpers/service.ts'

const status = suite('admin: status')
let service: Service
let admin: Client

status.before.each(async () => {
  service = await startService()
  admin = await service.admin()
})
status.after.each(() => service.stop())

const look = async () => (await admin.get('/api/admin/status')).json()

status('should describe a fresh service', async () => {
  const answer = await okay(admin.get('/api/admin/status'))
  const report = answer.json()
  assert.is(report.version, version)
  assert.is(report.uptime_seconds, 0)
  assert.is(report.database.embedded, true)
  assert.ok(report.database.bytes > 1_000_000)
  assert.is(report.database.disk, null)
  assert.ok(report.disk.floor_bytes >= 512 * 1024 * 1024)
  assert.ok(report.disk.total_bytes > report.disk.free_bytes)
  const nothing = { containers: 0, used_bytes: 0, live_bytes: 0, tombstones: 0, check: null }
  assert.equal(report.storage, { ...nothing, stuck: 0, stuck_containers: [] })
  assert.equal(report.verify, { running: false, current: null, last: null })
  assert.equal(report.mail, { queued: 0, dead: 0, held: false })
  assert.is(report.last_backup, null)
  assert.equal(report.clean_ups, [])
  assert.is(report.clock.trusted, true)
  const body = answer.body.toString()
  for (const hidden of [service.storageDir, service.config.dataDir, 'socket']) {
    assert.not.match(body, hidden)
  }
})

status('should count what exists', async () => {
  const user = await service.user('user@example.org')
  await user.share({ b: 'bytes' })
  const expired = await user.share({ a: 'a' })
  await user.init()
  await makeLink(user)
  await service.database.sql`update shares set state = 'expired' where id = ${expired}`
  await service.database.sql`
    insert into tombstones (container_id, created_at) values (gen_random_uuid(), now())`
  for (const isWaiting of [true, true, false]) await deadEmail(service, { isWaiting })
  service.clock.advance(90_500)
  const report = await look()
  assert.equal(report.mail, { queued: 2, dead: 1, held: false })
  assert.is(report.uptime_seconds, 90)
  assert.equal(report.counts, {
    users: 2,
    drafts: 1,
    shares: 1,
    expired_shares: 1,
    reverse_shares: 1,
    running_uploads: 0,
    running_downloads: 0,
  })
  assert.is(report.storage.containers, 3)
  assert.is(report.storage.live_bytes, 6)
  assert.ok(report.storage.used_bytes >= report.storage.live_bytes)
  assert.is(report.storage.tombstones, 1)
})

status('should show the result of every job, and the last clean-ups', async () => {
  const before = await look()
  const names: string[] = before.jobs.map((job: { name: string }) => job.name)
  assert.ok(names.includes('clean up shares') && names.includes('abort withdrawn downloads'))
  for (const job of before.jobs) assert.is(job.last_run_at, null)
  await service.app.jobs.runAll()
  const after = await look()
  const now = new Date(service.clock.now()).toISOString()
  for (const job of after.jobs) {
    assert.equal([job.last_run_at, job.last_error], [now, null], job.name)
  }
  const done: Record<string, string> = Object.fromEntries(
    after.clean_ups.map((cleanUp: { name: string; done_at: string }) => [
      cleanUp.name,
      cleanUp.done_at,
    ]),
  )
  assert.is(done['clean up deliveries'], now)
  assert.is(done['clean up shares'], now)
})

status("should show the state of the database's disk", async () => {
  const folder = service.config.dataDir
  const databaseDisk = { folder, reserveBytes: () => 1_000, freeWhenLow: async () => {} }
  const other = await startService({ databaseDisk })
  const client = await other.admin()
  const { disk, database } = (await client.get('/api/admin/status')).json()
  const { free_bytes: free, total_bytes: total, floor_bytes: floor } = database.disk
  assert.ok(free > 0 && total === disk.total_bytes && floor === disk.floor_bytes)
  assert.is(database.disk.reserve_bytes, 1_000)
  assert.is((await client.get('/readyz')).json().database_disk, true)
})

status('should show that the clock is doubted, and for how long', async () => {
  service.clock.jump(6 * 24 * 60 * 60_000)
  const since = service.clock.now()
  await look()
  service.clock.advance(20 * 60_000)
  assert.equal((await look()).clock, {
    trusted: false,
    ahead_seconds: 6 * 24 * 60 * 60,
    doubted_since: new Date(since).toISOString(),
    waits_until: new Date(since + 60 * 60_000).toISOString(),
  })
})

status('should not be ready while the store hangs', async () => {
  const { root, space } = service.app.storage
  const hangs = () => new Promise<never>(() => {})
  Object.assign(root, { isPresent: hangs })
  Object.assign(space, { require: hangs, describe: hangs })
  const { status: code, headers } = await service.client().get('/readyz')
  assert.equal([code, headers['retry-after']], [503, '5'])
  const { uploads, disk } = await look()
  assert.equal([uploads, disk], ['unavailable', null])
})
