import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError } from '../../contract/shapes.ts'
import type { Answer } from '../../helpers/client.ts'
import { Guest, makeLink } from '../../requests/guest.ts'
import { read } from '../archive/tar/reading.ts'
import { readWhole } from '../archive/zip/archive-reader.ts'
import { assertNothingLeft, startUnlimited } from './scene.ts'

const tar = suite('downloads: tar archives')

const service = await startUnlimited()
const owner = await service.admin()
const anonymous = service.client()
tar.after.each(() => assertNothingLeft(service))

/** What our own reader finds: names with contents. */
async function unpack({ status, body }: Answer): Promise<Record<string, string>> {
  assert.is(status, 200, body.toString('latin1', 0, 200))
  const { entries, skipped, error } = await read(body)
  assert.equal([skipped, error], [[], null])
  return Object.fromEntries(entries.map((one) => [one.path, one.content.toString('latin1')]))
}

const zipNames = ({ body }: Answer) => readWhole(body).entries.map(({ name }) => name)

tar('should hold the files of the share under the entry names of its ZIP', async () => {
  const files = {
    a: 'a',
    'a/b.txt': 'b',
    A: '',
    'photo\u202egpj.exe': 'c',
    'Größe/漢字 🎁.txt': 'd',
  }
  const shareId = await owner.share({ ...files, [`${'deep/'.repeat(80)}x`]: 'e' })
  const zip = await anonymous.get(`/api/shares/${shareId}/download`)
  const unpacked = await unpack(await anonymous.get(`/api/shares/${shareId}/download?format=tar`))
  assert.equal(Object.keys(unpacked), zipNames(zip))
  assert.equal(Object.values(unpacked), ['a', 'b', '', 'c', 'd', 'e'])
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

tar('should hold deliveries as the ZIP does', async () => {
  const link = await makeLink(owner, { name: 'Inbox' })
  for (const name of ['Ada', 'Bo']) {
    const guest = new Guest(service.client(), link)
    await guest.deliver({ 'a.txt': 'a', 'ä/b.txt': 'b' }, { name })
  }
  const address = `/api/reverse/${link}/download`
  const all = await owner.get(`${address}?format=tar`)
  const zip = await owner.get(address)
  assert.equal(Object.keys(await unpack(all)), zipNames(zip))
  assert.is.not(all.headers['etag'], zip.headers['etag'])
  assert.match(String(all.headers['content-disposition']), 'filename="Inbox.tar"')
  const [delivery] = (await owner.get(`/api/reverse/${link}/deliveries`)).json()
  const one = await owner.get(`${address}?delivery=${delivery.id}&format=tar`)
  assert.equal(await unpack(one), { 'a.txt': 'a', 'ä/b.txt': 'b' })
})
