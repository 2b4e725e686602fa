// `curl -OJ <link>/download`, for people without a browser.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertNothingLeft, downloadCount, fileIds, startUnlimited } from '../bytes/send/scene.ts'
import { assertError, okay, type Client } from '../helpers/client.ts'
import { add, remove, unpackTexts } from './additions/scene.ts'

const links = suite('downloads by link')
let anonymous: Client

const service = await startUnlimited()
const owner = await service.admin()
links.before.each(() => {
  anonymous = service.client()
})
links.after.each(() => assertNothingLeft(service))

links('should send the only file of a share, under its name', async () => {
  const shareId = await owner.share({ 'notes/grün.txt': 'hello' }, { maxDownloads: 1 })
  const path = `/s/${shareId}/download`
  assert.is((await anonymous.call('HEAD', path)).headers['content-length'], '5')
  const { status, body, headers } = await anonymous.get(path)
  assert.equal([status, body.toString()], [200, 'hello'])
  assert.match(String(headers['content-disposition']), /^attachment; filename="grun.txt"/)
  const rest = await anonymous.get(path, { range: 'bytes=2-' })
  assert.equal([rest.status, rest.body.toString()], [206, 'llo'])
  assert.is(await downloadCount(service, shareId), 1)
  anonymous.cookies.clear()
  assertError(await anonymous.get(path), 410, 'download_limit')
})

links('should leave alone the rest of the archive of a share with one file', async () => {
  const shareId = await owner.share({ a: 'a'.repeat(1000) })
  const path = `/api/shares/${shareId}/download`
  const whole = await anonymous.get(path)
  for (const before of [path, `/s/${shareId}/download`]) {
    await service.client().get(before)
    const rest = await service.client().get(path, { range: 'bytes=500-' })
    assert.is(rest.status, 206, before)
    assert.ok(rest.body.equals(whole.body.subarray(500)))
  }
})

links('should send the archive of several files, also by a custom link', async () => {
  const shareId = await owner.share({ a: 'one', b: 'two' }, { name: 'Both' })
  const slug = { json: { slug: 'both-of-them' } }
  assert.is((await owner.call('PATCH', `/api/shares/${shareId}`, slug)).status, 200)
  const { body, headers } = await anonymous.get('/s/both-of-them/download')
  assert.equal(unpackTexts(body), { a: 'one', b: 'two' })
  assert.match(String(headers['content-disposition']), /^attachment; filename="Both.zip"/)
  const archive = await anonymous.get(`/api/shares/${shareId}/download`)
  assert.is(archive.headers['etag'], headers['etag'])
})

links('should send the only file that is left to a client with the archive before', async () => {
  const shareId = await owner.share({ a: 'one', b: 'two' })
  const path = `/s/${shareId}/download`
  service.clock.advance(5_000)
  await add(owner, shareId, { c: 'three' })
  const { headers } = await anonymous.get(path)
  const ids = await fileIds(service, shareId)
  service.clock.advance(5_000)
  for (const name of ['b', 'c']) await remove(owner, shareId, ids[name]!)
  // As `wget -N` and `curl -z` ask, which know no ETag.
  const since = { 'if-modified-since': String(headers['last-modified']) }
  assert.is((await anonymous.get(path, since)).status, 200)
})

links('should send an archive where an empty folder is beside the only file', async () => {
  const shareId = await owner.share({ a: 'one' })
  const { sql } = service.database
  await sql`
    insert into folders (container_id, path, entry_name, created_at)
    select container_id, 'empty', 'empty', now() from shares where id = ${shareId}`
  const { headers } = await anonymous.get(`/s/${shareId}/download`)
  assert.is(headers['content-type'], 'application/zip')
})

links('should ask for the password, and not join a file and the archive', async () => {
  const shareId = await owner.share({ a: 'a'.repeat(1000) }, { password: 'blue sky' })
  const path = `/s/${shareId}/download`
  assertError(await anonymous.get(path), 401, 'password_required')
  const answer = await anonymous.post(`/api/shares/${shareId}/verify`, { password: 'blue sky' })
  const authorization = `Bearer ${answer.json().accessToken}`
  anonymous.cookies.clear()
  assert.is((await anonymous.get(path, { authorization })).body.length, 1000)
  anonymous.cookies.clear()
  await add(owner, shareId, { b: 'b'.repeat(1000) })
  const rest = await okay(anonymous.get(path, { authorization, range: 'bytes=500-' }))
  assert.ok(rest.body.equals((await owner.get(`/api/shares/${shareId}/download`)).body))
})
