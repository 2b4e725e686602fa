import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf } from '../helpers/failure-of.ts'
import { CodedError } from '../../src/lib/errors.ts'
import { randomRowId } from '../../src/lib/random-id.ts'
import { Storage, writeFailure } from '../../src/storage/storage.ts'
import { interceptSql } from '../helpers/intercepted-sql.ts'
import { replacePromised } from '../helpers/replaced.ts'
import { Scene } from './scene.ts'

const storages = suite('Storage')
const me = randomRowId()
const living = randomRowId()
const dead = randomRowId()
let scene: Scene
let storage: Storage

storages.before(async () => {
  scene = await Scene.open()
})
storages.after(() => scene.close())
storages.before.each(async () => {
  await scene.reset()
  storage = await scene.storage({ ownerId: me, alive: [living] })
})
storages.after.each(() => storage.close())

storages('should cut the tails of dead owners, and of nobody else', async () => {
  const parcelId = await scene.parcel(storage)
  const table: [owner: string | null, left: number, ownerAfter: string | null][] = [
    [dead, 60, null],
    [living, 100, living],
    [me, 100, me],
    [null, 100, null],
  ]
  for (const [ownerId, left, ownerAfter] of table) {
    const id = await scene.leaveSegment({ parcelId, ownerId, committedEnd: 60, bytes: 100 })
    await storage.recover()
    assert.is(statSync(scene.file(parcelId, id)).size, left)
    assert.is(await scene.ownerOf(id), ownerAfter)
  }
})

storages('should recover from a crash between a segment\u2019s row and its file', async () => {
  const parcelId = await scene.parcel(storage)
  const id = await scene.leaveSegment({ parcelId, ownerId: dead, committedEnd: 0, bytes: null })
  await storage.recover()
  assert.is(await scene.ownerOf(id), null)
})

storages('should not pad a segment that is shorter than its rows say', async () => {
  const parcelId = await scene.parcel(storage)
  const lost = { parcelId, ownerId: dead, committedEnd: 100, bytes: 40 }
  const id = await scene.leaveSegment(lost)
  await storage.recover()
  assert.is(statSync(scene.file(parcelId, id)).size, 40)
})

storages('should cut the tails of a start that was killed before it had cut them', async () => {
  const parcelId = await scene.parcel(storage)
  const id = await scene.leaveSegment({ parcelId, ownerId: dead, committedEnd: 60, bytes: 100 })
  const { sql } = scene.database
  // The next process dies as soon as it has begun to take over.
  const failing = interceptSql(sql, async (text, rows) => {
    if (text.includes('update segments')) throw new Error('killed')
    return rows
  })
  const killed = new Storage({
    root: storage.root,
    database: { ...scene.database, sql: failing },
    clock: scene.clock,
    log: scene.log,
    durability: 'disk',
    ownerId: randomRowId(),
    diskFloorBytes: () => 0,
    isAlive: async () => false,
  })
  await failureOf(killed.recover())
  await storage.recover()
  assert.is(statSync(scene.file(parcelId, id)).size, 60)
})

storages('should sync segments of dead owners, truncated or not', async () => {
  const parcelId = await scene.parcel(storage)
  for (const bytes of [60, 100]) {
    await scene.leaveSegment({ parcelId, ownerId: dead, committedEnd: 60, bytes })
  }
  const { syncs } = storage.lanes
  const run = syncs.run.bind(syncs)
  let synced = 0
  syncs.run = async (task) => {
    const done = await run(task)
    synced += 1
    return done
  }
  await storage.recover()
  assert.is(synced, 2)
})

storages('should sync the folder of a segment that is gone already', async () => {
  const parcelId = await scene.parcel(storage)
  const id = await scene.leaveSegment({ parcelId, ownerId: null, committedEnd: 1, bytes: null })
  const synced: string[] = []
  const undo = replacePromised('open', (real) => async (...call: Parameters<typeof real>) => {
    synced.push(String(call[0]))
    return real(...call)
  })
  await storage.removeSegment(parcelId, id)
  undo()
  assert.equal(synced, [scene.parcelFolder(parcelId)])
  await storage.removeSegment(randomRowId(), id)
})

storages('should finish what was buried before a crash', async () => {
  const parcelId = await scene.parcel(storage)
  await scene.leaveSegment({ parcelId, ownerId: dead, committedEnd: 60, bytes: 100 })
  await scene.database.begin((sql) => storage.bury(sql, [parcelId]))
  assert.equal([await scene.count('parcels'), await scene.count('segments')], [0, 0])
  assert.ok(existsSync(scene.parcelFolder(parcelId)), 'rows first, bytes after')
  const next = await scene.storage()
  await next.recover()
  assert.is(existsSync(scene.parcelFolder(parcelId)), false)
  assert.is(await scene.count('tombstones'), 0)
})

storages('should finish a removal that was cut after the bytes had gone', async () => {
  const parcelId = await scene.parcel(storage)
  await scene.database.begin((sql) => storage.bury(sql, [parcelId]))
  await storage.recover()
  assert.is(await scene.count('tombstones'), 0)
})

storages('should keep the tombstone when the bytes cannot be removed', async () => {
  const parcelId = await scene.parcel(storage)
  await scene.leaveSegment({ parcelId, ownerId: null, committedEnd: 1, bytes: 1 })
  await scene.database.begin((sql) => storage.bury(sql, [parcelId]))
  const undo = replacePromised('rm', () => async () => {
    throw Object.assign(new Error('busy'), { code: 'EBUSY' })
  })
  await failureOf(storage.removeParcel(parcelId))
  undo()
  assert.is(await scene.count('tombstones'), 1)
  assert.is(await storage.removeBuried(), 1)
  assert.is(existsSync(scene.parcelFolder(parcelId)), false)
})

storages('should remove the other buried parcels when one cannot be removed', async () => {
  const stuck = await scene.parcel(storage)
  const other = await scene.parcel(storage)
  for (const parcelId of [stuck, other]) {
    await scene.leaveSegment({ parcelId, ownerId: null, committedEnd: 1, bytes: 1 })
    await scene.database.begin((sql) => storage.bury(sql, [parcelId]))
  }
  const undo = replacePromised('rm', (real) => async (...call: Parameters<typeof real>) => {
    if (String(call[0]).includes(stuck)) throw Object.assign(new Error('no'), { code: 'EIO' })
    await real(...call)
  })
  await storage.removeBuried().catch(() => {})
  undo()
  assert.is(existsSync(scene.parcelFolder(other)), false, 'one bad parcel holds up no other')
  assert.ok(existsSync(scene.parcelFolder(stuck)))
})

storages('should leave alone a folder with neither row nor tombstone', async () => {
  const unknown = randomRowId()
  mkdirSync(scene.parcelFolder(unknown), { recursive: true })
  writeFileSync(scene.file(unknown, randomRowId()), 'bytes of a database that was restored')
  await storage.recover()
  await storage.removeBuried()
  assert.is(readdirSync(scene.parcelFolder(unknown)).length, 1)
})

storages('should leave alone the parcels that have rows', async () => {
  const parcelId = await scene.parcel(storage)
  await scene.leaveSegment({ parcelId, ownerId: null, committedEnd: 60, bytes: 60 })
  await storage.recover()
  assert.is(readdirSync(path.dirname(scene.parcelFolder(parcelId))).length, 1)
})

storages('should tell a full disk from a broken one', () => {
  const table: [code: string, status: number][] = [
    ['ENOSPC', 507],
    ['EDQUOT', 507],
    ['EFBIG', 507],
    ['EIO', 503],
    ['EROFS', 503],
  ]
  for (const [code, status] of table) {
    const failure = writeFailure(Object.assign(new Error('a system error'), { code }))
    assert.is(failure.status, status, code)
    assert.not.match(failure.message, /system error/)
    if (status === 503) assert.ok(failure.headers['Retry-After'])
  }
  const known = new CodedError('not_found')
  assert.is(writeFailure(known), known)
})

storages.run()
