import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError, Client, okay, statusesOf } from '../helpers/client.ts'
import { setEverywhere } from '../helpers/many-rows.ts'
import { startService, type Service } from '../helpers/service.ts'
import { change, details } from './changes/scene.ts'
import { containersOnDisk } from '../helpers/invariants.ts'
const cleanUp = suite('clean-up of shares')
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

let service: Service
let owner: Client

cleanUp.before.each(async () => {
  service = await startService()
  owner = await service.user('owner@example.org')
})
cleanUp.after.each(() => service.stop())

const state = async (id: string) =>
  (await owner.get('/api/shares')).json().find((one: { id: string }) => one.id === id)

async function rowState(id: string): Promise<string | undefined> {
  const [row] = await service.database.sql<{ state: string }[]>`
    select state from shares where id = ${id}`
  return row?.state
}

/** A session survives the long waits of these tests only when it is used. */
async function wait(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= dayMs) {
    service.clock.advance(Math.min(left, dayMs))
    await owner.get('/api/shares')
  }
}

cleanUp('should remove drafts that received nothing for a week', async () => {
  const old = await owner.init()
  await owner.chunk(old, 'f', 0, 'x')
  await service.database.sql`update chunks set created_at = ${new Date(service.clock.now())}`
  await wait(7 * dayMs - hourMs)
  const fresh = await owner.init()
  await service.app.jobs.runAll()
  assert.is((await state(old)).status, 'draft')
  await wait(2 * hourMs)
  await service.app.jobs.runAll()
  assert.is(await state(old), undefined)
  assert.is((await state(fresh)).status, 'draft')
  assert.is(containersOnDisk(service), 0)
})

cleanUp('should keep a draft whose last chunk is recent', async () => {
  const id = await owner.init()
  await wait(6 * dayMs)
  await owner.chunk(id, 'f', 0, 'x')
  await service.database.sql`update chunks set created_at = ${new Date(service.clock.now())}`
  await wait(2 * dayMs)
  await service.app.jobs.runAll()
  assert.is((await state(id)).status, 'draft')
})

cleanUp('should remove no rows while the clock is doubted', async () => {
  const { sql } = service.database
  await sql`update sessions set expires_at = now() + interval '1 day'`
  const count = async () => (await sql`select 1 from sessions`).length
  const before = await count()
  assert.ok(before > 0)
  service.clock.jump(400 * dayMs)
  await service.app.jobs.runAll()
  assert.is(await count(), before)
  service.clock.advance(hourMs)
  await service.app.jobs.runAll()
  assert.ok((await count()) < before)
})

cleanUp('should skip a share that cannot be expired now, and try it again later', async () => {
  const hour = { expirationVal: 1, expirationUnit: 'Hours' }
  const held = await owner.share({ a: 'a' }, hour)
  const behind = await owner.share({ b: 'b' }, hour)
  const admin = await service.admin()
  const failing = async () => {
    const { jobs } = (await admin.get('/api/admin/status')).json()
    return jobs.find((job: { name: string }) => job.name === 'clean up shares').failing
  }
  const warnings = () => service.logLines.filter((line) => line.includes('removal failed')).length
  await setEverywhere(service.database, 'lock_timeout', '500ms')
  service.clock.advance(hourMs + 1)
  await service.database.begin(async (sql) => {
    // Its manifest may be being written.
    await sql`set local lock_timeout = '60s'`
    await sql`select 1 from shares where id = ${held} for update`
    for (let run = 0; run < 3; run += 1) await service.app.jobs.runAll()
    assert.equal([await rowState(held), await rowState(behind)], ['complete', 'expired'])
    assert.equal([await failing(), warnings()], [1, 1])
  })
  await setEverywhere(service.database, 'lock_timeout', '60s')
  service.clock.advance(minuteMs)
  await service.app.jobs.runAll()
  assert.equal(
    [await rowState(held), await failing(), containersOnDisk(service)],
    ['expired', 0, 0],
  )
})

cleanUp('should end a stopped share at once, and remove its files at the next run', async () => {
  const shareId = await owner.share({ a: 'content' }, { name: 'Over' })
  await service.app.jobs.runAll()
  const answer = await okay(owner.post(`/api/shares/${shareId}/stop`))
  assert.is(answer.json().expires_at, new Date(service.clock.now()).toISOString())
  assertError(await service.client().get(`/api/public/shares/${shareId}`), 410, 'expired')
  assertError(await service.client().get(`/api/shares/${shareId}/download`), 410, 'expired')
  assertError(await change(owner, shareId, { name: 'New' }), 410, 'expired')
  service.clock.advance(60_000)
  await service.app.jobs.runAll()
  const { status, name, files } = await details(owner, shareId)
  assert.equal([status, name, files], ['expired', 'Over', []])
})

cleanUp('should stop no draft, and no share twice', async () => {
  const draft = await owner.init()
  assertError(await owner.post(`/api/shares/${draft}/stop`), 409, 'conflict')
  assert.is((await details(owner, draft)).status, 'draft')
  const shareId = await owner.share({ a: 'content' })
  const both = [1, 2].map(() => owner.post(`/api/shares/${shareId}/stop`))
  assert.equal(statusesOf(await Promise.all(both)), [200, 410])
})
