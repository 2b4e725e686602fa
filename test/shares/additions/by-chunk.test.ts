// A chunk from the owner opens additions: for clients that do not know them.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { apiTokenOf } from '../../accounts/people.ts'
import { assertError } from '../../contract/shapes.ts'
import { Client } from '../../helpers/client.ts'
import { startService, type Service } from '../../helpers/service.ts'
import { bytesOf, look, send, startAdding, unpackTexts } from './scene.ts'

const byChunk = suite('additions: opened by a chunk')
let service: Service
let owner: Client

byChunk.before(async () => {
  service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
  owner = await service.user('owner@example.org')
})
byChunk.after(async () => {
  await owner.close()
  await service.stop()
})

async function events(shareId: string): Promise<string[]> {
  const rows = await service.database.sql<{ event: string }[]>`
    select event from audit where target_id = ${shareId} order by id`
  return rows.map(({ event }) => event)
}

byChunk('should add files to a complete share, by session and by API token', async () => {
  const token = await apiTokenOf(service, owner)
  for (const client of [owner, token]) {
    const shareId = await owner.share({ 'a.txt': 'a' })
    const list = await send(client, shareId, { 'b.txt': 'bb', 'c.txt': 'ccc' })
    const anonymous = service.client()
    const shown = (await anonymous.get(`/api/public/shares/${shareId}`)).json()
    assert.is(shown.files.length, 1, 'invisible before finalize')
    assert.is((await client.finalize(shareId, list)).status, 200)
    const { archive } = await look(service, owner, shareId)
    assert.equal(unpackTexts(archive), { 'a.txt': 'a', 'b.txt': 'bb', 'c.txt': 'ccc' })
    assert.is((await client.finalize(shareId, list)).status, 200, 'again')
    assert.is((await look(service, owner, shareId)).files.length, 3)
    assert.equal((await events(shareId)).slice(2), ['share.additions_started', 'share.files_added'])
    await anonymous.close()
  }
  await token.close()
})

byChunk('should start additions once for chunks that arrive at the same time', async () => {
  const shareId = await owner.share({ 'a.txt': 'a' })
  const places = Array.from({ length: 12 }, (_, place) => place)
  const content = (place: number) => `${place}`.repeat(place % 2 === 0 ? 10 : 300_000)
  const sent = await Promise.all(places.map((n) => owner.chunk(shareId, `f${n}`, 0, content(n))))
  assert.equal(new Set(sent.map(({ status }) => status)), new Set([200]))
  const list = places.map((place) => {
    return { fileId: `f${place}`, originalName: `${place}`, size: content(place).length }
  })
  assert.is((await owner.finalize(shareId, list)).status, 200)
  assert.is((await look(service, owner, shareId)).files.length, 13)
  assert.is(
    (await events(shareId)).filter((event) => event === 'share.additions_started').length,
    1,
  )
})

byChunk('should add no file twice for a client that sends a share again', async () => {
  const shareId = await owner.init()
  const list = await send(owner, shareId, { 'a.txt': 'a', 'b.txt': 'bb' })
  const first = await owner.finalize(shareId, list)
  const before = await look(service, owner, shareId)
  for (const files of [{ 'a.txt': 'a' }, { 'a.txt': 'a', 'b.txt': 'bb' }]) {
    await send(owner, shareId, files)
    const again = await owner.finalize(shareId, list)
    assert.equal([again.status, again.json()], [200, first.json()])
    assert.equal(await look(service, owner, shareId), before)
    assertError(await owner.get(`/api/shares/${shareId}/chunks`), 409, 'already_complete')
  }
  await service.app.jobs.runAll()
  assert.is((await bytesOf(service, shareId)).live, 3)
  const more = await send(owner, shareId, { 'c.txt': 'c' })
  assert.is((await owner.finalize(shareId, more)).status, 200)
  assert.is((await look(service, owner, shareId)).files.length, 3)
})

byChunk('should add the same list again when that is requested', async () => {
  const shareId = await owner.init()
  const list = await send(owner, shareId, { 'a.txt': 'a' })
  await owner.finalize(shareId, list)
  await owner.chunk(shareId, 'file-0', 0, 'a')
  await startAdding(owner, shareId)
  await owner.chunk(shareId, 'file-0', 0, 'a')
  assert.is((await owner.finalize(shareId, list)).status, 200)
  assert.is((await look(service, owner, shareId)).files.length, 2)
})

byChunk('should not let a late copy of a chunk spoil the next additions', async () => {
  const shareId = await owner.share({ 'a.txt': 'a' })
  for (const [place, name] of ['b.txt', 'c.txt'].entries()) {
    assert.is((await owner.chunk(shareId, 'file-0', 0, 'a')).status, 200, 'the late copy')
    await startAdding(owner, shareId)
    assert.is((await owner.chunk(shareId, 'g', 0, 'g')).status, 200)
    await startAdding(owner, shareId)
    const added = [{ fileId: 'g', originalName: name, size: 1 }]
    const answer = await owner.finalize(shareId, added)
    assert.is(answer.status, 200, answer.body.toString())
    assert.is((await look(service, owner, shareId)).files.length, place + 2)
  }
  await service.app.jobs.runAll()
  assert.is((await bytesOf(service, shareId)).live, 3)
  const [, , ...later] = await events(shareId)
  assert.equal(later.slice(0, 4), [
    'share.additions_started',
    'share.additions_dropped',
    'share.additions_started',
    'share.files_added',
  ])
})

byChunk('should start nothing for a refused chunk, or with other credentials', async () => {
  const begun = (await owner.post('/api/shares/init')).json()
  const { shareId } = begun
  await owner.finalize(shareId, [])
  const draftToken = new Client(service.url, begun.uploadToken)
  const other = await service.user('other@example.org')
  assertError(await draftToken.chunk(shareId, 'f', 0, 'x'), 409, 'already_complete')
  assertError(await other.chunk(shareId, 'f', 0, 'x'), 404, 'not_found')
  assertError(await owner.chunk(shareId, 'f', 'x', 'x'), 400, 'invalid_input')
  assertError(await owner.chunk(shareId, 'f', 0, 'x', { fileName: '../x' }), 400)
  assertError(await owner.call('POST', `/api/shares/${shareId}/chunk`, { body: 'x' }), 400)
  assertError(await owner.get(`/api/shares/${shareId}/chunks`), 409, 'already_complete')
  const { sql } = service.database
  await sql`update shares set expires_at = ${new Date(service.clock.now())} where id = ${shareId}`
  assertError(await owner.chunk(shareId, 'f', 0, 'x'), 410, 'expired')
  for (const client of [draftToken, other]) await client.close()
})

byChunk.run()
