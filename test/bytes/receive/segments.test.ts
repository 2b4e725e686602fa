import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { okay } from '../../helpers/client.ts'
import { randomContent } from '../../helpers/content.ts'
import { startService } from '../../helpers/service.ts'
import { SlowReader } from '../../helpers/slow-reader.ts'

const segments = suite('segments of a share')
const kib = 1024
const service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
const { sql } = service.database
const admin = await service.admin()

const segmentCount = () => sql<{ count: number }[]>`select count(*) from segments`.oneValue()

/** Sends a chunk of 300 KiB of a file. */
const send = (shareId: string, index: number, content: Buffer) =>
  okay(
    admin.chunk(shareId, 'f', index, content.subarray(index * 300 * kib, (index + 1) * 300 * kib)),
  )

// Reserving as much as the setting allows for every request left no two chunks in one segment,
// and a download of one byte ran out of descriptors.
segments('should be chosen by the size of a request, not by the largest possible one', async () => {
  await admin.configure({ maxChunkSize: 1024 * 1024 * kib })
  const content = randomContent(20 * 300 * kib, 'many chunks')
  const shareId = await admin.init()
  for (let index = 0; index < 20; index++) await send(shareId, index, content)
  assert.is(await segmentCount(), 1)
  await okay(admin.delete(`/api/shares/${shareId}`))
})

segments('should be opened as a download reaches them, sixteen at most', async () => {
  const count = 40
  const content = randomContent(count * 300 * kib, 'many segments')
  const shareId = await admin.init()
  for (let index = 0; index < count; index++) {
    await send(shareId, index, content)
    service.clock.advance(61_000)
    await service.app.storage.writers.closeIdle()
  }
  assert.is(await segmentCount(), count)
  const file = { fileId: 'f', originalName: 'f', size: content.length }
  await okay(admin.finalize(shareId, [file]))
  const id = await sql<{ id: number }[]>`select id from files`.oneValue()
  const target = `/api/shares/${shareId}/files/${id}`
  const last = await admin.get(target, { range: 'bytes=-1' })
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
