// Compressed archives while they run: admission, counting, and every end.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { randomContent } from '../../helpers/content.ts'
import { SlowReader } from '../../helpers/slow-reader.ts'
import { descriptorsBelow } from '../../helpers/traces.ts'
import { until } from '../../helpers/until.ts'
import { readArchive } from '../archive/zip/archive-reader.ts'
import {
  assertNothingLeft,
  downloadCount,
  fileIds,
  patterned,
  startUnlimited,
  untilSettled,
} from './scene.ts'
import { Recipient } from './recipient.ts'

const running = suite('downloads: running compressed archives')
const mib = 1024 * 1024
/** Barely compressible, so more than the kernel buffers for a connection that is not read. */
const big = patterned(24 * mib)

async function compress(isOn: boolean): Promise<void> {
  const answer = await owner.call('PUT', '/api/config', { json: { zipCompression: isOn } })
  assert.is(answer.status, 200)
}

const service = await startUnlimited()
const owner = await service.admin()
running.before.each(() => compress(true))
running.after.each(() => assertNothingLeft(service))
running.after(() => service.stop())

function begin(place: number, target: string, headers: Record<string, string> = {}) {
  const from = { 'x-forwarded-for': `192.0.2.${place}` }
  return SlowReader.open(service.url + target, { ...from, ...headers })
}

/** The contents of an archive's entries, in order. */
function contentsOf(body: Buffer): Buffer[] {
  const { entries } = readArchive(body.length, (start, end) => body.subarray(start, end))
  return entries.map(({ method, contentOffset, packedSize }) => {
    const packed = body.subarray(contentOffset, contentOffset + packedSize)
    return method === 8 ? inflateRawSync(packed) : packed
  })
}

const archiveOf = (shareId: string) => `/api/shares/${shareId}/download`

interface DownloadRow {
  bytesSent: number
  finishedAt: Date | null
  counted: boolean
}

async function downloadsOf(shareId: string): Promise<DownloadRow[]> {
  await untilSettled(service, shareId)
  return service.database.sql<DownloadRow[]>`
    select bytes_sent, finished_at, counted
    from downloads
    join leases on leases.id = lease_id
    where downloads.share_id = ${shareId}
    order by started_at`
}

running('should be one counted download, finished once its last byte was sent', async () => {
  const shareId = await owner.share({ 'a.txt': Buffer.alloc(500_000, 'text') })
  const recipient = new Recipient(service.url, '192.0.2.1', false)
  const { headers } = await recipient.ask(archiveOf(shareId), {}, 'HEAD')
  await recipient.ask(archiveOf(shareId), { 'if-none-match': String(headers['etag']) })
  assert.is(await downloadCount(service, shareId), 0, 'neither HEAD nor 304 counts')
  const { body } = await recipient.ask(archiveOf(shareId))
  assert.is(await downloadCount(service, shareId), 1)
  const [download, ...others] = await downloadsOf(shareId)
  assert.equal([download!.bytesSent, download!.counted, others], [body.length, true, []])
  assert.ok(download!.finishedAt)
  await recipient.ask(archiveOf(shareId))
  assert.is(await downloadCount(service, shareId), 2)
})

running('should count regardless of how small the compressed bytes are', async () => {
  // Less than a link preview reads: leaving just before the end must not make it free.
  const shareId = await owner.share({ 'a.txt': Buffer.alloc(8 * mib) }, { maxDownloads: 1 })
  const recipient = new Recipient(service.url, '192.0.2.1', false)
  await recipient.break(archiveOf(shareId), 1)
  await untilSettled(service, shareId)
  assert.is(await downloadCount(service, shareId), 1)
  assert.is((await recipient.ask(archiveOf(shareId))).status, 410)
})

running('should continue unchanged when the setting is changed', async () => {
  const shareId = await owner.share({ big })
  const isWhole = async (reader: SlowReader) => {
    const { body, isComplete } = await reader.readRest()
    return isComplete && contentsOf(body)[0]!.equals(big)
  }
  const compressed = await begin(1, archiveOf(shareId))
  await compressed.read(mib)
  await compress(false)
  const stored = await begin(2, archiveOf(shareId))
  await stored.read(mib)
  await compress(true)
  const again = await begin(3, archiveOf(shareId))
  assert.equal(
    [compressed, stored, again].map(({ headers }) => headers['accept-ranges']),
    ['none', 'bytes', 'none'],
  )
  assert.ok(Number(stored.headers['content-length']) > big.length)
  // A reader that has read some has read it; the rest of the others is whole.
  assert.ok((await compressed.readRest()).isComplete)
  assert.ok((await stored.readRest()).isComplete)
  assert.ok(await isWhole(again))
})

running('should not deflate for long for a client that has stopped reading', async () => {
  // Its zeros shrink to a thousandth: nothing leaves for a while though the client does not stall.
  const shareId = await owner.share({ 'zeros.bin': Buffer.alloc(48 * mib) })
  const reader = await begin(1, archiveOf(shareId))
  const reading = reader.readRest()
  let isOver = false
  void reading.finally(() => (isOver = true))
  await until('the request has arrived', () => {
    service.clock.advance(1)
    service.app.listener.watchdog.check()
    return isOver
  })
  assert.ok((await reading).isComplete)
})

const leaveAtAnyMoment = async () => {
  const shareId = await owner.share({
    'text.txt': Buffer.alloc(2 * mib, 'some text '),
    'hex.txt': randomContent(3 * mib, 'hex').toString('hex'),
    'photo.jpg': patterned(3 * mib),
    'small.txt': 'small',
    big,
  })
  // Segment writers that the upload has left open.
  const before = descriptorsBelow(service.storageDir)
  for (let round = 0; round < 5; round++) {
    const readers = await Promise.all(
      Array.from({ length: 12 }, (_, place) => begin(place, archiveOf(shareId))),
    )
    const points = readers.map((_, place) => (round * 12 + place) * 100_000)
    await Promise.all(readers.map((reader, place) => reader.read(points[place]!)))
    for (const reader of readers) reader.abort()
    await assertNothingLeft(service)
    assert.is(service.app.services.downloads.budget.heldBytes, 0)
    assert.is(service.app.services.downloads.running.count, 0)
  }
  await until('all descriptors are closed', () => descriptorsBelow(service.storageDir) <= before)
}
running('should leave nothing behind when clients leave at any moment', leaveAtAnyMoment)

async function placeOf(fileId: number): Promise<{ segment: string; at: number; length: number }> {
  const [row] = await service.database.sql<
    { segmentId: string; segmentOffset: number; length: number }[]
  >`
    select segment_id, segment_offset, length from extents where file_id = ${fileId}`
  const name = readdirSync(service.storageDir, { recursive: true })
    .map(String)
    .find((entry) => entry.endsWith(`${row!.segmentId}.seg`))
  const segment = path.join(service.storageDir, name!)
  return { segment, at: row!.segmentOffset, length: row!.length }
}

for (const [title, size] of [
  ['held whole', 5_000],
  ['streamed', 3 * mib],
] as const) {
  for (const name of ['broken.txt', 'broken.jpg']) {
    running(`should never complete with a damaged file, ${title}, ${name}`, async () => {
      const shareId = await owner.share({ 'whole.txt': 'whole', [name]: patterned(size) })
      const ids = await fileIds(service, shareId)
      const { segment, at, length } = await placeOf(ids[name]!)
      const bytes = readFileSync(segment)
      bytes[at + length - 1]! ^= 0x10
      writeFileSync(segment, bytes)
      const got = await begin(1, archiveOf(shareId))
        .then(async (reader) => ({ status: reader.status, ...(await reader.readRest()) }))
        .catch(() => null)
      assert.not.ok(got?.isComplete && got.status === 200)
      const marked = () => service.database.sql<{ id: number }[]>`
        select id from files
        where container_id = (select container_id from shares where id = ${shareId})
          and damaged_at is not null`
      await until('the file is marked', async () => (await marked()).length > 0)
      assert.equal([...(await marked())], [{ id: ids[name] }], 'no other file')
      await untilSettled(service, shareId)
    })
  }
}

const slowReaders = async () => {
  const shareId = await owner.share({ big, 'small.txt': 'small' })
  const { budget } = service.app.services.downloads
  const slow = await Promise.all(
    Array.from({ length: 64 }, (_, place) => begin(place % 4, archiveOf(shareId))),
  )
  assert.equal([...new Set(slow.map(({ status }) => status))], [200])
  await until('all of them wait for their clients', () => budget.transfers === 64)
  const { body, isComplete } = await (await begin(100, archiveOf(shareId))).readRest()
  assert.ok(isComplete && contentsOf(body)[0]!.equals(big))
  assert.ok(budget.heldBytes <= 32 * mib + 64 * 32 * 1024, `${budget.heldBytes} bytes are held`)
  for (const reader of slow) reader.abort()
}
running('should start for others while many read slowly', slowReaders)

running('should be sent uncompressed where its directory would take too much memory', async () => {
  const shareId = await owner.share({ 'a.txt': patterned(mib) })
  const { budget } = service.app.services.downloads
  const real = budget.hasRoomFor.bind(budget)
  budget.hasRoomFor = (client) => real(client, 33 * mib)
  try {
    const reader = await begin(1, archiveOf(shareId))
    assert.ok(Number(reader.headers['content-length']) > mib)
    assert.ok((await reader.readRest()).isComplete)
  } finally {
    budget.hasRoomFor = real
  }
})
