// Downloads that run while files of their share are removed, or the share expires.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError } from '../contract/shapes.ts'
import type { Client } from '../helpers/client.ts'
import type { Service } from '../helpers/service.ts'
import { SlowReader } from '../helpers/slow-reader.ts'
import {
  add,
  archiveOf,
  existing,
  freeUnused,
  remove,
  segmentsOf,
} from '../shares/additions/scene.ts'
import { assertNothingLeft, fileIds, patterned, startUnlimited } from './send/scene.ts'

const running = suite('unused segments: running downloads')
const mib = 1024 * 1024
/** More than what is opened ahead, and than what the kernel takes. */
const early = Object.fromEntries([
  ...Array.from({ length: 300 }, (_, n) => [`small-${n}`, `${n}`]),
  ['large', patterned(16 * mib)],
])
const late = { late: patterned(500_000) }
let service: Service
let owner: Client
let shareId: string

running.before.each(async () => {
  service = await startUnlimited()
  owner = await service.admin()
  shareId = await owner.share(early, { expirationVal: 1 })
  service.clock.advance(61_000)
  await service.app.storage.writers.closeIdle()
  await add(owner, shareId, late)
  service.clock.advance(61_000)
  await service.app.storage.writers.closeIdle()
})
running.after.each(() => service.stop())

const begin = async (query = '', headers = {}) => {
  const reader = await SlowReader.open(
    `${service.url}/api/shares/${shareId}/download${query}`,
    headers,
  )
  const first = await reader.read(mib)
  return async () => {
    const { body, isComplete } = await reader.readRest()
    return { body: Buffer.concat([first, body]), isComplete }
  }
}
const asOwner = () => ({ authorization: `Bearer ${owner.token}` })

/** Frees segments long after they were used. Slow clients would not survive a later clock. */
async function freeLater(): Promise<void> {
  const { jobs, services } = service.app
  for (let turn = 0; turn < 3; turn += 1) {
    await jobs.runAll()
    await services.manifests.idle()
    await service.database.sql`update segment_tombstones set created_at = '2001-01-01'`
  }
  await jobs.runAll()
}

running('should read on when files are removed, and free the bytes afterwards', async () => {
  const { body: whole } = await archiveOf(owner, shareId)
  const old = await segmentsOf(service, shareId)
  const readers = [await begin(), await begin('?as=owner', asOwner())]
  const ids = await fileIds(service, shareId)
  await remove(owner, shareId, ids['late']!)
  await freeLater()
  assert.is((await service.database.sql`select 1 from segment_tombstones`).length, 1)
  assert.is(existing(old).length, old.length)
  for (const readOn of readers) {
    const { body, isComplete } = await readOn()
    assert.ok(isComplete && body.equals(whole))
  }
  await assertNothingLeft(service)
  await freeLater()
  assert.is(existing(old).length, old.length - 1)
})

running('should read on when the share expires, and free the bytes afterwards', async () => {
  const { body: whole } = await archiveOf(owner, shareId)
  const old = await segmentsOf(service, shareId)
  const readers = [await begin(), await begin('?as=owner', asOwner())]
  await service.database.sql`update shares set expires_at = '2001-01-01' where id = ${shareId}`
  await service.app.jobs.runAll()
  assert.is(existing(old).length, old.length)
  for (const readOn of readers) {
    const { body, isComplete } = await readOn()
    assert.ok(isComplete && body.equals(whole))
  }
  await assertNothingLeft(service)
  await service.app.jobs.runAll()
  assert.equal(existing(old), [])
})

running('should refuse a download whose segment went before it was known', async () => {
  const { downloads } = service.app.services
  const enter = downloads.budget.enter.bind(downloads.budget)
  const ids = await fileIds(service, shareId)
  downloads.budget.enter = async (...call) => {
    downloads.budget.enter = enter
    await remove(owner, shareId, ids['late']!)
    await freeUnused(service)
    return enter(...call)
  }
  const path = `/api/shares/${shareId}/download?as=owner`
  const refused = await owner.get(path)
  assertError(refused, 503, 'unavailable')
  assert.is(refused.headers['retry-after'], '1')
  assert.is((await owner.get(path)).status, 200)
})
