// Events between the moment compaction has read a share and the moment it
// moves its bytes.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startUnlimited } from '../../blobs/send/scene.ts'
import type { Client } from '../../helpers/client.ts'
import { randomContent } from '../../helpers/content.ts'
import { assertInvariants, settleService } from '../../helpers/invariants.ts'
import type { Service } from '../../helpers/service.ts'
import { assertError } from '../../contract/shapes.ts'
import { add, look, remove, send, startAdding, unpackTexts } from '../additions/scene.ts'
import { compactFully, placesOf, segmentsOf } from './scene.ts'

const overtaken = suite('overtaken compaction')
let service: Service
let owner: Client
let shareId: string
let ids: number[]

overtaken.before.each(async () => {
  service = await startUnlimited()
  owner = await service.admin()
  const gone = randomContent(900_000, 'gone')
  shareId = await owner.share({ gone, 'a.txt': 'first', 'b.txt': 'second' }, { expirationVal: 1 })
  const { files } = await look(service, owner, shareId)
  await remove(owner, shareId, files[0]!.id)
  ids = files.slice(1).map(({ id }) => id)
})
overtaken.after.each(async () => {
  await owner.close()
  await service.stop()
})

/** Runs compaction, and does something after copying bytes, before any row refers to them. */
async function compactWhile(deed: () => Promise<unknown>): Promise<void> {
  const { writers } = service.app.storage
  let count = 0
  const acquire = writers.acquire.bind(writers)
  writers.acquire = async (...call) => {
    const writer = await acquire(...call)
    const sync = writer.sync.bind(writer)
    writer.sync = async () => {
      await sync()
      writer.sync = sync
      writers.acquire = acquire
      count += 1
      await deed()
    }
    return writer
  }
  await service.app.jobs.runAll()
  writers.acquire = acquire
  assert.is(count, 1, 'something was copied')
}

async function assertSound(): Promise<void> {
  await settleService(service)
  await assertInvariants(service)
  assert.equal(
    service.logLines.filter((line) => line.includes('"level":"error"')),
    [],
  )
}

const contents = async () => unpackTexts((await look(service, owner, shareId)).archive)

overtaken('should not bring back a file that was removed meanwhile', async () => {
  await compactWhile(() => remove(owner, shareId, ids[0]!))
  assert.equal(await contents(), { 'b.txt': 'second' })
  await assertSound()
  await compactFully(service)
  assert.equal(await contents(), { 'b.txt': 'second' })
  await assertSound()
})

overtaken('should not move a container whose files were all removed', async () => {
  await compactWhile(async () => {
    for (const id of ids) await remove(owner, shareId, id)
  })
  assert.equal(await contents(), {})
  await compactFully(service)
  await assertSound()
  assert.equal(await segmentsOf(service, shareId), [])
})

overtaken('should leave files alone that were added meanwhile', async () => {
  await compactWhile(() => add(owner, shareId, { 'c.txt': 'third' }))
  const all = { 'a.txt': 'first', 'b.txt': 'second', 'c.txt': 'third' }
  assert.equal(await contents(), all)
  await compactFully(service)
  assert.equal(await contents(), all)
  await assertSound()
})

overtaken('should keep chunks received meanwhile', async () => {
  let list: Awaited<ReturnType<typeof send>> = []
  await compactWhile(async () => {
    await startAdding(owner, shareId)
    list = await send(owner, shareId, { 'c.txt': 'third', large: randomContent(400_000, 'l') })
  })
  await assertSound()
  assert.is((await owner.finalize(shareId, list)).status, 200)
  assert.equal(Object.keys(await contents()), ['a.txt', 'b.txt', 'c.txt', 'large'])
  await compactFully(service)
  await assertSound()
})

overtaken('should do nothing to a share that was deleted meanwhile', async () => {
  await compactWhile(() => owner.delete(`/api/shares/${shareId}`))
  assertError(await owner.get(`/api/public/shares/${shareId}`), 404)
  await assertSound()
  assert.equal(await segmentsOf(service, shareId), [])
})

overtaken('should do nothing to a share that was cleaned up meanwhile', async () => {
  const { sql } = service.database
  await compactWhile(async () => {
    const [row] = await sql<{ containerId: string }[]>`
      select container_id from shares where id = ${shareId}`
    const { storage } = service.app
    await service.database.begin(async (transaction) => {
      await transaction`update shares set state = 'expired' where id = ${shareId}`
      await storage.empty(transaction, { containerId: row!.containerId, shareId })
    })
    await storage.removeNow([row!.containerId])
  })
  assertError(await owner.get(`/api/public/shares/${shareId}`), 410)
  await assertSound()
  assert.equal(await placesOf(service, shareId), [])
})

overtaken('should end when the service stops', async () => {
  const places = await placesOf(service, shareId)
  const stopping: Promise<void>[] = []
  await compactWhile(async () => {
    stopping.push(service.app.close(1000))
  })
  await Promise.all(stopping)
  const after = await placesOf(service, shareId)
  assert.is(after.length, places.length)
  await service.app.storage.recover()
  await assertInvariants(service)
})

overtaken.run()
