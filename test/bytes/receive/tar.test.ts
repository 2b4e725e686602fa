import { Gate, until } from '../../helpers/until.ts'
import {
  assertError,
  okay,
  pluck,
  randomContent,
  type Answer,
  type Client,
} from '../../helpers/client.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startService } from '../../helpers/service.ts'
import { countLockWaits } from '../../helpers/locks.ts'
import { headOf, RawConnection } from '../../helpers/raw-connection.ts'
import { assertNoTraces, tracesNow } from '../../helpers/invariants.ts'
import { apiTokenOf } from '../../accounts/people.ts'
import { binary, ending, entry, longName, oldSparse, pax } from '../archive/tar/blocks.ts'
import { bytesOf, unpack } from '../../shares/additions/scene.ts'

const mib = 1024 * 1024
const tar = suite('uploads: tar archives')

const service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
const owner = await service.admin()
const noRules = { blockedExtensions: [], maxFileSize: 0, maxShareSize: 0 }
tar.before.each(async () => void (await owner.configure(noRules)))

function pack(files: Readonly<Record<string, Buffer | string>>): Buffer {
  const blocks = Object.entries(files).flatMap(([name, content]) => {
    return [longName(name), entry({ name }, content)]
  })
  return Buffer.concat([...blocks, ending])
}

function send(shareId: string, body: Buffer, type = 'application/x-tar'): Promise<Answer> {
  const headers = { 'content-type': type }
  return owner.call('POST', `/api/shares/${shareId}/tar`, { body, headers })
}

async function begin(line: string, client: Client, body: Buffer): Promise<RawConnection> {
  const connection = await RawConnection.open(service.url)
  const fields = { 'Content-Type': 'application/x-tar', 'Content-Length': body.length }
  await connection.send(headOf(client, line, fields))
  return connection
}

async function shareIds(): Promise<string[]> {
  return (await owner.get('/api/shares')).json().map(({ id }: { id: string }) => id)
}

function complete(shareId: string, more: object = {}): Promise<Answer> {
  return owner.post(`/api/shares/${shareId}/finalize`, { files: 'received', ...more })
}

async function chunksOf(shareId: string): Promise<{ to: number; bytes: number }[]> {
  return (await owner.get(`/api/shares/${shareId}/chunks`)).json().chunks
}

async function contentsOf(shareId: string): Promise<Record<string, Buffer>> {
  return Object.fromEntries(unpack((await owner.get(`/api/shares/${shareId}/download`)).body))
}

const files: Readonly<Record<string, Buffer | string>> = {
  'photos/a.jpg': randomContent(5_000, 'a'),
  'photos/2024/ü b.txt': 'text',
  'empty.bin': '',
  'large.bin': randomContent(3 * mib + 17, 'large'),
  [`deep/${'long/'.repeat(60)}name.txt`]: 'deep',
}

function assertContents(actual: Record<string, Buffer>, expected: Record<string, Buffer | string>) {
  assert.equal(Object.keys(actual).toSorted(), Object.keys(expected).toSorted())
  for (const [name, content] of Object.entries(expected)) {
    assert.ok(actual[name]!.equals(Buffer.from(content)), name)
  }
}

tar('should store the files of an archive', async () => {
  const shareId = await owner.init({ name: 'Files' })
  const answer = await okay(send(shareId, pack(files)))
  const { success, bytes, files: count, skipped } = answer.json()
  const size = Buffer.concat(Object.values(files).map((content) => Buffer.from(content))).length
  assert.equal([success, bytes, count, skipped], [true, size, 5, []])
  await okay(complete(shareId))
  assertContents(await contentsOf(shareId), files)
  const { files: listed } = (await owner.get(`/api/shares/${shareId}`)).json()
  const isPhoto = (file: { original_name: string }) => file.original_name === 'photos/a.jpg'
  assert.is(listed.find(isPhoto).mime_type, 'image/jpeg')
})

tar('should change nothing when an archive comes again, also at the same time', async () => {
  const shareId = await owner.init()
  const body = pack(files)
  const statuses = await Promise.all([send(shareId, body), send(shareId, body)])
  assert.equal(pluck(statuses, 'status'), [200, 200])
  const before = await chunksOf(shareId)
  await okay(send(shareId, body))
  assert.equal(await chunksOf(shareId), before)
  assert.is((await complete(shareId)).status, 200)
  assertContents(await contentsOf(shareId), files)
  const again = await complete(shareId)
  assert.equal([again.status, again.json().success], [200, true])
  assertError(await send(shareId, body), 409, 'already_complete')
})

tar('should never complete a cut file, but leave it out if asked to', async () => {
  const shareId = await owner.init()
  const long = randomContent(65 * mib, 'cut')
  const body = pack({ 'a.txt': 'whole', 'b.bin': long })
  const connection = await begin(`POST /api/shares/${shareId}/tar`, owner, body)
  await connection.send(body.subarray(0, 64.5 * mib))
  const arrived = async () => (await chunksOf(shareId)).length
  await until('the first chunks are there', async () => (await arrived()) === 2)
  connection.destroy()
  assertError(await complete(shareId), 400, 'incomplete_upload')
  const other = await owner.init()
  assertError(await send(other, body.subarray(0, 64.5 * mib)), 400, 'invalid_tar')
  await okay(complete(other, { discardUnlisted: true }))
  assertContents(await contentsOf(other), { 'a.txt': 'whole' })
  assert.is((await okay(send(shareId, body))).json().files, 2)
  await okay(complete(shareId))
  assertContents(await contentsOf(shareId), { 'a.txt': 'whole', 'b.bin': long })
})

tar('should never mix two versions of a file', async () => {
  const [one, two] = [randomContent(66 * mib, 'one'), randomContent(130 * mib, 'two')]
  const shareId = await owner.init()
  const open = async (content: Buffer) => {
    const body = pack({ 'a.bin': content })
    return { connection: await begin(`POST /api/shares/${shareId}/tar`, owner, body), body }
  }
  const lastPiece = async () => (await chunksOf(shareId))[0]?.to ?? -1
  const [first, second] = [await open(one), await open(two)]
  await first.connection.send(first.body.subarray(0, 65 * mib))
  await until('its first piece is there', async () => (await lastPiece()) === 0)
  await second.connection.send(second.body.subarray(0, 129 * mib))
  await until('the pieces of the other are there', async () => (await lastPiece()) === 1)
  assert.is((await first.connection.ask(first.body.subarray(65 * mib))).status, 409)
  assert.is((await second.connection.ask(second.body.subarray(129 * mib))).status, 200)
  for (const { connection } of [first, second]) connection.destroy()
  // A chunk replaces the file as a whole, too.
  const other = await owner.init()
  await send(other, pack({ 'a.bin': one }))
  await owner.chunk(other, 'a.bin', 0, 'chunk')
  assert.equal((await chunksOf(other))[0]!.bytes, 5)
  await send(other, pack({ 'a.bin': 'tar' }))
  await owner.chunk(other, 'a.bin', 1, 'stray')
  assertError(await complete(other), 400, 'invalid_input')
  await send(other, pack({ 'a.bin': 'tar' }))
  assert.is((await complete(other)).status, 200)
  assertContents(await contentsOf(other), { 'a.bin': 'tar' })
  assert.is((await complete(shareId)).status, 200)
  assertContents(await contentsOf(shareId), { 'a.bin': two })
})

tar('should keep the bytes of a file whose request ends while it is stored', async () => {
  const [one, two] = [randomContent(mib, 'one'), randomContent(mib, 'two')]
  const shareId = await owner.init()
  const { budget } = service.app.services.uploads
  const ends: (() => void)[] = []
  const enter = budget.enter.bind(budget)
  budget.enter = (transfer) => {
    ends.push(transfer.end)
    return enter(transfer)
  }
  const [holding, release] = [new Gate(), new Gate()]
  const held = service.database.begin(async (sql) => {
    await sql`
      select 1
      from containers
      where id = (select container_id from shares where id = ${shareId})
      for no key update`
    holding.open()
    await release.passed
  })
  await holding.passed
  const sending = send(shareId, pack({ 'a.bin': one }))
  await until('its row waits', async () => (await countLockWaits(service.database)) > 0)
  const { writers } = service.app.storage
  const before = writers.count
  // As for a slow sender while others wait.
  ends[0]!()
  const others = owner.chunk(shareId, 'b.bin', 0, two)
  // With the writer of the first its bytes would come in place of those.
  await until('another writer stores them', () => writers.count > before)
  release.open()
  await held
  budget.enter = enter
  await Promise.allSettled([sending, okay(others)])
  await until('every permit is released', () => budget.permits === 0)
  assert.is(budget.heldBytes, 0)
  await okay(complete(shareId))
  assertContents(await contentsOf(shareId), { 'a.bin': one, 'b.bin': two })
})

tar('should keep files apart whose names are fitted alike', async () => {
  const shareId = await owner.init()
  const names = ['a/b.txt', 'a\\b.txt', 'ü.txt', 'u\u0308.txt', 'Icon', 'Icon\r']
  const body = names.map((name) => entry({ name: Buffer.from(name) }, name))
  assert.is((await send(shareId, Buffer.concat([...body, ending]))).json().files, names.length)
  assert.is((await complete(shareId)).status, 200)
  assert.is(Object.keys(await contentsOf(shareId)).length, names.length)
})

tar('should end with the rights of its sender', async () => {
  const holder = await apiTokenOf(service, owner, { scopes: ['send'] })
  const before = await shareIds()
  const body = pack({ 'a.txt': 'a', 'b.txt': 'b' })
  const connection = await begin('PUT /api/tar', holder, body)
  await connection.send(body.subarray(0, 600))
  await until('the request is being read', () => service.app.listener.watchdog.size > 0)
  await service.database.sql`delete from api_tokens`
  await connection.send(body.subarray(600))
  assert.is((await connection.readAnswer()).status, 401)
  connection.destroy()
  assert.equal(await shareIds(), before, 'its draft is gone')
})

tar('should keep the names and times of hard links, and leave system files out', async () => {
  const large = randomContent(700_000, 'large')
  const time = 1_500_000_000
  const holes = [1, 3, 5, 7, 9].map((offset) => [offset, 1] as const)
  const packed = Buffer.concat([
    entry({ name: 'b.txt', time }, 'b'),
    entry({ name: 'a.bin', time }, large),
    ...['.DS_Store', '._a.bin', 'Thumbs.db'].map((name) => entry({ name }, 'x')),
    // With a block of its map behind the header.
    Buffer.concat([longName('._holes'), oldSparse(12, holes, 'x'.repeat(5))]),
    entry({ name: 'z a.bin', type: '1', linkTarget: 'a.bin', time }),
    entry({ name: 'z b.txt', type: '1', linkTarget: 'b.txt', time }),
    entry({ name: 'symbolic', type: '2', linkTarget: 'a.bin' }),
    ending,
  ])
  const malformed = Buffer.concat([
    longName('._negative'),
    oldSparse(12, [[-1, 1]], 'x'),
    pax({ path: '._unknown', 'GNU.sparse.major': '2' }),
    entry({}, 'x'),
  ])
  const both = Buffer.concat([malformed, packed])
  const answer = await sendAll('name=Links', both, { accept: 'text/plain' })
  const [link, ...skipped] = answer.body.toString().trimEnd().split('\n')
  assert.equal(skipped, [
    'skipped: ._negative (system file)',
    'skipped: ._unknown (system file)',
    'skipped: .DS_Store (system file)',
    'skipped: ._a.bin (system file)',
    'skipped: Thumbs.db (system file)',
    'skipped: ._holes (system file)',
    'skipped: symbolic (symbolic link)',
  ])
  const shareId = link!.split('/').at(-1)!
  const expected = { 'a.bin': large, 'b.txt': 'b', 'z a.bin': large, 'z b.txt': 'b' }
  assertContents(await contentsOf(shareId), expected)
  assert.equal(await bytesOf(service, shareId), { used: 700_001, live: 1_400_002 })
  const { files: listed } = (await owner.get(`/api/shares/${shareId}`)).json()
  for (const file of listed) assert.is(file.modified_at, '2017-07-14T02:40:00.000Z')

  await owner.configure({ skipSystemFiles: false })
  const all = await owner.init()
  assert.is((await send(all, packed)).json().skippedCount, 1)
  assert.is((await send(all, packed)).json().files, 8)
  await owner.configure({ skipSystemFiles: true })
})

tar('should refuse a hard link in the place of too many bytes', async () => {
  const shareId = await owner.init()
  await send(shareId, pack({ a: 'a', b: randomContent(1000, 'b') }))
  // The effect of 256 MiB of rewrites.
  await service.database.sql`
    update containers set used_bytes = ${2 * 1001 + 256 * mib}
    where id = (select container_id from shares where id = ${shareId})`
  const linked = Buffer.concat([entry({ name: 'b', type: '1', linkTarget: 'a' }), ending])
  assertError(await send(shareId, linked), 413, 'too_many_rewrites')
  await owner.delete(`/api/shares/${shareId}`)
})

tar('should apply the rules of files and limits', async () => {
  await owner.configure({ blockedExtensions: ['exe'] })
  const shareId = await owner.init()
  assertError(await send(shareId, pack({ 'a.exe': 'x' })), 400, 'blocked_extension')
  await owner.configure({ blockedExtensions: [], maxFileSize: 1000 })
  assertError(await send(shareId, pack({ 'a.bin': 'x'.repeat(1001) })), 413, 'file_too_large')
  await owner.configure({ maxFileSize: 0, maxShareSize: 1000 })
  const two = { 'a.bin': 'x'.repeat(600), 'b.bin': 'x'.repeat(600) }
  assertError(await send(shareId, pack(two)), 413, 'share_too_large')
  const outside = Buffer.concat([entry({ name: '../a.txt' }, 'x'), ending])
  assertError(await send(shareId, outside), 400, 'invalid_tar')
})

tar('should refuse a very long path and another type, without a trace', async () => {
  const before = await tracesNow(service)
  const path = Buffer.concat([pax({ path: 'x/'.repeat(5_000) + 'y' }), entry({}, ''), ending])
  assertError(await send(await owner.init(), path), 400, 'invalid_input')
  const json = await send(await owner.init(), Buffer.from('{}'), 'application/json')
  assertError(json, 400, 'invalid_content_type')
  await assertNoTraces(service, before)
})

function sendAll(query: string, body: Buffer, headers: Record<string, string> = {}) {
  const type = { 'content-type': 'application/x-tar' }
  return owner.call('POST', `/api/tar?${query}`, { body, headers: { ...type, ...headers } })
}

tar('should share an archive in one request', async () => {
  const query =
    'name=Photos&maxDownloads=3&expirationVal=2&expirationUnit=Days' +
    '&audience=named&recipientProof=account&recipients=ada@example.org'
  const answer = await okay(sendAll(query, pack(files)))
  const { shareId, shareUrl, files: count } = answer.json()
  assert.equal([count, shareUrl], [5, `http://transfer.test/s/${shareId}`])
  const share = (await owner.get(`/api/shares/${shareId}`)).json()
  assert.equal([share.name, share.max_downloads, share.protected], ['Photos', 3, false])
  assert.equal([share.audience, share.recipientProof], ['named', 'account'])
  assert.is(Date.parse(share.expires_at) - Date.parse(share.created_at) > 47 * 3_600_000, true)
  assertContents(await contentsOf(shareId), files)
})

tar('should answer with the bare link, and take a password from a header', async () => {
  const password = 'Grüße aus Köln'
  const inBytes = Buffer.from(password).toString('latin1')
  const headers = { accept: 'text/plain', 'x-share-password': inBytes }
  const answer = await sendAll('name=Secret', pack({ 'a.txt': 'a' }), headers)
  assert.match(String(answer.headers['content-type']), /^text\/plain/)
  const [, shareId] = /^http:\/\/transfer\.test\/s\/(\S+)\n$/.exec(answer.body.toString())!
  assert.is((await owner.get(`/api/shares/${shareId}`)).json().protected, true)
  await okay(service.client().post(`/api/shares/${shareId}/verify`, { password }))
  const blank = await sendAll('', pack({ a: 'a' }), { 'x-share-password': ' ' })
  assertError(blank, 400, 'invalid_input')
})

tar('should leave no share when an archive fails', async () => {
  const before = await shareIds()
  const cut = entry({ name: 'a' }, 'x').subarray(0, 512)
  assertError(await sendAll('name=Cut', cut), 400, 'invalid_tar')
  // With the last one it would be an open link, with the password in the logs on the way.
  for (const query of ['maxDownloads=-1', 'expirationUnit=Years', 'password=secret']) {
    assertError(await sendAll(query, pack({ a: 'a' })), 400, 'invalid_input')
  }
  assert.equal(await shareIds(), before)
})

tar('should store files whose time is before the year 1 or after 9999', async () => {
  const shareId = await owner.init()
  const given = ['253402300800', '-62135596801', '8640000000000', '-8640000000000', '1500000000']
  const packed = given.flatMap((mtime, index) => [
    pax({ mtime }),
    entry({ name: `${index} pax.txt` }, mtime),
    entry({ name: `${index} header.txt`, time: binary(BigInt(mtime)) }, mtime),
  ])
  await okay(send(shareId, Buffer.concat([...packed, ending])))
  await okay(complete(shareId))
  const { files: listed } = (await owner.get(`/api/shares/${shareId}`)).json()
  const known = new Set(pluck(listed as { modified_at?: string }[], 'modified_at'))
  assert.equal([listed.length, ...known], [10, undefined, '2017-07-14T02:40:00.000Z'])
})
