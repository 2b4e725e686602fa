import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pluck, type Answer, type ListedFile } from '../../helpers/client.ts'
import { Recipient } from './scene.ts'
import { readWhole } from '../archive/zip/archive-reader.ts'
import { addManyFiles } from '../../helpers/many-rows.ts'
import { assertNothingLeft, downloadCount, fileIds, startUnlimited, untilSettled } from './scene.ts'

const named = suite('downloads: names, types and choices')

const service = await startUnlimited()
const owner = await service.admin()
const anonymous = service.client()
named.after.each(() => assertNothingLeft(service))

async function shareOf(originalName: string, mimeType?: string): Promise<string> {
  const shareId = await owner.init()
  await owner.chunk(shareId, 'f', 0, 'content')
  const file: ListedFile = { fileId: 'f', originalName, size: 7, ...(mimeType && { mimeType }) }
  assert.is((await owner.finalize(shareId, [file])).status, 200)
  const [id] = Object.values(await fileIds(service, shareId))
  return `/api/shares/${shareId}/files/${id}`
}

function entriesOf({ body }: Answer): string[] {
  return readWhole(body).entries.map(({ name }) => name)
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
  await owner.patch('/api/account', { name: 'Ann\u202egpj' })
  const named = (await anonymous.get(`/s/${shareId}`)).body.toString()
  await owner.patch('/api/account', { name: 'Ann' })
  assert.match(named, 'Anngpj')
  // The name that was sent is stored unchanged.
  const told = (await anonymous.get(`/api/public/shares/${shareId}`)).json()
  assert.equal(pluck<any, string>(told.files, 'original_name'), Object.keys(files))
})

const types: [mimeType: string | undefined, sent: string, isShown: boolean][] = [
  ['image/png', 'image/png', true],
  ['IMAGE/PNG', 'IMAGE/PNG', true],
  ['text/plain', 'text/plain', true],
  ['text/html', 'text/html', false],
  ['image/svg+xml', 'image/svg+xml', false],
  ['application/xhtml+xml', 'application/xhtml+xml', false],
  ['text/javascript', 'text/javascript', false],
  ['image/png; charset=x\r\nX-Evil: 1', 'application/octet-stream', false],
  ['image/png\t', 'application/octet-stream', false],
  ['nonsense', 'application/octet-stream', false],
  ['Application/Octet-Stream', 'application/octet-stream', false],
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
      assert.match(headers['content-security-policy'] as string, /(^|; )sandbox($|;)/)
      assert.is(headers['x-evil'], undefined)
    }
  })
}

named('should show a file without a type as its name says, if nothing in it can run', async () => {
  const untyped = 'application/octet-stream'
  for (const [name, type, way] of [
    ['a.JPG', 'image/jpeg', 'inline'],
    ['a.pdf', 'application/pdf', 'inline'],
    ['a.mov', 'video/quicktime', 'attachment'],
    ['a.html', untyped, 'attachment'],
    ['a.svg', untyped, 'attachment'],
    ['a.jpg.js', untyped, 'attachment'],
  ] as const) {
    for (const sent of [undefined, untyped, 'Application/Octet-Stream']) {
      const path = await shareOf(name, sent)
      const shown = (await anonymous.get(`${path}?inline=1`)).headers
      assert.is(shown['content-type'], type, name)
      assert.ok((shown['content-disposition'] as string).startsWith(`${way};`), name)
      assert.is((await anonymous.get(path)).headers['content-type'], untyped, name)
    }
  }
})

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
  const words = `x -1 0 ${a}, ,${a} 1.5 1e3 2147483648 ${a};1 ${a}- -${a} ${a}-${a}-${a} 2-1`
  // The last one has the same ids, repeated a thousand times.
  const long = ['1-2147483648', '1-100001', '1-100000,'.repeat(1000) + '1']
  for (const wrong of ['', '1%00', ...words.split(' '), ...long]) {
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

named('should count as many scattered files as an address can name', async () => {
  const shareId = await owner.share({ a: 'a' }, { expirationVal: 0, maxDownloads: 1 })
  await addManyFiles(service.database.sql, shareId, 6000)
  const rows = await service.database.sql<{ id: number }[]>`
    select files.id
    from files
    join shares using (container_id)
    where shares.id = ${shareId}
    order by files.id`
  // Without order, so that their list hardly compresses.
  const chosen = rows.filter(({ id }) => Math.imul(id, 2_654_435_761) >>> 31 === 1)
  const ids = chosen.slice(0, 2500).map(({ id }) => id)
  assert.ok(ids.join().length > 10_000)
  const path = `/api/shares/${shareId}/download?files=${ids.join()}`
  const ann = new Recipient(service.url, '192.0.2.1')
  const curl = new Recipient(service.url, '192.0.2.1', false)
  const [whole, rest] = [await ann.ask(path), await curl.ask(path, { range: 'bytes=1000-' })]
  assert.equal([whole.status, rest.status], [200, 206])
  assert.ok(rest.body.equals(whole.body.subarray(1000)))
  await untilSettled(service, shareId)
  assert.is(await downloadCount(service, shareId), 1)
})
