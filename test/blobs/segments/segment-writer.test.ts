import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Lane } from '../../../src/blobs/segments/segment-writer.ts'
import { OpenFile } from '../../../src/blobs/segments/open-file.ts'
import { createLog } from '../../../src/lib/log.ts'
import { UnsyncedBytes } from '../../../src/blobs/segments/unsynced-bytes.ts'
import { Semaphore } from '../../../src/lib/semaphore.ts'
import { Gate, holdWrites } from '../../helpers/replaced.ts'
import { descriptorsBelow } from '../../helpers/traces.ts'
import { until } from '../../helpers/until.ts'

/** Counts syncs, and holds them back at a gate when there is one. */
class WatchedSyncs extends Semaphore {
  begun = 0
  done = 0
  gate: Gate | null = null

  override async run<T>(task: () => Promise<T>): Promise<T> {
    this.begun += 1
    await this.gate?.passed
    try {
      return await super.run(task)
    } finally {
      this.done += 1
    }
  }
}

const log = createLog({ level: 'error', write: () => {} })
const lanes = suite('Lane')
let folder: string
let name: string
let lane: Lane
let unsynced: UnsyncedBytes
let syncs: WatchedSyncs

async function openLane(file: string, flags = 'a+'): Promise<Lane> {
  const opened = await OpenFile.open(file, flags)
  const place = { parcelId: 'parcel', segmentId: 'segment', inode: await opened.inode() }
  return new Lane(place, opened, { unsynced, syncs, log })
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'none',
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  )
}

lanes.before.each(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'transfer-test-'))
  name = path.join(folder, 'segment')
  unsynced = new UnsyncedBytes(1000)
  syncs = new WatchedSyncs(4)
  lane = await openLane(name, 'wx+')
})
lanes.after.each(async () => {
  await lane.close().catch(() => {})
  assert.is(descriptorsBelow(folder), 0)
  rmSync(folder, { recursive: true, force: true })
})

lanes('should append behind what was appended before', async () => {
  await lane.append([Buffer.from('ab'), Buffer.from('c')])
  await lane.append([Buffer.from('d')])
  assert.equal([lane.end, lane.position], [0, 4])
  assert.is(readFileSync(name, 'utf8'), 'abcd')
})

lanes('should take back what was appended since its end last moved', async () => {
  await lane.append([Buffer.from('kept')])
  lane.advance()
  await lane.append([Buffer.from('given up')])
  await lane.rollBack()
  assert.equal([lane.end, lane.position], [4, 4])
  assert.is(readFileSync(name, 'utf8'), 'kept')
  await lane.append([Buffer.from('!')])
  assert.is(readFileSync(name, 'utf8'), 'kept!')
})

lanes('should cut its tail when it closes', async () => {
  await lane.append([Buffer.from('kept')])
  lane.advance()
  await lane.append([Buffer.from('tail')])
  await lane.close()
  await lane.close()
  assert.is(statSync(name).size, 4)
})

lanes('should sync what it took back before it closes', async () => {
  await lane.append([Buffer.from('kept')])
  await lane.sync()
  lane.advance()
  await lane.append([Buffer.from('tail')])
  await lane.sync()
  await lane.rollBack()
  assert.is(syncs.done, 2)
  await lane.close()
  assert.is(syncs.done, 3)
})

lanes('should count what is not synced, until a sync, a roll back or its closing', async () => {
  await lane.append([Buffer.alloc(10)])
  assert.equal([lane.unsyncedBytes, unsynced.bytes], [10, 10])
  await lane.sync()
  assert.equal([lane.unsyncedBytes, unsynced.bytes, syncs.done], [0, 0, 1])
  lane.advance()
  await lane.append([Buffer.alloc(20)])
  await lane.rollBack()
  assert.equal([lane.unsyncedBytes, unsynced.bytes], [0, 0])
  await lane.append([Buffer.alloc(30)])
  lane.advance()
  await lane.close()
  assert.equal([unsynced.bytes, syncs.done], [0, 2])
})

lanes('should sync once more when bytes came while a sync ran', async () => {
  await lane.append([Buffer.alloc(10)])
  syncs.gate = new Gate()
  lane.requestSync()
  await lane.append([Buffer.alloc(10)])
  const synced = lane.sync()
  syncs.gate.open()
  await synced
  assert.equal([lane.unsyncedBytes, unsynced.bytes, syncs.done], [0, 0, 2])
})

/**
 * Another lane reaches the bound of unsynced bytes and asks everybody for a sync, while a write of
 * this lane is still on its way: that sync covers nothing of it. Acknowledging the chunk then,
 * without a further sync, would lose it in a power cut.
 */
lanes('should not take bytes for synced that were still being written', async () => {
  const writes = holdWrites()
  const appended = lane.append([Buffer.alloc(10)])
  await until('the write was on its way', () => writes.heldCount() === 1)
  lane.requestSync()
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  await until('no sync was running', () => syncs.begun === syncs.done)
  const before = syncs.begun
  writes.goOn()
  await appended
  await lane.sync()
  assert.ok(syncs.begun > before, 'a sync begins after the write has settled')
})

lanes('should remember a sync that was asked for while it wrote', async () => {
  const writes = holdWrites()
  const appended = lane.append([Buffer.alloc(10)])
  await until('the write was on its way', () => writes.heldCount() === 1)
  lane.requestSync()
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  await until('no sync was running', () => syncs.begun === syncs.done)
  const before = syncs.begun
  writes.goOn()
  await appended
  await until('a sync followed the write, though nobody asks again', () => syncs.done > before)
  assert.is(unsynced.bytes, 0)
})

lanes('should wait for a running sync before it takes anything back', async () => {
  await lane.append([Buffer.alloc(10)])
  syncs.gate = new Gate()
  lane.requestSync()
  let isBack = false
  const back = lane.rollBack().then(() => {
    isBack = true
  })
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
  assert.is(isBack, false)
  assert.is(statSync(name).size, 10)
  syncs.gate.open()
  await back
  assert.is(statSync(name).size, 0)
})

lanes('should be sealed for good by a write that failed', async () => {
  const full = await openLane('/dev/full')
  assert.is(await codeOf(full.append([Buffer.alloc(10)])), 'ENOSPC')
  assert.ok(full.sealed)
  assert.is(await codeOf(full.append([Buffer.alloc(10)])), 'the segment failed before')
  assert.not.equal(await codeOf(full.sync()), 'none')
  await full.rollBack()
  assert.ok(full.sealed, 'it stays so')
  await full.close()
  assert.is(unsynced.bytes, 0)
})

lanes('should never acknowledge after a sync that failed', async () => {
  const broken = await openLane('/dev/null')
  await broken.append([Buffer.alloc(10)])
  assert.is(await codeOf(broken.sync()), 'EINVAL')
  assert.ok(broken.sealed)
  assert.not.equal(await codeOf(broken.sync()), 'none')
  assert.is(syncs.begun, 1, 'a failed sync is never tried again: its pages count as clean')
  assert.not.equal(await codeOf(broken.append([Buffer.alloc(1)])), 'none')
  await broken.close()
  assert.is(unsynced.bytes, 0)
})

lanes('should not acknowledge when a sync failed that nobody waited for', async () => {
  const broken = await openLane('/dev/null')
  await broken.append([Buffer.alloc(10)])
  broken.requestSync()
  await until('the sync has failed', () => broken.sealed)
  assert.is(await codeOf(broken.sync()), 'the segment failed before')
  await broken.close()
})

lanes('should hold up nobody who waits for room when its own sync fails', async () => {
  const broken = await openLane('/dev/null')
  await broken.append([Buffer.alloc(990)])
  await lane.append([Buffer.alloc(500)])
  assert.is(unsynced.bytes, 500)
  assert.ok(broken.sealed)
  await broken.close()
})

lanes('should refuse bytes once its row belongs to somebody else', async () => {
  await lane.append([Buffer.alloc(10)])
  lane.seal()
  assert.not.equal(await codeOf(lane.append([Buffer.alloc(10)])), 'none')
  await lane.close()
  assert.equal([statSync(name).size, unsynced.bytes], [0, 0])
})

lanes('should read back what was appended, and tell when it is not all there', async () => {
  const content = Buffer.from(Array.from({ length: 600_000 }, (_, place) => place % 251))
  unsynced = new UnsyncedBytes(1e9)
  const wide = await openLane(`${name}-2`, 'wx+')
  await wide.append([content])
  const parts: Buffer[] = []
  const take = (data: Buffer) => void parts.push(Buffer.from(data))
  await wide.readBack(100, 599_000, take)
  assert.ok(Buffer.concat(parts).equals(content.subarray(100, 599_100)))
  assert.not.equal(await codeOf(wide.readBack(0, 600_001, () => {})), 'none')
  await wide.close()
})

lanes.run()
