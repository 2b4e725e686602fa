// Verify in the admin API, as a job, and the check at the start.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Gate, until } from '../../../helpers/until.ts'
import {
  assertError,
  Guest,
  makeLink,
  okay,
  randomContent,
  type Client,
} from '../../../helpers/client.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Sql } from '../../../../src/database/connect.ts'
import { operator } from '../../../../src/lib/actor.ts'
import { randomRowId } from '../../../../src/lib/random-id.ts'
import { containerFolder, segmentFile } from '../../../../src/bytes/segments/files-on-disk.ts'
import type { Finding } from '../../../../src/bytes/upkeep/verify/findings-sql.ts'
import { startUnlimited } from '../../send/scene.ts'
import type { Service } from '../../../helpers/service.ts'
import { systemError } from '../../../helpers/replaced.ts'
import {
  anotherVerify,
  beforeReading,
  flip,
  interrupt,
  isMarked,
  placeOf,
  verify,
  wordsOf,
} from './scene.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs
const noCounts = { missing: 0, short: 0, rotten: 0, orphaned: 0 }
const target = '/api/admin/verify'

const service = suite('verify: in the service')
let under: Service
let admin: Client

service.before.each(async () => {
  under = await startUnlimited()
  admin = await under.admin()
})
service.after.each(() => under.stop())

const report = async () => (await admin.get('/api/admin/status')).json().verify
const isThrough = () => until('it has finished', async () => (await report()).current === null)

/** Blocks the first read until released. */
function holdReading(): { let: () => void; isHeld: Promise<void> } {
  const [held, gate] = [new Gate(), new Gate()]
  const undo = beforeReading(under, () => {
    undo()
    held.open()
    return gate.passed
  })
  return { let: gate.open, isHeld: held.passed }
}

service('should be started by administrators, one at a time', async () => {
  await admin.share({ 'a.bin': randomContent(100_000, 'a') })
  assert.equal(await report(), { running: false, current: null, last: null })
  const hold = holdReading()
  assert.is((await admin.post(target)).status, 200)
  await hold.isHeld
  assertError(await admin.post(target), 409, 'conflict')
  const during = await report()
  const { total_bytes: total, checked_bytes: checked } = during.current
  assert.equal([during.running, total, checked, during.last], [true, 100_000, 0, null])
  hold.let()
  await isThrough()
  const { running, last } = await report()
  assert.equal([running, last.checked_bytes], [false, 100_000])
  assert.equal(last.counts, noCounts)
  const user = await under.user('user@example.org')
  assert.is((await user.post(target)).status, 403)
})

service('should report findings with the names that users know, and log them', async () => {
  const shareId = await admin.share({ 'a.txt': 'aaa' }, { name: 'Fotos' })
  const link = await makeLink(admin, { name: 'Inbox' })
  await new Guest(under.client(), link).deliver({ 'in.txt': 'in' })
  for (const name of ['a.txt', 'in.txt']) flip(await placeOf(under, name))
  const { findings } = await verify(under)
  const ofShare = findings.find(({ share }) => share)!
  const ofGuest = findings.find(({ delivery }) => delivery)!
  assert.equal([ofShare.share, ofShare.fileName], [{ id: shareId, name: 'Fotos' }, 'a.txt'])
  const { reverseShareId, name } = ofGuest.delivery!
  assert.equal([reverseShareId, name, ofGuest.fileName], [link, 'Inbox', 'in.txt'])
  assert.is((await admin.post(target)).status, 200)
  await isThrough()
  const { last } = await report()
  assert.is(last.counts.rotten, 2)
  const said = under.logLines.filter((line) => line.includes('verification found damage'))
  assert.is(said.length, 2)
  assert.match(said[0]!, '"kind":"rotten"')
})

service('should run by itself every 30 days, unless the setting says never', async () => {
  await admin.share({ 'a.txt': 'aaa' }, { expirationVal: 0 })
  const runs = async () => (await under.database.sql`select 1 from verify_runs`).length
  await under.app.jobs.runAll()
  assert.is(await runs(), 0)
  under.clock.advance(31 * dayMs)
  const { verify: room, settings } = under.app.services
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

service('should run by itself after the clock was ahead', async () => {
  await admin.share({ 'a.txt': 'aaa' }, { expirationVal: 0 })
  const { verify: room } = under.app.services
  under.clock.jump(3_650 * dayMs)
  await room.runIfDue()
  under.clock.jump(-3_650 * dayMs)
  const ahead = (await report()).last.finished_at
  assert.ok(Date.parse(ahead) > under.clock.now())
  await room.runIfDue()
  assert.ok(Date.parse((await report()).last.finished_at) <= under.clock.now())
})

for (const [what, change] of [
  ['in another place', (sql: Sql) => sql`update verify_runs set storage_place = 'elsewhere'`],
  [
    'a day ago',
    (sql: Sql) => sql`update verify_runs set progress_at = now() - interval '25 hours'`,
  ],
] as const) {
  service(`should start again when it was interrupted ${what}`, async () => {
    for (const name of ['a', 'b']) await admin.share({ [name]: randomContent(400_000, name) })
    await interrupt(under, 2)
    await change(under.database.sql)
    await verify(under, { verification: anotherVerify(under), isRestart: false })
    const { last } = await report()
    assert.equal([last.checked_bytes, last.resumed_bytes], [800_000, 0])
  })
}

service('should report each finding once when it is resumed, and count all', async () => {
  for (const name of ['a', 'b', 'c']) await admin.share({ [name]: randomContent(400_000, name) })
  // In the order in which they are read.
  const rows = await under.database.sql<{ name: string }[]>`
    select original_name as name from files order by container_id`
  const names = rows.map(({ name }) => name)
  const [first, second, third] = await Promise.all(names.map((name) => placeOf(under, name)))
  await under.app.storage.writers.close()
  flip(first!)
  rmSync(second!.file)
  flip(third!)
  writeFileSync(path.join(path.dirname(first!.file), `${randomRowId()}.seg`), 'x')
  const told: string[] = []
  const onFinding = (finding: Finding) => told.push(wordsOf(finding))
  // Stopped at the last one: the missing segment is not opened.
  await interrupt(under, 2, onFinding)
  assert.equal((await report()).current.counts, { ...noCounts, rotten: 1, missing: 1 })
  const verification = anotherVerify(under)
  const { run } = await verify(under, { verification, isRestart: false, onFinding })
  assert.equal(run.counts, { ...noCounts, missing: 1, rotten: 2, orphaned: 1 })
  assert.is((await report()).last.resumed_bytes, 800_000)
  assert.equal(told, [
    `rotten ${names[0]}`,
    `missing ${names[1]}`,
    `rotten ${names[2]}`,
    'orphaned',
  ])
  for (const name of names) assert.ok(await isMarked(under, name), name)
})

service('should report why a run ended early', async () => {
  await admin.share({ 'a.bin': randomContent(400_000, 'a') })
  const undo = beforeReading(under, () => Promise.reject(systemError('EMFILE', 'open')))
  await verify(under).catch(() => {})
  undo()
  const { running, current } = await report()
  assert.is(running, false)
  assert.match(current.error, 'EMFILE, open')
  await verify(under, { isRestart: false })
  assert.is((await report()).last.error, null)
})

service('should check sizes at the start, and report losses', async () => {
  await admin.share({ 'a.txt': 'aaa', 'b.txt': 'bbb' })
  await admin.share({ 'c.txt': 'ccc' })
  const { startCheck } = under.app.services
  await startCheck.run()
  const checks = { uploads: 'ok', database: true, disk: true, database_disk: true }
  const healthy = { status: 'ok', ...checks }
  assert.equal((await admin.get('/readyz')).json(), healthy)
  const { storage } = (await admin.get('/api/admin/status')).json()
  const { checked_at: checkedAt, ...counts } = storage.check
  assert.is(checkedAt, new Date(under.clock.now()).toISOString())
  assert.equal(counts, { segments: 2, missing: 0, short: 0, orphaned: 0 })

  await under.app.storage.writers.close()
  rmSync((await placeOf(under, 'a.txt')).file)
  const unknown = randomRowId()
  const folder = containerFolder(under.storageDir, unknown)
  mkdirSync(folder, { recursive: true })
  await startCheck.run()
  assert.ok((await isMarked(under, 'a.txt')) && (await isMarked(under, 'b.txt')))
  const degraded = await okay(admin.get('/readyz'))
  assert.equal(degraded.json(), {
    ...healthy,
    status: 'degraded',
    storage: { missing: 1, short: 0, orphaned: 1 },
  })
  const said = under.logLines.filter((line) => line.includes('do not match'))
  assert.is(said.length, 1)
  assert.match(said[0]!, '"missing":1')

  rmSync(folder, { recursive: true })
  await startCheck.runIfDue()
  assert.is((await admin.get('/readyz')).json().storage.orphaned, 1, 'not so soon')
  under.clock.advance(hourMs)
  await startCheck.runIfDue()
  assert.equal((await admin.get('/readyz')).json().storage, { missing: 1, short: 0, orphaned: 0 })
})

service('should not warn of lost chunks that were sent again', async () => {
  const shareId = await admin.init()
  const content = randomContent(600_000, 1)
  assert.is((await admin.chunk(shareId, 'f', 0, content)).status, 200)
  under.clock.advance(61_000)
  await under.app.storage.writers.closeIdle()
  const [row] = await under.database.sql<{ containerId: string; segmentId: string }[]>`
    select container_id, segment_id from chunks`
  const name = segmentFile(under.storageDir, row!.containerId, row!.segmentId)
  writeFileSync(name, readFileSync(name).subarray(0, 100_000))
  const { startCheck } = under.app.services
  await startCheck.run()
  assert.equal((await admin.get('/readyz')).json().storage, { missing: 0, short: 1, orphaned: 0 })

  const list = [{ fileId: 'f', originalName: 'f', size: 600_000 }]
  assert.is((await admin.finalize(shareId, list)).status, 400)
  assert.is((await admin.chunk(shareId, 'f', 0, content)).status, 200)
  for (const status of [200, 200]) {
    await startCheck.run()
    assert.is((await admin.get('/readyz')).json().status, 'ok')
    assert.equal((await verify(under)).run.counts, noCounts)
    assert.is((await admin.finalize(shareId, list)).status, status)
  }
  // The same when the whole segment is gone, which no file needs.
  rmSync(name)
  await startCheck.run()
  assert.is((await admin.get('/readyz')).json().status, 'ok')
  assert.equal((await verify(under)).run.counts, noCounts)
})

service('should check sizes again after a verification by any process', async () => {
  await admin.share({ 'a.txt': 'aaa' })
  const { startCheck } = under.app.services
  const state = async () => (await admin.get('/readyz')).json().status
  await startCheck.run()
  await under.app.storage.writers.close()
  const { file } = await placeOf(under, 'a.txt')
  renameSync(file, `${file}.away`)
  await startCheck.runIfDue()
  assert.is(await state(), 'ok')
  assert.is((await admin.post(target)).status, 200)
  await isThrough()
  await until('it checked again', async () => (await state()) === 'degraded')
  renameSync(`${file}.away`, file)
  await verify(under, { verification: anotherVerify(under) })
  assert.is(await state(), 'degraded')
  await startCheck.runIfDue()
  assert.is(await state(), 'ok')
})
