import * as fs from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf, until } from '../../helpers/until.ts'
import type { SegmentWriter } from '../../../src/bytes/store/store.ts'
import { SegmentWriters, segmentBytesMax } from '../../../src/bytes/segments/segment-writers.ts'
import type { Storage } from '../../../src/bytes/storage.ts'
import { replacePromised, replaceWritev, systemError } from '../../helpers/replaced.ts'
import { Scene } from './scene.ts'

const mebibyte = 1024 * 1024
const pools = suite('SegmentWriters')
const scene = await Scene.open()
let storage: Storage
let pool: SegmentWriters
let undo: () => void = () => {}

const never = () => new AbortController().signal

async function staysPending(promise: Promise<unknown>): Promise<boolean> {
  let pending = true
  const settled = () => void (pending = false)
  promise.then(settled, settled)
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
  return pending
}

async function acquireMany(containerId: string, count: number): Promise<SegmentWriter[]> {
  const writers: SegmentWriter[] = []
  while (writers.length < count) writers.push(await pool.acquire(containerId, mebibyte, never()))
  return writers
}

async function releaseAll(writers: readonly SegmentWriter[]): Promise<void> {
  for (const writer of writers) await pool.release(writer)
}

/** Moves the end of the segment writer without writing as many bytes. */
async function fillTo(writer: SegmentWriter, end: number): Promise<void> {
  undo = replaceWritev(() => (_file, buffers, _position, callback) => {
    const written = buffers.reduce((sum, buffer) => sum + buffer.length, 0)
    callback(null, written)
  })
  const piece = Buffer.allocUnsafe(16 * mebibyte)
  while (writer.position < end) {
    await writer.append([piece.subarray(0, Math.min(piece.length, end - writer.position))])
    await writer.sync()
  }
  undo()
  writer.advance()
  fs.truncateSync(scene.file(writer.containerId, writer.segmentId), end)
}

pools.before.each(async () => {
  storage = await scene.storage()
  pool = storage.writers
})
pools.after.each(async () => {
  undo()
  undo = () => {}
  await pool.close()
})

pools('should open at most 8 writers per container, then wait for one to be released', async () => {
  const containerId = await scene.container(storage)
  const writers = await acquireMany(containerId, 8)
  assert.is(new Set(writers.map((writer) => writer.segmentId)).size, 8)
  const ninth = pool.acquire(containerId, mebibyte, never())
  assert.ok(await staysPending(ninth))
  await pool.release(writers[4] as SegmentWriter)
  assert.is(await ninth, writers[4])
  assert.is(pool.count, 8)
  await releaseAll(writers)
})

pools('should wake a waiting caller at any instant of a release', async () => {
  const containerId = await scene.container(storage)
  const writers = await acquireMany(containerId, 8)
  for (let instants = 0; instants < 12; instants += 1) {
    const given = writers.shift() as SegmentWriter
    const released = pool.release(given)
    for (let instant = 0; instant < instants; instant += 1) await Promise.resolve()
    const acquired = pool.acquire(containerId, mebibyte, never())
    await released
    let isStuck = true
    void acquired.then(() => (isStuck = false))
    await until(`it is woken after ${instants} instants`, () => !isStuck)
    writers.push(await acquired)
    while (writers.length < 8) writers.push(await pool.acquire(containerId, mebibyte, never()))
  }
  await releaseAll(writers)
})

pools('should open at most 256 writers in all, then close the longest idle one', async () => {
  const writers: SegmentWriter[] = []
  for (let container = 0; container < 32; container += 1) {
    writers.push(...(await acquireMany(await scene.container(storage), 8)))
  }
  assert.is(pool.count, 256)
  const other = await scene.container(storage)
  const waiting = pool.acquire(other, mebibyte, never())
  assert.ok(await staysPending(waiting))
  await pool.release(writers[17] as SegmentWriter)
  const writer = await waiting
  assert.equal([writer.containerId, pool.count], [other, 256])
  assert.is(await scene.ownerOf(writers[17]!.segmentId), null, 'the idle one was closed')
  writers[17] = writer
  await releaseAll(writers)
})

pools('should close writers that are idle for 60 s, by the clock passed in', async () => {
  const containerId = await scene.container(storage)
  const writer = await pool.acquire(containerId, mebibyte, never())
  const { segmentId } = writer
  scene.clock.advance(120_000)
  await pool.closeIdle()
  assert.is(pool.count, 1, 'one in use is not idle')
  await pool.release(writer)
  scene.clock.advance(59_999)
  await pool.closeIdle()
  assert.equal([pool.count, pool.idleCount], [1, 1])
  scene.clock.advance(1)
  await pool.closeIdle()
  assert.equal([pool.count, pool.idleCount], [0, 0])
  assert.is(await scene.ownerOf(segmentId), null)
})

pools('should never let a chunk straddle 256 MiB', async () => {
  const containerId = await scene.container(storage)
  const writer = await pool.acquire(containerId, mebibyte, never())
  await fillTo(writer, segmentBytesMax - 1000)
  await pool.release(writer)
  const fits = await pool.acquire(containerId, 1000, never())
  assert.is(fits, writer)
  await pool.release(fits)
  const rolled = await pool.acquire(containerId, 1001, never())
  assert.is.not(rolled, writer)
  await pool.release(rolled)
})

pools('should close a container\u2019s own nearly full writers for a new one', async () => {
  const containerId = await scene.container(storage)
  const writers = await acquireMany(containerId, 8)
  for (const writer of writers) await fillTo(writer, segmentBytesMax - 10)
  await releaseAll(writers)
  const fresh = await pool.acquire(containerId, mebibyte, never())
  assert.equal([fresh.end, pool.count], [0, 8])
  await pool.release(fresh)
})

const changes: [name: string, change: (file: string) => void][] = [
  ['removed', (file) => fs.rmSync(file)],
  ['replaced by a copy', (file) => replaceBy(file, fs.readFileSync(file))],
  ['replaced by a folder', (file) => replaceBy(file, null)],
  ['cut', (file) => fs.truncateSync(file, 400)],
  ['extended', (file) => fs.appendFileSync(file, 'more')],
]

function replaceBy(file: string, content: Buffer | null): void {
  // Like rsync and editors: a new file takes the name.
  const next = `${file}.next`
  if (content) fs.writeFileSync(next, content)
  else fs.mkdirSync(next)
  fs.rmSync(file)
  fs.renameSync(next, file)
}

pools('should append no more to a segment that was changed from outside', async () => {
  for (const [name, change] of changes) {
    const containerId = await scene.container(storage)
    const writer = await pool.acquire(containerId, mebibyte, never())
    await writer.append([Buffer.alloc(1000, 'x')])
    await writer.requireIntact()
    writer.advance()
    await pool.release(writer)
    const same = await pool.acquire(containerId, mebibyte, never())
    assert.is(same, writer, `not yet ${name}`)
    await writer.append([Buffer.alloc(1000, 'x')])
    change(scene.file(containerId, writer.segmentId))
    // No running write is acknowledged, and none follows it there.
    assert.is((await failureOf(writer.requireIntact())).code, 'unavailable', name)
    await pool.release(writer)
    assert.is(pool.idleCount, 0, name)
    const idle = await pool.acquire(containerId, mebibyte, never())
    await idle.append([Buffer.alloc(1000, 'x')])
    idle.advance()
    await pool.release(idle)
    change(scene.file(containerId, idle.segmentId))
    const next = await pool.acquire(containerId, mebibyte, never())
    assert.is.not(next.segmentId, idle.segmentId, name)
    assert.equal([next.end, pool.count], [0, 1], name)
    assert.is(await scene.ownerOf(idle.segmentId), null, name)
    await pool.release(next)
    await pool.closeIdleOf(containerId)
  }
})

pools('should own no segment that it could not create', async () => {
  const containerId = await scene.container(storage)
  undo = replacePromised('mkdir', () => () => Promise.reject(systemError('EMFILE', 'mkdir')))
  // More often than there are permits.
  for (let attempt = 0; attempt < 10; attempt += 1) {
    assert.is((await failureOf(pool.acquire(containerId, mebibyte, never()))).code, 'EMFILE')
  }
  undo()
  const { sql } = scene.database
  const rows = await sql`select owner_id from segments where container_id = ${containerId}`
  for (const { ownerId } of rows) assert.is(ownerId, null)
  assert.is(pool.count, 0)
})

async function acquireAndSync(containerId: string): Promise<void> {
  const writer = await pool.acquire(containerId, mebibyte, never())
  try {
    await writer.sync()
  } finally {
    await pool.release(writer)
  }
}

pools('should answer 404 when the container is deleted before any step', async () => {
  let steps = 0
  for (let last = 1; ; last += 1) {
    const containerId = await containerApart()
    const parent = path.dirname(scene.containerFolder(containerId))
    steps = 0
    let isSynced = false
    let removal: Promise<void> | null = null
    const remove = async () => {
      await scene.database.begin((sql) => storage.tombstone(sql, [{ containerId, shareId: null }]))
      await storage.removeNow([containerId])
    }
    const undoes = (['mkdir', 'open'] as const).map((name) =>
      replacePromised(name, (real) => async (...call: unknown[]) => {
        const again = () => (real as (...same: unknown[]) => Promise<unknown>)(...call)
        // Writers of other tests may still be syncing their folders.
        if (!String(call[0]).startsWith(parent) && call[0] !== path.dirname(parent)) return again()
        // Once its folder is open, the commit finds out, which locks the container.
        const isFolder = name === 'open' && call[0] === scene.containerFolder(containerId)
        if (isFolder && steps + 1 < last) isSynced = true
        steps += 1
        if (steps === last) await (removal = remove())
        // The three folders are synced beside each other.
        else if (isFolder) await removal
        return again()
      }),
    )
    const code = await acquireAndSync(containerId).catch((error) => error.code)
    for (const undoOne of undoes) undoOne()
    if (steps < last) break
    if (!isSynced) assert.is(code, 'not_found', `step ${last}`)
    const left = fs.existsSync(scene.containerFolder(containerId))
    assert.equal([pool.count, left], [0, false], `step ${last}`)
  }
  assert.ok(steps >= 5, `${steps} steps`)
})

pools('should close the writers of a deleted container, at their release', async () => {
  const containerId = await scene.container(storage)
  const [used, idle] = (await acquireMany(containerId, 2)) as [SegmentWriter, SegmentWriter]
  await pool.release(idle)
  await pool.closeContainer(containerId)
  assert.equal([pool.count, pool.idleCount], [1, 0])
  await pool.release(used)
  assert.is(pool.count, 0)
})

async function containerApart(): Promise<string> {
  for (;;) {
    const containerId = await scene.container(storage)
    if (!fs.existsSync(path.dirname(scene.containerFolder(containerId)))) return containerId
  }
}
