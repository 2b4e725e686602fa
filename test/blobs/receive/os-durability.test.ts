import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Permits } from '../../../src/lib/permits.ts'
import { SegmentFiles } from '../../../src/blobs/segments/segment-files.ts'
import { readBootId } from '../../../src/lib/boot-id.ts'
import { Client } from '../../helpers/client.ts'
import { randomContent } from '../../helpers/content.ts'
import { assertInvariants, settleService } from '../../helpers/invariants.ts'
import { startAgain } from '../../helpers/restart.ts'
import { startService, type Service } from '../../helpers/service.ts'

const large = 600_000
const lazy = suite('DURABILITY=os')
let service: Service
let sender: Client

lazy.before(async () => {
  service = await startService({
    env: { DURABILITY: 'os', RATE_LIMIT_DOWNLOAD: 'off' },
  })
  sender = await service.admin()
})
lazy.after.each(async () => {
  for (const share of (await sender.get('/api/shares')).json()) {
    await sender.delete(`/api/shares/${share.id}`)
  }
})
lazy.after(async () => {
  await sender.close()
  await service.stop()
})

/** A draft with one file in three chunks: small, large, small. */
async function draft(): Promise<{ shareId: string; contents: Buffer[] }> {
  const shareId = await sender.init()
  const contents = [1000, large, 2000].map((length) => randomContent(length, length))
  for (const [index, content] of contents.entries()) {
    assert.is((await sender.chunk(shareId, 'f', index, content)).status, 200)
  }
  return { shareId, contents }
}

async function bootIds(): Promise<(string | null)[]> {
  const rows = await service.database.sql<{ bootId: string | null }[]>`
    select boot_id from chunks order by chunk_index`
  return rows.map((row) => row.bootId)
}

/** Simulates a power cut: unsynced chunks belong to an earlier boot. */
async function pretendReboot(): Promise<void> {
  await service.database.sql`
    update chunks set boot_id = 'another boot' where boot_id is not null`
}

/** Corrupts one byte in the middle of the extent of a chunk, in every segment that holds it. */
async function spoil(index: number): Promise<void> {
  const [row] = await service.database.sql<
    { segmentId: string; segmentOffset: number; length: number }[]
  >`select segment_id, segment_offset, length from chunks where chunk_index = ${index}`
  if (!row) throw new Error('no such chunk')
  const name = segmentNamed(row.segmentId)
  const bytes = readFileSync(name)
  const place = row.segmentOffset + (row.length >> 1)
  bytes[place] = (bytes[place] as number) ^ 1
  writeFileSync(name, bytes)
}

function segmentNamed(segmentId: string): string {
  const found = readdirSync(service.storageDir, { recursive: true })
    .map(String)
    .find((name) => name.includes(segmentId))
  return path.join(service.storageDir, found as string)
}

/** Files synced by name, and the syncs that segment writers make. */
function countSyncs(): { bySegment: string[]; ofWriters: () => number } {
  const { files, writers } = service.app.storage
  const bySegment: string[] = []
  const sync = SegmentFiles.prototype.sync.bind(files)
  files.sync = async (containerId, segmentId) => {
    await sync(containerId, segmentId)
    bySegment.push(segmentId)
  }
  let ofWriters = 0
  const run = Permits.prototype.run.bind(writers.syncs) as typeof writers.syncs.run
  writers.syncs.run = (task) => {
    ofWriters += 1
    return run(task)
  }
  return { bySegment, ofWriters: () => ofWriters }
}

async function finalize(shareId: string, contents: readonly Buffer[]): Promise<number> {
  const size = contents.reduce((sum, content) => sum + content.length, 0)
  return (await sender.finalize(shareId, [{ fileId: 'f', originalName: 'f', size }])).status
}

lazy('should acknowledge without a sync, and mark the rows with this boot', async () => {
  const syncs = countSyncs()
  await draft()
  assert.equal(await bootIds(), Array.from({ length: 3 }, readBootId))
  assert.is(syncs.ofWriters(), 0)
})

lazy('should clear the mark once a background sync has covered the chunk', async () => {
  const { bySegment } = countSyncs()
  await draft()
  await service.app.jobs.runAll()
  assert.ok(bySegment.length > 0)
  assert.equal(await bootIds(), [null, null, null])
})

lazy('should sync before finalize answers', async () => {
  const { bySegment } = countSyncs()
  const { shareId, contents } = await draft()
  const segments = await service.database.sql<{ segmentId: string }[]>`
    select distinct segment_id from chunks`
  assert.is(await finalize(shareId, contents), 200)
  for (const row of segments) assert.ok(bySegment.includes(row.segmentId))
})

lazy('should list chunks as missing that cannot be synced, and accept them again', async () => {
  const { shareId, contents } = await draft()
  const { files } = service.app.storage
  const sync = files.sync.bind(files)
  files.sync = async () => {
    throw Object.assign(new Error('broken'), { code: 'EIO', syscall: 'fdatasync' })
  }
  // After a failed sync the next one proves nothing, whether the bytes are there or not.
  assert.is(await finalize(shareId, contents), 400)
  files.sync = sync
  const [share] = await service.database.sql<{ state: string }[]>`select state from shares`
  assert.is(share?.state, 'draft')
  assert.equal((await sender.get(`/api/shares/${shareId}/chunks`)).json().chunks, [])
  for (const [index, content] of contents.entries()) {
    assert.is((await sender.chunk(shareId, 'f', index, content)).status, 200)
  }
  assert.is(await finalize(shareId, contents), 200)
})

lazy('should start with anything in the place of a segment, and list it as missing', async () => {
  for (const reboots of [true, false]) {
    const { shareId, contents } = await draft()
    await settleWriters()
    const [row] = await service.database.sql<{ segmentId: string }[]>`
      select segment_id from chunks where chunk_index = 1`
    const name = segmentNamed(row!.segmentId)
    rmSync(name)
    mkdirSync(name)
    if (reboots) await pretendReboot()
    const again = await startAgain(service)
    await again.close()
    assert.ok(
      (await bootIds()).some((id) => id !== null),
      'it is tried again',
    )
    assert.is(await finalize(shareId, contents), 400)
    for (const [index, content] of contents.entries()) {
      assert.is((await sender.chunk(shareId, 'f', index, content)).status, 200)
    }
    assert.is(await finalize(shareId, contents), 200)
    assert.is((await sender.delete(`/api/shares/${shareId}`)).status, 200)
    assert.not(existsSync(name))
  }
})

lazy('should keep, after another boot, the doubtful chunks that are whole', async () => {
  const { shareId, contents } = await draft()
  await settleWriters()
  await pretendReboot()
  const again = await startAgain(service)
  assert.equal(await bootIds(), [null, null, null])
  await again.close()
  assert.is(await finalize(shareId, contents), 200)
})

lazy('should drop, after another boot, the doubtful chunks whose CRC is wrong', async () => {
  const { shareId, contents } = await draft()
  await settleWriters()
  await pretendReboot()
  await spoil(1)
  const again = await startAgain(service)
  const listed = (await sender.get(`/api/shares/${shareId}/chunks`)).json().chunks
  assert.equal(listed, [
    { fileId: 'f', from: 0, to: 0, bytes: 1000 },
    { fileId: 'f', from: 2, to: 2, bytes: 2000 },
  ])
  const refused = await sender.finalize(shareId, [
    { fileId: 'f', originalName: 'f', size: 3000 + large },
  ])
  assert.equal(refused.json().missing, [{ fileId: 'f', from: 1, to: 1 }])
  await again.close()
  assert.is((await sender.chunk(shareId, 'f', 1, contents[1] as Buffer)).status, 200)
  assert.is(await finalize(shareId, contents), 200)
  await settleService(service)
  await assertInvariants(service)
})

lazy('should keep a chunk that was sent again while its former bytes were checked', async () => {
  const { shareId, contents } = await draft()
  await settleWriters()
  await pretendReboot()
  await spoil(1)
  const { files } = service.app.storage
  const pin = files.pin.bind(files)
  files.pin = async (...call) => {
    files.pin = pin
    assert.is((await sender.chunk(shareId, 'f', 1, contents[1] as Buffer)).status, 200)
    return pin(...call)
  }
  assert.is(await finalize(shareId, contents), 200)
  await settleService(service)
  await assertInvariants(service)
})

lazy('should drop chunks that were truncated or lost with their segment', async () => {
  await draft()
  await settleWriters()
  await pretendReboot()
  const rows = await service.database.sql<{ segmentId: string }[]>`
    select distinct segment_id from chunks`
  for (const row of rows) writeFileSync(segmentNamed(row.segmentId), 'short')
  const again = await startAgain(service)
  assert.equal(await bootIds(), [])
  await again.close()
})

lazy('should read neither chunks that a sync had covered nor those of this boot', async () => {
  const { shareId } = await draft()
  await spoil(1)
  const again = await startAgain(service)
  assert.is((await bootIds()).length, 3, 'of this boot: the kernel has its pages')
  await again.close()
  await service.app.jobs.runAll()
  await pretendReboot()
  const once = await startAgain(service)
  assert.is((await bootIds()).length, 3)
  await once.close()
  await sender.delete(`/api/shares/${shareId}`)
})

/** Killed under DURABILITY=os, started again with DURABILITY=disk in the same boot. */
lazy('should leave no chunk unsynced when the option changes to disk', async () => {
  const { shareId, contents } = await draft()
  const { bySegment } = countSyncs()
  const config = { ...service.config, durability: 'disk' as const }
  const again = await startAgain({ ...service, config })
  const { files } = again.app.storage
  const sync = files.sync.bind(files)
  files.sync = async (containerId, segmentId) => {
    await sync(containerId, segmentId)
    bySegment.push(segmentId)
  }
  const marked = (await bootIds()).filter((id) => id !== null)
  const client = new Client(again.url, sender.token)
  const size = contents.reduce((sum, content) => sum + content.length, 0)
  const answer = await client.call('POST', `/api/shares/${shareId}/finalize`, {
    json: { files: [{ fileName: 'f', fileId: 'f', originalName: 'f', size }] },
  })
  assert.is(answer.status, 200)
  await client.close()
  await again.close()
  assert.ok(marked.length === 0 || bySegment.length > 0, 'a sync ran at start or with finalize')
})

/**
 * The segment writers close, as at a stop: their bytes are synced, and the rows do not know it.
 */
async function settleWriters(): Promise<void> {
  service.clock.advance(61_000)
  await service.app.storage.writers.closeIdle()
}

lazy.run()
