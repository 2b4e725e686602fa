// Concurrent work of the service must not be reported as damage.
import { rmSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startUnlimited } from '../../send/scene.ts'
import type { Client } from '../../../helpers/client.ts'
import { randomContent } from '../../../helpers/content.ts'
import { assertInvariants, settleService } from '../../../helpers/invariants.ts'
import type { Service } from '../../../helpers/service.ts'
import { countLockWaits } from '../../../helpers/locks.ts'
import { until } from '../../../helpers/until.ts'
import { Guest, makeLink } from '../../../requests/guest.ts'
import { beforeReading, chunkPlace, flip, found, placeOf } from './scene.ts'

const races = suite('verify: beside a running service')
let service: Service
let owner: Client

races.before.each(async () => {
  service = await startUnlimited()
  owner = await service.admin()
})
races.after.each(() => service.stop())

/** Runs something once, right before bytes of a segment are checked. */
function onceBefore(segmentId: string, deed: () => Promise<unknown>): () => boolean {
  let isDone = false
  const undo = beforeReading(service, async (id) => {
    if (id !== segmentId) return
    isDone = true
    undo()
    await deed()
  })
  return () => isDone
}

async function assertSound(): Promise<void> {
  await settleService(service)
  await assertInvariants(service)
}

races('should report nothing for a share that is deleted while it is read', async () => {
  const shareId = await owner.share({ 'a.txt': 'aaa', 'b.txt': 'bbb' })
  const { segmentId } = await placeOf(service, 'a.txt')
  const wasDeleted = onceBefore(segmentId, () => owner.delete(`/api/shares/${shareId}`))
  assert.equal(await found(service), [])
  assert.ok(wasDeleted())
  await assertSound()
})

races('should not drop a chunk that was sent again while it was read', async () => {
  const draft = await owner.init()
  const [first, second] = [randomContent(300_000, 1), randomContent(300_000, 2)]
  assert.is((await owner.chunk(draft, 'f', 0, first)).status, 200)
  const place = await chunkPlace(service, 'f')
  flip(place)
  const wasSent = onceBefore(place.segmentId, () => owner.chunk(draft, 'f', 0, second))
  assert.equal(await found(service), [])
  assert.ok(wasSent())
  const list = [{ fileId: 'f', originalName: 'f', size: second.length }]
  assert.is((await owner.finalize(draft, list)).status, 200)
  await assertSound()
})

races('should leave a chunk to its file when the upload is finalized', async () => {
  const draft = await owner.init()
  assert.is((await owner.chunk(draft, 'f', 0, 'content')).status, 200)
  const place = await chunkPlace(service, 'f')
  flip(place)
  const list = [{ fileId: 'f', originalName: 'f.txt', size: 7 }]
  const wasFinalized = onceBefore(place.segmentId, () => owner.finalize(draft, list))
  assert.equal(await found(service), ['rotten f.txt'])
  assert.ok(wasFinalized())
})

// As the deletion of an account does it: first all links, then their deliveries.
races('should drop a chunk of a delivery whose link is being deleted', async () => {
  const link = await makeLink(owner)
  const guest = new Guest(service.client(), link)
  await guest.init()
  assert.is((await guest.chunk('f', 0, 'content')).status, 200)
  await service.app.storage.writers.close()
  const place = await chunkPlace(service, 'f')
  flip(place)
  const { database } = service
  const waits = async () => (await countLockWaits(database)) > 0
  let deleting: Promise<unknown> = Promise.resolve()
  const wasLocked = onceBefore(place.segmentId, async () => {
    await new Promise<void>((resolve) => {
      deleting = database.begin(async (sql) => {
        await sql`select 1 from reverse_shares where id = ${link} for update`
        resolve()
        await until('the check waits for the link', waits)
        await sql`delete from deliveries where reverse_share_id = ${link}`
      })
    })
  })
  assert.equal(await found(service), ['rotten f'])
  assert.ok(wasLocked())
  await deleting
})

races('should report nothing for a container whose bytes go before its rows', async () => {
  await owner.share({ 'a.txt': 'aaa' })
  await service.app.storage.writers.close()
  const { containerId, segmentId, file } = await placeOf(service, 'a.txt')
  const { database } = service
  const wasDeleted = onceBefore(segmentId, async () => {
    await database.sql`
      insert into tombstones (container_id, created_at)
      select id, now() from containers where id = ${containerId}`
    rmSync(file)
  })
  assert.equal(await found(service), [])
  assert.ok(wasDeleted())
})

// The rows of a copy's segments contain their length before the files are linked.
races('should not report segments that a copy is about to link', async () => {
  const link = await makeLink(owner, { allowSharing: true })
  await new Guest(service.client(), link).deliver({ 'in.txt': 'from a guest' })
  const [delivery] = (await owner.get(`/api/reverse/${link}/deliveries`)).json()
  const { database } = service
  const draft = await owner.init()
  await database.sql`
    insert into segments (id, container_id, root_id, committed_end, created_at)
    select gen_random_uuid(), shares.container_id, storage_roots.id, 12, now()
    from shares, storage_roots
    where shares.id = ${draft}`
  assert.equal(await found(service), [])
  await service.app.services.startCheck.run()
  assert.ok(service.app.services.startCheck.isFine)
  await owner.delete(`/api/shares/${draft}`)
  assert.is((await owner.post(`/api/reverse/${link}/deliveries/${delivery.id}/share`)).status, 200)
  assert.equal(await found(service), [])
})
