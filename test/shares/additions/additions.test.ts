import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../helpers/until.ts'
import { assertError, Client, okay, pluck, randomContent } from '../../helpers/client.ts'
import { statusesOf, type Answer } from '../../helpers/client.ts'
import { assertInvariants, settleService } from '../../helpers/invariants.ts'
import { assertNothingLeft, startUnlimited } from '../../bytes/send/scene.ts'
import { add, archiveOf, bytesOf, entriesEnd, look, remove, send, startAdding } from './scene.ts'
import { unpackTexts } from './scene.ts'

const additions = suite('additions')
const hourMs = 60 * 60_000

const service = await startUnlimited()
const owner = await service.admin()
additions.after.each(assertSound)

async function assertSound(): Promise<void> {
  await assertNothingLeft(service)
  await settleService(service)
  await assertInvariants(service)
}

const filesRoute = (shareId: string) => `/api/shares/${shareId}/additions`

additions('should show none of the new files before finalize, and all of them after', async () => {
  const shareId = await owner.share({ 'a.txt': 'first', 'b.txt': 'second' })
  const before = await look(service, owner, shareId)
  service.clock.advance(hourMs)
  await startAdding(owner, shareId)
  const list = await send(owner, shareId, { 'c.txt': 'third', 'd/e.txt': 'fourth' })
  assert.equal(await look(service, owner, shareId), before, 'old until finalize')
  const answer = await okay(owner.finalize(shareId, list))
  assert.equal(answer.json(), { success: true, shareUrl: `http://transfer.test/s/${shareId}` })
  const after = await look(service, owner, shareId)
  assert.equal(pluck(after.files, 'original_name'), ['a.txt', 'b.txt', 'c.txt', 'd/e.txt'])
  assert.equal(after.files.slice(0, 2), before.files)
  assert.equal(unpackTexts(after.archive), {
    'a.txt': 'first',
    'b.txt': 'second',
    'c.txt': 'third',
    'd/e.txt': 'fourth',
  })
  assert.is(after.total_size, 22)
  assert.is(after.expires_at, before.expires_at)
  assert.is.not(after.etag, before.etag)
  assert.is(Date.parse(after.modifiedAt) - Date.parse(before.modifiedAt), hourMs)
  const end = entriesEnd(before.archive)
  assert.ok(after.archive.subarray(0, end).equals(before.archive.subarray(0, end)), 'same begin')
})

additions('should keep every name in the archive, and give new files unused names', async () => {
  const shareId = await owner.share({ 'a.txt': '1', a: '2', 'a/b': '3' })
  await add(owner, shareId, { 'A.TXT': '4', 'a/c': '5' })
  await add(owner, shareId, { 'a.txt': '6' })
  const { body } = await archiveOf(owner, shareId)
  const names = ['a.txt', 'a', 'a (1)/b', 'A (1).TXT', 'a (1)/c', 'a (2).txt']
  const contents = names.map((name, place) => [name, String(place + 1)])
  assert.equal(Object.entries(unpackTexts(body)), contents)
})

additions('should accept chunks only while files are being added', async () => {
  const shareId = await owner.share({ a: 'a' }, { expirationVal: 1, expirationUnit: 'Hours' })
  const chunks = `/api/shares/${shareId}/chunks`
  assertError(await owner.get(chunks), 409, 'already_complete')
  const token = new Client(service.url, await startAdding(owner, shareId))
  const list = await send(owner, shareId, { b: 'bb' })
  const arrived = [{ fileId: 'file-0', from: 0, to: 0, bytes: 2 }]
  assert.equal((await owner.get(chunks)).json().chunks, arrived)
  await startAdding(owner, shareId)
  assert.equal((await owner.get(chunks)).json().chunks, arrived, 'requested again')
  service.clock.jump(hourMs + 1)
  assertError(await owner.chunk(shareId, 'f', 0, 'x'), 410, 'expired')
  assertError(await owner.finalize(shareId, list), 410, 'expired')
  service.clock.jump(-hourMs - 1)
  assert.is((await owner.finalize(shareId, list)).status, 200)
  assertError(await token.chunk(shareId, 'f', 0, 'x'), 409, 'already_complete')
})

additions('should let the token of these additions send and finalize only', async () => {
  const begun = (await owner.post('/api/shares/init')).json()
  const shareId: string = begun.shareId
  const draftToken = new Client(service.url, begun.uploadToken)
  assert.is((await draftToken.finalize(shareId, [])).status, 200)
  const first = new Client(service.url, await startAdding(owner, shareId))
  const same = new Client(service.url, await startAdding(owner, shareId))
  const list = await send(first, shareId, { 'a.txt': 'a' })
  assert.is((await same.get(`/api/shares/${shareId}/chunks`)).json().chunks.length, 1)
  assertError(await draftToken.chunk(shareId, 'f', 0, 'x'), 404, 'not_found')
  assertError(await draftToken.finalize(shareId, list), 404, 'not_found')
  for (const client of [first, draftToken]) {
    assertError(await client.post(filesRoute(shareId)), 401)
    assertError(await client.delete(filesRoute(shareId)), 401)
    assertError(await client.delete(`/api/shares/${shareId}/files/1`), 401)
  }
  assert.is((await same.finalize(shareId, list)).status, 200)
  assert.is((await first.finalize(shareId, list)).status, 200, 'again')
  assertError(await first.chunk(shareId, 'f', 0, 'x'), 409, 'already_complete')
  await startAdding(owner, shareId)
  assertError(await first.chunk(shareId, 'f', 0, 'x'), 404, 'not_found')
  await owner.delete(filesRoute(shareId))
})

additions('should create no new version when nothing is listed', async () => {
  const shareId = await owner.share({ a: 'a' })
  const before = await look(service, owner, shareId)
  await startAdding(owner, shareId)
  assert.is((await owner.finalize(shareId, [])).status, 200)
  assert.is((await owner.finalize(shareId, [])).status, 200)
  assertError(await owner.get(`/api/shares/${shareId}/chunks`), 409, 'already_complete')
  assert.equal(await look(service, owner, shareId), before)

  await startAdding(owner, shareId)
  await send(owner, shareId, { b: 'bb' })
  assertError(await owner.finalize(shareId, []), 400, 'unlisted')
  assert.is((await owner.finalize(shareId, [], { discardUnlisted: true })).status, 200)
  assert.equal(await look(service, owner, shareId), before)
  assert.is((await bytesOf(service, shareId)).live, 1)
})

additions('should accept one of several lists at the same instant', async () => {
  for (let round = 0; round < 10; round += 1) {
    const shareId = await owner.share({ a: 'a' })
    await startAdding(owner, shareId)
    const list = await send(owner, shareId, { b: 'bb' })
    const other = [{ ...list[0]!, originalName: 'other' }]
    const answers = await Promise.all(
      [list, other, list, other].map((files) => owner.finalize(shareId, files)),
    )
    const statuses = answers.map(({ status }) => status)
    const isFirst = statuses[0] === 200
    assert.equal(statuses, isFirst ? [200, 409, 200, 409] : [409, 200, 409, 200])
    const names = Object.keys(unpackTexts((await archiveOf(owner, shareId)).body))
    assert.equal(names, ['a', isFirst ? 'b' : 'other'])
  }
})

additions('should drop received chunks when cancelled', async () => {
  const shareId = await owner.share({ a: 'a' })
  const before = await look(service, owner, shareId)
  await startAdding(owner, shareId)
  const list = await send(owner, shareId, { b: 'bb', c: randomContent(400_000, 'c') })
  assert.is((await bytesOf(service, shareId)).live, 400_003)
  for (let turn = 0; turn < 2; turn += 1) {
    assert.equal((await owner.delete(filesRoute(shareId))).json(), { success: true })
  }
  assert.is((await bytesOf(service, shareId)).live, 1)
  assertError(await owner.finalize(shareId, list), 409, 'already_complete')
  assert.equal(await look(service, owner, shareId), before)
  await startAdding(owner, shareId)
  assert.equal((await owner.get(`/api/shares/${shareId}/chunks`)).json().chunks, [])
  assertError(await owner.finalize(shareId, list), 400, 'incomplete_upload')
  await owner.delete(filesRoute(shareId))
})

async function idsOf(shareId: string): Promise<Record<string, number>> {
  const { files } = (await owner.get(`/api/public/shares/${shareId}`)).json()
  return Object.fromEntries(
    files.map((file: { original_name: string; id: number }) => [file.original_name, file.id]),
  )
}

additions('should remove a file from every view of the share', async () => {
  const shareId = await owner.share({ 'a.txt': 'first', 'b.txt': 'second', 'c.txt': 'third' })
  const before = await look(service, owner, shareId)
  const ids = await idsOf(shareId)
  service.clock.advance(hourMs)
  await remove(owner, shareId, ids['b.txt']!)
  const after = await look(service, owner, shareId)
  const kept = before.files.filter((file) => file.original_name !== 'b.txt')
  assert.equal(after.files, kept)
  assert.equal(unpackTexts(after.archive), { 'a.txt': 'first', 'c.txt': 'third' })
  assert.is(after.total_size, 10)
  assert.is.not(after.etag, before.etag)
  assert.is(Date.parse(after.modifiedAt) - Date.parse(before.modifiedAt), hourMs)
  assert.is(after.expires_at, before.expires_at)
  assert.equal(await bytesOf(service, shareId), { used: 16, live: 10 })
  for (const path of [`files/${ids['b.txt']}`, `download?files=${ids['b.txt']}`]) {
    assertError(await owner.get(`/api/shares/${shareId}/${path}`), 404, 'not_found')
  }
  assertError(await owner.delete(`/api/shares/${shareId}/files/${ids['b.txt']}`), 404)
})

additions('should remove several files at once, and ignore those that are gone', async () => {
  const files = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`${n}.txt`, `file ${n}`]))
  const shareId = await owner.share(files)
  const ids = Object.values(await idsOf(shareId)).toSorted((one, other) => one - other)
  const [first, second, third] = ids as [number, number, number]
  const path = `/api/shares/${shareId}/files`
  const many = await owner.delete(`${path}?files=${first}-${third},${ids[9]}`)
  assert.equal(many.json(), { success: true, removed: 4 })
  const again = await owner.delete(`${path}?files=${second},${ids[10]}`)
  assert.equal(again.json(), { success: true, removed: 1 })
  assertError(await owner.delete(`${path}?files=${first}`), 404, 'not_found')
  const left = await look(service, owner, shareId)
  assert.is(left.files.length, 35)
  assert.is(Object.keys(unpackTexts(left.archive)).length, 35)

  const refused = ['', 'a', '1-', '3-1', '1,,2', '1-1001', Array.from(ids, () => '1-30').join()]
  for (const text of refused) {
    assertError(await owner.delete(`${path}?files=${text}`), 400, 'invalid_input')
  }
  assertError(await owner.delete(path), 400, 'invalid_input')
  const other = await owner.share({ a: 'a' })
  const [foreign] = Object.values(await idsOf(other))
  assertError(await owner.delete(`${path}?files=${foreign}`), 404, 'not_found')
  assert.is((await idsOf(other))['a'], foreign)
  const draft = await owner.init()
  assertError(await owner.delete(`/api/shares/${draft}/files?files=1`), 409, 'conflict')
})

additions('should leave an empty share after the last file', async () => {
  const shareId = await owner.share({ 'a.txt': 'first' })
  await remove(owner, shareId, (await idsOf(shareId))['a.txt']!)
  const { archive, files, total_size: totalSize } = await look(service, owner, shareId)
  assert.equal([archive.length, files, totalSize], [22, [], 0])
  await add(owner, shareId, { 'a.txt': 'again' })
  assert.equal(unpackTexts((await archiveOf(owner, shareId)).body), { 'a.txt': 'again' })
})

additions('should happen once when requested many times at the same instant', async () => {
  const shareId = await owner.share({ a: 'a', b: 'bb' })
  const { a } = await idsOf(shareId)
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => owner.delete(`/api/shares/${shareId}/files/${a}`)),
  )
  assert.equal(statusesOf(answers), [200, 404, 404, 404])
  assert.is((await look(service, owner, shareId)).total_size, 2)
})

// A request that a change of the files overtakes, at each moment between reading the
// share and sending its bytes: it gets all of the old or all of the new.

const overtaken = suite('overtaken downloads')
const large = randomContent(600_000, 'large')

const anonymous = service.client()
overtaken.after.each(assertSound)

/** Runs something once, before the next call of a method. */
function beforeNext<Home extends object>(
  home: Home,
  name: keyof Home & string,
  deed: () => Promise<unknown>,
): void {
  const real = (home[name] as (...call: unknown[]) => unknown).bind(home)
  const replaced = async (...call: unknown[]) => {
    delete home[name]
    await deed()
    return real(...call)
  }
  Object.defineProperty(home, name, { value: replaced, configurable: true })
}

/** A share with one file to keep and a larger one to remove, of which no layout is kept yet. */
async function newShareOfTwo(): Promise<{ shareId: string; ids: number[] }> {
  const shareId = await owner.share({ 'keep.txt': 'kept' })
  await service.app.storage.writers.close()
  await add(owner, shareId, { large })
  const { files } = (await owner.get(`/api/shares/${shareId}`)).json()
  return { shareId, ids: files.map(({ id }: { id: number }) => id) }
}

async function shareOfTwo(): Promise<{ shareId: string; ids: number[]; archive: Answer }> {
  const share = await newShareOfTwo()
  return { ...share, archive: await archiveOf(owner, share.shareId) }
}

type Change = (shareId: string, ids: number[]) => Promise<unknown>
const changes: [what: string, change: Change, names: string[]][] = [
  [
    'an addition',
    (shareId) => add(owner, shareId, { 'more.txt': 'more' }),
    ['keep.txt', 'large', 'more.txt'],
  ],
  ['a removal', (shareId, ids) => remove(owner, shareId, ids[1]!), ['keep.txt']],
]
for (const [what, change, names] of changes) {
  overtaken(`should send the new archive when ${what} comes before it is read`, async () => {
    const { shareId, ids } = await newShareOfTwo()
    const { archives } = service.app.services.downloads
    beforeNext(archives, 'content', () => change(shareId, ids))
    const answer = await anonymous.get(`/api/shares/${shareId}/download`)
    assert.equal(Object.keys(unpackTexts(answer.body)), names)
    const now = await archiveOf(owner, shareId)
    assert.is(answer.headers['etag'], now.headers['etag'])
    assert.ok(answer.body.equals(now.body))
  })
}

/** Removes the larger file, and its segment from disk unless it is read. */
async function removeLarge(shareId: string, ids: number[]): Promise<void> {
  await remove(owner, shareId, ids[1]!)
  // Requests that hang meanwhile are not waited for.
  for (let turn = 0; turn < 3; turn += 1) {
    await service.app.jobs.runAll()
    await until('the manifest is written', async () => {
      const due = await service.database.sql`
        select 1 from shares where manifest_revision is distinct from revision`
      return due.length === 0
    })
    service.clock.jump(5 * 60_000)
  }
}

const targets: [what: string, path: (ids: number[]) => string, headers: Record<string, string>][] =
  [
    ['an archive', () => 'download', {}],
    ['a range of an archive', () => 'download', { range: 'bytes=3-40' }],
    ['some files', (ids) => `download?files=${ids[0]}`, {}],
    ['a file', (ids) => `files/${ids[0]}`, {}],
  ]
for (const [what, pathOf, headers] of targets) {
  overtaken(`should send ${what} as it was while its files are removed`, async () => {
    const { shareId, ids } = await shareOfTwo()
    const path = `/api/shares/${shareId}/${pathOf(ids)}`
    const before = await anonymous.get(path, headers)
    beforeNext(service.app.storage.files, 'pin', () => removeLarge(shareId, ids))
    const answer = await anonymous.get(path, headers)
    assert.is(answer.status, headers['range'] ? 206 : 200)
    assert.is(answer.headers['etag'], before.headers['etag'])
    assert.ok(answer.body.equals(before.body))
    assert.is(service.logLines.filter((line) => line.includes('bytes of a container')).length, 0)
  })
}
