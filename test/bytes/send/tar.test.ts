import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError } from '../../contract/shapes.ts'
import type { Answer } from '../../helpers/client.ts'
import { Guest, makeLink } from '../../requests/guest.ts'
import { read } from '../archive/tar/reading.ts'
import { readArchive } from '../archive/zip/archive-reader.ts'
import { assertNothingLeft, downloadCount, fileIds, patterned, startUnlimited } from './scene.ts'

const tar = suite('downloads: tar archives')

const folder = mkdtempSync(path.join(tmpdir(), 'transfer-tar-'))
const service = await startUnlimited()
const owner = await service.admin()
const anonymous = service.client()
tar.after.each(() => assertNothingLeft(service))
tar.after(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** What our own reader finds: names with contents. */
async function unpack({ status, body }: Answer): Promise<Record<string, string>> {
  assert.is(status, 200, body.toString('latin1', 0, 200))
  const { entries, skipped, error } = await read(body)
  assert.equal([skipped, error], [[], null])
  return Object.fromEntries(entries.map((one) => [one.path, one.content.toString('latin1')]))
}

function zipNames({ body }: Answer): string[] {
  const { entries } = readArchive(body.length, (start, end) => body.subarray(start, end))
  return entries.map(({ name }) => name)
}

const hostile = [
  'plain.txt',
  'twice.txt',
  'twice.txt',
  'Twice.TXT',
  'empty',
  'Ordner/Größe 漢字 🎁.txt',
  'photo\u202egpj.exe',
  'CON.txt',
  'what: ever?|<*>.txt',
  'C:\\windows\\system32\\x.dll',
  '/etc/passwd',
  '-rf',
  `${'n'.repeat(255)}`,
  `${'ä'.repeat(127)}/${'漢'.repeat(85)}`,
  `${'deep/'.repeat(80)}x`,
  `${`${'d'.repeat(200)}/`.repeat(6)}${'l'.repeat(255)}`,
]

tar('should hold the files of the share under the entry names of its ZIP', async () => {
  const shareId = await owner.init({ name: 'Größe' })
  const files = hostile.map((originalName, place) => {
    const content = originalName === 'empty' ? '' : `${place} `.repeat(place * 90)
    return { fileId: `f${place}`, originalName, content, size: content.length }
  })
  for (const { fileId, originalName, content } of files) {
    const sent = await owner.chunk(shareId, fileId, 0, content, { fileName: originalName })
    assert.is(sent.status, 200)
  }
  assert.is((await owner.finalize(shareId, files)).status, 200)
  const zip = await anonymous.get(`/api/shares/${shareId}/download`)
  const answer = await anonymous.get(`/api/shares/${shareId}/download?format=tar`)
  const unpacked = await unpack(answer)
  assert.equal(Object.keys(unpacked), zipNames(zip))
  assert.equal(
    Object.values(unpacked),
    files.map(({ content }) => content),
  )
  const again = await anonymous.get(`/api/shares/${shareId}/download?format=tar`)
  assert.ok(again.body.equals(answer.body))
})

tar('should be answered as uncompressed tar of known length', async () => {
  const shareId = await owner.share({ 'a.txt': 'a'.repeat(5000), b: 'bb' }, { name: 'Größe' })
  const address = `/api/shares/${shareId}/download`
  const zip = await anonymous.get(address)
  const { status, headers, body } = await anonymous.get(`${address}?format=tar`, {
    'accept-encoding': 'gzip, br, zstd',
  })
  assert.is(status, 200)
  assert.is(headers['content-type'], 'application/x-tar')
  assert.is(headers['content-length'], String(body.length))
  assert.is(headers['content-encoding'], undefined)
  assert.is(headers['accept-ranges'], 'bytes')
  assert.is(headers['last-modified'], zip.headers['last-modified'])
  assert.is(
    headers['content-disposition'],
    `attachment; filename="Gro_e.tar"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.tar`,
  )
  assert.match(String(headers['etag']), /^"[^"]+"$/)
  assert.is.not(headers['etag'], zip.headers['etag'])
  const other = await anonymous.get(address, { 'if-none-match': String(headers['etag']) })
  assert.is(other.status, 200, 'the tag of one format says nothing about the other')
  const named = await anonymous.get(`${address}?format=zip`)
  assert.equal([named.headers['etag'], named.body], [zip.headers['etag'], zip.body])
})

tar('should stay resumable while ZIP archives are compressed', async () => {
  const shareId = await owner.share({ 'a.txt': 'a'.repeat(50_000) })
  const compress = (zipCompression: boolean) =>
    owner.call('PUT', '/api/config', { json: { zipCompression } })
  await compress(true)
  try {
    const { headers, body } = await anonymous.get(`/api/shares/${shareId}/download?format=tar`)
    assert.is(headers['content-length'], String(body.length))
    assert.ok(body.length > 50_000)
    const rest = await anonymous.get(`/api/shares/${shareId}/download?format=tar`, {
      range: 'bytes=700-',
      'if-range': String(headers['etag']),
    })
    assert.is(rest.status, 206)
    assert.ok(rest.body.equals(body.subarray(700)))
  } finally {
    await compress(false)
  }
})

for (const format of ['', 'TAR', 'tar.gz', 'tgz', '7z', '../tar']) {
  tar(`should refuse the format ${JSON.stringify(format)}`, async () => {
    const shareId = await owner.share({ a: 'a' })
    const link = await makeLink(owner, { name: 'Inbox' })
    for (const address of [`/api/shares/${shareId}/download`, `/api/reverse/${link}/download`]) {
      const answer = await owner.get(`${address}?format=${encodeURIComponent(format)}`)
      assertError(answer, 400, 'invalid_input')
      assert.equal(
        [answer.json().field, answer.json().error],
        ['format', 'format: must be zip or tar'],
      )
    }
    assert.is(await downloadCount(service, shareId), 0)
  })
}

tar('should be counted and listed like a ZIP, and both belong to one lease', async () => {
  const shareId = await owner.share({ a: patterned(3_000) }, { maxDownloads: 1 })
  const { a } = await fileIds(service, shareId)
  const address = `/api/shares/${shareId}/download`
  const visitor = service.client()
  assert.is((await visitor.call('HEAD', `${address}?format=tar`)).status, 200)
  assert.is(await downloadCount(service, shareId), 0)
  assert.is((await visitor.get(`${address}?format=tar&files=${a}`)).status, 200)
  assert.is(await downloadCount(service, shareId), 1)
  for (const [target, status] of [
    [`${address}?format=tar&files=${a}`, 206],
    [`${address}?files=${a}`, 206],
  ] as const) {
    assert.is((await visitor.get(target, { range: 'bytes=2900-' })).status, status, target)
  }
  assert.is(await downloadCount(service, shareId), 1)
  const stranger = service.client()
  assertError(await stranger.get(`${address}?format=tar`), 410, 'download_limit')
  const activity = (await owner.get(`/api/shares/${shareId}/activity`)).json()
  const kinds = activity.map(({ target, counted }: Record<string, unknown>) => [target, counted])
  const expected = [
    ['selection', false],
    ['selection', true],
  ]
  assert.equal(kinds.toSorted(), expected, 'the second belongs to what was counted before')
})

tar('should hold deliveries as the ZIP does', async () => {
  const link = await makeLink(owner, { name: 'Inbox' })
  for (const name of ['Ada', 'Bo']) {
    const guest = new Guest(service.client(), link)
    await guest.deliver({ 'a.txt': name, 'ä/b.txt': `${name}!` }, { name })
  }
  const address = `/api/reverse/${link}/download`
  const all = await owner.get(`${address}?format=tar`)
  const zip = await owner.get(address)
  assert.equal(Object.keys(await unpack(all)), zipNames(zip))
  assert.is.not(all.headers['etag'], zip.headers['etag'])
  assert.is(all.headers['content-type'], 'application/x-tar')
  assert.match(String(all.headers['content-disposition']), 'filename="Inbox.tar"')
  const [delivery] = (await owner.get(`/api/reverse/${link}/deliveries`)).json()
  const one = await owner.get(`${address}?delivery=${delivery.id}&format=tar`)
  const { 'a.txt': name } = await unpack(one)
  assert.ok(['Ada', 'Bo'].includes(name!))
  assert.equal(await unpack(one), { 'a.txt': name, 'ä/b.txt': `${name}!` })
  const rest = await owner.get(`${address}?delivery=${delivery.id}&format=tar`, {
    range: 'bytes=513-',
  })
  assert.equal([rest.status, rest.body], [206, one.body.subarray(513)])
})
