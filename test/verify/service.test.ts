// Verify as administrators see it, as a job, and the check at the start.
import { mkdirSync, rmSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operator } from '../../src/lib/actor.ts'
import { createLog } from '../../src/lib/log.ts'
import { randomRowId } from '../../src/lib/random-id.ts'
import { parcelFolder } from '../../src/storage/paths.ts'
import { Verify } from '../../src/verify/verify.ts'
import { assertError } from '../contract/shapes.ts'
import { startUnlimited } from '../downloads/scene.ts'
import type { Client } from '../helpers/client.ts'
import { randomContent } from '../helpers/content.ts'
import { onlyProcess, type Service } from '../helpers/service.ts'
import { until } from '../helpers/until.ts'
import { Guest, makeLink } from '../reverse/guest.ts'
import { flip, isMarked, placeOf, verify } from './scene.ts'

const dayMs = 24 * 60 * 60_000
const target = '/api/admin/verify'

const service = suite('verify: in the service')
let under: Service
let admin: Client

service.before.each(async () => {
  under = await startUnlimited()
  admin = await under.admin()
})
service.after.each(async () => {
  await admin.close()
  await under.stop()
})

const report = async () => (await admin.get(target)).json()
const isThrough = () => until('it is through', async () => (await report()).current === null)

/** Holds the first read until it is let go. */
function holdReading(): { let: () => void; isHeld: Promise<void> } {
  const { files } = under.app.storage
  const pin = files.pin.bind(files)
  let letGo = () => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  let tell = () => {}
  const isHeld = new Promise<void>((resolve) => (tell = resolve))
  files.pin = async (...call) => {
    files.pin = pin
    tell()
    await held
    return pin(...call)
  }
  return { let: letGo, isHeld }
}

service('should be started by administrators, one at a time', async () => {
  await admin.share({ 'a.bin': randomContent(100_000, 'a') })
  assert.equal(await report(), { running: false, current: null, last: null, findings: [] })
  const hold = holdReading()
  assert.is((await admin.post(target)).status, 200)
  await hold.isHeld
  assertError(await admin.post(target), 409, 'conflict')
  const during = await report()
  assert.equal([during.running, during.current.total_bytes, during.last], [true, 100_000, null])
  const { verify: shown } = (await admin.get('/api/admin/status')).json()
  assert.equal([shown.running, shown.current.checked_bytes], [true, 0])
  hold.let()
  await isThrough()
  const { running, last } = await report()
  assert.equal([running, last.checked_bytes], [false, 100_000])
  assert.equal(last.counts, { missing: 0, short: 0, rotten: 0, orphaned: 0 })
  const user = await under.user('user@example.org')
  assert.is((await user.post(target)).status, 403)
  assert.is((await user.get(target)).status, 403)
  await user.close()
})

service('should tell what it found with the names that people know', async () => {
  const shareId = await admin.share({ 'a.txt': 'aaa' }, { name: 'Fotos' })
  const link = await makeLink(admin, { name: 'Inbox' })
  await new Guest(under.client(), link).deliver({ 'in.txt': 'in' })
  for (const name of ['a.txt', 'in.txt']) flip(await placeOf(under, name))
  assert.is((await admin.post(target)).status, 200)
  await isThrough()
  const { findings, last } = await report()
  assert.is(last.counts.rotten, 2)
  const ofShare = findings.find((finding: { share: unknown }) => finding.share)
  const ofGuest = findings.find((finding: { delivery: unknown }) => finding.delivery)
  assert.equal([ofShare.share, ofShare.file.name], [{ id: shareId, name: 'Fotos' }, 'a.txt'])
  assert.equal([ofGuest.delivery.reverse_share_id, ofGuest.delivery.name], [link, 'Inbox'])
  assert.is(ofGuest.file.name, 'in.txt')
  const { verify: shown } = (await admin.get('/api/admin/status')).json()
  assert.equal(shown.last.counts, last.counts)
})

service('should run by itself every 30 days, unless the setting says never', async () => {
  await admin.share({ 'a.txt': 'aaa' }, { expirationVal: 0 })
  const runs = async () => (await under.database.sql`select 1 from verify_runs`).length
  await under.app.jobs.runAll()
  assert.is(await runs(), 0)
  under.clock.advance(31 * dayMs)
  const { verify: room, settings } = under.app.rooms
  await settings.update(operator, { verifyDays: 0 })
  await room.runIfDue()
  assert.is(await runs(), 0)
  await settings.update(operator, { verifyDays: 30 })
  await room.runIfDue()
  assert.is(await runs(), 1)
  await room.runIfDue()
  assert.is(await runs(), 1)
  under.clock.advance(29 * dayMs)
  await room.runIfDue()
  assert.is(await runs(), 1)
  under.clock.advance(dayMs)
  await room.runIfDue()
  assert.is(await runs(), 2)
})

service('should go on where it was when it is stopped', async () => {
  const parts = [1, 2, 3].map((seed) => randomContent(400_000, seed))
  for (const [place, content] of parts.entries()) await admin.share({ [`f${place}`]: content })
  const { files } = under.app.storage
  const pin = files.pin.bind(files)
  let count = 0
  files.pin = async (...call) => {
    count += 1
    if (count === 3) under.app.rooms.verify.stop()
    return pin(...call)
  }
  const failure = await verify(under).catch((error: unknown) => error)
  assert.match(String(failure), 'was stopped')
  files.pin = pin
  const { running, current } = await report()
  assert.equal([running, current.checked_bytes], [false, 800_000])
  const again = new Verify({
    ...under.app,
    ...under,
    log: createLog({ level: 'silent' }),
    takeJob: onlyProcess.takeJob,
    damage: under.app.rooms.downloads.damage,
    daysBetween: () => 30,
    onFinished: () => {},
  })
  await again.runIfDue()
  const { last } = await report()
  assert.equal([last.started_at, last.checked_bytes], [current.started_at, 1_200_000])
})

service('should look at sizes at the start, and say what is lost', async () => {
  await admin.share({ 'a.txt': 'aaa', 'b.txt': 'bbb' })
  await admin.share({ 'c.txt': 'ccc' })
  const { startCheck } = under.app.rooms
  await startCheck.run()
  const healthy = { status: 'ok', database: true, disk: true, database_disk: true }
  assert.equal((await admin.get('/readyz')).json(), healthy)
  const { storage } = (await admin.get('/api/admin/status')).json()
  const { checked_at: checkedAt, ...counts } = storage.check
  assert.is(checkedAt, new Date(under.clock.now()).toISOString())
  assert.equal(counts, { segments: 2, missing: 0, short: 0, orphaned: 0 })

  await under.app.storage.lanes.close()
  rmSync((await placeOf(under, 'a.txt')).file)
  const unknown = randomRowId()
  const folder = parcelFolder(under.parcelsDir, unknown)
  mkdirSync(folder, { recursive: true })
  await startCheck.run()
  assert.ok((await isMarked(under, 'a.txt')) && (await isMarked(under, 'b.txt')))
  const degraded = await admin.get('/readyz')
  assert.is(degraded.status, 200)
  assert.equal(degraded.json(), {
    ...healthy,
    status: 'degraded',
    storage: { missing: 1, short: 0, orphaned: 1 },
  })
  const said = under.logLines.filter((line) => line.includes('do not fit together'))
  assert.is(said.length, 1)
  assert.match(said[0]!, '"missing":1')

  rmSync(folder, { recursive: true })
  await startCheck.runAgain()
  assert.equal((await admin.get('/readyz')).json().storage, { missing: 1, short: 0, orphaned: 0 })
})

service.run()
