// How the end of a transfer is recorded: at the level of Counting, where the test says which bytes
// have left. (The kernel buffers megabytes of a body that is not read.)
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { GrantedTransfer, TransferEnd } from '../../../src/bytes/send/transfer.ts'
import { boundsOf } from '../../../src/http/conditional-and-range.ts'
import { useLease } from '../../../src/shares/downloads/counting-sql.ts'
import { Counting, type TransferRequest } from '../../../src/shares/downloads/counting.ts'
import { CodedError } from '../../../src/lib/errors.ts'
import { randomRowId, randomToken } from '../../../src/lib/random-id.ts'
import { countLockWaits } from '../../helpers/locks.ts'
import { head, RawConnection } from '../../helpers/raw-connection.ts'
import { startAgain } from '../../helpers/restart.ts'
import { Gate, until } from '../../helpers/until.ts'
import { downloadCount, fileIds, startUnlimited } from '../../bytes/send/scene.ts'

const settling = suite('downloads: settling')

const kib = 1024
const totalSize = 10 * 1024 * kib

/** A request for a share with one download, unless the changes say otherwise. */
function request(changes: Partial<TransferRequest> = {}): TransferRequest {
  return {
    share: { id: shareId, passwordVersion: 0, linkId: null, maxDownloads: 1, totalSize },
    target: 'archive',
    targetSize: totalSize,
    firstFileSize: changes.targetSize ?? totalSize,
    range: 'whole',
    etag: '"v1"',
    leaseToken: null,
    newLeaseToken: randomToken(),
    ip: '192.0.2.1',
    userAgent: '',
    ...changes,
  }
}

/** The client disconnected after so many bytes. */
const left = (covered: number): Omit<TransferEnd, 'isFinished'> => ({
  covered,
  taken: covered,
  sent: covered,
  isAbortedByService: false,
})

/** The service could not send the rest. */
const cut = (covered: number): Omit<TransferEnd, 'isFinished'> => ({
  ...left(covered),
  isAbortedByService: true,
})

/** As `Transfer` does it. */
function settle(
  asked: TransferRequest,
  granted: GrantedTransfer,
  ended: Omit<TransferEnd, 'isFinished'>,
): Promise<void> {
  const { start, end } = boundsOf(granted.range, asked.targetSize)
  const isFinished = start + ended.covered === end && end === asked.targetSize
  return counting.settle(asked, granted, { ...ended, isFinished })
}

/** The outcome of a request: 'admitted', or the code of the error. */
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'admitted',
    (error: { code: string }) => error.code,
  )

let tokensTaken = 0

const service = await startUnlimited()
const counting: Counting = service.app.services.counting
const owner = await service.admin()
const shareId = await owner.share({ a: 'a' })

settling.before.each(async () => {
  tokensTaken = 0
  await service.database.sql`delete from leases`
  await service.database.sql`update shares set max_downloads = 1, download_count = 0`
})

const admit = (asked: TransferRequest) => counting.begin(asked, () => (tokensTaken += 1))
const settled = async (asked: TransferRequest, ended: Omit<TransferEnd, 'isFinished'>) => {
  const admission = await admit(asked)
  await settle(asked, admission, ended)
  return admission
}

/** What has left of a body, or `[left, taken]` where the client cut a write off. */
const cases: [title: string, sent: any, isGivenBack: boolean, size?: number, first?: number][] = [
  ['nothing at all', 0, true],
  ['64 KiB', 64 * kib, true],
  ['a byte more than 64 KiB', 64 * kib + 1, false],
  ['half of 100 KiB', 50 * kib, true, 100 * kib],
  ['more than half', 50 * kib + 1, false, 100 * kib],
  ['everything', totalSize, false],
  ['64 KiB of a byte more than that', 64 * kib, false, 64 * kib + 1],
  ['the first file of an archive', 10 * kib, false, totalSize, 10 * kib],
  ['less than that file', 9 * kib, true, totalSize, 10 * kib],
  ['all of an empty body', 0, false, 0],
  ['nothing of a small file', 0, true, 10 * kib],
  ['a byte of a small file', 1, false, 10 * kib],
  ['a write of a small file, perhaps', [0, 10 * kib], false, 10 * kib],
  ['no whole write', [0, 64 * kib], true],
  ['all but a write that has the rest', [64 * kib, 128 * kib], false, 128 * kib],
]

for (const [title, sent, isGivenBack, targetSize = totalSize, firstFileSize] of cases) {
  const what = isGivenBack ? 'refund the count' : 'keep the count'
  settling(`should ${what} when ${title} has left`, async () => {
    const asked = request({ targetSize, firstFileSize: firstFileSize ?? targetSize })
    const admission = await admit(asked)
    assert.is(await downloadCount(service, shareId), 1)
    const [covered, taken] = typeof sent === 'number' ? [sent, sent] : sent
    await settle(asked, admission, { ...left(covered), taken })
    assert.is(await downloadCount(service, shareId), isGivenBack ? 0 : 1)
    const next = await codeOf(admit(request({ ip: '192.0.2.2' })))
    assert.is(next, isGivenBack ? 'admitted' : 'download_limit')
  })
}

settling('should give back an empty file whose transfer ends before the answer', async () => {
  const { sql } = service.database
  const { running } = service.app.services.downloads
  for (const isWithdrawn of [false, true]) {
    const emptyId = await owner.share({ empty: '' })
    const ids = await fileIds(service, emptyId)
    const [held, released] = [new Gate(), new Gate()]
    const holding = service.database.begin(async (inner) => {
      await inner`select 1 from shares where id = ${emptyId} for update`
      held.open()
      await released.passed
    })
    await held.passed
    const leaving = await RawConnection.open(service.url)
    await leaving.send(head(`GET /api/shares/${emptyId}/files/${ids['empty']}`))
    await until('it waits', async () => (await countLockWaits(service.database)) > 0)
    if (isWithdrawn) running.abort(emptyId, new CodedError('unavailable'))
    else leaving.reset()
    await until('its end is noticed', () => isWithdrawn || service.app.listener.watchdog.size === 0)
    released.open()
    await holding
    await until('it has ended', () => running.count === 0)
    await until(async () => assert.is(await downloadCount(service, emptyId), 0))
    // None, if it ended before it was counted.
    const finished = await sql`
      select 1 from downloads where share_id = ${emptyId} and finished_at is not null`
    assert.is(finished.length, 0)
    leaving.destroy()
  }
})

settling('should charge the lease for a write that the client cut off', async () => {
  const first = request()
  const admission = await admit(first)
  // It may have read all of the last write but a byte.
  await settle(first, admission, { ...left(100_000), taken: 500_000 })
  const again = request({ leaseToken: admission.newLease })
  await settle(again, await admit(again), { ...left(0), taken: 64 * kib })
  const [row] = await service.database.sql`
    select bytes_used, bytes_sent from leases join downloads on lease_id = leases.id`
  assert.equal(row, { bytesUsed: 500_000 + 64 * kib, bytesSent: 100_000 })
})

settling('should keep the count of a range after the first byte', async () => {
  await service.database.sql`update shares set max_downloads = 0`
  const asked = request({
    share: { id: shareId, passwordVersion: 0, linkId: null, maxDownloads: 0, totalSize },
    range: { start: 5, end: totalSize },
  })
  const admission = await admit(asked)
  assert.equal(admission.range, { start: 5, end: totalSize })
  await settle(asked, admission, left(0))
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
    const again = goesOn((await settled(request(), left(1000))).newLease)
    const second = await admit(again)
    assert.is(await downloadCount(service, shareId), 1)
    assert.is(tokensTaken, 2, 'each count takes a token')
    assert.equal(second.range, again.range)
    await settle(again, second, left(500_000))
    assert.is(await downloadCount(service, shareId), 1)
  }
})

settling('should not continue after its refunded count was taken by another', async () => {
  const { newLease: lease } = await settled(request(), left(1000))
  await admit(request({ ip: '192.0.2.2' }))
  for (const again of [
    request({ leaseToken: lease }),
    request({ leaseToken: lease, range: { start: 1000, end: totalSize } }),
    request({ range: { start: 1000, end: totalSize } }),
  ]) {
    assert.is(await codeOf(admit(again)), 'download_limit')
  }
  assert.is(await downloadCount(service, shareId), 1)
})

for (const covered of [0, 64 * kib, totalSize - 1]) {
  const title = `should refund the count when the service aborted it after ${covered} bytes`
  settling(title, async () => {
    await settled(request(), cut(covered))
    assert.is(await downloadCount(service, shareId), 0)
    assert.is(await codeOf(admit(request({ ip: '192.0.2.2' }))), 'admitted')
    // The count of the first one is refunded: the rest is not free.
    const rest = request({ range: { start: covered, end: totalSize } })
    assert.is(await codeOf(admit(rest)), 'download_limit')
    assert.is(await downloadCount(service, shareId), 1)
  })
}

settling('should count the rest of an aborted download, and refund that too', async () => {
  const { newLease: leaseToken } = await settled(request(), cut(totalSize - 1))
  const rest = request({ leaseToken, range: { start: totalSize - 1, end: totalSize } })
  await settled(rest, cut(0))
  assert.is(await downloadCount(service, shareId), 0)
  await settled(rest, left(1))
  assert.is(await downloadCount(service, shareId), 1)
  assert.is(await codeOf(admit(request({ leaseToken, range: { start: 1, end: 2 } }))), 'admitted')
  assert.is(await codeOf(admit(request({ ip: '192.0.2.2' }))), 'download_limit')
})

settling('should charge again for a download that the service aborts repeatedly', async () => {
  const asked = request()
  let { newLease: leaseToken } = await settled(asked, cut(totalSize - 1))
  for (let turn = 0; turn < 4; turn += 1) {
    const again = await settled(request({ leaseToken }), cut(totalSize - 1))
    leaseToken = again.newLease ?? leaseToken
    assert.is(await downloadCount(service, shareId), 0)
  }
  assert.is(tokensTaken, 5)
})

settling('should keep the count of a client that may have every byte already', async () => {
  // All but the last byte; then all but the first, of which the service sends too little.
  const { newLease: leaseToken } = await settled(request(), left(totalSize - 1))
  await settled(request({ leaseToken, range: { start: 1, end: totalSize } }), cut(1))
  assert.is(await downloadCount(service, shareId), 1)
})

settling('should keep the count while other transfers of the download run', async () => {
  const first = request()
  const admission = await admit(first)
  const { newLease: leaseToken } = admission
  const rest = request({ leaseToken, range: { start: 1, end: totalSize } })
  const second = await admit(rest)
  await settle(first, admission, cut(1))
  assert.is(await downloadCount(service, shareId), 1)
  await settle(rest, second, left(totalSize - 2))
  assert.is(await downloadCount(service, shareId), 1)
})

settling('should start no transfer on a count that is refunded meanwhile', async () => {
  const first = request()
  const admission = await admit(first)
  const { newLease: leaseToken } = admission
  const rest = request({ leaseToken, range: { start: 1000, end: totalSize } })
  const isUsed: boolean[] = []
  for (const isFree of [true, false]) {
    const use = { budget: 'downloads', bytes: 9, bytesMax: 2 * totalSize } as const
    const download = {
      id: randomRowId(),
      target: 'archive',
      etag: '"v1"',
      isStart: true,
      ip: '',
      userAgent: '',
      startedAt: new Date(),
      processId: randomRowId(),
    }
    const { sql } = service.database
    // A lease has the id of its first download.
    const id = await useLease(sql, admission.downloadId, use, download)
    isUsed.push(id === admission.downloadId)
    if (isFree) {
      await settle(rest, { ...admission, range: { start: 0, end: 9 } }, left(9))
      await settle(first, admission, cut(1000))
    }
  }
  assert.equal(isUsed, [true, false])
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

settling('should refuse what was admitted before its share was stopped', async () => {
  const id = await owner.share({ a: 'a' })
  const share = { ...request().share, id, maxDownloads: 0 }
  const { newLease: leaseToken } = await admit(request({ share }))
  const { newLease: unused } = await settled(request({ share }), left(0))
  assert.is((await owner.post(`/api/shares/${id}/stop`)).status, 200)
  for (const token of [null, leaseToken, unused]) {
    assert.is(await codeOf(admit(request({ share, leaseToken: token }))), 'expired')
  }
  assert.is(await downloadCount(service, id), 1)
})

settling('should leave the transfers of living processes alone', async () => {
  await admit(request())
  const { clock, database } = service
  await new Counting({ clock, database, processId: randomRowId() }).settleDead(async () => true)
  assert.is(await countRunning(), 1)
  await counting.settleDead(async () => false)
  assert.is(await countRunning(), 1, 'its own')
})
