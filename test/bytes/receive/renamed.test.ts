// Invalid file names are replaced, and files that a rule excludes by name are refused with
// their first chunk, before the client has sent gigabytes.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError } from '../../contract/shapes.ts'
import type { ListedFile } from '../../helpers/client.ts'
import { startService } from '../../helpers/service.ts'
import { Guest, makeLink } from '../../requests/guest.ts'
import { readArchive } from '../archive/zip/archive-reader.ts'

const renamed = suite('uploads: renamed files')

const service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
const owner = await service.admin()
renamed.after(() => service.stop())

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

async function nameList(shareId: string): Promise<string[]> {
  const { files } = (await owner.get(`/api/shares/${shareId}`)).json()
  return files.map((file: { original_name: string }) => file.original_name)
}

async function entryNames(path: string): Promise<string[]> {
  const zip = (await owner.get(path)).body
  const { entries } = readArchive(zip.length, (start, end) => zip.subarray(start, end))
  return entries.map(({ name }) => name)
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
  assert.equal(await nameList(shareId), kept)
  assert.equal(await entryNames(`/api/shares/${shareId}/download`), kept)
  const again = await owner.finalize(shareId, given)
  assert.equal([again.status, again.json()], [200, answer.json()], 'the same list again')
})

renamed('should do the same for added files', async () => {
  const shareId = await owner.share({ 'etc/ab': 'x' })
  await owner.post(`/api/shares/${shareId}/additions`)
  for (const { fileId } of given) await owner.chunk(shareId, fileId, 0, 'x')
  const answer = await owner.finalize(shareId, given)
  assert.equal([answer.status, answer.json().renamed], [200, said])
  assert.equal(await nameList(shareId), ['etc/ab', ...kept])
  const entries = await entryNames(`/api/shares/${shareId}/download`)
  assert.equal(entries, ['etc/ab', ...kept.slice(0, 4), 'etc/ab (1)'])
})

renamed('should do the same for files from guests', async () => {
  const reverseId = await makeLink(owner)
  const guest = new Guest(service.client(), reverseId)
  await guest.init()
  for (const { fileId } of given) await guest.chunk(fileId, 0, 'x')
  const answer = await guest.finalize(given)
  assert.equal([answer.status, answer.json().renamed], [200, said])
  const files = (await owner.get(`/api/reverse/${reverseId}/files`)).json()
  assert.equal(
    files.map((file: { original_name: string }) => file.original_name).toSorted(),
    kept.toSorted(),
  )
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

renamed('should accept an invalid label and media type once all bytes are received', async () => {
  for (const fileName of ['', 'x'.repeat(5000), 'a\0b', '\ud800', '../x']) {
    const shareId = await owner.init()
    await owner.chunk(shareId, 'f', 0, 'x')
    const mimeType = `${'x'.repeat(3000)}\0\ud800`
    const files = [{ fileId: 'f', originalName: 'a', size: 1, fileName, mimeType }]
    const answer = await owner.post(`/api/shares/${shareId}/finalize`, { files })
    assert.is(answer.status, 200, answer.body.toString())
    const { files: listed } = (await owner.get(`/api/shares/${shareId}`)).json()
    assert.is(listed[0].mime_type, 'application/octet-stream')
  }
})

renamed('should accept the same names in a chunk as in the list of files', async () => {
  const names = [`${'x'.repeat(1200)}y`, 'ü/'.repeat(20_000), 'a\0b', 'x'.repeat(64 * 1024)]
  const shareId = await owner.init()
  for (const [place, fileName] of names.entries()) {
    const sent = await owner.chunk(shareId, `${place}`, 0, 'x', { fileName })
    assert.is(sent.status, 200, sent.body.toString())
  }
  const files = names.map((originalName, place) => {
    return { fileId: `${place}`, fileName: '', originalName, size: 1 }
  })
  const answer = await owner.post(`/api/shares/${shareId}/finalize`, { files })
  assert.is(answer.status, 200, answer.body.toString())
})

for (const [mimeType, kept] of [
  ['text/plain; charset=utf-8', 'text/plain'],
  ['text/plain;charset="a;b"', 'text/plain'],
  [' image/png ;', 'image/png'],
  ['; charset=utf-8', 'application/octet-stream'],
  ['text/pl ain; x=y', 'application/octet-stream'],
] as const) {
  renamed(`should keep the media type of ${mimeType} without its parameters`, async () => {
    const shareId = await owner.init()
    await owner.finalize(shareId, [{ fileId: 'f', originalName: 'a', size: 0, mimeType }])
    const { files } = (await owner.get(`/api/shares/${shareId}`)).json()
    assert.is(files[0].mime_type, kept)
  })
}

/** The file's name, the rules of the service, and the answer to its first chunk. */
const refusals: [fileName: string, rules: object, status: number, code: string][] = [
  ['../a.txt', {}, 400, 'invalid_input'],
  ['a\\..\\..', {}, 400, 'invalid_input'],
  [
    'a.exe',
    { blockedExtensions: ['exe'], blockedExtensionsGuests: ['exe'] },
    400,
    'blocked_extension',
  ],
  [
    'a.e\nxe',
    { blockedExtensions: ['exe'], blockedExtensionsGuests: ['exe'] },
    400,
    'blocked_extension',
  ],
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
    await owner.call('PUT', '/api/config', { json: rules })
    const guest = new Guest(service.client(), await makeLink(owner))
    try {
      const shareId = await owner.init()
      assertError(await owner.chunk(shareId, 'f', 0, 'four', { fileName }), status, code)
      assertError(
        await owner.chunk(shareId, 'f', 7, 'four', { fileName, fieldsFirst: true }),
        status,
      )
      assert.equal((await owner.get(`/api/shares/${shareId}/chunks`)).json(), { chunks: [] })
      const complete = await owner.share({})
      await owner.post(`/api/shares/${complete}/additions`)
      assertError(await owner.chunk(complete, 'f', 0, 'four', { fileName }), status, code)
      await guest.init()
      assertError(await guest.chunk('f', 0, 'four', fileName), status, code)
      assert.equal((await guest.chunks()).json(), { chunks: [] })
    } finally {
      await owner.call('PUT', '/api/config', { json: noRules })
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
  // The final name is checked again.
  const other = await guest.finalize([{ fileId: 'f', originalName: 'a.txt', size: 1 }])
  assertError(other, 400, 'extension_not_allowed')
  const fits = await guest.finalize([{ fileId: 'f', originalName: 'folder\\A.PDF', size: 1 }])
  assert.is(fits.status, 200)
})
