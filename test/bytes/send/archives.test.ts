import { setMaxListeners } from 'node:events'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Archives, type ArchiveSource } from '../../../src/bytes/send/archives.ts'
import { until } from '../../helpers/until.ts'
import { startUnlimited } from './scene.ts'

const archives = suite('downloads: layouts of archives')
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
  let open = () => {}
  const gate = new Promise<void>((resolve) => (open = resolve))
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
    return gate
  }
  const running = ['1', '2'].map((revision) => cache.content(sourceOf(revision, hold), asking))
  await until('both are built', () => held === 2)
  let isBuilt = false
  const third = sourceOf('3', () => (isBuilt = true))
  const request = new AbortController()
  const waiting = cache.content(third, { ...asking, signal: request.signal })
  const reason = waiting.catch((error: unknown) => error)
  await until('it waits', () => cache.waiting === 1)
  const gone = new Error('gone')
  request.abort(gone)
  assert.is(await reason, gone)
  await until('its place is free', () => cache.waiting === 0)
  const left = cache.content(third, { ...asking, signal: request.signal })
  assert.is(await left.catch((error: unknown) => error), gone)
  open()
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
