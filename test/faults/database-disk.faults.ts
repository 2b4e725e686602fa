// The database's disk fills up, with the files on another one: uploads stop, deletions go on.
import { chmodSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../helpers/until.ts'
import { connect } from '../../src/database/connect.ts'
import { findRunning } from '../../src/database/embedded/start.ts'
import { makeLink, okay, randomContent, type Answer } from '../helpers/client.ts'
import { patient } from '../helpers/patience.ts'
import { makeDataDir, removeDataDir } from '../helpers/service-process.ts'
import { SmallDisk } from '../helpers/small-disk.ts'
import { bytesBelow } from '../helpers/invariants.ts'
import { FaultScene } from './scene.ts'

const mebibyte = 1024 * 1024
const ballastBytes = 64 * mebibyte
const patienceMs = patient(60_000)

const disks = suite('disk of the database')
const disk = SmallDisk.mount('900M', 'a database whose disk fills up')
const containers = makeDataDir()
let scene: FaultScene

disks.before(async () => {
  if (!disk) return
  const dataDir = path.join(disk.mountPoint, 'data')
  mkdirSync(dataDir)
  chmodSync(dataDir, 0o711)
  scene = new FaultScene({ STORAGE_DIR: path.join(containers, 'storage') }, dataDir, true)
  await scene.start()
  await until('the ballast is there', () => reserve() === ballastBytes, patienceMs)
})
disks.after(async () => {
  if (disk) await scene.clear()
  await removeDataDir(containers)
  disk?.remove()
})

const reserve = (): number =>
  statSync(path.join(scene.dataDir, 'database', 'ballast'), { throwIfNoEntry: false })?.size ?? 0

disks('should stop uploads and continue deletions until there is space', async () => {
  if (!disk) return
  let { sender } = scene
  const kept = randomContent(300_000, 'kept')
  const keptId = await sender.share({ 'kept.bin': kept })
  const doomed = await Promise.all(
    [1, 2, 3].map((index) => sender.share({ 'a.bin': randomContent(mebibyte, index) })),
  )
  const reverseId = await makeLink(sender)
  const draft = await sender.init()
  assert.is((await sender.chunk(draft, 'f', 0, 'first')).status, 200)
  const before = bytesBelow(containers)

  disk.fill()
  await until('the disk was measured', async () => isFull(await sender.chunk(draft, 'f', 1, 'x')))
  const list = { files: [{ fileId: 'f', fileName: 'f', originalName: 'f', size: 5 }] }
  for (const [path, json] of [
    ['/api/shares/init', { name: 'new' }],
    [`/api/shares/${draft}/finalize`, list],
    [`/api/public/reverse/${reverseId}/init`, { senderName: 'Guest' }],
  ] as const) {
    const answer = await sender.post(path, json)
    assert.ok(isFull(answer), `${path}: ${answer.status} ${answer.body.toString()}`)
  }
  const ready = await sender.get('/readyz')
  assert.is(ready.status, 200, 'downloads work')
  const checks = { uploads: 'disk_full', database: true, disk: true, database_disk: false }
  assert.equal(ready.json(), { status: 'degraded', ...checks })

  // The database panics when its log finds no space.
  await exhaust()
  // Freed for its restart, which begins a moment after its connections have ended.
  await until('ballast is freed', () => reserve() < ballastBytes, patienceMs)
  assert.is((await insistOnRoom(() => sender.delete(`/api/shares/${doomed[0]}`))).status, 200)
  for (const id of doomed.slice(1)) {
    assert.is((await insistOnRoom(() => sender.delete(`/api/shares/${id}`))).status, 200)
  }
  // A refused chunk may leave its bytes in the segment of the draft.
  const gone = 3 * mebibyte - 1_000
  await until('their bytes are gone', () => bytesBelow(containers) <= before - gone)
  const login = { email: 'admin@example.org', password: 'correct horse battery' }
  assert.is((await insistOnRoom(() => sender.post('/api/auth/login', login))).status, 200)
  assert.ok(isFull(await sender.chunk(draft, 'f', 1, 'x')))
  const status = (await sender.get('/api/admin/status')).json()
  assert.is(status.database.disk.reserve_bytes, reserve())
  assert.ok(status.database.disk.reserve_bytes < ballastBytes)
  assert.ok(status.database.disk.free_bytes < status.database.disk.floor_bytes)
  assert.ok(status.disk.free_bytes > status.disk.floor_bytes)

  // A start on the full disk: the rest of the reserve has to suffice for it.
  await scene.service!.stop()
  await scene.start()
  sender = scene.sender
  assert.ok(isFull(await sender.chunk(draft, 'f', 1, 'x')))

  disk.clear()
  await until('there is space again', async () => {
    return (await sender.chunk(draft, 'f', 1, ' second')).status === 200
  })
  await until('the ballast is back', () => reserve() === ballastBytes, patienceMs)
  const whole = { files: [{ ...list.files[0], size: 12 }] }
  await okay(sender.post(`/api/shares/${draft}/finalize`, whole))
  assert.ok((await sender.download(keptId)).body.equals(kept), 'nothing is lost')
  assert.is((await sender.get('/readyz')).status, 200)
  assert.not(scene.service!.hasEnded)
})

function isFull(answer: Answer): boolean {
  if (answer.status !== 507) return false
  const { code, disk } = answer.json()
  assert.equal([code, disk], ['disk_full', 'database'])
  return true
}

/** Calls again while the database restarts: 503, or 507 of the statement that filled the disk. */
async function insistOnRoom(call: () => Promise<Answer>): Promise<Answer> {
  let answer = await call()
  await until(
    'it is answered',
    async () => {
      if (answer.status !== 503 && answer.status !== 507) return true
      answer = await call()
      return false
    },
    patienceMs,
  )
  return answer
}

/** Lets the database write its log until the disk is full: it panics, and restarts. */
async function exhaust(): Promise<void> {
  const { socketDir, user, database } = findRunning(scene.dataDir)!
  const db = connect({ socketDir, user, database, applicationName: 'test' })
  let isFull = false
  try {
    await db.sql`create table filler (data text)`.catch(() => {})
    for (let count = 0; count < 100 && !isFull; count += 1) {
      try {
        await db.sql`insert into filler values ('x')`
        await db.sql`select pg_switch_wal()`
      } catch {
        isFull = true
      }
    }
    assert.ok(isFull)
  } finally {
    await db.close()
  }
}
