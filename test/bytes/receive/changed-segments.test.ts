import { mkdirSync, rmSync, symlinkSync, truncateSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { dropLostChunks } from '../../../src/bytes/receive/finalize.ts'
import { segmentFile } from '../../../src/bytes/segments/files-on-disk.ts'
import { createLog } from '../../../src/lib/log.ts'
import { okay } from '../../helpers/client.ts'
import { randomContent } from '../../helpers/content.ts'
import { startService } from '../../helpers/service.ts'

const chunkBytes = 300_000
const content = randomContent(3 * chunkBytes, 'changed from outside')
const list = [{ fileId: 'f', originalName: 'f.bin', size: content.length }]
const changed = suite('uploads into changed segments')

const service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
const sender = await service.admin()

function sendChunk(shareId: string, index: number) {
  const data = content.subarray(index * chunkBytes, (index + 1) * chunkBytes)
  return sender.chunk(shareId, 'f', index, data)
}

/** A draft with all chunks in one segment, and the file of that segment. */
async function draft(): Promise<{ shareId: string; file: string }> {
  const shareId = await sender.init()
  for (const index of [0, 1, 2]) await okay(sendChunk(shareId, index))
  const segments = await service.database.sql<{ containerId: string; segmentId: string }[]>`
    select distinct container_id, segment_id
    from chunks join shares using (container_id) where shares.id = ${shareId}`
  assert.is(segments.length, 1)
  const { containerId, segmentId } = segments[0]!
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
