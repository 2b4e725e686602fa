// Limits apply to the files of a share together with those being added.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startService, type Service } from '../../helpers/service.ts'
import { randomContent, assertError, type Client } from '../../helpers/client.ts'
import { assertInvariants, settleService } from '../../helpers/invariants.ts'
import { add, bytesOf, look, remove, send, startAdding } from './scene.ts'

const limits = suite('additions: limits and clean-up')
const dayMs = 24 * 60 * 60_000
let service: Service
let admin: Client
let owner: Client

limits.before.each(async () => {
  service = await startService()
  admin = await service.admin()
  owner = await service.user('owner@example.org')
})
limits.after.each(async () => {
  await settleService(service)
  await assertInvariants(service)
  await service.stop()
})

async function configure(values: object): Promise<void> {
  assert.is((await admin.put('/api/config', values)).status, 200)
}

limits('should answer 413 when old and new files exceed the limit of a share', async () => {
  const shareId = await owner.share({ a: randomContent(600, 'a') })
  await configure({ maxShareSize: 1000 })
  await startAdding(owner, shareId)
  assertError(await owner.chunk(shareId, 'f', 0, randomContent(401, 'f')), 413, 'share_too_large')
  const list = await send(owner, shareId, { b: randomContent(400, 'b') })
  await configure({ maxShareSize: 999 })
  assertError(await owner.finalize(shareId, list), 413, 'share_too_large')
  await configure({ maxShareSize: 1000 })
  assert.is((await owner.finalize(shareId, list)).status, 200)
  const [first] = (await look(service, owner, shareId)).files
  await remove(owner, shareId, first!.id)
  await add(owner, shareId, { c: randomContent(600, 'c') })
  assert.equal(await bytesOf(service, shareId), { used: 1600, live: 1000 })
})

/** A session survives the long waits of these tests only when it is used. */
async function wait(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= dayMs) {
    service.clock.advance(Math.min(left, dayMs))
    await owner.get('/api/shares')
    await admin.get('/api/shares')
  }
}

/** The database has its own clock; the test's clock is what counts here. */
async function sendNow(shareId: string): Promise<void> {
  await send(owner, shareId, { b: 'bb' })
  await service.database.sql`update chunks set created_at = ${new Date(service.clock.now())}`
}

limits('should be cleaned up after a week without chunks, and leave the share', async () => {
  const shareId = await owner.share({ a: 'a' }, { expirationVal: 0 })
  const before = await look(service, owner, shareId)
  await startAdding(owner, shareId)
  // Their week begins again with each request to start them, and with each chunk.
  await wait(6 * dayMs)
  await startAdding(owner, shareId)
  await wait(6 * dayMs)
  await service.app.jobs.runAll()
  assert.is((await owner.get(`/api/shares/${shareId}/chunks`)).status, 200)
  await sendNow(shareId)
  await wait(6 * dayMs)
  await service.app.jobs.runAll()
  assert.is((await owner.get(`/api/shares/${shareId}/chunks`)).json().chunks.length, 1)
  await wait(2 * dayMs)
  await service.app.jobs.runAll()
  assertError(await owner.get(`/api/shares/${shareId}/chunks`), 409, 'already_complete')
  assert.is((await bytesOf(service, shareId)).live, 1)
  assert.equal(await look(service, owner, shareId), before)
})

limits('should leave nothing when the share expires or is deleted meanwhile', async () => {
  const expiring = await owner.share({ a: 'a' }, { expirationVal: 1, expirationUnit: 'Hours' })
  const deleted = await owner.share({ a: 'a' })
  for (const shareId of [expiring, deleted]) {
    await startAdding(owner, shareId)
    await send(owner, shareId, { b: randomContent(300_000, 'b') })
  }
  assert.is((await owner.delete(`/api/shares/${deleted}`)).status, 200)
  service.clock.advance(60 * 60_000 + 1)
  await service.app.jobs.runAll()
  for (const table of ['chunks', 'files', 'segments']) {
    const { sql } = service.database
    assert.is((await sql`select from ${sql.unsafe(table)}`).count, 0, table)
  }
  assertError(await owner.chunk(expiring, 'f', 0, 'x'), 410, 'expired')
})
