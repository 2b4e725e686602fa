import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../helpers/until.ts'
import { dayMs } from '../../src/lib/clock.ts'
import { ending, entry } from '../bytes/archive/tar/blocks.ts'
import { Guest, makeLink, okay, pluck, randomContent, type Client } from '../helpers/client.ts'
import { startAgain } from '../helpers/restart.ts'
import { type Service, startService } from '../helpers/service.ts'
import { SlowReader } from '../helpers/slow-reader.ts'

const traffic = suite('admin: traffic by day')
let service: Service
let admin: Client

traffic.before.each(async () => {
  service = await startService()
  admin = await service.admin()
})
traffic.after.each(() => service.stop())

const overview = async (days: number, client = admin) =>
  (await client.get(`/api/admin/overview?days=${days}`)).json()
const look = async (days: number): Promise<any[]> => (await overview(days)).days
const flush = () => service.app.services.traffic.flush()
const rows = () => service.database.sql<{ day: Date }[]>`select * from traffic_days order by day`
const nameOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

async function download(shareId: string, downloads: number): Promise<void> {
  assert.is((await service.client().get(`/api/shares/${shareId}/download`)).status, 200)
  await until('it is counted', async () => (await look(1))[0]!.downloads === downloads)
}

traffic('should count files in both directions, finished ones, and what is stored', async () => {
  const big = randomContent(700_000)
  const shareId = await admin.share({ big, small: 'small' })
  const [before] = await look(1)
  assert.equal([before!.received_bytes, before!.sent_bytes], [big.length + 5, 0])
  assert.equal([before!.uploads, before!.downloads], [1, 0])
  assert.is(before!.stored_bytes, big.length + 5)
  await download(shareId, 1)
  const [after] = await look(1)
  assert.ok(after!.sent_bytes > big.length && after!.sent_bytes < big.length + 2_000)
  assert.is(after!.received_bytes, before!.received_bytes)
})

traffic('should count guests, archives, and files added later', async () => {
  const guest = new Guest(service.client(), await makeLink(admin))
  await guest.deliver({ a: 'from a guest' })
  const [day] = await look(1)
  assert.equal([day.received_bytes, day.uploads], [12, 1])

  const shareId = await admin.init()
  const tar = Buffer.concat([
    entry({ name: 'small' }, 'tiny'),
    entry({ name: 'large' }, 'x'.repeat(300_000)),
    ending,
  ])
  const headers = { 'content-type': 'application/x-tar' }
  await okay(admin.call('POST', `/api/shares/${shareId}/tar`, { body: tar, headers }))
  assert.is((await look(1))[0]!.received_bytes, 12 + 4 + 300_000)
  const finalize = () => admin.post(`/api/shares/${shareId}/finalize`, { files: 'received' })
  assert.is((await finalize()).status, 200)
  assert.is((await finalize()).status, 200)
  assert.is((await look(1))[0]!.uploads, 2, 'the same list again is the same upload')
})

traffic('should count what was sent of a download that breaks, but not as finished', async () => {
  const shareId = await admin.share({ big: randomContent(24 * 1024 * 1024) })
  const reader = await SlowReader.open(`${service.url}/api/shares/${shareId}/download`)
  await reader.read(100_000)
  reader.abort()
  await until('it has ended', () => service.app.services.downloads.running.count === 0)
  const [day] = await look(1)
  assert.ok(day!.sent_bytes >= 64 * 1024 && day!.sent_bytes < 24 * 1024 * 1024)
  assert.is(day!.downloads, 0)
})

traffic('should begin a new day at midnight in UTC, also between two flushes', async () => {
  const { clock } = service
  clock.jump(dayMs - (clock.now() % dayMs) - 30_000)
  const first = nameOf(clock.now())
  await admin.share({ a: 'one' })
  await flush()
  await admin.share({ a: 'late' })
  clock.advance(60_000)
  await admin.share({ a: 'early' })
  const second = nameOf(clock.now())
  for (const isFlushed of [false, true]) {
    if (isFlushed) await flush()
    const days = await look(2)
    const counts = days.map((day) => [day.day, day.received_bytes, day.uploads])
    assert.equal(counts, [
      [first, 7, 2],
      [second, 5, 1],
    ])
    assert.equal(
      pluck(days, 'stored_bytes'),
      [3, 12],
      'a row that is over keeps what was stored at its last flush',
    )
  }
})

traffic('should fill days without rows: no traffic, and the storage of before', async () => {
  assert.is((await overview(3)).recorded_since, nameOf(service.clock.now()))
  assert.equal(pluck(await look(3), 'stored_bytes'), [null, null, 0])
  await admin.share({ a: 'content' })
  await flush()
  service.clock.advance(3 * dayMs)
  await admin.share({ b: 'more' })
  const days = await look(4)
  assert.equal(pluck(days, 'received_bytes'), [7, 0, 0, 4])
  assert.equal(pluck(days, 'stored_bytes'), [7, 7, 7, 11])
  // The row is older than the period.
  assert.equal(pluck(await look(2), 'stored_bytes'), [7, 11])
})

traffic('should keep the counts of a flush that fails', async () => {
  const { sql } = service.database
  await admin.share({ a: 'first' })
  await sql`alter table traffic_days rename to elsewhere`
  await flush().then(
    () => assert.unreachable(),
    (error: Error) => assert.match(error.message, /traffic_days/),
  )
  await admin.share({ a: 'second' })
  await flush().catch(() => {})
  await sql`alter table elsewhere rename to traffic_days`
  assert.is((await look(1))[0]!.received_bytes, 11)
  await flush()
  await flush()
  const [day] = await look(1)
  assert.equal([day!.received_bytes, day!.uploads], [11, 2])
})

traffic('should keep days for 400 days, while the clock can be trusted', async () => {
  await flush()
  service.clock.jump(400 * dayMs)
  await service.app.jobs.runAll()
  assert.is((await rows()).length, 2, 'a doubted clock removes nothing')
  await service.app.services.clockTrust.confirmIsRight()
  await service.app.jobs.runAll()
  const { days } = await overview(400, await service.admin())
  assert.is(days.length, 400)
  assert.is((await rows()).length, 1)
})

traffic('should hold few days in memory while the database does not answer', async () => {
  const { traffic: counts } = service.app.services
  for (let day = 0; day < 100; day++) {
    counts.count('receivedBytes', 1)
    service.clock.advance(dayMs)
  }
  await flush()
  assert.is((await rows()).length, 32)
})

traffic('should keep counts over a clean stop, and go on after it', async () => {
  const own = await startAgain(service)
  await own.close()
  assert.is((await rows()).length, 0, 'nothing was counted')

  const second = await startAgain(service)
  second.app.services.traffic.count('receivedBytes', 1_000)
  await second.close()
  assert.is((await rows()).length, 1)
  await admin.share({ a: 'here' })
  assert.is((await look(1))[0]!.received_bytes, 1_004)
})

traffic('should go on noting what is stored while the clock is set back', async () => {
  const { clock, app } = service
  await flush()
  clock.jump(-dayMs)
  clock.advance(60_000)
  await app.services.traffic.flushIfDue()
  const [first] = await rows()
  assert.is(nameOf(first!.day.getTime()), nameOf(clock.now()))
})
