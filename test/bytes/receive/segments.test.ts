import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Client } from '../../helpers/client.ts'
import { randomContent } from '../../helpers/content.ts'
import { startService, type Service } from '../../helpers/service.ts'
import { SlowReader } from '../../helpers/slow-reader.ts'

const segments = suite('segments of a share')
const kib = 1024
let service: Service
let admin: Client

segments.before.each(async () => {
  service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
  admin = await service.admin()
})
segments.after.each(() => service.stop())

async function segmentCount(): Promise<number> {
  const [row] = await service.database.sql<{ count: number }[]>`select count(*) from segments`
  return row!.count
}

// Reserving as much as the setting allows for every request left no two chunks in one segment,
// and a download of one byte ran out of descriptors.
segments('should be chosen by the size of a request, not by the largest possible one', async () => {
  await admin.call('PUT', '/api/config', { json: { maxChunkSize: 1024 * 1024 * kib } })
  const content = randomContent(20 * 300 * kib, 'many chunks')
  const shareId = await admin.init()
  for (let index = 0; index < 20; index++) {
    const data = content.subarray(index * 300 * kib, (index + 1) * 300 * kib)
    assert.is((await admin.chunk(shareId, 'f', index, data)).status, 200)
  }
  assert.is(await segmentCount(), 1)
})

segments('should be opened as a download reaches them, sixteen at most', async () => {
  const count = 40
  const content = randomContent(count * 300 * kib, 'many segments')
  const shareId = await admin.init()
  for (let index = 0; index < count; index++) {
    const data = content.subarray(index * 300 * kib, (index + 1) * 300 * kib)
    assert.is((await admin.chunk(shareId, 'f', index, data)).status, 200)
    service.clock.advance(61_000)
    await service.app.storage.writers.closeIdle()
  }
  assert.is(await segmentCount(), count)
  const file = { fileId: 'f', fileName: 'f', originalName: 'f', size: content.length }
  assert.is((await admin.post(`/api/shares/${shareId}/finalize`, { files: [file] })).status, 200)
  const [row] = await service.database.sql<{ id: number }[]>`select id from files`
  const target = `/api/shares/${shareId}/files/${row!.id}`
  const last = await admin.call('GET', target, { headers: { range: 'bytes=-1' } })
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
