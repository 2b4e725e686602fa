import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { CodedError } from '../../src/lib/errors.ts'
import { randomRowId } from '../../src/lib/random-id.ts'
import { Storage, writeFailure } from '../../src/bytes/storage.ts'
import { replacePromised } from '../helpers/replaced.ts'
import { Scene } from './segments/scene.ts'

const storages = suite('Storage')
const me = randomRowId()
const living = randomRowId()
const dead = randomRowId()
let storage: Storage

const scene = await Scene.open()
storages.after(() => scene.close())
storages.before.each(async () => {
  await scene.reset()
  storage = await scene.storage({ ownerId: me, alive: [living] })
})
storages.after.each(() => storage.close())

storages('should take over from dead owners, and truncate nothing', async () => {
  const containerId = await scene.container(storage)
  const table: [owner: string | null, ownerAfter: string | null][] = [
    [dead, null],
    [living, living],
    [me, me],
    [null, null],
  ]
  for (const [ownerId, ownerAfter] of table) {
    const id = await scene.leaveSegment({ containerId, ownerId, committedEnd: 60, bytes: 100 })
    await storage.recover()
    // The bytes may belong to a newer database that is restored soon.
    assert.is(statSync(scene.file(containerId, id)).size, 100)
    assert.is(await scene.ownerOf(id), ownerAfter)
  }
})

storages('should sync the folder of a segment that is already gone', async () => {
  const containerId = await scene.container(storage)
  const id = await scene.leaveSegment({ containerId, ownerId: null, committedEnd: 1, bytes: null })
  const synced: string[] = []
  const undo = replacePromised('open', (real) => async (...call: Parameters<typeof real>) => {
    synced.push(String(call[0]))
    return real(...call)
  })
  await storage.removeSegments(containerId, [id])
  undo()
  assert.equal(synced, [scene.containerFolder(containerId)])
  await storage.removeSegments(randomRowId(), [id])
})

storages('should finish a removal that was tombstoned before a crash', async () => {
  const containerId = await scene.container(storage)
  await scene.leaveSegment({ containerId, ownerId: dead, committedEnd: 60, bytes: 100 })
  await scene.database.begin((sql) => storage.tombstone(sql, [{ containerId, shareId: null }]))
  assert.ok(existsSync(scene.containerFolder(containerId)), 'the bytes go after the transaction')
  const next = await scene.storage()
  await next.recover()
  assert.is(existsSync(scene.containerFolder(containerId)), false)
  for (const table of ['containers', 'segments', 'tombstones'] as const) {
    assert.is(await scene.count(table), 0, table)
  }
})

storages('should finish a removal that was interrupted after the bytes were gone', async () => {
  const containerId = await scene.container(storage)
  await scene.database.begin((sql) => storage.tombstone(sql, [{ containerId, shareId: null }]))
  await storage.recover()
  assert.is(await scene.count('tombstones'), 0)
})

storages('should leave alone a folder with neither row nor tombstone', async () => {
  const unknown = randomRowId()
  mkdirSync(scene.containerFolder(unknown), { recursive: true })
  writeFileSync(scene.file(unknown, randomRowId()), 'bytes of a database that was restored')
  await storage.recover()
  await storage.removeTombstoned()
  assert.is(readdirSync(scene.containerFolder(unknown)).length, 1)
})

storages('should leave alone the containers that have rows', async () => {
  const containerId = await scene.container(storage)
  await scene.leaveSegment({ containerId, ownerId: null, committedEnd: 60, bytes: 60 })
  await storage.recover()
  assert.is(readdirSync(path.dirname(scene.containerFolder(containerId))).length, 1)
})

storages('should distinguish a full disk from a broken one', () => {
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
