import { setMaxListeners } from 'node:events'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf, Gate, until } from '../../helpers/until.ts'
import { Archives, type ArchiveSource } from '../../../src/bytes/send/archives.ts'
import { BufferBudget } from '../../../src/bytes/send/send-content.ts'
import { assertError, makeLink } from '../../helpers/client.ts'
import { assertNothingLeft, startUnlimited } from './scene.ts'

const archives = suite('downloads: layouts of archives')
const tar = suite('downloads: tar archives')
tar.after.each(() => assertNothingLeft(service))
const mib = 1024 * 1024
const fileCount = 10_000
const asking = { requester: { key: 'one' }, signal: new AbortController().signal }
// All requests of a test have this one.
setMaxListeners(0, asking.signal)

async function sourceOf(shareId: string): Promise<ArchiveSource> {
  const [row] = await service.database.sql<{ containerId: string; revision: string }[]>`
    select container_id, revision from shares where id = ${shareId}`
  const { containerId, revision } = row!
  const parts = [{ containerId, prefix: '' }]
  return { format: 'zip', parts, revision, modifiedAt: new Date(), selection: null }
}

const service = await startUnlimited()
const owner = await service.admin()
const anonymous = service.client()
const small: ArchiveSource = await sourceOf(await owner.share({ a: '', b: 'bb', c: 'c' }))
/** A layout of about 10 MiB: three of them fit into the cache, four do not. */
const large: ArchiveSource = await sourceOf(await owner.share({ a: 'a' }))
await service.database.sql`
  insert into files (
    container_id, file_key, original_name, entry_name, size, mime_type, crc32, created_at
  )
  select
    ${large.parts[0]!.containerId}, 'many-' || number, 'n', repeat('x', 990) || number, 0, 'text/plain', 0,
    now()
  from generate_series(1, ${fileCount}) as number`

const { damage } = service.app.services.downloads
const limits = { cacheBytesMax: 32 * mib, clock: service.clock }
const newCache = () => new Archives(service.database, damage, limits)

archives('should be built once for many requests at the same instant', async () => {
  const cache = newCache()
  const contents = await Promise.all(Array.from({ length: 20 }, () => cache.content(large, asking)))
  assert.is(new Set(contents).size, 1)
  assert.is(await cache.content(large, asking), contents[0], 'and kept')
})

archives('should stay below 32 MiB, without those unused for longest', async () => {
  const cache = newCache()
  const ask = (revision: string) => cache.content({ ...large, revision }, asking)
  const first = await ask('1')
  const bytesOfOne = cache.keptBytes
  assert.ok(bytesOfOne > 9 * mib && bytesOfOne < 16 * mib, `${bytesOfOne} bytes`)
  const second = await ask('2')
  assert.is(await ask('1'), first)
  for (const revision of ['3', '4', '5']) {
    await ask(revision)
    await ask('1')
    assert.ok(cache.keptBytes <= 32 * mib, `${cache.keptBytes} bytes`)
  }
  assert.is(await ask('1'), first, 'used all the time')
  assert.is.not(await ask('2'), second, 'the oldest')
})

archives('should count the memory of a small layout, and not its columns alone', async () => {
  const cache = new Archives(service.database, damage, { ...limits, cacheBytesMax: 64 * 1024 })
  const ask = (revision: string) => cache.content({ ...small, revision }, asking)
  const first = await ask('1')
  for (const revision of ['2', '3']) await ask(revision)
  assert.is(await ask('1'), first)
  for (const revision of ['4', '5', '6', '7']) await ask(revision)
  assert.is.not(await ask('1'), first)
})

archives('should not be built once the request has left', async () => {
  const cache = newCache()
  const gate = new Gate()
  const sourceOf = (revision: string, hold: () => unknown): ArchiveSource => {
    const findRevision = async () => {
      await hold()
      return { ...small, revision }
    }
    return { ...small, revision, findRevision }
  }
  let held = 0
  const hold = () => {
    held += 1
    return gate.passed
  }
  const running = ['1', '2'].map((revision) => cache.content(sourceOf(revision, hold), asking))
  await until('both are built', () => held === 2)
  let isBuilt = false
  const third = sourceOf('3', () => (isBuilt = true))
  const request = new AbortController()
  const waiting = cache.content(third, { ...asking, signal: request.signal })
  const reason = failureOf(waiting)
  await until('it waits', () => cache.waiting === 1)
  const gone = new Error('gone')
  request.abort(gone)
  assert.is(await reason, gone)
  await until('its place is free', () => cache.waiting === 0)
  const left = cache.content(third, { ...asking, signal: request.signal })
  assert.is(await failureOf(left), gone)
  gate.open()
  await Promise.all(running)
  assert.is(isBuilt, false)
  assert.ok((await cache.content(third, asking)).size > 0)
  assert.is(isBuilt, true)
})

archives('should be built two at a time, in turns of their clients', async () => {
  const cache = newCache()
  const order: string[] = []
  const releases: (() => void)[] = []
  let isOpen = false
  const build = async (key: string, revision: string) => {
    const findRevision = async () => {
      order.push(key)
      if (!isOpen) await new Promise<void>((resolve) => releases.push(resolve))
      return { ...small, revision }
    }
    const source = { ...small, revision, findRevision }
    await cache.content(source, { ...asking, requester: { key } })
  }
  const greedy = Array.from({ length: 20 }, (_, place) => build('greedy', `greedy ${place}`))
  await until('18 wait', () => cache.waiting === 18)
  const honest = build('honest', 'honest')
  await until('all wait', () => cache.waiting === 19 && releases.length === 2)
  // One ends, and the next begins: in the order of their turns.
  while (!order.includes('honest')) {
    const begun = order.length
    releases.shift()!()
    await until('the next one has begun', () => order.length === begun + 1)
  }
  isOpen = true
  for (const release of releases) release()
  await Promise.all([...greedy, honest])
  assert.ok(order.indexOf('honest') <= 3, order.join(' '))
})

tar('should be resumable as uncompressed tar, also while ZIP archives are compressed', async () => {
  const compress = (zipCompression: boolean) => owner.configure({ zipCompression })
  const shareId = await owner.share({ 'a.txt': 'a'.repeat(50_000) }, { name: 'Größe' })
  const address = `/api/shares/${shareId}/download`
  const zip = await anonymous.get(address)
  await compress(true)
  try {
    const coded = { 'accept-encoding': 'gzip, br, zstd' }
    const { headers, body } = await anonymous.get(`${address}?format=tar`, coded)
    assert.is(headers['content-type'], 'application/x-tar')
    assert.is(headers['content-length'], String(body.length))
    assert.is(headers['content-encoding'], undefined)
    assert.match(String(headers['content-disposition']), `filename*=UTF-8''Gr%C3%B6%C3%9Fe.tar`)
    const etag = String(headers['etag'])
    const range = { range: 'bytes=700-', 'if-range': etag }
    const rest = await anonymous.get(`${address}?format=tar`, range)
    assert.is(rest.status, 206)
    assert.ok(rest.body.equals(body.subarray(700)))
    await compress(false)
    const other = await anonymous.get(address, { 'if-none-match': etag })
    assert.is(other.status, 200, 'the tag of one format says nothing about the other')
    const named = await anonymous.get(`${address}?format=zip`)
    assert.equal([named.headers['etag'], named.body], [zip.headers['etag'], zip.body])
  } finally {
    await compress(false)
  }
})

tar('should refuse every other format', async () => {
  const shareId = await owner.share({ a: 'a' })
  const link = await makeLink(owner, { name: 'Inbox' })
  for (const format of ['', 'TAR', 'tar.gz', '../tar']) {
    for (const address of [`/api/shares/${shareId}/download`, `/api/reverse/${link}/download`]) {
      const answer = await owner.get(`${address}?format=${encodeURIComponent(format)}`)
      assertError(answer, 400, 'invalid_input')
      assert.is(answer.json().error, 'format: must be zip or tar')
    }
  }
})

const budgets = suite('downloads: buffer budget')
const options = {
  bytesMax: 32 * mib,
  clientBytesMax: 16 * mib,
  layoutBytesMax: 64 * mib,
  bufferBytesMin: 64 * 1024,
  transfersMax: 1000,
  waitMsMax: 1000,
}
const { signal } = new AbortController()

budgets('should refuse layouts beyond those of a client, and of all clients', async () => {
  const budget = new BufferBudget(options)
  const enter = (client: string) => budget.enter(client, signal, 4 * mib)
  const isRefused = async (client: string) => {
    const { code, headers } = (await failureOf(enter(client))) as any
    assert.equal([code, headers], ['unavailable', { 'Retry-After': '5' }])
  }
  const clients = ['a', 'b', 'c', 'd']
  const permits = []
  for (const client of clients) {
    for (let count = 0; count < 4; count++) permits.push(await enter(client))
    await isRefused(client)
  }
  await isRefused('e')
  const withoutLayout = await budget.enter('e', signal)
  assert.is(budget.transfers, 17, 'a refused one holds no place')
  permits[0]!.leave()
  permits[0]!.leave()
  await isRefused('b')
  const other = await enter('e')
  await isRefused('e')
  for (const permit of [...permits, withoutLayout, other]) permit.leave()
  assert.equal([budget.transfers, budget.heldBytes], [0, 0])
  const again = await enter('a')
  again.leave()
})

budgets('should admit a very large layout while there is no other', async () => {
  const budget = new BufferBudget(options)
  const permit = await budget.enter('a', signal, 100 * mib)
  assert.is(((await failureOf(budget.enter('b', signal, 1))) as any).code, 'unavailable')
  permit.leave()
  const next = await budget.enter('b', signal, 1)
  next.leave()
})
