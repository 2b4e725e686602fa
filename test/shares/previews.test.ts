// What messengers and crawlers get of a link.
import { inflateSync } from 'node:zlib'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Client } from '../helpers/client.ts'
import { startService, type Service } from '../helpers/service.ts'
import { Previews } from '../../src/shares/preview/previews.ts'

const previews = suite('shares: previews')
let service: Service
let admin: Client
let ann: Client
let crawler: Client

previews.before.each(async () => {
  service = await startService()
  admin = await service.admin()
  ann = await service.user('ann@example.org')
  await ann.call('PATCH', '/api/account', { json: { name: 'Ann <b>Öz' } })
  crawler = service.client()
})
previews.after.each(async () => {
  for (const client of [admin, ann, crawler]) await client.close()
  await service.stop()
})

const set = (json: object) => admin.call('PUT', '/api/config', { json })

/** Fetched as messengers do: without a language. */
async function open(shareId: string) {
  const answer = await crawler.get(`/s/${shareId}`, { 'user-agent': 'WhatsApp/2.23' })
  const html = answer.body.toString()
  const pairs = [...html.matchAll(/<meta property="og:([^"]*)" content="([^"]*)">/g)]
  const title = /<title>([^<]*)<\/title>/.exec(html)?.[1]
  return { title, og: Object.fromEntries(pairs.map(([, key, value]) => [key!, value!])) }
}

/** Path and query of an address at BASE_URL. */
const pathOf = (url = '') => {
  assert.match(url, 'http://transfer.test/')
  return url.replace('http://transfer.test', '').replaceAll('&amp;', '&')
}

previews('should show name, size and sender, and a picture of them', async () => {
  const id = await ann.share({ a: Buffer.alloc(3000), b: '' }, { name: 'Photos "<i>" & more' })
  const { og } = await open(id)
  const { image, ...words } = og
  assert.equal(words, {
    type: 'website',
    site_name: 'Transfer',
    locale: 'en_US',
    title: 'Photos &quot;&lt;i&gt;&quot; &amp; more',
    description: '2 files · 3 kB · from Ann &lt;b&gt;Öz',
    'image:type': 'image/png',
    'image:width': '1200',
    'image:height': '630',
    'image:alt': 'Photos &quot;&lt;i&gt;&quot; &amp; more',
  })
  const picture = await crawler.get(pathOf(image))
  assert.equal([picture.status, picture.headers['content-type']], [200, 'image/png'])
  assert.ok(picture.body.length < 60_000, String(picture.body.length))
  const etag = picture.headers['etag'] as string
  assert.is((await crawler.get(pathOf(image), { 'if-none-match': etag })).status, 304)
  assert.is((await crawler.call('HEAD', pathOf(image))).status, 200)

  await ann.call('PATCH', `/api/shares/${id}`, { json: { name: 'Other' } })
  const changed = await crawler.get(pathOf((await open(id)).og['image']))
  assert.is.not(changed.headers['etag'], etag)
  assert.not.ok(changed.body.equals(picture.body))

  const etags = new Set()
  for (const name of ['', 'a']) {
    await ann.call('PATCH', `/api/shares/${id}`, { json: { name } })
    etags.add((await crawler.get(pathOf(image))).headers['etag'])
  }
  assert.is(etags.size, 1, 'named like its first file')
})

previews('should speak the language of the service to programs that name none', async () => {
  await set({ language: 'de' })
  const { og } = await open(await ann.share({ a: Buffer.alloc(2_300_000) }))
  assert.is(og['title'], 'a')
  assert.is(og['description'], '1 Datei · 2,3 MB · von Ann &lt;b&gt;Öz')
  assert.is(og['locale'], 'de_DE')
  assert.match(og['image']!, 'language=de')
})

previews('should show nothing of protected, unfinished and ended shares', async () => {
  const words = { name: 'Secret plan', message: 'Secret words' }
  const locked = await ann.share({ secret: 'x' }, { ...words, password: 'pw' })
  const used = await ann.share({ secret: 'x' }, { ...words, maxDownloads: 1 })
  await service.client().get(`/api/shares/${used}/download`)
  const ended = await ann.share({ secret: 'x' }, words)
  await ann.post(`/api/shares/${ended}/stop`)
  const draft = await ann.init(words)
  await ann.call('PATCH', `/api/shares/${draft}`, { json: { published: true } })
  for (const id of [locked, used, ended, draft]) {
    const { og } = await open(id)
    assert.is(og['title'], 'Files for you')
    assert.is(og['image'], undefined)
    assert.not.match(JSON.stringify(og), /Secret|secret|Ann|1 /)
    const picture = await crawler.get(`/api/public/shares/${id}/preview.png`)
    assert.ok([404, 410].includes(picture.status), String(picture.status))
  }
  // A recipient who knows the password may forward the page, but not what is behind it.
  const guest = service.client()
  await guest.post(`/api/shares/${locked}/verify`, { password: 'pw' })
  assert.not.match((await guest.get(`/s/${locked}`)).body.toString(), 'og:title" content="Secret')
  assert.is((await guest.get(`/api/public/shares/${locked}/preview.png`)).status, 404)
  await guest.close()
  assert.equal((await open('nothing-here')).og, {})
})

previews('should show nothing at all when previews are turned off', async () => {
  const id = await ann.share({ a: 'x' }, { name: 'Photos' })
  const path = pathOf((await open(id)).og['image'])
  await set({ linkPreviews: false })
  assert.equal(await open(id), { og: {}, title: 'Files for you – Transfer' })
  assert.is((await crawler.get(path)).status, 404)
  await set({ linkPreviews: true })
  assert.is((await crawler.get(path)).status, 200)
})

previews('should count no crawler as a download', async () => {
  const id = await ann.share({ a: 'x' }, { name: 'Photos', maxDownloads: 1 })
  for (let visit = 0; visit < 3; visit += 1) await crawler.get(pathOf((await open(id)).og['image']))
  const [share] = (await ann.get('/api/shares')).json()
  assert.is(share.download_count, 0)
  assert.equal((await ann.get(`/api/shares/${id}/activity`)).json(), [])
  assert.is((await service.client().get(`/api/shares/${id}/download`)).status, 200)
})

previews('should use English words where the letters of a language cannot be drawn', async () => {
  const path = `/api/public/shares/${await ann.share({ a: 'x' })}/preview.png`
  const draw = async (language: string) => (await crawler.get(`${path}?language=${language}`)).body
  assert.ok((await draw('ja')).equals(await draw('en')))
  assert.not.ok((await draw('uk')).equals(await draw('en')))
})

previews('should be in the language of the request without another one, and say so', async () => {
  const path = `/api/public/shares/${await ann.share({ a: 'x' })}/preview.png`
  const draw = (query: string) => crawler.get(path + query, { 'accept-language': 'fr' })
  const [own, chosen] = [await draw(''), await draw('?language=fr')]
  assert.ok(own.body.equals(chosen.body))
  assert.equal([own.headers['vary'], chosen.headers['vary']], ['Accept-Language', undefined])
})

previews('should end a flood of requests from one address in 429', async () => {
  const path = `/api/public/shares/${await ann.share({ a: 'x' })}/preview.png`
  const statuses = new Map<number, number>()
  const flood = async () => {
    for (let count = 0; count < 210; count += 1) {
      const { status } = await crawler.call('HEAD', path)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: 10 }, flood))
  assert.equal(Object.fromEntries(statuses), { 200: 2000, 429: 100 })
})

previews('should refuse a language that it does not speak', async () => {
  const id = await ann.share({ a: 'x' })
  const path = `/api/public/shares/${id}/preview.png`
  assert.is((await crawler.get(`${path}?language=tlh`)).status, 400)
  assert.is((await crawler.get(path)).status, 200)
})

const texts = {
  title: 'Photos',
  untitled: 'Files for you',
  facts: '2 files · 3 kB',
  sender: 'Ann',
  initials: 'A',
  appName: 'Transfer',
  accentColor: '#1d5fc4',
  groundColor: '',
}

/** Width, height, palette entries and pixels of a PNG of ours. */
function decode(png: Buffer) {
  assert.is(png.toString('latin1', 1, 4), 'PNG')
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    chunks.set(png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  assert.equal([...chunks.keys()], ['IHDR', 'PLTE', 'IDAT', 'IEND'])
  const rows = inflateSync(chunks.get('IDAT')!)
  const header = chunks.get('IHDR')!
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  assert.is(rows.length, (width + 1) * height)
  return { width, height, colors: chunks.get('PLTE')!.length / 3, rows }
}

previews('should draw any text within bounds', async () => {
  const drawn = new Previews()
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.integer({ min: 0, max: 0xffffff }),
      async (words, color) => {
        const accentColor = `#${color.toString(16).padStart(6, '0')}`
        const all = { ...texts, title: words, sender: words, appName: words, initials: words }
        const { png } = await drawn.picture({ ...all, accentColor })
        const { width, height, colors, rows } = decode(png)
        assert.equal([width, height], [1200, 630])
        assert.ok(colors <= 256 && rows.every((index) => index < colors))
        assert.ok(png.length < 100_000, String(png.length))
      },
    ),
    { numRuns: 20 },
  )
})

previews('should draw a generic title for scripts that it lacks, and leave emoji out', async () => {
  const drawn = new Previews()
  const draw = async (title: string) => (await drawn.picture({ ...texts, title })).png
  const generic = await draw('Files for you')
  assert.ok((await draw('夏の写真 2026')).equals(generic))
  assert.ok((await draw('שלום')).equals(generic))
  assert.ok((await draw('🎄')).equals(generic))
  assert.ok((await draw('Photos 🎄 ')).equals(await draw('Photos')))
  assert.not.ok((await draw('Zdjęcia Фото Φώτο ảnh')).equals(generic))
})

previews('should keep pictures, and draw the same one once', async () => {
  const drawn = new Previews()
  const both = await Promise.all([drawn.picture(texts), drawn.picture(texts)])
  assert.is(both[0]!.png, both[1]!.png)
  for (let index = 0; index < 64; index += 1) {
    await drawn.picture({ ...texts, title: `Photos ${index}` })
  }
  const again = await drawn.picture(texts)
  assert.is.not(again.png, both[0]!.png)
  assert.is(again.etag, both[0]!.etag)
})

previews.run()
