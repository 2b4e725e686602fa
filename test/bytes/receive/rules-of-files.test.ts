// Invalid file names are replaced, and files that a rule excludes by name or size are refused with
// their first chunks, before the client has sent gigabytes. Dates of files are kept.
import {
  assertError,
  Guest,
  makeLink,
  okay,
  pluck,
  type Answer,
  type ListedFile,
} from '../../helpers/client.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startService } from '../../helpers/service.ts'
import { ending, entry } from '../archive/tar/blocks.ts'
import { read } from '../archive/tar/reading.ts'
import { readWhole } from '../archive/zip/archive-reader.ts'

const renamed = suite('uploads: names and dates')

const service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
const owner = await service.admin()

const given: ListedFile[] = [
  { fileId: 'a', originalName: 'photos\\beach.jpg', size: 1 },
  { fileId: 'b', originalName: 'plain.txt', size: 1 },
  { fileId: 'c', originalName: `${'x'.repeat(300)}.pdf`, size: 1 },
  { fileId: 'd', originalName: 'u\u0308.txt', size: 1 },
  { fileId: 'e', originalName: '/etc/./a\nb', size: 1 },
]
const kept = ['photos/beach.jpg', 'plain.txt', `${'x'.repeat(251)}.pdf`, 'ü.txt', 'etc/ab']
const said = [
  { fileId: 'a', originalName: kept[0] },
  { fileId: 'c', originalName: kept[2] },
  { fileId: 'e', originalName: kept[4] },
]

async function entryNames(path: string): Promise<string[]> {
  return readWhole((await owner.get(path)).body).entries.map(({ name }) => name)
}

async function begin(): Promise<string> {
  const shareId = await owner.init()
  for (const { fileId } of given) await owner.chunk(shareId, fileId, 0, 'x')
  return shareId
}

renamed('should complete a share with any names, and report the new ones', async () => {
  const shareId = await begin()
  const answer = await owner.finalize(shareId, given)
  assert.equal([answer.status, answer.json().renamed], [200, said])
  const { files } = (await owner.get(`/api/shares/${shareId}`)).json()
  assert.equal(pluck<any, string>(files, 'original_name'), kept)
  assert.equal(await entryNames(`/api/shares/${shareId}/download`), kept)
  const again = await owner.finalize(shareId, given)
  assert.equal([again.status, again.json()], [200, answer.json()], 'the same list again')
})

renamed('should list at most a thousand renamed files', async () => {
  const shareId = await owner.init()
  const many = Array.from({ length: 1200 }, (_, place) => {
    return { fileId: `f${place}`, originalName: `a\\${place}`, size: 0 }
  })
  const answer = await owner.finalize(shareId, many)
  assert.is(answer.json().renamed.length, 1000)
  assert.equal(answer.json().renamed[999], { fileId: 'f999', originalName: 'a/999' })
})

const types: [mimeType: string, kept: string][] = [
  [`${'x'.repeat(3000)}\0\ud800`, 'application/octet-stream'],
  ['text/plain;charset="a;b"', 'text/plain'],
  [' image/png ;', 'image/png'],
  ['; charset=utf-8', 'application/octet-stream'],
  ['text/pl ain; x=y', 'application/octet-stream'],
]
renamed('should accept any label and media type, and keep the type alone', async () => {
  const labels = ['', 'x'.repeat(5000), 'a\0b', '\ud800', '../x']
  const shareId = await owner.init()
  const files = types.map(([mimeType], place) => {
    const named = { fileId: `${place}`, originalName: `${place}`, fileName: labels[place] }
    return { ...named, size: 0, mimeType }
  })
  await okay(owner.post(`/api/shares/${shareId}/finalize`, { files }))
  const { files: listed } = (await owner.get(`/api/shares/${shareId}`)).json()
  const wanted = types.map(([, kept]) => kept)
  assert.equal(pluck<any, string>(listed, 'mime_type'), wanted)
})

/** The file's name, the rules of the service, and the answer to its first chunk. */
const blocked = { blockedExtensions: ['exe'], blockedExtensionsGuests: ['exe'] }
const refusals: [fileName: string, rules: object, status: number, code: string][] = [
  ['../a.txt', {}, 400, 'invalid_input'],
  ['a\\..\\..', {}, 400, 'invalid_input'],
  ['a.exe', blocked, 400, 'blocked_extension'],
  ['a.e\nxe', blocked, 400, 'blocked_extension'],
  ['a.txt', { maxFileSize: 3 }, 413, 'file_too_large'],
  ['a.txt', { maxShareSize: 3 }, 413, 'share_too_large'],
]
const noRules = {
  blockedExtensions: [],
  blockedExtensionsGuests: [],
  maxFileSize: 0,
  maxShareSize: 0,
}

for (const [fileName, rules, status, code] of refusals) {
  const what = `${JSON.stringify(fileName)} under ${JSON.stringify(rules)}`
  renamed(`should refuse the first chunk of ${what}, from anyone`, async () => {
    await owner.configure(rules)
    const guest = new Guest(service.client(), await makeLink(owner))
    try {
      const shareId = await owner.init()
      assertError(await owner.chunk(shareId, 'f', 0, 'four', { fileName }), status, code)
      const later = await owner.chunk(shareId, 'f', 7, 'four', { fileName, fieldsFirst: true })
      assertError(later, status)
      assert.equal((await owner.get(`/api/shares/${shareId}/chunks`)).json(), { chunks: [] })
      const complete = await owner.share({})
      await owner.post(`/api/shares/${complete}/additions`)
      assertError(await owner.chunk(complete, 'f', 0, 'four', { fileName }), status, code)
      await guest.init()
      assertError(await guest.chunk('f', 0, 'four', fileName), status, code)
      assert.equal((await guest.chunks()).json(), { chunks: [] })
    } finally {
      await owner.configure(noRules)
    }
  })
}

renamed('should refuse the first chunk of a type that a link does not accept', async () => {
  const reverseId = await makeLink(owner, { allowedExtensions: ['pdf'] })
  const guest = new Guest(service.client(), reverseId)
  await guest.init()
  for (const name of ['a.txt', 'README', 'a.pdf.exe', 'pdf', 'a.pdf/b']) {
    assertError(await guest.chunk('f', 0, 'x', name), 400, 'extension_not_allowed')
  }
  assert.is((await guest.chunk('f', 0, 'x', 'folder\\A.PDF')).status, 200)
  const other = await guest.finalize([{ fileId: 'f', originalName: 'a.txt', size: 1 }])
  assertError(other, 400, 'extension_not_allowed')
  await okay(guest.finalize([{ fileId: 'f', originalName: 'folder\\A.PDF', size: 1 }]))
})

const when = '2017-07-14T04:40:00.500+02:00'
const instant = '2017-07-14T02:40:00.500Z'
const inSeconds = '2017-07-14T02:40:00.000Z'

interface Dated {
  readonly original_name: string
  readonly modified_at?: string
}

const datesOf = (files: readonly Dated[]) =>
  Object.fromEntries(files.map((file) => [file.original_name, file.modified_at]))

/** The dates in the tar archive of a share; that of finalize for files without one. */
async function archived(path: string): Promise<Record<string, string | undefined>> {
  const { entries } = await read((await owner.get(path)).body)
  return Object.fromEntries(
    entries.map((each) => [each.path, each.modifiedAt?.toISOString()] as const),
  )
}

async function draft(): Promise<string> {
  const shareId = await owner.init()
  for (const fileId of ['a', 'b']) await okay(owner.chunk(shareId, fileId, 0, fileId))
  const time = Date.parse(inSeconds) / 1000
  const body = Buffer.concat([
    entry({ name: 'c', time }, 'c'),
    entry({ name: 'd', type: '1', linkTarget: 'c' }),
    ending,
  ])
  const headers = { 'content-type': 'application/x-tar' }
  await okay(owner.call('POST', `/api/shares/${shareId}/tar`, { body, headers }))
  return shareId
}

const file = (fileId: string, more: object = {}) => {
  return { fileId, originalName: fileId, size: 1, ...more }
}

renamed('should keep the dates of files, list them, and write them into archives', async () => {
  const shareId = await draft()
  const other = { modifiedAt: '2001-01-01T00:00:00Z' }
  const list = [file('a', { modifiedAt: when }), file('b'), file('c'), file('d', other)]
  for (let time = 0; time < 2; time += 1) await okay(owner.finalize(shareId, list))
  assertError(await owner.finalize(shareId, [file('a'), ...list.slice(1)]), 409)
  const { files } = (await owner.get(`/api/public/shares/${shareId}`)).json()
  const listed = { a: instant, b: undefined, c: inSeconds, d: '2001-01-01T00:00:00.000Z' }
  assert.equal(datesOf(files), listed)
  const { a, b, c, d } = await archived(`/api/shares/${shareId}/download?format=tar`)
  assert.equal([a, c, d], [inSeconds, inSeconds, listed.d])
  assert.is(b?.slice(0, 10), new Date(service.clock.now()).toISOString().slice(0, 10))
  const zip = (await owner.get(`/api/shares/${shareId}/download`)).body
  // The extended timestamp of the first entry, behind its name.
  assert.is(zip.readInt32LE(30 + 1 + 5), Date.parse(inSeconds) / 1000)
})

renamed('should take dates from the archive with "received"', async () => {
  const shareId = await draft()
  const { chunks } = (await owner.get(`/api/shares/${shareId}/chunks?names=true`)).json()
  assert.equal([chunks[0].fileId, chunks[0].file], ['a', { name: 'a' }])
  assert.equal(chunks.at(-1).file, { name: 'd', size: 1, modifiedAt: inSeconds })
  await owner.post(`/api/shares/${shareId}/finalize`, { files: 'received' })
  const { files } = (await owner.get(`/api/shares/${shareId}`)).json()
  const listed = { a: undefined, b: undefined, c: inSeconds, d: inSeconds }
  assert.equal(datesOf(files), listed)
})

renamed('should keep the dates of deliveries, and of shares of them', async () => {
  const link = await makeLink(owner, { allowSharing: true })
  const guest = new Guest(service.client(), link)
  await guest.init()
  await guest.chunk('a', 0, 'a')
  assert.is((await guest.finalize([file('a', { modifiedAt: when })])).status, 200)
  assert.equal(datesOf((await owner.get(`/api/reverse/${link}/files`)).json()), { a: instant })
  const [delivery] = (await owner.get(`/api/reverse/${link}/deliveries`)).json()
  const path = `/api/reverse/${link}/deliveries/${delivery.id}/share`
  const { shareId } = (await owner.post(path)).json()
  assert.equal(datesOf((await owner.get(`/api/shares/${shareId}`)).json().files), { a: instant })
})

for (const modifiedAt of ['yesterday', '', '+012017-07-14T00:00:00Z', '0000-01-01T00:00:00Z', 5]) {
  renamed(`should not take ${JSON.stringify(modifiedAt)} for a date`, async () => {
    const shareId = await draft()
    const refused = await owner.finalize(shareId, [file('a', { modifiedAt })])
    assertError(refused, 400, 'invalid_input')
    assert.is(refused.json().field, 'files[0].modifiedAt')
  })
}

const sizes = suite('the size limit while a file arrives')
const limit = 10

const setLimit = (maxFileSize: number) => owner.configure({ maxFileSize })
sizes.before.each(async () => void (await setLimit(limit)))

function assertTooLarge(answer: Answer, size: number): void {
  assert.equal([answer.status, answer.json().code], [413, 'file_too_large'])
  assert.equal([answer.json().limit, answer.json().size], [limit, size])
}

async function statusesOf(shareId: string, indexes: readonly number[], data: string) {
  const answers: number[] = []
  for (const index of indexes) {
    answers.push((await owner.chunk(shareId, 'f', index, data)).status)
  }
  return answers
}

const assertFinalizes = (shareId: string, size: number) =>
  okay(owner.finalize(shareId, [file('f', { size })]))

sizes('should refuse the chunk that takes a file past the limit', async () => {
  const shareId = await owner.init()
  assert.equal(await statusesOf(shareId, [0, 1], 'four'), [200, 200])
  assertTooLarge(await owner.chunk(shareId, 'f', 2, 'four'), 12)
  assert.is((await owner.chunk(shareId, 'other', 0, 'four')).status, 200)
  assert.is((await owner.chunk(shareId, 'f', 2, 'ab')).status, 200)
  await okay(owner.finalize(shareId, [file('f', { size: 10 }), file('other', { size: 4 })]))
})

sizes('should count a chunk that replaces another once', async () => {
  const shareId = await owner.init()
  assert.equal(await statusesOf(shareId, [0, 1], 'four'), [200, 200])
  for (const data of ['five5', 'four', '4444', 'four', 'six666']) {
    assert.equal(await statusesOf(shareId, [1], data), [200], data)
  }
  assertTooLarge(await owner.chunk(shareId, 'f', 1, 'seven77'), 11)
  assert.equal(await statusesOf(shareId, [0, 1], 'four'), [200, 200])
  await assertFinalizes(shareId, 8)
})

sizes('should accept no more than fits when chunks come at once', async () => {
  const shareId = await owner.init()
  const sent = Array.from({ length: 12 }, (_, index) => owner.chunk(shareId, 'f', index, 'four'))
  const answers = await Promise.all(sent)
  const taken = answers.filter(({ status }) => status === 200).length
  const refused = answers.filter(({ status }) => status === 413).length
  assert.equal([taken, refused], [2, 10])
})

sizes('should let a file shrink that is past a limit set later', async () => {
  const shareId = await owner.init()
  await setLimit(0)
  assert.equal(await statusesOf(shareId, [0, 1, 2], 'sixsix'), [200, 200, 200])
  await setLimit(limit)
  assertTooLarge(await owner.chunk(shareId, 'f', 3, 'more'), 22)
  assert.equal(await statusesOf(shareId, [2, 1], 'a'), [200, 200])
  await assertFinalizes(shareId, 8)
})

sizes('should refuse such a chunk of a guest, and never complete its file', async () => {
  const guest = new Guest(service.client(), await makeLink(owner))
  await guest.init()
  assert.is((await guest.chunk('f', 1, 'eight888')).status, 200)
  assertTooLarge(await guest.chunk('f', 0, 'four'), 12)
  assert.is((await guest.chunk('f', 0, 'ab')).status, 200)
  assertTooLarge(await guest.finalize([file('f', { size: 12 })]), 12)
  assert.is((await guest.finalize([file('f', { size: 10 })])).status, 200)
})

sizes('should not count a chunk that failed', async () => {
  const shareId = await owner.init()
  assert.equal(await statusesOf(shareId, [0], 'four'), [200])
  const fields = { chunkHash: '0'.repeat(64) }
  for (const index of [1, 1, 2]) {
    const failed = await owner.chunk(shareId, 'f', index, 'sixsix', { fields })
    assert.is(failed.json().code, 'hash_mismatch')
  }
  assert.equal(await statusesOf(shareId, [1], 'sixsix'), [200])
  await assertFinalizes(shareId, 10)
})

sizes('should start again at zero after cancelled additions', async () => {
  const shareId = await owner.share({ 'a.txt': 'a' })
  for (let round = 0; round < 2; round += 1) {
    assert.is((await owner.post(`/api/shares/${shareId}/additions`)).status, 200)
    assert.equal(await statusesOf(shareId, [0, 1], 'four'), [200, 200])
    assert.is((await owner.delete(`/api/shares/${shareId}/additions`)).status, 200)
  }
})
