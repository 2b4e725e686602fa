import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Answer, ListedFile } from '../../helpers/client.ts'
import { readArchive } from '../archive/zip/archive-reader.ts'
import { assertNothingLeft, downloadCount, fileIds, startUnlimited } from './scene.ts'

const named = suite('downloads: names, types and choices')

const service = await startUnlimited()
const owner = await service.admin()
const anonymous = service.client()
named.after.each(() => assertNothingLeft(service))
named.after(() => service.stop())

/** A share of one file with this name and type; returns its path. */
async function shareOf(originalName: string, mimeType?: string): Promise<string> {
  const shareId = await owner.init()
  await owner.chunk(shareId, 'f', 0, 'content')
  const file: ListedFile = { fileId: 'f', originalName, size: 7, ...(mimeType && { mimeType }) }
  assert.is((await owner.finalize(shareId, [file])).status, 200)
  const [id] = Object.values(await fileIds(service, shareId))
  return `/api/shares/${shareId}/files/${id}`
}

function entriesOf({ body }: Answer): string[] {
  const { entries } = readArchive(body.length, (start, end) => body.subarray(start, end))
  return entries.map(({ name }) => name)
}

const names: [originalName: string, ascii: string, extended: string][] = [
  ['plain.txt', 'plain.txt', 'plain.txt'],
  ['in/a/folder/größe.txt', 'gro_e.txt', 'gr%C3%B6%C3%9Fe.txt'],
  ['漢字.pdf', '__.pdf', '%E6%BC%A2%E5%AD%97.pdf'],
  ['a "quoted"; name=x.txt', 'a _quoted_; name=x.txt', 'a%20_quoted_%3B%20name%3Dx.txt'],
  ['100%25.txt', '100_25.txt', '100%2525.txt'],
  ['photo\u202egpj.exe', 'photo_gpj.exe', 'photo_gpj.exe'],
]

for (const [originalName, ascii, extended] of names) {
  named(`should name the file ${JSON.stringify(originalName)} in one safe line`, async () => {
    const answer = await anonymous.get(await shareOf(originalName))
    assert.is(
      answer.headers['content-disposition'],
      `attachment; filename="${ascii}"; filename*=UTF-8''${extended}`,
    )
  })
}

named('should show and pack a name that looks like another under a safe one', async () => {
  const files = { 'photo\u202egpj.exe': 'a', 'sub/invoice\u2066fdp.scr': 'b' }
  const shareId = await owner.share(files, { name: 'trip\u202egpj.exe' })
  const zip = await anonymous.get(`/api/shares/${shareId}/download`)
  assert.equal(entriesOf(zip), ['photo_gpj.exe', 'sub/invoice_fdp.scr'])
  const page = (await anonymous.get(`/s/${shareId}`)).body.toString()
  assert.match(page, '<bdi>photo_gpj.exe</bdi>')
  assert.match(page, '<bdi>tripgpj.exe</bdi>')
  assert.not.match(page, /[\u202a-\u202e\u2066-\u2069]/)
  await owner.call('PATCH', '/api/account', { json: { name: 'Ann\u202egpj' } })
  const named = (await anonymous.get(`/s/${shareId}`)).body.toString()
  await owner.call('PATCH', '/api/account', { json: { name: 'Ann' } })
  assert.match(named, 'Anngpj')
  // The name that was sent is stored unchanged.
  const told = (await anonymous.get(`/api/public/shares/${shareId}`)).json()
  assert.equal(
    told.files.map((file: Record<string, unknown>) => file['original_name']),
    Object.keys(files),
  )
})

named('should name the archive after the share, and without a name "files.zip"', async () => {
  for (const [name, expected] of [
    [
      'Größe/Summer',
      `attachment; filename="Gro_e_Summer.zip"; filename*=UTF-8''Gr%C3%B6%C3%9Fe_Summer.zip`,
    ],
    ['', `attachment; filename="files.zip"; filename*=UTF-8''files.zip`],
  ]) {
    const shareId = await owner.share({ a: 'a' }, { name })
    const answer = await anonymous.get(`/api/shares/${shareId}/download`)
    assert.is(answer.headers['content-disposition'], expected)
    assert.is(answer.headers['content-type'], 'application/zip')
  }
})

const types: [mimeType: string | undefined, sent: string, isShown: boolean][] = [
  ['image/png', 'image/png', true],
  ['IMAGE/PNG', 'IMAGE/PNG', true],
  ['application/pdf', 'application/pdf', true],
  ['text/plain', 'text/plain', true],
  ['video/mp4', 'video/mp4', true],
  ['text/html', 'text/html', false],
  ['image/svg+xml', 'image/svg+xml', false],
  ['application/xhtml+xml', 'application/xhtml+xml', false],
  ['text/xml', 'text/xml', false],
  ['text/javascript', 'text/javascript', false],
  ['application/octet-stream', 'application/octet-stream', false],
  ['image/png; charset=x\r\nX-Evil: 1', 'application/octet-stream', false],
  ['image/png\t', 'application/octet-stream', false],
  ['nonsense', 'application/octet-stream', false],
  [undefined, 'application/octet-stream', false],
]

const shownAs = (type: string) =>
  type === 'text/plain' ? 'text/plain; charset=utf-8' : type.toLowerCase()

for (const [mimeType, sent, isShown] of types) {
  const where = isShown ? 'inline when asked to' : 'as an attachment always'
  named(`should send ${JSON.stringify(mimeType) ?? 'no type'} ${where}`, async () => {
    const path = await shareOf('name.bin', mimeType)
    for (const [query, type] of [
      ['?inline=1', isShown ? 'inline' : 'attachment'],
      ['?inline=0', 'attachment'],
      ['', 'attachment'],
    ]) {
      const { headers } = await anonymous.get(path + query)
      assert.ok((headers['content-disposition'] as string).startsWith(`${type};`), query)
      assert.is(headers['content-type'], query === '?inline=1' ? shownAs(sent) : sent)
      assert.is(headers['x-content-type-options'], 'nosniff')
      if (sent !== 'application/pdf') {
        assert.match(headers['content-security-policy'] as string, /(^|; )sandbox($|;)/)
      }
      assert.is(headers['x-evil'], undefined)
    }
  })
}

const encoded: [encoding: string, text: Buffer][] = [
  ['utf-8', Buffer.from('grün')],
  ['utf-16le', Buffer.from('\ufeffgrün', 'utf16le')],
  ['windows-1252', Buffer.from('grün', 'latin1')],
  ['utf-8', Buffer.from('€'.repeat(50_000))],
]

for (const [encoding, content] of encoded) {
  named(`should name ${encoding} where ${content.length} bytes of text are shown`, async () => {
    const shareId = await owner.share({ 'a.txt': content })
    const { sql } = service.database
    await sql`update files set mime_type = 'text/plain'`
    const path = `/api/shares/${shareId}/files/${(await fileIds(service, shareId))['a.txt']}`
    for (const method of ['HEAD', 'GET']) {
      const { headers } = await anonymous.call(method, `${path}?inline=1`)
      assert.is(headers['content-type'], `text/plain; charset=${encoding}`)
    }
    assert.ok((await anonymous.get(`${path}?inline=1`)).body.equals(content))
  })
}

named('should return the chosen files, once each, in the order of the share', async () => {
  const shareId = await owner.share({ one: '1', two: '22', three: '333' })
  const ids = await fileIds(service, shareId)
  const path = `/api/shares/${shareId}/download?files=`
  const forwards = await anonymous.get(`${path}${ids['one']},${ids['three']}`)
  const backwards = await anonymous.get(`${path}${ids['three']},${ids['one']},${ids['three']}`)
  assert.equal(entriesOf(forwards), ['one', 'three'])
  assert.ok(backwards.body.equals(forwards.body))
  assert.is(backwards.headers['etag'], forwards.headers['etag'])
  assert.equal(entriesOf(await anonymous.get(path + ids['two'])), ['two'])
})

named('should expand ranges of ids', async () => {
  const shareId = await owner.share({ one: '1', two: '22', three: '333', four: '4444' })
  const [one = 0, two = 0, three = 0, four = 0] = Object.values(await fileIds(service, shareId))
  const path = `/api/shares/${shareId}/download?files=`
  const ranged = await anonymous.get(`${path}${four},${one}-${two}`)
  assert.equal(entriesOf(ranged), ['one', 'two', 'four'])
  const listed = await anonymous.get(`${path}${one},${two},${four}`)
  assert.ok(ranged.body.equals(listed.body))
  assert.is(ranged.headers['etag'], listed.headers['etag'])
  assert.equal(entriesOf(await anonymous.get(`${path}${three}-${three}`)), ['three'])
  // Every id of a range must belong to the share.
  assert.is((await anonymous.get(`${path}${one}-${four + 1}`)).status, 404)
})

named('should refuse an invalid choice', async () => {
  const shareId = await owner.share({ a: 'a' })
  const { a } = await fileIds(service, shareId)
  const path = `/api/shares/${shareId}/download?files=`
  for (const wrong of [
    '',
    'x',
    '-1',
    '0',
    `${a},`,
    `,${a}`,
    '1.5',
    '1e3',
    '2147483648',
    `${a};1`,
    `${a}-`,
    `-${a}`,
    `${a}-${a}-${a}`,
    '2-1',
    '1-2147483648',
    '1-100001',
    // The same ids, repeated a thousand times.
    '1-100000,'.repeat(1000) + '1',
  ]) {
    const refused = await anonymous.get(path + wrong)
    assert.equal([refused.status, refused.json().code], [400, 'invalid_input'], wrong)
  }
  assert.is((await anonymous.get(`${path}${a},2147483647`)).status, 404)
  assert.is(await downloadCount(service, shareId), 0)
})

named('should not find the file of one share under another', async () => {
  const mine = await owner.share({ a: 'mine' })
  const other = await service.user('other@example.org')
  const theirs = await other.share({ a: 'theirs', b: 'secret' }, { password: 'hidden' })
  const { a, b } = (await fileIds(service, theirs)) as { a: number; b: number }
  const own = (await fileIds(service, mine))['a']!
  for (const path of [
    `/api/shares/${mine}/files/${b}`,
    `/api/shares/${mine}/files/${a}`,
    `/api/shares/${mine}/download?files=${b}`,
    `/api/shares/${mine}/download?files=${own},${b}`,
    `/api/shares/${mine}/files/${own}0`,
    `/api/shares/${mine}/files/${own}.0`,
    `/api/shares/${mine}/files/0${own}`,
    `/api/shares/${mine}/files/2147483648`,
    `/api/shares/${mine}/files/x`,
  ]) {
    for (const method of ['GET', 'HEAD']) {
      const answer = await anonymous.call(method, path)
      assert.is(answer.status, 404, `${method} ${path}`)
      assert.not.match(answer.body.toString(), 'secret')
    }
    assert.is((await owner.get(`${path}${path.includes('?') ? '&' : '?'}as=owner`)).status, 404)
  }
  assert.is(await downloadCount(service, mine), 0)
})
