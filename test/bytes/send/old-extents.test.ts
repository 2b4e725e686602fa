// Extents from before checksums of blocks were stored: no part of one is sent unchecked.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError } from '../../contract/shapes.ts'
import type { Client } from '../../helpers/client.ts'
import { Gate, replaceRead } from '../../helpers/replaced.ts'
import type { Service } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'
import { flip, placeOf } from '../upkeep/verify/scene.ts'
import { assertNothingLeft, fileIds, patterned, startUnlimited } from './scene.ts'

const old = suite('downloads: extents without checksums of blocks')
const mib = 1024 * 1024
const size = 3 * mib
const content = patterned(size)

let service: Service
let owner: Client

old.before(async () => {
  service = await startUnlimited()
  owner = await service.admin()
})
old.after.each(() => assertNothingLeft(service))
old.after(async () => {
  await owner.close()
  await service.stop()
})

let count = 0

interface Old {
  readonly shareId: string
  readonly name: string
  readonly id: number
  readonly file: string
}

/** A share whose file has the rows of a version without checksums of blocks. */
async function share(): Promise<Old> {
  const name = `file-${(count += 1)}`
  const shareId = await owner.share({ [name]: content, 'small.txt': 'small' })
  const ids = await fileIds(service, shareId)
  const id = ids[name]!
  await service.database.sql`update extents set blocks = null where file_id = ${id}`
  return { shareId, name, id, file: `/api/shares/${shareId}/files/${id}` }
}

async function listBlocks(id: number): Promise<(Buffer | null)[]> {
  const rows = await service.database.sql<{ blocks: Buffer | null }[]>`
    select blocks from extents where file_id = ${id} order by position`
  return rows.map(({ blocks }) => blocks)
}

/** Bytes read from segments while something runs. */
async function countRead<T>(task: () => Promise<T>): Promise<{ result: T; bytes: number }> {
  let bytes = 0
  const undo = replaceRead((real) => (...call) => {
    bytes += call[3]
    real(...call)
  })
  try {
    return { result: await task(), bytes }
  } finally {
    undo()
  }
}

const ask = (target: string, range: string) => owner.get(target, { range: `bytes=${range}` })

for (const [start, last] of [
  [1, size - 1],
  [0, size - 2],
  [1_500_000, 1_500_000],
  [900_000, 2_000_000],
] as const) {
  old(`should check an extent before sending a range of it: ${start} to ${last}`, async () => {
    const { name, id, file } = await share()
    const answer = await ask(file, `${start}-${last}`)
    assert.is(answer.status, 206)
    assert.ok(answer.body.equals(content.subarray(start, last + 1)))
    assert.not.ok((await listBlocks(id)).includes(null), 'the checksums are stored')

    const harmed = await share()
    const place = await placeOf(service, harmed.name)
    flip({ ...place, at: place.at + 1_500_000 })
    assertError(await ask(harmed.file, `${start}-${last}`), 410, 'file_damaged')
    assert.equal(await listBlocks(harmed.id), [null])
    const marked = await service.database.sql<{ originalName: string }[]>`
      select original_name from files where damaged_at is not null`
    assert.equal(
      marked.map((row) => row.originalName),
      [harmed.name],
    )
    assert.not.ok(marked.some((row) => row.originalName === name))
    await service.database.sql`update files set damaged_at = null`
  })
}

old('should check the extents that a range of an archive crosses', async () => {
  const { shareId, name, id } = await share()
  const archive = `/api/shares/${shareId}/download`
  const whole = (await owner.get(archive)).body
  assert.equal(await listBlocks(id), [null], 'all of it is checked as it is sent')
  for (const [start, last] of [
    [1_000_000, 1_100_000],
    [10, whole.length - 1],
    [0, 2_000_000],
    [whole.length - 30, whole.length - 1],
  ] as const) {
    await service.database.sql`update extents set blocks = null where file_id = ${id}`
    const answer = await ask(archive, `${start}-${last}`)
    assert.ok(answer.body.equals(whole.subarray(start, last + 1)), `${start} to ${last}`)
  }
  const harmed = await share()
  const place = await placeOf(service, harmed.name)
  flip({ ...place, at: place.at + 2_900_000 })
  const refused = await ask(`/api/shares/${harmed.shareId}/download`, '1000000-1100000')
  assertError(refused, 410, 'file_damaged')
  assert.is(refused.json().damaged[0].name, harmed.name)
  assert.not.match(refused.body.toString(), name)
  await service.database.sql`update files set damaged_at = null`
})

old('should read an extent once for all requests for parts of it', async () => {
  const { file } = await share()
  const places = Array.from({ length: 8 }, (_, place) => 5 + place * 100_000)
  const all = await countRead(() => {
    return Promise.all(places.map((start) => ask(file, `${start}-${start + 9}`)))
  })
  for (const [index, start] of places.entries()) {
    assert.ok(all.result[index]!.body.equals(content.subarray(start, start + 10)))
  }
  assert.ok(all.bytes <= size + places.length * 256 * 1024, `${all.bytes} bytes read`)
  const later = await countRead(() => ask(file, '1500000-1500000'))
  assert.ok(later.bytes <= 256 * 1024, `${later.bytes} bytes read`)
})

old('should read at most two extents at a time', async () => {
  const files = await Promise.all([share(), share(), share(), share(), share()])
  const gate = new Gate()
  const reading = new Set<number>()
  const undo = replaceRead((real) => (...call) => {
    reading.add(call[0])
    void gate.passed.then(() => real(...call))
  })
  const answers = files.map(({ file }) => ask(file, '1000-1999'))
  await until('two are read', () => reading.size === 2)
  await until('all requests wait', () => service.app.services.downloads.budget.transfers === 5)
  assert.is(reading.size, 2)
  undo()
  gate.open()
  for (const answer of await Promise.all(answers)) assert.is(answer.body.length, 1000)
})

old('should stop reading when no client waits any more', async () => {
  const { id, file } = await share()
  const gate = new Gate()
  let reads = 0
  const undo = replaceRead((real) => (...call) => {
    reads += 1
    void gate.passed.then(() => real(...call))
  })
  const clients = [new AbortController(), new AbortController()]
  const asked = clients.map(({ signal }) =>
    fetch(service.url + file, { headers: { range: 'bytes=5-' }, signal }).catch(() => null),
  )
  await until('both wait', () => service.app.services.downloads.budget.transfers === 2)
  await until('it is read', () => reads > 0)
  // Before that, the clients may only have shut down their side.
  service.clock.advance(5_000)
  for (const client of clients) client.abort()
  await Promise.all(asked)
  await until('the service has seen it', () => service.app.listener.watchdog.size === 0)
  gate.open()
  await assertNothingLeft(service)
  undo()
  assert.is(reads, 1, 'not the rest')
  assert.equal(await listBlocks(id), [null])
  assert.is((await ask(file, '5-')).body.length, size - 5)
})

old.run()
