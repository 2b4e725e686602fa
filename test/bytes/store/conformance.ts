// What both stores do: runs on a disk, on the stub, and on Ceph in cluster/kills.
import type { Test } from 'uvu'
import * as assert from 'uvu/assert'
import { UnsyncedBytes } from '../../../src/bytes/segments/file-writer.ts'
import {
  isMissing,
  manifestName,
  type SegmentLinks,
  type StorageRoot,
} from '../../../src/bytes/store/store.ts'
import { createLog } from '../../../src/lib/log.ts'
import { inOrder, Permits } from '../../../src/lib/permits.ts'
import { randomRowId } from '../../../src/lib/random-id.ts'
import { failureOf } from '../../helpers/until.ts'
import { randomContent } from '../../helpers/client.ts'

const mebibyte = 1024 * 1024
const deps = {
  unsynced: new UnsyncedBytes(64 * mebibyte),
  syncs: new Permits(inOrder(4)),
  log: createLog({ level: 'error', write: () => {} }),
}
const space = { during: <T>(_bytes: number, write: () => Promise<T>) => write() }

export async function begin(root: StorageRoot, containerId: string, bytesMax: number) {
  const place = { containerId, segmentId: randomRowId(), rootId: root.id, bytesMax }
  return root.create({ ...place, deps, exists: async () => true })
}

export async function put(root: StorageRoot, containerId: string, pieces: Buffer[], bytesMax = 0) {
  const writer = await begin(root, containerId, bytesMax)
  for (const piece of pieces) await writer.append([piece])
  await writer.sync()
  await writer.requireIntact()
  writer.advance()
  await writer.close()
  return writer.segmentId
}

export async function readAll(
  root: StorageRoot,
  containerId: string,
  name: string,
  length: number,
  position = 0,
): Promise<Buffer> {
  const reader = await root.open(containerId, name)
  const found = Buffer.alloc(length)
  let count = 0
  while (count < length) {
    const more = await reader.read(found, count, length - count, position + count)
    if (more === 0) break
    count += more
  }
  await reader.close()
  return found.subarray(0, count)
}

async function listed(list: AsyncIterable<string>): Promise<string[]> {
  const ids: string[] = []
  for await (const id of list) ids.push(id)
  return ids.toSorted()
}

async function* text(...pieces: string[]): AsyncGenerator<string> {
  yield* pieces
}

const cases: Readonly<Record<string, (root: StorageRoot) => Promise<void>>> = {
  async 'should keep what was appended, in one piece and in many'(root) {
    const containerId = randomRowId()
    const bytes = randomContent(3 * mebibyte + 5)
    const pieces = [bytes.subarray(0, 7), bytes.subarray(7, 2 * mebibyte)]
    pieces.push(bytes.subarray(2 * mebibyte))
    // The bound is exact, above the bytes as for a multipart body, and unknown.
    for (const bytesMax of [bytes.length, bytes.length + 700, 0]) {
      for (const some of [[bytes], pieces]) {
        const id = await put(root, containerId, some, bytesMax)
        assert.ok((await readAll(root, containerId, id, bytes.length)).equals(bytes))
        assert.ok((await root.sizeOf(containerId, id))! >= bytes.length)
      }
    }
  },

  async 'should keep large segments of known and unknown length'(root) {
    const containerId = randomRowId()
    const bytes = randomContent(65 * mebibyte)
    for (const bytesMax of [bytes.length + 100, 0]) {
      const id = await put(root, containerId, [bytes], bytesMax)
      for (const at of [0, 8 * mebibyte - 10, 64 * mebibyte - 10, bytes.length - 20]) {
        const found = await readAll(root, containerId, id, 20, at)
        assert.ok(found.equals(bytes.subarray(at, at + 20)), `${at} of ${bytesMax}`)
      }
    }
    await root.removeContainer(containerId, () => true)
  },

  async 'should store a whole segment, in place of what a killed process has left'(root) {
    const containerId = randomRowId()
    for (const length of [0, 1, 8 * mebibyte, 17 * mebibyte]) {
      const id = randomRowId()
      const bytes = randomContent(length)
      const pieces = async function* (isCut: boolean) {
        for (let at = 0; at < length; at += mebibyte) yield bytes.subarray(at, at + mebibyte)
        if (isCut) throw new Error('killed')
      }
      assert.is((await failureOf(root.put(containerId, id, pieces(true)))).message, 'killed')
      assert.is(await root.sizeOf(containerId, id), null)
      for (let times = 0; times < 2; times += 1) {
        await root.put(containerId, id, pieces(false))
        assert.ok((await readAll(root, containerId, id, length)).equals(bytes))
        assert.is(await root.sizeOf(containerId, id), length)
      }
    }
    await root.removeContainer(containerId, () => true)
  },

  async 'should read ranges into several buffers, and nothing behind the end'(root) {
    const containerId = randomRowId()
    const bytes = randomContent(1000)
    const id = await put(root, containerId, [bytes], bytes.length)
    const reader = await root.open(containerId, id)
    const targets = [Buffer.alloc(10), Buffer.alloc(300), Buffer.alloc(5)]
    assert.is(await reader.scatter(targets, 100), 315)
    assert.ok(Buffer.concat(targets).equals(bytes.subarray(100, 415)))
    assert.is(await reader.read(Buffer.alloc(50), 0, 50, 980), 20)
    assert.is(await reader.read(Buffer.alloc(50), 0, 50, 1000), 0)
    await reader.close()
  },

  async 'should read back what was appended before it is committed'(root) {
    const writer = await begin(root, randomRowId(), 1000)
    await writer.append([randomContent(600)])
    const found: Buffer[] = []
    await writer.readBack(0, 600, (data) => void found.push(Buffer.from(data)))
    assert.ok(Buffer.concat(found).equals(randomContent(600)))
    await writer.rollBack()
    await writer.close()
  },

  async 'should keep nothing of what was rolled back'(root) {
    const containerId = randomRowId()
    for (const isSynced of [false, true]) {
      for (const bytesMax of [5000, 70 * mebibyte, 0]) {
        const writer = await begin(root, containerId, bytesMax)
        await writer.append([randomContent(3000)])
        if (isSynced) await writer.sync()
        await writer.rollBack()
        await writer.close()
        assert.is((await root.sizeOf(containerId, writer.segmentId)) ?? 0, 0)
      }
    }
    await root.removeContainer(containerId, () => true)
  },

  async 'should report what is missing as missing'(root) {
    const [containerId, id] = [randomRowId(), randomRowId()]
    assert.is(await root.sizeOf(containerId, id), null)
    assert.ok(isMissing(await failureOf(readAll(root, containerId, id, 10))))
    const links = { fromContainerId: containerId, toContainerId: randomRowId() }
    const segments = [{ fromId: id, toId: randomRowId(), rootId: root.id, bytes: 1 }]
    assert.ok(isMissing(await failureOf(root.link({ ...links, segments }, space))))
    await root.remove(containerId, [id])
    assert.ok(await root.removeContainer(containerId, () => true))
  },

  async 'should list containers and segments, and remove them'(root) {
    const [one, other] = [`ab${randomRowId().slice(2)}`, `ab${randomRowId().slice(2)}`]
    const ids: string[] = []
    for (let count = 0; count < 5; count += 1) ids.push(await put(root, one, [randomContent(9)], 9))
    await put(root, other, [randomContent(9)], 9)
    await root.replace(one, manifestName, text('{}'))
    // The random ids of other tests may begin with the same letters.
    const listOurs = async () =>
      (await listed(root.list({ letters: 'ab' }))).filter((id) => id === one || id === other)
    assert.equal(await listOurs(), [one, other].toSorted())
    assert.equal(await listed(root.list({ containerId: one })), ids.toSorted())
    await root.remove(one, ids.slice(0, 2))
    assert.equal(await listed(root.list({ containerId: one })), ids.slice(2).toSorted())
    assert.is(await root.removeContainer(one, () => false), false)
    assert.ok(await root.removeContainer(one, () => true))
    assert.equal(await listOurs(), [other])
    assert.is(await root.sizeOf(one, manifestName), null)
    await root.removeContainer(other, () => true)
  },

  async 'should read on, for several readers, and start again elsewhere'(root) {
    const containerId = randomRowId()
    const bytes = randomContent(10 * mebibyte + 100)
    const id = await put(root, containerId, [bytes], bytes.length)
    const reader = await root.open(containerId, id)
    const piece = 200 * 1024
    const readFrom = async (start: number) => {
      const target = Buffer.alloc(piece)
      for (let at = start; at < bytes.length;) {
        const count = await reader.read(target, 0, piece, at)
        assert.ok(count > 0 && target.subarray(0, count).equals(bytes.subarray(at, at + count)))
        at += count
      }
    }
    await Promise.all([0, 0, 5000, 9 * mebibyte].map(readFrom))
    await readFrom(bytes.length - 3 * piece)
    await reader.close()
    await root.removeContainer(containerId, () => true)
  },

  async 'should link segments that survive the first container'(root) {
    const [from, to] = [randomRowId(), randomRowId()]
    const segments: SegmentLinks['segments'][number][] = []
    for (let count = 0; count < 3; count += 1) {
      const fromId = await put(root, from, [randomContent(100 + count)], 100 + count)
      segments.push({ fromId, toId: randomRowId(), rootId: root.id, bytes: 100 + count })
    }
    await root.link({ fromContainerId: from, toContainerId: to, segments }, space)
    await root.removeContainer(from, () => true)
    for (const { toId, bytes } of segments) {
      assert.ok((await readAll(root, to, toId, bytes)).equals(randomContent(bytes)))
    }
  },

  async 'should replace a manifest of any length as a whole'(root) {
    const containerId = randomRowId()
    await put(root, containerId, [randomContent(4)], 4)
    const long = 'é'.repeat(5 * mebibyte)
    for (const pieces of [['a', 'b'], [long, 'end'], ['short'], [long]]) {
      await root.replace(containerId, manifestName, text(...pieces))
      const wanted = Buffer.from(pieces.join(''))
      const found = await readAll(root, containerId, manifestName, wanted.length + 1)
      assert.ok(found.equals(wanted))
    }
    await root.removeContainer(containerId, () => true)
  },

  async 'should remove more objects than one request takes'(root) {
    const containerId = randomRowId()
    const names = Array.from({ length: 1001 }, () => randomRowId())
    const id = await put(root, containerId, [randomContent(4)])
    await root.remove(containerId, [...names, id])
    assert.is(await root.sizeOf(containerId, id), null)
    assert.ok(await root.isPresent())
  },
}

/** Adds the cases, which share a root that is there when they run. */
export function addConformance(suite: Test, root: () => StorageRoot): void {
  for (const [title, test] of Object.entries(cases)) suite(title, () => test(root()))
}
