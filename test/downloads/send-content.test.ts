import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { archiveContent, fileContent, type Content } from '../../src/downloads/content.ts'
import { ExtentTableBuilder } from '../../src/downloads/extent-table.ts'
import { DamagedContent } from '../../src/downloads/filler.ts'
import { sendContent } from '../../src/downloads/send-content.ts'
import { LayoutBuilder } from '../../src/zip/layout.ts'
import type { PinnedSegment } from '../../src/storage/segment-files.ts'
import { patterned } from './scene.ts'

const sending = suite('downloads: sending a content')
const kib = 1024

/** Segments in memory, which say how often and how much was read of them. */
class MemorySegments extends Map<string, PinnedSegment> {
  readonly reads: number[] = []
  /** What a read waits for before it happens. */
  gate: Promise<void> = Promise.resolve()

  hold(id: string, bytes: Buffer): void {
    this.set(id, {
      read: async (target, offset, length, position) => {
        await this.gate
        if (position + length > bytes.length) throw new Error('shorter than its extents')
        bytes.copy(target, offset, position, position + length)
        this.reads.push(length)
      },
      release() {},
    })
  }
}

/** A file of extents with these lengths, each somewhere in one of two segments. */
function fileOf(lengths: readonly number[]) {
  const bytes = patterned(lengths.reduce((sum, length) => sum + length, 0))
  const extents = new ExtentTableBuilder()
  extents.startFile()
  const parts: [Buffer[], Buffer[]] = [[], []]
  const ends: [number, number] = [0, 0]
  let offset = 0
  for (const [index, length] of lengths.entries()) {
    const which = (index % 2) as 0 | 1
    const part = bytes.subarray(offset, offset + length)
    const gap = Buffer.alloc(index * 3, 0xee)
    extents.add({
      segmentId: `s${which}`,
      segmentOffset: ends[which] + gap.length,
      length,
      crc: crc32(part),
    })
    parts[which].push(gap, part)
    ends[which] += gap.length + length
    offset += length
  }
  const row = { id: 7, originalName: '', size: bytes.length, mimeType: '', createdAt: new Date() }
  const segments = new MemorySegments()
  const stored = parts.map((pieces) => Buffer.concat(pieces))
  for (const [which, held] of stored.entries()) segments.hold(`s${which}`, held)
  return { bytes, content: fileContent('parcel', row, extents.build()), segments, stored }
}

interface Sent {
  body: Buffer
  writes: number[]
  error: unknown
}

/** Sends to a writer that takes everything at once. */
async function send(
  content: Content,
  range: { start: number; end: number },
  segments: MemorySegments,
  bufferBytes: number,
): Promise<Sent> {
  const parts: Buffer[] = []
  let left = 0
  const writer = {
    signal: new AbortController().signal,
    write: async (data: Buffer) => {
      parts.push(Buffer.from(data))
    },
  }
  const error = await sendContent(writer, content, range, segments, bufferBytes, (count) => {
    left += count
  }).catch((reason: unknown) => reason)
  const body = Buffer.concat(parts)
  if (error === undefined) assert.is(left, body.length, 'what is said to have left')
  return { body, writes: parts.map(({ length }) => length), error }
}

sending('should send any range of any extents through buffers of any size', async () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 8 })
  const property = fc.asyncProperty(
    lengths,
    fc.nat(),
    fc.nat(),
    fc.integer({ min: 1, max: 200 }),
    async (extents, one, other, bufferBytes) => {
      const { bytes, content, segments } = fileOf(extents)
      const [start, end] = [one % (bytes.length + 1), other % (bytes.length + 1)].toSorted(
        (a, b) => a - b,
      ) as [number, number]
      const sent = await send(content, { start, end }, segments, bufferBytes)
      assert.is(sent.error, undefined)
      assert.ok(sent.body.equals(bytes.subarray(start, end)))
      assert.ok(sent.writes.every((length) => length <= bufferBytes))
    },
  )
  await fc.assert(property, { numRuns: 400 })
})

sending('should send every single range of a small archive as the slice of the whole', async () => {
  const files = [
    ['a', 'one'],
    ['ä/b', ''],
    ['c', 'three!'],
  ].map(([name, text]) => ({ name: name!, bytes: Buffer.from(text!) }))
  const layout = new LayoutBuilder()
  const extents = new ExtentTableBuilder()
  const segments = new MemorySegments()
  const stored = Buffer.concat(files.map(({ bytes }) => bytes))
  segments.hold('s', stored)
  let segmentOffset = 0
  for (const { name, bytes } of files) {
    const crc = crc32(bytes)
    layout.add({ name, size: bytes.length, crc, modifiedAt: 1_700_000_000 })
    extents.startFile()
    if (bytes.length > 0) {
      extents.add({ segmentId: 's', segmentOffset, length: bytes.length, crc })
    }
    segmentOffset += bytes.length
  }
  const columns = { fileIds: new Uint32Array([1, 2, 3]), shrinking: new Uint8Array(3) }
  const content = archiveContent('"x"', new Date(), layout.build(), extents.build(), columns)
  const { body: whole } = await send(content, { start: 0, end: content.size }, segments, 64 * kib)
  assert.is(whole.length, content.size)
  for (let start = 0; start < content.size; start++) {
    for (let end = start + 1; end <= content.size; end++) {
      const { body } = await send(content, { start, end }, segments, 16)
      if (!body.equals(whole.subarray(start, end))) assert.unreachable(`${start} to ${end}`)
    }
  }
})

/** A writer whose writes end when the test says so. */
class HeldWriter {
  readonly signal = new AbortController().signal
  readonly buffers = new Set<ArrayBufferLike>()
  readonly writes: {
    data: Buffer
    copy: Buffer
    resolve: () => void
    reject: (e: Error) => void
  }[] = []
  openCount = 0
  openMax = 0

  write(data: Buffer): Promise<void> {
    this.buffers.add(data.buffer)
    this.openCount += 1
    this.openMax = Math.max(this.openMax, this.openCount)
    return new Promise<void>((resolve, reject) => {
      this.writes.push({ data, copy: Buffer.from(data), resolve, reject })
    }).finally(() => {
      this.openCount -= 1
    })
  }
}

/** Lets everything happen that needs nothing but turns of the event loop. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await setImmediate()
}

sending('should read no further than one buffer ahead of a client that does not read', async () => {
  const { bytes, content, segments } = fileOf([900 * kib, 900 * kib])
  const writer = new HeldWriter()
  const range = { start: 0, end: bytes.length }
  const sent = sendContent(writer, content, range, segments, 100 * kib, () => {})
  let length = 0
  for (let turn = 0; length < bytes.length; turn++) {
    await settle()
    assert.is(writer.writes.length, turn + 1, 'one write at a time')
    const read = segments.reads.reduce((sum, count) => sum + count, 0)
    assert.ok(read <= length + 200 * kib, `${read} bytes read when ${length} had left`)
    const write = writer.writes[turn]!
    // The next read is over by now: it must not have gone into the buffer that is being written.
    assert.ok(write.data.equals(write.copy), 'a buffer changed under its write')
    length += write.data.length
    write.resolve()
  }
  await sent
  assert.is(writer.openMax, 1)
  assert.ok(writer.buffers.size <= 2, `${writer.buffers.size} buffers`)
  assert.ok(Buffer.concat(writer.writes.map(({ copy }) => copy)).equals(bytes))
})

// Whether a first transfer counts is decided at 64 KiB (design, "Counting"), and a write tells that
// its bytes have left only when all of them have: a client that takes half a megabyte of one write
// and goes away would otherwise have taken nothing.
sending('should hand over no more than 64 KiB before it hears that they have left', async () => {
  for (const size of [100 * kib, 300 * kib, 2000 * kib]) {
    const { content, segments } = fileOf([size])
    const writer = new HeldWriter()
    const range = { start: 0, end: size }
    let left = 0
    const sent = sendContent(writer, content, range, segments, 512 * kib, (count) => {
      left += count
    }).catch(() => {})
    await settle()
    assert.ok(writer.writes[0]!.data.length <= 64 * kib, `${writer.writes[0]!.data.length} bytes`)
    writer.writes[0]!.resolve()
    await settle()
    writer.writes[1]!.reject(new Error('the client has gone'))
    await sent
    assert.is(left, writer.writes[0]!.data.length)
  }
})

sending('should not end before its last read has, when the client goes away', async () => {
  const { bytes, content, segments } = fileOf([400 * kib])
  const writer = new HeldWriter()
  let isOver = false
  const range = { start: 0, end: bytes.length }
  const sent = sendContent(writer, content, range, segments, 100 * kib, () => {})
    .catch((error: Error) => error.message)
    .finally(() => (isOver = true))
  let open = () => {}
  segments.gate = new Promise((resolve) => (open = resolve))
  // The read that filled the first buffer was let through; the next one waits.
  await settle()
  if (writer.writes.length === 0) {
    open()
    await settle()
    segments.gate = new Promise((resolve) => (open = resolve))
    writer.writes.at(-1)!.resolve()
    await settle()
  }
  writer.writes.at(-1)!.reject(new Error('the client has gone'))
  await settle()
  const readsBefore = segments.reads.length
  const wasOver = isOver
  open()
  assert.is(await sent, 'the client has gone')
  // Either a read was running, and was waited for, or none was.
  assert.is(wasOver, segments.reads.length === readsBefore)
})

sending('should stop before the last buffer of an extent that has changed on disk', async () => {
  const lengths = [300 * kib, 500 * kib, 200 * kib]
  for (const flipped of [0, 1, 250 * kib, 500 * kib - 1]) {
    const { bytes, content, segments, stored } = fileOf(lengths)
    // The second extent, the first one of its segment, behind its gap of 3 bytes.
    stored[1]![3 + flipped]! ^= 1
    const { body, error } = await send(content, { start: 0, end: bytes.length }, segments, 64 * kib)
    assert.instance(error, DamagedContent)
    assert.is((error as DamagedContent).fileId, 7)
    assert.ok(body.length < 800 * kib, 'not the end of the extent')
    assert.ok(body.length >= 300 * kib, 'the whole extent before it')
  }
})

sending('should withhold all of a damaged content that fits into one buffer', async () => {
  const { bytes, content, segments, stored } = fileOf([20, 30])
  stored[1]![5]! ^= 0x80
  const { body, error } = await send(content, { start: 0, end: bytes.length }, segments, 512 * kib)
  assert.instance(error, DamagedContent)
  assert.is(body.length, 0)
})

sending('should call a segment that is too short damage, and pad nothing', async () => {
  const { bytes, content, segments, stored } = fileOf([200 * kib, 200 * kib])
  segments.hold('s1', stored[1]!.subarray(0, -1))
  const { body, error } = await send(content, { start: 0, end: bytes.length }, segments, 64 * kib)
  assert.instance(error, DamagedContent)
  assert.ok(body.equals(bytes.subarray(0, body.length)))
  assert.ok(body.length < bytes.length)
})

sending.run()
