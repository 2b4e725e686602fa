// A complete share takes chunks only once additions are started.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { apiTokenOf } from '../../accounts/people.ts'
import { assertError } from '../../contract/shapes.ts'
import { Client } from '../../helpers/client.ts'
import { startService, type Service } from '../../helpers/service.ts'
import { bytesOf, look, send, startAdding } from './scene.ts'

const closed = suite('additions: not started')
let service: Service
let owner: Client

closed.before(async () => {
  service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
  owner = await service.user('owner@example.org')
})
closed.after(async () => {
  await owner.close()
  await service.stop()
})

closed('should refuse chunks and leave nothing of them, whoever sends them', async () => {
  const { shareId, uploadToken } = (await owner.post('/api/shares/init')).json()
  const list = await send(owner, shareId, { 'a.txt': 'a' })
  const first = await owner.finalize(shareId, list)
  const before = await look(service, owner, shareId)
  const clients = [owner, await apiTokenOf(service, owner), new Client(service.url, uploadToken)]
  for (const client of clients) {
    for (const length of [1, 300_000]) {
      const refused = await client.chunk(shareId, 'g', 0, Buffer.alloc(length))
      assertError(refused, 409, 'already_complete')
    }
    assertError(await client.get(`/api/shares/${shareId}/chunks`), 409, 'already_complete')
  }
  const other = await service.user('other@example.org')
  assertError(await other.chunk(shareId, 'g', 0, 'x'), 404, 'not_found')
  const again = await owner.finalize(shareId, list)
  assert.equal([again.status, again.json()], [200, first.json()])
  assert.equal(await look(service, owner, shareId), before)
  assert.is((await bytesOf(service, shareId)).used, 1)
  for (const client of [...clients.slice(1), other]) await client.close()
})

closed('should take them once additions are started', async () => {
  const shareId = await owner.share({ 'a.txt': 'a' })
  assertError(await owner.chunk(shareId, 'g', 0, 'x'), 409, 'already_complete')
  await startAdding(owner, shareId)
  const list = await send(owner, shareId, { 'b.txt': 'bb' })
  assert.is((await owner.finalize(shareId, list)).status, 200)
  assertError(await owner.chunk(shareId, 'g', 0, 'x'), 409, 'already_complete')
  assert.is((await look(service, owner, shareId)).files.length, 2)
})

closed.run()
