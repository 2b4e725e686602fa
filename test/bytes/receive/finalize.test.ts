import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import {
  assertError,
  okay,
  randomContent,
  type Answer,
  type ListedFile,
} from '../../helpers/client.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startService } from '../../helpers/service.ts'
import { assertInvariants, settleService } from '../../helpers/invariants.ts'

const finalize = suite('finalize')

const service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
const sender = await service.admin()

/** A draft with these chunks: `{ fileId: { index: text } }`. */
async function draft(chunks: Chunks): Promise<string> {
  const shareId = await sender.init()
  for (const [fileId, texts] of Object.entries(chunks)) {
    for (const [index, text] of Object.entries(texts)) {
      await okay(sender.chunk(shareId, fileId, index, text))
    }
  }
  return shareId
}

function file(fileId: string, size: number, more: Partial<ListedFile> = {}): ListedFile {
  return { fileId, originalName: `${fileId}.txt`, size, ...more }
}

/** Chunks that are missing, and bytes that are missing behind the last chunk. */
const gap = (fileId: string, from: number, to: number) => ({ fileId, from, to })
const end = (fileId: string, from: number, bytes: number) => ({ fileId, from, bytes })

async function state(shareId: string): Promise<string> {
  const { sql } = service.database
  const rows = await Promise.all([
    // Without what the job for manifests may write at any time.
    sql`select id, state, name, list_hash, revision, total_size, expires_at, finalized_at
        from shares where id = ${shareId}`,
    sql`select chunks.* from chunks join shares using (container_id) where shares.id = ${shareId}
        order by file_key, chunk_index`,
    sql`select files.* from files join shares using (container_id) where shares.id = ${shareId}`,
    sql`select containers.* from containers join shares on containers.id = container_id
        where shares.id = ${shareId}`,
  ])
  return JSON.stringify(rows)
}

type Chunks = Record<string, Record<number, string>>

function refuse(
  name: string,
  chunks: Chunks,
  files: ListedFile[],
  says: { code: string } & Record<string, unknown>,
  more = {},
): void {
  finalize(`should answer 400 for ${name}, and leave the draft untouched`, async () => {
    const shareId = await draft(chunks)
    const before = await state(shareId)
    const answer = await sender.finalize(shareId, files, more)
    assert.is(answer.status, 400)
    for (const [key, value] of Object.entries(says)) assert.equal(answer.json()[key], value, key)
    assert.is(await state(shareId), before)
    assert.is((await service.client().get(`/api/public/shares/${shareId}`)).status, 404)
    assert.is((await sender.chunk(shareId, 'late', 0, 'more')).status, 200)
  })
}

const incomplete = (...missing: object[]) => ({ code: 'incomplete_upload', missing })
refuse('a hole', { a: { 0: 'x', 2: 'z' } }, [file('a', 3)], incomplete(gap('a', 1, 1)))
refuse(
  'several holes of several files',
  { a: { 0: 'x', 2: 'x', 6: 'x' }, b: { 1: 'y' } },
  [file('a', 7), file('b', 2)],
  incomplete(gap('a', 1, 1), gap('a', 3, 5), gap('b', 0, 0)),
)
refuse(
  'a missing end, and a file with a size but no chunks',
  { a: { 0: 'x', 1: 'y' } },
  [file('a', 5), file('never', 10)],
  incomplete(end('a', 2, 3), end('never', 0, 10)),
)
const mismatch = { code: 'size_mismatch', fileId: 'a', received: 3, size: 2 }
refuse('more bytes than the size', { a: { 0: 'xyz' } }, [file('a', 2)], mismatch)
const three = { a: { 0: 'x' }, b: { 0: 'y' }, c: { 0: 'z' } }
const unlisted = { code: 'unlisted', unlisted: ['a', 'c'] }
refuse('chunks that the list does not name', three, [file('b', 1)], unlisted)
refuse(
  'a hole, even if unlisted chunks may be discarded',
  { a: { 1: 'x' }, b: { 0: 'y' } },
  [file('a', 2)],
  incomplete(gap('a', 0, 0)),
  { discardUnlisted: true },
)

finalize('should name at most 100 missing ranges, the first ones', async () => {
  const shareId = await sender.init()
  const indexes = Array.from({ length: 150 }, (_, place) => place * 2 + 1)
  await Promise.all(indexes.map((index) => sender.chunk(shareId, 'f', index, 'x')))
  const { missing } = (await sender.finalize(shareId, [file('f', 300)])).json()
  assert.is(missing.length, 100)
  assert.equal([missing[0], missing[99]], [gap('f', 0, 0), gap('f', 198, 198)])
})

finalize('should answer the same list the same, and another list with 409', async () => {
  const shareId = await draft({ a: { 0: 'x' }, b: { 0: 'y' } })
  const list = [file('a', 1), file('b', 1, { mimeType: 'text/plain' })]
  const first = await sender.finalize(shareId, list)
  const before = await state(shareId)
  const again = await sender.finalize(shareId, list)
  assert.equal([again.status, again.json()], [200, first.json()])
  const others: ListedFile[][] = [
    [],
    [file('a', 1)],
    [...list].reverse(),
    [file('a', 1, { originalName: 'other.txt' }), list[1] as ListedFile],
    [file('a', 2), list[1] as ListedFile],
    [file('a', 1), file('b', 1, { mimeType: 'text/html' })],
  ]
  for (const other of others) {
    assertError(await sender.finalize(shareId, other), 409, 'already_complete')
  }
  assert.is(await state(shareId), before)
})

finalize('should complete a share of 2,500 files, in their order', async () => {
  const shareId = await sender.init()
  const count = 2500
  const contents = Array.from({ length: count }, (_, place) => randomContent(place % 97, place))
  const answers: Promise<Answer>[] = []
  for (const [place, content] of contents.entries()) {
    answers.push(okay(sender.chunk(shareId, `f${place}`, 0, content)))
    if (answers.length % 64 === 0) await Promise.all(answers.slice(-64))
  }
  const list = contents.map((content, place) => file(`f${place}`, content.length))
  await Promise.all(answers)
  await okay(sender.finalize(shareId, list))
  const { files } = (await sender.get(`/api/public/shares/${shareId}`)).json()
  assert.is(files.length, count)
  for (const place of [0, 1, 999, 1000, 1001, 2499]) {
    assert.ok((await sender.download(shareId, place)).body.equals(contents[place] as Buffer))
  }
})

finalize('should drop and accept no chunks while the disk is not mounted', async () => {
  const shareId = await draft({ a: { 0: 'text' } })
  await service.app.storage.writers.close()
  renameSync(service.storageDir, `${service.storageDir}-away`)
  service.clock.advance(2_000)
  assertError(await sender.chunk(shareId, 'a', 1, 'more'), 503, 'unavailable')
  const { disk, uploads } = (await (await service.admin()).get('/api/admin/status')).json()
  assert.equal([disk, uploads], [null, 'unavailable'])
  assert.not.ok(existsSync(service.storageDir))
  mkdirSync(service.storageDir)
  const finalized = () => sender.finalize(shareId, [file('a', 8)])
  assert.is((await finalized()).status, 503)
  rmSync(service.storageDir, { recursive: true })
  renameSync(`${service.storageDir}-away`, service.storageDir)
  assert.is((await sender.chunk(shareId, 'a', 1, 'more')).status, 200)
  assert.is((await finalized()).status, 200)
})

finalize('should ignore one U+FEFF before JSON, in short bodies and in lists', async () => {
  const headers = { 'content-type': 'application/json' }
  const send = (path: string, body: string | Buffer, more = {}) =>
    sender.call('POST', path, { headers: { ...headers, ...more }, body })
  const begun = await okay(send('/api/shares/init', '\ufeff{"name":"\ufeffmarked"}'))
  const { shareId } = begun.json()
  assert.is((await sender.get(`/api/shares/${shareId}`)).json().name, '\ufeffmarked')
  const path = `/api/shares/${shareId}/finalize`
  const list = '\ufeff{"files":[]}'
  for (const body of [`\ufeff${list}`, '\ufeff', '\ufeff[]']) {
    assert.is((await send(path, body)).status, 400, body)
  }
  assert.is((await send(path, list)).status, 200)
  assert.is((await send(path, gzipSync(list), { 'content-encoding': 'gzip' })).status, 200)
})

// A hook that fails would hide the names of the tests that have failed.
finalize('should leave nothing that does not belong together', async () => {
  await settleService(service)
  await assertInvariants(service)
})
