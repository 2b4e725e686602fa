// Refunds of downloads that the service aborted, at the level of Counting and through the socket.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { TransferEnd } from '../../../src/bytes/send/counted.ts'
import type { Counting, TransferRequest } from '../../../src/shares/downloads/counting.ts'
import { useLease } from '../../../src/shares/downloads/counting-sql.ts'
import { randomRowId } from '../../../src/lib/random-id.ts'
import { assertError } from '../../contract/shapes.ts'
import { flip, verify } from '../upkeep/verify/scene.ts'
import { codeOf, cut, kib, left, requestOf, totalSize } from './books.ts'
import {
  assertNothingLeft,
  downloadCount,
  fileIds,
  patterned,
  placeOf,
  startUnlimited,
  untilSettled,
} from './scene.ts'
import { Recipient } from './recipient.ts'

const givingBack = suite('downloads: refunded counts')
const bytes = patterned(3_000_000)

let shareId: string
let tokensTaken = 0

const service = await startUnlimited()
const counting: Counting = service.app.services.counting
givingBack.after(() => service.stop())

givingBack.before.each(async () => {
  tokensTaken = 0
  const owner = await service.admin()
  const files = { 'a.bin': patterned(300_000), 'b.bin': bytes, 'c.bin': patterned(90_000) }
  shareId = await owner.share(files, { expirationVal: 0, maxDownloads: 1 })
})
givingBack.after.each(() => assertNothingLeft(service))

const request = (changes: Partial<TransferRequest> = {}) => requestOf(shareId, changes)
const admit = (asked: TransferRequest) => counting.begin(asked, () => (tokensTaken += 1))
const settled = async (asked: TransferRequest, ended: TransferEnd) => {
  const admission = await admit(asked)
  await counting.settle(asked, admission, ended)
  return admission
}

for (const covered of [0, 64 * kib, totalSize - 1]) {
  const title = `should refund the count when the service aborted it after ${covered} bytes`
  givingBack(title, async () => {
    const asked = request()
    const admission = await admit(asked)
    await counting.settle(asked, admission, cut(covered))
    assert.is(await downloadCount(service, shareId), 0)
    assert.is(await codeOf(admit(request({ ip: '192.0.2.2' }))), 'admitted')
    // The count of the first one is refunded: the rest is not free.
    const rest = request({ range: { start: covered, end: totalSize } })
    assert.is(await codeOf(admit(rest)), 'download_limit')
    assert.is(await downloadCount(service, shareId), 1)
  })
}

givingBack('should count the rest of an aborted download, and refund that too', async () => {
  const asked = request()
  const { newLease: leaseToken } = await settled(asked, cut(totalSize - 1))
  const rest = request({ leaseToken, range: { start: totalSize - 1, end: totalSize } })
  await settled(rest, cut(0))
  assert.is(await downloadCount(service, shareId), 0)
  await settled(rest, left(1))
  assert.is(await downloadCount(service, shareId), 1)
  assert.is(await codeOf(admit(request({ leaseToken, range: { start: 1, end: 2 } }))), 'admitted')
  assert.is(await codeOf(admit(request({ ip: '192.0.2.2' }))), 'download_limit')
})

givingBack('should charge again for a download that the service aborts repeatedly', async () => {
  const asked = request()
  let { newLease: leaseToken } = await settled(asked, cut(totalSize - 1))
  for (let turn = 0; turn < 4; turn += 1) {
    const again = await settled(request({ leaseToken }), cut(totalSize - 1))
    leaseToken = again.newLease ?? leaseToken
    assert.is(await downloadCount(service, shareId), 0)
  }
  assert.is(tokensTaken, 5)
})

givingBack('should refund what was resumed before the service aborted it', async () => {
  const asked = request()
  const { newLease: leaseToken } = await settled(asked, left(totalSize / 2))
  const rest = request({ leaseToken, range: { start: totalSize / 2, end: totalSize } })
  await settled(rest, cut(1000))
  assert.is(await downloadCount(service, shareId), 0)
})

givingBack('should keep the count of a client that may have every byte already', async () => {
  // All but the last byte; then all but the first, of which the service sends too little.
  const { newLease: leaseToken } = await settled(request(), left(totalSize - 1))
  const others = request({ leaseToken, range: { start: 1, end: totalSize } })
  await settled(others, cut(1))
  assert.is(await downloadCount(service, shareId), 1)
})

givingBack('should keep the count of a download that was complete before', async () => {
  const { newLease: leaseToken } = await settled(request(), left(totalSize))
  const range = { start: 1, end: 1000 }
  await settled(request({ leaseToken, range }), cut(0))
  assert.is(await downloadCount(service, shareId), 1)
})

givingBack('should keep the count while other transfers of the download run', async () => {
  const first = request()
  const admission = await admit(first)
  const { newLease: leaseToken } = admission
  const rest = request({ leaseToken, range: { start: 1, end: totalSize } })
  const second = await admit(rest)
  await counting.settle(first, admission, cut(1))
  assert.is(await downloadCount(service, shareId), 1)
  await counting.settle(rest, second, left(totalSize - 2))
  assert.is(await downloadCount(service, shareId), 1)
})

givingBack('should let two ranges at once resume a download, and count it once', async () => {
  const { newLease: leaseToken } = await settled(request(), cut(1000))
  tokensTaken = 0
  const half = totalSize / 2
  const ranges = [
    { start: 1000, end: half },
    { start: half, end: totalSize },
  ]
  const granted = await Promise.all(ranges.map((range) => admit(request({ leaseToken, range }))))
  assert.equal(
    granted.map(({ range }) => range),
    ranges,
  )
  assert.is(await downloadCount(service, shareId), 1)
  assert.ok(tokensTaken <= 2)
  for (const [place, range] of ranges.entries()) {
    const asked = request({ leaseToken, range })
    await counting.settle(asked, granted[place]!, left(range.end - range.start))
  }
})

givingBack('should not treat a client as a preview that has the rest by ranges', async () => {
  const first = request()
  const admission = await admit(first)
  const { newLease: leaseToken } = admission
  await settled(
    request({ leaseToken, range: { start: 1, end: totalSize - 1 } }),
    left(totalSize - 2),
  )
  await counting.settle(first, admission, left(1))
  assert.is(await downloadCount(service, shareId), 1)
})

givingBack('should start no transfer on a count that is refunded meanwhile', async () => {
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
      await counting.settle(rest, { ...admission, range: { start: 0, end: 9 } }, left(9))
      await counting.settle(first, admission, cut(1000))
    }
  }
  assert.equal(isUsed, [true, false])
})

/** Changes a byte of b.bin on disk. Returns a function that repairs it and clears the mark. */
async function harm(offset: number): Promise<() => Promise<void>> {
  const { 'b.bin': id } = await fileIds(service, shareId)
  const { segment, at } = await placeOf(service, id!)
  const place = { file: segment, at: at + offset }
  flip(place)
  return async () => {
    flip(place)
    await verify(service)
  }
}

const isCut = async (recipient: Recipient, path: string, headers = {}) => {
  const outcome = await recipient.ask(path, headers).catch((error: unknown) => error)
  assert.instance(outcome, Error, 'the connection is closed')
  await untilSettled(service, shareId)
}

/** Many recipients at one instant, without cookies. */
async function crowd(path: string): Promise<number[]> {
  const recipients = Array.from({ length: 10 }, (_, n) => {
    return new Recipient(service.url, `198.51.100.${n}`, false)
  })
  const answers = await Promise.all(
    recipients.map((recipient) =>
      recipient.ask(path).then(
        ({ status }) => status,
        () => 0,
      ),
    ),
  )
  await untilSettled(service, shareId)
  return answers.toSorted((a, b) => a - b)
}

for (const compressed of [false, true]) {
  const what = compressed ? 'a compressed archive' : 'an archive'
  givingBack(`should be that of ${what} that was aborted for damage`, async () => {
    const admin = await service.admin()
    const settings = { zipCompression: compressed }
    assert.is((await admin.call('PUT', '/api/config', { json: settings })).status, 200)
    const putRight = await harm(2_000_000)
    const path = `/api/shares/${shareId}/download`
    const recipient = new Recipient(service.url, '192.0.2.1', false)
    await isCut(recipient, path)
    assert.is(await downloadCount(service, shareId), 0)
    // The damage is known by now: refused before it is counted.
    assertError(await recipient.ask(path), 410, 'file_damaged')
    assert.is(await downloadCount(service, shareId), 0)
    await putRight()
    assert.equal(await crowd(path), [200, ...Array.from({ length: 9 }, () => 410)])
    assert.is(await downloadCount(service, shareId), 1)
    assert.is(
      (await admin.call('PUT', '/api/config', { json: { zipCompression: false } })).status,
      200,
    )
  })
}

givingBack('should be that of a resumed download, which then continues', async () => {
  const { 'b.bin': id } = await fileIds(service, shareId)
  const path = `/api/shares/${shareId}/files/${id}`
  const recipient = new Recipient(service.url, '192.0.2.1', false)
  const read = 1024 * 1024
  await recipient.break(path, read)
  await untilSettled(service, shareId)
  // The kernel may have taken more, up to all of it: then the count would be kept.
  const { sql } = service.database
  await sql`
    update leases set bytes_used = least(bytes_used, ${read}) where share_id = ${shareId}`
  await sql`update downloads set finished_at = null where share_id = ${shareId}`
  assert.is(await downloadCount(service, shareId), 1)
  const putRight = await harm(2_900_000)
  await isCut(recipient, path, { range: 'bytes=2000000-' })
  assert.is(await downloadCount(service, shareId), 0)
  await putRight()
  const rest = await recipient.ask(path, { range: 'bytes=2800000-' })
  assert.is(rest.status, 206)
  assert.ok(rest.body.equals(bytes.subarray(2_800_000)))
  await untilSettled(service, shareId)
  assert.is(await downloadCount(service, shareId), 1)
  assertError(await recipient.ask(path), 410, 'download_limit')
})
