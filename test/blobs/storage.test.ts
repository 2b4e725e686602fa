import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf } from '../helpers/failure-of.ts'
import { CodedError } from '../../src/lib/errors.ts'
import { randomRowId } from '../../src/lib/random-id.ts'
import { Storage, writeFailure } from '../../src/blobs/storage.ts'
import { interceptSql } from '../helpers/intercepted-sql.ts'
import { replacePromised } from '../helpers/replaced.ts'
import { Scene } from './segments/scene.ts'

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

storages('should take over from dead owners, and cut nothing', async () => {
  const parcelId = await scene.parcel(storage)
  const table: [owner: string | null, ownerAfter: string | null][] = [
    [dead, null],
    [living, living],
    [me, me],
    [null, null],
  ]
  for (const [ownerId, ownerAfter] of table) {
    const id = await scene.leaveSegment({ parcelId, ownerId, committedEnd: 60, bytes: 100 })
    await storage.recover()
    // Of a newer database, perhaps, that is put back soon.
    assert.is(statSync(scene.file(parcelId, id)).size, 100)
    assert.is(await scene.ownerOf(id), ownerAfter)
  }
  assert.equal(storage.tails, { segments: 1, bytes: 40 })
})

storages('should start whatever is in the place of a segment', async () => {
  const parcelId = await scene.parcel(storage)
  const leave = () => scene.leaveSegment({ parcelId, ownerId: dead, committedEnd: 60, bytes: null })
  const ids = [await leave(), await leave(), await leave()]
  const [folder, loop, whole] = ids.map((id) => scene.file(parcelId, id)) as [
    string,
    string,
    string,
  ]
  mkdirSync(folder)
  symlinkSync(loop, loop)
  writeFileSync(whole, Buffer.alloc(70))
  const elsewhere = await scene.parcel(storage)
  const away = { parcelId: elsewhere, ownerId: dead, committedEnd: 60, bytes: null }
  ids.push(await scene.leaveSegment(away))
  rmSync(scene.parcelFolder(elsewhere), { recursive: true })
  writeFileSync(scene.parcelFolder(elsewhere), 'no folder')
  await storage.recover()
  for (const id of ids) assert.is(await scene.ownerOf(id), null)
  assert.equal(storage.tails, { segments: 1, bytes: 10 })
  assert.ok(statSync(folder).isDirectory(), 'it stays as it is')
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

storages('should go on where a start was killed', async () => {
  const parcelId = await scene.parcel(storage)
  const id = await scene.leaveSegment({ parcelId, ownerId: dead, committedEnd: 60, bytes: 100 })
  const { sql } = scene.database
  // The next process dies as soon as it has begun to take over.
  const failing = interceptSql(sql, async (text, rows) => {
    if (text.includes('returning id, parcel_id')) throw new Error('killed')
    return rows
  })
  const killed = new Storage({
    root: storage.root,
    database: { ...scene.database, sql: failing },
    clock: scene.clock,
    log: scene.log,
    databaseDisk: null,
    durability: 'disk',
    ownerId: randomRowId(),
    diskFloorBytes: () => 0,
    isAlive: async () => false,
    isRead: () => false,
  })
  await failureOf(killed.recover())
  await storage.recover()
  assert.is(await scene.ownerOf(id), null)
  assert.equal(storage.tails, { segments: 1, bytes: 40 })
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
  await scene.database.begin((sql) => storage.bury(sql, [{ parcelId, shareId: null }]))
  assert.ok(existsSync(scene.parcelFolder(parcelId)), 'the bytes go after the transaction')
  const next = await scene.storage()
  await next.recover()
  assert.is(existsSync(scene.parcelFolder(parcelId)), false)
  for (const table of ['parcels', 'segments', 'tombstones'] as const) {
    assert.is(await scene.count(table), 0, table)
  }
})

storages('should finish a removal that was cut after the bytes had gone', async () => {
  const parcelId = await scene.parcel(storage)
  await scene.database.begin((sql) => storage.bury(sql, [{ parcelId, shareId: null }]))
  await storage.recover()
  assert.is(await scene.count('tombstones'), 0)
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
