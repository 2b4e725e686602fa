// How the end of a transfer is recorded: at the level of Counting, where the test says which bytes
// have left. (The kernel buffers megabytes of a body that is not read.)
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Counting, type TransferRequest } from '../../../src/shares/downloads/counting.ts'
import { randomRowId } from '../../../src/lib/random-id.ts'
import { startAgain } from '../../helpers/restart.ts'
import { codeOf, kib, left, requestOf, totalSize } from './books.ts'
import { downloadCount, startUnlimited } from './scene.ts'

const settling = suite('downloads: settling')

let tokensTaken = 0

const service = await startUnlimited()
const counting: Counting = service.app.services.counting
const owner = await service.admin()
const shareId = await owner.share({ a: 'a' })
settling.after(() => service.stop())

settling.before.each(async () => {
  tokensTaken = 0
  await service.database.sql`delete from leases`
  await service.database.sql`update shares set max_downloads = 1, download_count = 0`
})

const request = (changes: Partial<TransferRequest> = {}) => requestOf(shareId, changes)
const admit = (asked: TransferRequest) => counting.begin(asked, () => (tokensTaken += 1))
interface Case {
  title: string
  targetSize?: number
  firstFileSize?: number
  range?: TransferRequest['range']
  sent: number
  isGivenBack: boolean
}

const cases: Case[] = [
  { title: 'nothing at all', sent: 0, isGivenBack: true },
  { title: 'one byte', sent: 1, isGivenBack: true },
  { title: '64 KiB', sent: 64 * kib, isGivenBack: true },
  { title: 'a byte more than 64 KiB', sent: 64 * kib + 1, isGivenBack: false },
  { title: 'half of 100 KiB', targetSize: 100 * kib, sent: 50 * kib, isGivenBack: true },
  { title: 'more than half', targetSize: 100 * kib, sent: 50 * kib + 1, isGivenBack: false },
  { title: 'all but one byte', sent: totalSize - 1, isGivenBack: false },
  { title: 'everything', sent: totalSize, isGivenBack: false },
  {
    title: '64 KiB of a byte more than that',
    targetSize: 64 * kib + 1,
    sent: 64 * kib,
    isGivenBack: false,
  },
  {
    title: 'the first file of an archive',
    firstFileSize: 10 * kib,
    sent: 10 * kib,
    isGivenBack: false,
  },
  { title: 'less than that file', firstFileSize: 10 * kib, sent: 9 * kib, isGivenBack: true },
  { title: 'all of a small body', targetSize: 100, sent: 100, isGivenBack: false },
  { title: 'all of an empty body', targetSize: 0, sent: 0, isGivenBack: false },
]

for (const { title, targetSize = totalSize, firstFileSize, sent, isGivenBack } of cases) {
  const what = isGivenBack ? 'refund the count' : 'keep the count'
  settling(`should ${what} when ${title} has left`, async () => {
    const asked = request({ targetSize, firstFileSize: firstFileSize ?? targetSize })
    const admission = await admit(asked)
    assert.is(await downloadCount(service, shareId), 1)
    await counting.settle(asked, admission, left(sent))
    assert.is(await downloadCount(service, shareId), isGivenBack ? 0 : 1)
    const next = await codeOf(admit(request({ ip: '192.0.2.2' })))
    assert.is(next, isGivenBack ? 'admitted' : 'download_limit')
  })
}

settling('should let clients take turns', async () => {
  await service.database.sql`update shares set max_downloads = 0`
  const order: string[] = []
  /** The share of a request is read first when its turn comes. */
  const begin = (ip: string) => {
    const asked = request({ ip })
    let hasBegun = false
    return admit({
      ...asked,
      get share() {
        if (!hasBegun) order.push(ip)
        hasBegun = true
        return asked.share
      },
    })
  }
  const flood = Array.from({ length: 20 }, () => begin('192.0.2.1'))
  flood.push(begin('198.51.100.1'))
  await Promise.all(flood)
  assert.ok(order.indexOf('198.51.100.1') <= 5, order.join())
})

settling('should charge the lease for a write that the client cut off', async () => {
  const first = request()
  const admission = await admit(first)
  // It may have read all of the last write but a byte.
  await counting.settle(first, admission, { ...left(100_000), taken: 500_000 })
  const again = request({ leaseToken: admission.newLease })
  await counting.settle(again, await admit(again), { ...left(0), taken: 64 * kib })
  const [row] = await service.database.sql`
    select bytes_used, bytes_sent from leases join downloads on lease_id = leases.id`
  assert.equal(row, { bytesUsed: 500_000 + 64 * kib, bytesSent: 100_000 })
})

settling('should refund the count when the first write is cut off', async () => {
  const first = request()
  const admission = await admit(first)
  await counting.settle(first, admission, { ...left(0), taken: 64 * kib })
  assert.is(await downloadCount(service, shareId), 0)
})

settling('should keep the count when a write that is cut off has the rest', async () => {
  const first = request({ targetSize: 128 * kib })
  const admission = await admit(first)
  await counting.settle(first, admission, { ...left(64 * kib), taken: 128 * kib })
  assert.is(await downloadCount(service, shareId), 1)
})

settling('should keep the count of a range after the first byte', async () => {
  await service.database.sql`update shares set max_downloads = 0`
  const asked = request({
    share: { id: shareId, passwordVersion: 0, linkId: null, maxDownloads: 0, totalSize },
    range: { start: 5, end: totalSize },
  })
  const admission = await admit(asked)
  assert.equal(admission.range, { start: 5, end: totalSize })
  await counting.settle(asked, admission, left(0))
  assert.is(await downloadCount(service, shareId), 1)
})

settling('should count again when a refunded download continues', async () => {
  for (const goesOn of [
    (lease: string | null) => request({ leaseToken: lease }),
    (lease: string | null) =>
      request({ leaseToken: lease, range: { start: 1000, end: totalSize } }),
    () => request({ range: { start: 1000, end: totalSize } }),
  ]) {
    await service.database.sql`delete from leases`
    await service.database.sql`update shares set download_count = 0`
    tokensTaken = 0
    const first = request()
    const admission = await admit(first)
    await counting.settle(first, admission, left(1000))
    const again = goesOn(admission.newLease)
    const second = await admit(again)
    assert.is(await downloadCount(service, shareId), 1)
    assert.is(tokensTaken, 2, 'each count takes a token')
    assert.equal(second.range, again.range)
    await counting.settle(again, second, left(500_000))
    assert.is(await downloadCount(service, shareId), 1)
  }
})

settling('should not continue after its refunded count was taken by another', async () => {
  const first = request()
  const admission = await admit(first)
  await counting.settle(first, admission, left(1000))
  await admit(request({ ip: '192.0.2.2' }))
  const lease = admission.newLease
  for (const again of [
    request({ leaseToken: lease }),
    request({ leaseToken: lease, range: { start: 1000, end: totalSize } }),
    request({ range: { start: 1000, end: totalSize } }),
  ]) {
    assert.is(await codeOf(admit(again)), 'download_limit')
  }
  assert.is(await downloadCount(service, shareId), 1)
})

settling('should refund a count once, even if many of its transfers break', async () => {
  await service.database.sql`update shares set max_downloads = 5, download_count = 2`
  const share = { id: shareId, passwordVersion: 0, linkId: null, maxDownloads: 5, totalSize }
  const first = request({ share })
  const admission = await admit(first)
  const resumed = request({
    share,
    leaseToken: admission.newLease,
    range: { start: 9, end: totalSize },
  })
  const second = await admit(resumed)
  assert.is(await downloadCount(service, shareId), 3)
  // While another transfer of the same download runs it is no preview.
  await counting.settle(first, admission, left(10))
  await counting.settle(resumed, second, left(10))
  assert.ok((await downloadCount(service, shareId)) >= 2)
  const [row] = await service.database.sql<{ running: number; counted: boolean }[]>`
    select running, counted from downloads join leases on leases.id = lease_id`
  assert.is(row!.running, 0)
  assert.is(await downloadCount(service, shareId), row!.counted ? 3 : 2)
})

settling('should count nothing when no token is left', async () => {
  const refuse = () => {
    throw new Error('no token')
  }
  const refused = await counting.begin(request(), refuse).catch((error: Error) => error.message)
  assert.is(refused, 'no token')
  assert.is(await downloadCount(service, shareId), 0)
  assert.equal([...(await service.database.sql`select id from downloads`)], [])
})

settling('should treat transfers of dead processes as broken after a restart', async () => {
  const { clock, database } = service
  const died = new Counting({ clock, database, processId: randomRowId() })
  const admission = await died.begin(request(), () => {})
  const again = request({ leaseToken: admission.newLease })
  assert.is(await countRunning(), 1)
  const restarted = await startAgain(service)
  try {
    assert.is(await countRunning(), 0)
    const free = await restarted.app.services.counting.begin(again, () => {})
    assert.is(free.newLease, null)
    assert.is(await downloadCount(service, shareId), 1)
  } finally {
    await restarted.close()
  }
})

async function countRunning(): Promise<number> {
  const [row] = await service.database.sql<{ count: number }[]>`
    select coalesce(sum(running), 0)::integer as count from downloads`
  return row!.count
}

settling('should leave the transfers of living processes alone', async () => {
  await admit(request())
  const { clock, database } = service
  const other = new Counting({ clock, database, processId: randomRowId() })
  await other.settleDead(async () => true)
  assert.is(await countRunning(), 1)
  await counting.settleDead(async () => false)
  assert.is(await countRunning(), 1, 'its own')
})
