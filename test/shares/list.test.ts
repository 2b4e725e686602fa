import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startService } from '../helpers/service.ts'

const listed = suite('shares: list')
const service = await startService()
const owner = await service.user('owner@example.org')

const list = async () => (await owner.get('/api/shares')).json()

listed('should show the progress of drafts, and which of them are being sent', async () => {
  const [unsaid, half] = [await owner.init({ name: 'Unsaid' }), await owner.init({ name: 'Half' })]
  await owner.init({ name: 'Bare' })
  await owner.patch(`/api/shares/${half}`, { expectedBytes: 14 })
  for (const shareId of [unsaid, half]) await owner.chunk(shareId, 'f', 0, 'content')
  const shown = async () => {
    const shares = (await list()).map((share: any) => {
      return [share.name, [share.progress, share.receiving]]
    })
    return Object.fromEntries(shares)
  }
  assert.equal(await shown(), { Unsaid: [null, true], Half: [50, true], Bare: [null, false] })
  for (const { name, status, files, total_size: size, expectedBytes } of await list()) {
    assert.equal([status, files, size], ['draft', [], 0], 'regardless of received chunks')
    assert.is(expectedBytes, name === 'Half' ? 14 : 0)
  }
  service.clock.advance(75_000 - 1)
  assert.equal(await shown(), { Unsaid: [null, true], Half: [50, true], Bare: [null, false] })
  // Receiving the same bytes again is no progress.
  await owner.chunk(half, 'f', 0, 'CONTENT')
  service.clock.advance(1)
  assert.equal(await shown(), { Unsaid: [null, false], Half: [50, true], Bare: [null, false] })
  const detail = async () => (await owner.get(`/api/shares/${half}`)).json().receiving
  assert.is(await detail(), true)
  service.clock.advance(75_000)
  assert.is(await detail(), false)
  // Written by a clock that was ahead.
  await service.database.sql`
    update containers
    set changed_at = ${new Date(service.clock.now() + 60_000)}::timestamptz`
  assert.equal(await shown(), { Unsaid: [null, false], Half: [50, false], Bare: [null, false] })
  // A complete share is neither.
  await owner.finalize(half, [{ fileId: 'f', originalName: 'a', size: 7 }])
  assert.equal((await shown())['Half'], [null, false])
})

listed('should count clients that have only previewed', async () => {
  const shareId = await owner.share({ 'a.txt': 'a', 'b.txt': 'b' })
  const [{ files }] = await list()
  const preview = `/api/shares/${shareId}/files/${files[0].id}?inline=1`
  const clients = Array.from({ length: 3 }, () => service.client())
  const counts = async () => {
    const [share] = await list()
    const details = (await owner.get(`/api/shares/${shareId}`)).json()
    assert.is(details.preview_count, share.preview_count)
    return [share.download_count, share.preview_count]
  }
  for (const client of clients) assert.is((await client.get(preview)).status, 200)
  assert.equal(await counts(), [3, 3])
  // Also if the preview came first, or comes later.
  await clients[0]!.get(`/api/shares/${shareId}/download`)
  await clients[0]!.get(preview)
  assert.equal(await counts(), [3, 2])
  await service.client().get(`/api/shares/${shareId}/download`)
  assert.equal(await counts(), [4, 2])
})
