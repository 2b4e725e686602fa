import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf } from '../../helpers/failure-of.ts'
import type { Database } from '../../../src/database/connect.ts'
import { randomRowId } from '../../../src/lib/random-id.ts'
import type { Lane } from '../../../src/blobs/segments/segment-writer.ts'
import { LanePool, segmentBytesMax } from '../../../src/blobs/segments/segment-writers.ts'
import type { Storage } from '../../../src/blobs/storage.ts'
import { interceptSql } from '../../helpers/intercepted-sql.ts'
import { replacePromised, replaceWritev, systemError } from '../../helpers/replaced.ts'
import { descriptorsBelow } from '../../helpers/traces.ts'
import { until } from '../../helpers/until.ts'
import { Scene } from './scene.ts'

const mebibyte = 1024 * 1024
const pools = suite('LanePool')
let scene: Scene
let storage: Storage
let pool: LanePool
let undo: () => void = () => {}

const never = () => new AbortController().signal

/** Whether a promise settles while others get every chance to run. */
async function staysPending(promise: Promise<unknown>): Promise<boolean> {
  let pending = true
  const settled = () => {
    pending = false
  }
  promise.then(settled, settled)
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
  return pending
}

/** Whether a promise settles, with a bound. */
async function settlesSoon(promise: Promise<unknown>): Promise<boolean> {
  let isSettled = false
  const settled = () => {
    isSettled = true
  }
  promise.then(settled, settled)
  return until('it settles', () => isSettled).then(
    () => true,
    () => false,
  )
}

async function acquireMany(parcelId: string, count: number): Promise<Lane[]> {
  const lanes: Lane[] = []
  while (lanes.length < count) lanes.push(await pool.acquire(parcelId, mebibyte, never()))
  return lanes
}

async function releaseAll(lanes: readonly Lane[]): Promise<void> {
  for (const lane of lanes) await pool.release(lane)
}

/** Moves the lane's end without writing so many bytes. */
async function fillTo(lane: Lane, end: number): Promise<void> {
  undo = replaceWritev(() => (_file, buffers, _position, callback) => {
    callback(
      null,
      buffers.reduce((sum, buffer) => sum + buffer.length, 0),
    )
  })
  const piece = Buffer.allocUnsafe(16 * mebibyte)
  while (lane.position < end) {
    await lane.append([piece.subarray(0, Math.min(piece.length, end - lane.position))])
    await lane.sync()
  }
  undo()
  lane.advance()
  truncateSync(scene.file(lane.parcelId, lane.segmentId), end)
}

pools.before(async () => {
  scene = await Scene.open()
})
pools.after(() => scene.close())
pools.before.each(async () => {
  storage = await scene.storage()
  pool = storage.lanes
})
pools.after.each(async () => {
  undo()
  undo = () => {}
  await pool.close()
})

pools(
  'should open at most 8 lanes for a parcel, then wait for one that is given back',
  async () => {
    const parcelId = await scene.parcel(storage)
    const lanes = await acquireMany(parcelId, 8)
    assert.is(new Set(lanes.map((lane) => lane.segmentId)).size, 8)
    const ninth = pool.acquire(parcelId, mebibyte, never())
    assert.ok(await staysPending(ninth))
    await pool.release(lanes[4] as Lane)
    assert.is(await ninth, lanes[4])
    assert.is(pool.count, 8)
    await releaseAll(lanes)
  },
)

pools('should let other parcels pass while one waits', async () => {
  const [full, free] = [await scene.parcel(storage), await scene.parcel(storage)]
  const lanes = await acquireMany(full, 8)
  const gone = new AbortController()
  const ninth = pool.acquire(full, mebibyte, gone.signal)
  lanes.push(await pool.acquire(free, mebibyte, never()))
  assert.ok(await staysPending(ninth))
  gone.abort(new Error('gone'))
  assert.is((await failureOf(ninth)).message, 'gone')
  await releaseAll(lanes)
})

pools('should wake who waits, at whatever instant a lane is given back', async () => {
  const parcelId = await scene.parcel(storage)
  const lanes = await acquireMany(parcelId, 8)
  const stuck: number[] = []
  for (let instants = 0; instants < 12; instants += 1) {
    const given = lanes.shift() as Lane
    const released = pool.release(given)
    for (let instant = 0; instant < instants; instant += 1) await Promise.resolve()
    const acquired = pool.acquire(parcelId, mebibyte, never())
    await released
    const isStuck = !(await settlesSoon(acquired))
    // Whoever is stuck is freed by the next lane, so that the test comes to its end.
    if (isStuck) {
      stuck.push(instants)
      await pool.release(lanes.shift() as Lane)
    }
    lanes.push(await acquired)
    while (lanes.length < 8) lanes.push(await pool.acquire(parcelId, mebibyte, never()))
  }
  await releaseAll(lanes)
  assert.equal(stuck, [], 'instants between the release and the wait that it did not end')
})

pools('should open at most 256 lanes in all, then make room by the longest idle one', async () => {
  const lanes: Lane[] = []
  for (let parcel = 0; parcel < 32; parcel += 1) {
    lanes.push(...(await acquireMany(await scene.parcel(storage), 8)))
  }
  assert.is(pool.count, 256)
  const other = await scene.parcel(storage)
  const waiting = pool.acquire(other, mebibyte, never())
  assert.ok(await staysPending(waiting))
  await pool.release(lanes[17] as Lane)
  const lane = await waiting
  assert.equal([lane.parcelId, pool.count], [other, 256])
  assert.is(await scene.ownerOf((lanes[17] as Lane).segmentId), null, 'the idle one was closed')
  lanes[17] = lane
  await releaseAll(lanes)
})

pools('should close lanes that are idle for 60 s, by the clock passed in', async () => {
  const parcelId = await scene.parcel(storage)
  const lane = await pool.acquire(parcelId, mebibyte, never())
  const { segmentId } = lane
  scene.clock.advance(120_000)
  await pool.closeIdle()
  assert.is(pool.count, 1, 'one in use is not idle')
  await pool.release(lane)
  scene.clock.advance(59_999)
  await pool.closeIdle()
  assert.equal([pool.count, pool.idleCount], [1, 1])
  scene.clock.advance(1)
  await pool.closeIdle()
  assert.equal([pool.count, pool.idleCount], [0, 0])
  assert.is(await scene.ownerOf(segmentId), null)
})

pools('should never let a chunk straddle 1 GiB', async () => {
  const parcelId = await scene.parcel(storage)
  const lane = await pool.acquire(parcelId, mebibyte, never())
  await fillTo(lane, segmentBytesMax - 1000)
  await pool.release(lane)
  const fits = await pool.acquire(parcelId, 1000, never())
  assert.is(fits, lane)
  await pool.release(fits)
  const rolled = await pool.acquire(parcelId, 1001, never())
  assert.is.not(rolled, lane)
  await pool.release(rolled)
})

pools('should not keep a lane that is full', async () => {
  const parcelId = await scene.parcel(storage)
  const lane = await pool.acquire(parcelId, mebibyte, never())
  await fillTo(lane, segmentBytesMax)
  await pool.release(lane)
  assert.equal([pool.count, pool.idleCount], [0, 0])
})

pools('should give up a parcel\u2019s own nearly full lanes for a fresh one', async () => {
  const parcelId = await scene.parcel(storage)
  const lanes = await acquireMany(parcelId, 8)
  for (const lane of lanes) await fillTo(lane, segmentBytesMax - 10)
  await releaseAll(lanes)
  const fresh = await pool.acquire(parcelId, mebibyte, never())
  assert.equal([fresh.end, pool.count], [0, 8])
  await pool.release(fresh)
})

pools('should never use a sealed lane again', async () => {
  const parcelId = await scene.parcel(storage)
  const lane = await pool.acquire(parcelId, mebibyte, never())
  undo = replaceWritev(() => (_file, _buffers, _position, callback) => {
    callback(Object.assign(new Error('broken'), { code: 'EIO' }), 0)
  })
  await failureOf(lane.append([Buffer.alloc(10)]))
  undo()
  await pool.release(lane)
  assert.is(pool.count, 0)
  const next = await pool.acquire(parcelId, mebibyte, never())
  assert.is.not(next.segmentId, lane.segmentId)
  await pool.release(next)
})

const changes: [name: string, change: (file: string) => void][] = [
  ['removed', (file) => rmSync(file)],
  ['replaced by a copy', (file) => replaceBy(file, readFileSync(file))],
  ['replaced by a folder', (file) => replaceBy(file, null)],
  ['cut', (file) => truncateSync(file, 400)],
  ['extended', (file) => appendFileSync(file, 'more')],
]

function replaceBy(file: string, content: Buffer | null): void {
  // As rsync and editors do: a new file takes the name.
  const next = `${file}.next`
  if (content) writeFileSync(next, content)
  else mkdirSync(next)
  rmSync(file)
  renameSync(next, file)
}

pools('should append no more to a segment that was changed from outside', async () => {
  for (const [name, change] of changes) {
    const parcelId = await scene.parcel(storage)
    const lane = await pool.acquire(parcelId, mebibyte, never())
    await lane.append([Buffer.alloc(1000, 'x')])
    await lane.requireIntact()
    lane.advance()
    await pool.release(lane)
    const same = await pool.acquire(parcelId, mebibyte, never())
    assert.is(same, lane, `not yet ${name}`)
    await lane.append([Buffer.alloc(1000, 'x')])
    change(scene.file(parcelId, lane.segmentId))
    // Nothing is acknowledged that was on its way, and nothing follows it there.
    assert.is((await failureOf(lane.requireIntact())).code, 'unavailable', name)
    await pool.release(lane)
    assert.is(pool.idleCount, 0, name)
    const idle = await pool.acquire(parcelId, mebibyte, never())
    await idle.append([Buffer.alloc(1000, 'x')])
    idle.advance()
    await pool.release(idle)
    change(scene.file(parcelId, idle.segmentId))
    const next = await pool.acquire(parcelId, mebibyte, never())
    assert.is.not(next.segmentId, idle.segmentId, name)
    assert.equal([next.end, pool.count], [0, 1], name)
    assert.is(await scene.ownerOf(idle.segmentId), null, name)
    await pool.release(next)
    await pool.closeIdleOf(parcelId)
  }
})

pools('should be 404 for a parcel that is gone, and make nothing for it', async () => {
  const parcelId = randomRowId()
  const error = await failureOf(pool.acquire(parcelId, mebibyte, never()))
  assert.is(error.code, 'not_found')
  assert.equal([pool.count, existsSync(scene.parcelFolder(parcelId))], [0, false])
})

pools(
  'should leave nothing behind when the parcel is deleted while its folder is made',
  async () => {
    const parcelId = await scene.parcel(storage)
    const { database } = scene
    let calls = 0
    const sql = interceptSql(database.sql, async (text, rows) => {
      calls += 1
      if (text.includes('insert into segments')) {
        const container = { parcelId, shareId: null }
        await database.begin((transaction) => storage.bury(transaction, [container]))
        await storage.removeNow([parcelId])
      }
      return rows
    })
    const racing: Database = { ...database, sql }
    const { root } = storage
    const clock = scene.clock
    const ownerId = randomRowId()
    const options = { root, database: racing, clock, log: scene.log, ownerId }
    const late = new LanePool({ ...options, durability: 'disk' })
    const error = await failureOf(late.acquire(parcelId, mebibyte, never()))
    assert.is(error.code, 'not_found')
    assert.ok(calls >= 2)
    assert.is(late.count, 0)
    assert.is(existsSync(scene.parcelFolder(parcelId)), false, 'a folder without row or tombstone')
  },
)

pools('should own no segment that could not be made', async () => {
  const parcelId = await scene.parcel(storage)
  undo = replacePromised('mkdir', () => () => Promise.reject(systemError('EMFILE', 'mkdir')))
  assert.is((await failureOf(pool.acquire(parcelId, mebibyte, never()))).code, 'EMFILE')
  undo()
  const { sql } = scene.database
  const rows = await sql`select owner_id from segments where parcel_id = ${parcelId}`
  assert.equal([...rows], [{ owner_id: null }])
  assert.is(pool.count, 0)
})

pools('should be 404 whichever step the parcel is deleted before', async () => {
  let steps = 0
  for (let last = 1; ; last += 1) {
    const parcelId = await scene.parcel(storage)
    steps = 0
    const beforeLast = async () => {
      steps += 1
      if (steps !== last) return
      await scene.database.begin((sql) => storage.bury(sql, [{ parcelId, shareId: null }]))
      await storage.removeNow([parcelId])
    }
    const undoes = (['mkdir', 'open'] as const).map((name) =>
      replacePromised(name, (real) => async (...call: unknown[]) => {
        await beforeLast()
        return (real as (...same: unknown[]) => Promise<unknown>)(...call)
      }),
    )
    const acquired = pool.acquire(parcelId, mebibyte, never())
    const code = await acquired.then(
      () => null,
      (error) => error.code,
    )
    for (const undoOne of undoes) undoOne()
    if (steps < last) {
      await pool.release(await acquired)
      break
    }
    assert.is(code, 'not_found', `step ${last}`)
    assert.equal([pool.count, existsSync(scene.parcelFolder(parcelId))], [0, false], `step ${last}`)
  }
  assert.ok(steps >= 5, `${steps} steps`)
})

pools('should give its place back when a segment cannot be made', async () => {
  const parcelId = await scene.parcel(storage)
  const lane = await pool.acquire(await scene.parcel(storage), mebibyte, never())
  await pool.release(lane)
  const folder = scene.parcelFolder(parcelId)
  mkdirSync(path.dirname(folder), { recursive: true })
  writeFileSync(folder, 'a file in the place of the folder')
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await failureOf(pool.acquire(parcelId, mebibyte, never()))
  }
  assert.is(pool.count, 1)
})

pools(
  'should close a deleted parcel\u2019s lanes, those in use when they are given back',
  async () => {
    const parcelId = await scene.parcel(storage)
    const [used, idle] = (await acquireMany(parcelId, 2)) as [Lane, Lane]
    await pool.release(idle)
    await pool.closeParcel(parcelId)
    assert.equal([pool.count, pool.idleCount], [1, 0])
    await pool.release(used)
    assert.is(pool.count, 0)
  },
)

pools('should make folders and segments for nobody else', async () => {
  const parcelId = await scene.parcel(storage)
  const lane = await pool.acquire(parcelId, mebibyte, never())
  const file = scene.file(parcelId, lane.segmentId)
  const folders = [path.dirname(file), path.dirname(path.dirname(file))]
  for (const folder of folders) assert.is(statSync(folder).mode & 0o777, 0o700)
  assert.is(statSync(file).mode & 0o777, 0o600)
  await pool.release(lane)
})

/** Which folders are made and synced while a lane is opened, in this order. */
async function stepsOfOpening(parcelId: string): Promise<string[]> {
  const steps: string[] = []
  const short = (name: string) =>
    path.relative(scene.rootFolder, name).replaceAll(/[^/]{30,}/g, '*')
  const segment = () => {
    const [made] = existsSync(scene.parcelFolder(parcelId)) ? segmentsOf(parcelId) : []
    return made ?? 'none'
  }
  const undoMkdir = replacePromised('mkdir', (real) => async (...call: Parameters<typeof real>) => {
    const made = await real(...call)
    steps.push(`mkdir ${short(String(call[0]))}`)
    return made
  })
  const undoOpen = replacePromised('open', (real) => async (...call: Parameters<typeof real>) => {
    const handle = await real(...call)
    const sync = handle.sync.bind(handle)
    handle.sync = async () => {
      const name = String(call[0])
      const inside =
        existsSync(segment()) && name === path.dirname(segment()) ? ' with segment' : ''
      steps.push(`sync ${short(name) || 'root'}${inside}`)
      await sync()
    }
    return handle
  })
  undo = () => {
    undoMkdir()
    undoOpen()
  }
  const lane = await pool.acquire(parcelId, mebibyte, never())
  undo()
  await pool.release(lane)
  return steps
}

/** A parcel that lies in a folder of its own. */
async function parcelApart(): Promise<string> {
  for (;;) {
    const parcelId = await scene.parcel(storage)
    if (!existsSync(path.dirname(scene.parcelFolder(parcelId)))) return parcelId
  }
}

pools('should make new names durable before the lane is used', async () => {
  const parcelId = await parcelApart()
  const prefix = parcelId.slice(0, 2)
  assert.equal(await stepsOfOpening(parcelId), [
    `mkdir ${prefix}`,
    'sync root',
    `mkdir ${prefix}/*`,
    `sync ${prefix}`,
    `sync ${prefix}/* with segment`,
  ])
})

pools('should sync the parents of folders that exist already', async () => {
  const parcelId = await parcelApart()
  const prefix = parcelId.slice(0, 2)
  mkdirSync(scene.parcelFolder(parcelId), { recursive: true })
  assert.equal(await stepsOfOpening(parcelId), [
    'sync root',
    `sync ${prefix}`,
    `sync ${prefix}/* with segment`,
  ])
})

function segmentsOf(parcelId: string): string[] {
  const folder = scene.parcelFolder(parcelId)
  return readdirSync(folder).map((name) => path.join(folder, name))
}

pools('should give lanes to all who wait when many want few', async () => {
  const parcelId = await scene.parcel(storage)
  let served = 0
  const all = Array.from({ length: 60 }, async () => {
    const lane = await pool.acquire(parcelId, mebibyte, never())
    assert.ok(pool.count <= 8)
    await new Promise(setImmediate)
    await pool.release(lane)
    served += 1
  })
  await until('everybody had a lane', () => served === 60)
  await Promise.all(all)
})

pools('should have left no descriptor open in any of these', () => {
  assert.is(descriptorsBelow(scene.folder), 0)
})

pools.run()
