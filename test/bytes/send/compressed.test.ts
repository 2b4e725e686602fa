import { inflateRawSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../helpers/until.ts'
import type { ContentPiece } from '../../../src/bytes/send/content.ts'
import { sendCompressed } from '../../../src/bytes/send/send-compressed.ts'
import { blockBytes } from '../../../src/bytes/segments/block-checksums.ts'
import { ZipLayoutBuilder } from '../../../src/bytes/archive/zip/layout.ts'
import { crc32 } from '../../../src/lib/crc32.ts'
import { ScratchBuffers } from '../../../src/bytes/send/filler.ts'
import { okay, pluck, randomContent } from '../../helpers/client.ts'
import { readWhole } from '../archive/zip/archive-reader.ts'
import { assertNothingLeft, downloadCount, fileIds, Recipient, startUnlimited } from './scene.ts'
import { untilSettled } from './scene.ts'

const archives = suite('downloads: compressed archives')
const kib = 1024

const text = (length: number): Buffer => Buffer.alloc(length, 'Lorem ipsum dolor sit amet, ')

const compress = (isOn: boolean) => owner.configure({ zipCompression: isOn })

const service = await startUnlimited()
const owner = await service.admin()
const anonymous = service.client()
archives.before.each(async () => void (await compress(true)))
archives.after.each(() => assertNothingLeft(service))

/** Every kind of entry: stored and deflated, shorter and longer than a read. */
const files: Record<string, Buffer> = {
  'empty.txt': Buffer.alloc(0),
  'one byte': Buffer.from('x'),
  'small.txt': text(5_000),
  'small noise.dat': randomContent(5_000, 'small'),
  'one read.txt': text(128 * kib),
  'two reads.txt': text(128 * kib + 1),
  'Größe/漢字 🎁.log': text(3_000_000),
  'noise.dat': randomContent(700_001, 'noise'),
  'photo.JPG': randomContent(300_000, 'photo'),
  'lies.zip': text(200_000),
}

/** Read with a reader that is independent of the writer. */
const unpack = (body: Buffer) =>
  readWhole(body).entries.map((entry) => {
    const { method, contentOffset, packedSize } = entry
    const packed = body.subarray(contentOffset, contentOffset + packedSize)
    return { ...entry, content: method === 8 ? inflateRawSync(packed) : packed }
  })

const contentsOf = (list: ReturnType<typeof unpack>) =>
  Object.fromEntries(list.map(({ name, content }) => [name, content.toString('base64')]))
const expected = (some: Record<string, Buffer | string>) =>
  Object.fromEntries(
    Object.entries(some).map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]),
  )

archives('should contain what the stored one does, with the same names and times', async () => {
  const shareId = await owner.share(files, { name: 'All kinds' })
  const target = `/api/shares/${shareId}/download`
  const { body, headers } = await anonymous.get(target)
  await compress(false)
  const stored = await anonymous.get(target)
  const [now, before] = [unpack(body), unpack(stored.body)]
  assert.equal(contentsOf(now), expected(files))
  const stores = now.filter(({ method }) => method === 0).map(({ name }) => name)
  assert.equal(stores.toSorted(), ['lies.zip', 'photo.JPG'])
  for (const key of ['name', 'mode', 'modifiedAt'] as const) {
    assert.equal(pluck(now, key), pluck(before, key))
  }
  assert.is(headers['content-disposition'], stored.headers['content-disposition'])
  assert.is(headers['content-type'], 'application/zip')
  assert.ok(body.length < stored.body.length - 3_000_000)
})

archives('should contain files from before 1970', async () => {
  const shareId = await owner.init()
  await okay(owner.chunk(shareId, 'old', 0, text(5_000)))
  const file = { fileId: 'old', originalName: 'old.txt', size: 5_000 }
  const dated = { ...file, modifiedAt: '1969-07-20T20:17:40Z' }
  await okay(owner.finalize(shareId, [dated]))
  const { body } = await anonymous.get(`/api/shares/${shareId}/download`)
  assert.equal(contentsOf(unpack(body)), expected({ 'old.txt': text(5_000) }))
})

for (const [title, shrinks] of Object.entries({ stored: false, deflated: true })) {
  archives(`should read no faster than the client takes ${title} entries`, async () => {
    const block = randomContent(blockBytes, title)
    const slice = { segmentId: 's', position: 0, length: block.length, crc: crc32(block) }
    const layout = new ZipLayoutBuilder()
    for (const name of ['a', 'b', 'c']) {
      layout.add({ name, size: 64 * blockBytes, crc: 0, modifiedAt: 0 })
    }
    const [progress, writer] = [{ opened: '', read: 0, sent: 0 }, new AbortController()]
    const entries = {
      layout: layout.build(),
      shrinks: () => shrinks,
      *pieces(entry: number): Generator<ContentPiece> {
        progress.opened += `${entry} from ${progress.read / blockBytes}, `
        const whole = { ...slice, from: 0, to: block.length }
        for (let at = 0; at < 64; at++) yield { kind: 'slice', slice: whole, fileId: 1 }
      },
    }
    const read = async (_id: string, target: Buffer, offset: number) =>
      void block.copy(target, offset)
    const scratch = new ScratchBuffers(blockBytes, 1)
    const segments = { read, scatter: async () => 0, scratch }
    let furthest = 0
    const write = async (data: Buffer) => {
      // Whatever can be read without this client is read meanwhile.
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
      furthest = Math.max(furthest, progress.read - progress.sent)
      progress.sent += data.length
    }
    await sendCompressed(entries, {
      writer: { signal: writer.signal, write, flush: () => true },
      segments,
      onRead: (bytes) => (progress.read += bytes),
      onSent() {},
      onWaiting() {},
    })
    assert.is(progress.opened, '0 from 0, 1 from 64, 2 from 128, ')
    assert.ok(furthest <= 8 * blockBytes, `${furthest} bytes were read ahead`)
  })
}

archives('should be the stored archive where there are more than 10,000 entries', async () => {
  const shareId = await owner.init()
  const files = Array.from({ length: 10_001 }, (_, place) => {
    return { fileId: `${place}`, originalName: `${place}.txt`, size: 0 }
  })
  await owner.finalize(shareId, files)
  const whole = await anonymous.get(`/api/shares/${shareId}/download`)
  assert.is(whole.headers['accept-ranges'], 'bytes')
  assert.is(unpack(whole.body).length, files.length)
})

archives('should promise neither length nor ranges', async () => {
  const shareId = await owner.share({ 'a.txt': text(400_000) })
  const target = `/api/shares/${shareId}/download`
  const whole = await anonymous.get(target)
  for (const range of ['bytes=0-9', 'bytes=100-', 'bytes=-5', 'bytes=9999999-', 'bytes=0-1,4-5']) {
    for (const more of [{}, { 'if-range': String(whole.headers['etag']) }]) {
      const answer = await anonymous.get(target, { range, ...more })
      assert.is(answer.status, 200, range)
      assert.not.ok('content-length' in answer.headers)
      assert.not.ok('content-range' in answer.headers)
      assert.is(answer.headers['accept-ranges'], 'none')
      assert.ok(answer.body.equals(whole.body), range)
    }
  }
  const head = await anonymous.call('HEAD', target)
  assert.equal([head.status, head.body.length], [200, 0])
  assert.not.ok('content-length' in head.headers)
  assert.is(head.headers['accept-ranges'], 'none')
  assert.is(head.headers['etag'], whole.headers['etag'])
})

archives('should have a separate ETag', async () => {
  const shareId = await owner.share({ 'a.txt': text(9_000), 'b.txt': text(9_000) })
  const target = `/api/shares/${shareId}/download`
  const etag = String((await anonymous.get(target)).headers['etag'])
  assert.match(etag, /^W\/"z2a[^"]+"$/)
  assert.is((await anonymous.get(target, { 'if-none-match': etag })).status, 304)
  const ids = await fileIds(service, shareId)
  const one = await anonymous.get(`${target}?files=${ids['a.txt']}`, { 'if-none-match': etag })
  assert.is(one.status, 200, 'a choice is another archive')
  const matched = await anonymous.get(target, { 'if-match': etag })
  assert.is(matched.status, 412, 'weak tags never match')
  await compress(false)
  const stored = await okay(anonymous.get(target, { 'if-none-match': etag }))
  assert.is.not(stored.headers['etag'], etag.slice(2))
  assert.match(String(stored.headers['etag']), /^"a/)
})

archives('should be the stored archive where nothing shrinks', async () => {
  const shareId = await owner.share({ 'a.jpg': text(9_000), 'b.mp4': text(9_000) })
  const target = `/api/shares/${shareId}/download`
  const whole = await anonymous.get(target)
  assert.is(Number(whole.headers['content-length']), whole.body.length)
  assert.is((await anonymous.get(target, { range: 'bytes=7-' })).status, 206)
})

archives('should count regardless of how small the compressed bytes are', async () => {
  // Less than a link preview reads: leaving just before the end must not make it free.
  const files = { 'a.txt': Buffer.alloc(8 * 1024 * kib) }
  const shareId = await owner.share(files, { maxDownloads: 1 })
  const recipient = new Recipient(service.url, '192.0.2.1', false)
  const target = `/api/shares/${shareId}/download`
  await recipient.break(target, 1)
  await untilSettled(service, shareId)
  assert.is(await downloadCount(service, shareId), 1)
  assert.is((await recipient.ask(target)).status, 410)
})

archives('should not be taken for stalled while bytes shrink to a thousandth', async () => {
  const shareId = await owner.share({ 'zeros.bin': Buffer.alloc(48 * 1024 * kib) })
  let isOver = false
  const reading = anonymous.get(`/api/shares/${shareId}/download`).finally(() => (isOver = true))
  await until('the answer has arrived', () => {
    service.clock.advance(1)
    service.app.listener.watchdog.check()
    return isOver
  })
  assert.is(unpack((await reading).body)[0]!.content.length, 48 * 1024 * kib)
})

archives('should be stored where their directory would take too much memory', async () => {
  const shareId = await owner.share({ 'a.txt': text(400_000) })
  const { budget } = service.app.services.downloads
  const real = budget.hasRoomFor.bind(budget)
  budget.hasRoomFor = (client) => real(client, 33 * 1024 * kib)
  try {
    const { headers } = await anonymous.get(`/api/shares/${shareId}/download`)
    assert.ok(Number(headers['content-length']) > 400_000)
  } finally {
    budget.hasRoomFor = real
  }
})
