import { mkdirSync, rmSync, symlinkSync, truncateSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { okay, randomContent } from '../../helpers/client.ts'
import { dropLostChunks } from '../../../src/bytes/receive/finalize.ts'
import { segmentFile } from '../../../src/bytes/segments/files-on-disk.ts'
import { createLog } from '../../../src/lib/log.ts'
import { startService } from '../../helpers/service.ts'
import { SlowReader } from '../../helpers/slow-reader.ts'

const chunkBytes = 300_000
const content = randomContent(3 * chunkBytes, 'changed from outside')
const list = [{ fileId: 'f', originalName: 'f.bin', size: content.length }]
const changed = suite('uploads into changed segments')
const segments = suite('segments of a share')
const kib = 1024

const service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
const sender = await service.admin()
const { sql } = service.database

function sendChunk(shareId: string, index: number, of = content) {
  const data = of.subarray(index * chunkBytes, (index + 1) * chunkBytes)
  return sender.chunk(shareId, 'f', index, data)
}

async function draft(): Promise<{ shareId: string; file: string }> {
  const shareId = await sender.init()
  for (const index of [0, 1, 2]) await okay(sendChunk(shareId, index))
  const found = await sql<{ containerId: string; segmentId: string }[]>`
    select distinct container_id, segment_id
    from chunks join shares using (container_id) where shares.id = ${shareId}`
  assert.is(found.length, 1)
  const { containerId, segmentId } = found[0]!
  return { shareId, file: segmentFile(service.storageDir, containerId, segmentId) }
}

async function finishAndCompare(shareId: string): Promise<void> {
  await okay(sender.finalize(shareId, list))
  assert.ok((await sender.download(shareId)).body.equals(content))
  await okay(sender.delete(`/api/shares/${shareId}`))
}

const losses: [name: string, change: (file: string) => void, left: number][] = [
  ['removed', (file) => rmSync(file), 0],
  ['a folder', (file) => (rmSync(file), mkdirSync(file)), 0],
  ['a loop of links', (file) => (rmSync(file), symlinkSync(file, file)), 0],
  ['cut', (file) => truncateSync(file, chunkBytes + 1), 1],
]

for (const [name, change, left] of losses) {
  changed(`should accept again the chunks of a segment that is ${name}`, async () => {
    const { shareId, file } = await draft()
    change(file)
    const missing = [{ fileId: 'f', from: left, bytes: (3 - left) * chunkBytes }]
    const refused = await sender.finalize(shareId, list)
    assert.equal([refused.status, refused.json().missing], [400, missing])
    for (let index = left; index < 3; index += 1) await okay(sendChunk(shareId, index))
    await finishAndCompare(shareId)
  })
}

changed('should not fill the hole of a truncated segment', async () => {
  const { shareId, file } = await draft()
  truncateSync(file, 1000)
  // Appended behind the old end, the segment would have the right size again.
  assert.is((await sendChunk(shareId, 2)).status, 200)
  const refused = await sender.finalize(shareId, list)
  assert.equal(refused.json().missing, [{ fileId: 'f', from: 0, to: 1 }])
  for (const index of [0, 1]) assert.is((await sendChunk(shareId, index)).status, 200)
  await finishAndCompare(shareId)
})

changed('should not treat as lost what a deletion is freeing', async () => {
  const { shareId, file } = await draft()
  const { database, app } = service
  const [container] = await database.sql<{ id: string }[]>`
    select container_id as id from shares where id = ${shareId}`
  // Segment rows go first, then the files, then the chunks: see freeing.ts.
  await database.sql`delete from segments where container_id = ${container!.id}`
  rmSync(file)
  const before = service.logLines.length
  const log = createLog({ level: 'error', write: (line) => service.logLines.push(line) })
  await dropLostChunks({ database, storage: app.storage, log }, container!.id)
  assert.is(service.logLines.length, before)
  const chunks = await database.sql`select 1 from chunks where container_id = ${container!.id}`
  assert.is(chunks.length, 3)
  assert.is((await sender.delete(`/api/shares/${shareId}`)).status, 200)
})

async function segmentCount(): Promise<number> {
  return sql<{ count: number }[]>`select count(*) from segments`.oneValue()
}

// Reserving as much as the setting allows for every request left no two chunks in one segment,
// and a download of one byte ran out of descriptors.
segments('should be chosen by the size of a request, not by the largest possible one', async () => {
  await sender.configure({ maxChunkSize: 1024 * 1024 * kib })
  const content = randomContent(20 * chunkBytes, 'many chunks')
  const shareId = await sender.init()
  for (let index = 0; index < 20; index++) await okay(sendChunk(shareId, index, content))
  assert.is(await segmentCount(), 1)
  await okay(sender.delete(`/api/shares/${shareId}`))
})

segments('should be opened as a download reaches them, sixteen at most', async () => {
  const count = 40
  const content = randomContent(count * chunkBytes, 'many segments')
  const shareId = await sender.init()
  for (let index = 0; index < count; index++) {
    await okay(sendChunk(shareId, index, content))
    service.clock.advance(61_000)
    await service.app.storage.writers.closeIdle()
  }
  assert.is(await segmentCount(), count)
  const file = { fileId: 'f', originalName: 'f', size: content.length }
  await okay(sender.finalize(shareId, [file]))
  const id = await sql<{ id: number }[]>`select id from files`.oneValue()
  const target = `/api/shares/${shareId}/files/${id}`
  const last = await sender.get(target, { range: 'bytes=-1' })
  assert.is(last.status, 206)
  assert.ok(last.body.equals(content.subarray(-1)))
  const reader = await SlowReader.open(service.url + target, {})
  const parts: Buffer[] = []
  let openMax = 0
  for (let turn = 0; turn < 50; turn++) {
    parts.push(await reader.read(200 * kib))
    openMax = Math.max(openMax, service.app.storage.files.openCount)
  }
  parts.push((await reader.readRest()).body)
  assert.ok(Buffer.concat(parts).equals(content))
  assert.ok(openMax > 1 && openMax <= 16, `${openMax} segments were open`)
})
