// What messengers and crawlers get of a link.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startService } from '../helpers/service.ts'

const previews = suite('shares: previews')

const service = await startService()
const admin = await service.admin()
const ann = await service.user('ann@example.org')
await ann.patch('/api/account', { name: 'Ann <b>Öz' })
const crawler = service.client()

const set = (json: object) => admin.put('/api/config', json)

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

previews('should show name, size and sender, and a picture in the accent colour', async () => {
  const id = await ann.share({ a: Buffer.alloc(3000), b: '' }, { name: 'Photos "<i>" & more' })
  const { og } = await open(id)
  const { image, ...words } = og
  assert.equal(words, {
    type: 'website',
    site_name: 'Transfer',
    locale: 'en_US',
    title: 'Photos &quot;&lt;i&gt;&quot; &amp; more',
    description: '2 files · 3 kB · from Ann &lt;b&gt;Öz',
    'image:width': '1200',
    'image:height': '630',
    'image:alt': 'Transfer',
  })
  const picture = await crawler.get(pathOf(image))
  assert.equal([picture.status, picture.headers['content-type']], [200, 'image/png'])
  assert.equal([picture.body.readUInt32BE(16), picture.body.readUInt32BE(20)], [1200, 630])
  await set({ accentColor: '#aa2200' })
  assert.not.ok((await crawler.get(pathOf(image))).body.equals(picture.body))
})

previews('should show the picture of the deployment', async () => {
  const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  await set({ groundPicture: `data:image/png;base64,${png.toString('base64')}` })
  const { og } = await open(await ann.share({ a: 'x' }))
  assert.is(og['image:width'], undefined)
  assert.ok((await crawler.get(pathOf(og['image']))).body.equals(png))
})

previews('should show nothing of protected, unfinished and ended shares', async () => {
  const words = { name: 'Secret plan', message: 'Secret words' }
  const locked = await ann.share({ secret: 'x' }, { ...words, password: 'pw' })
  const used = await ann.share({ secret: 'x' }, { ...words, maxDownloads: 1 })
  await service.client().get(`/api/shares/${used}/download`)
  const ended = await ann.share({ secret: 'x' }, words)
  await ann.post(`/api/shares/${ended}/stop`)
  const draft = await ann.init(words)
  await ann.patch(`/api/shares/${draft}`, { published: true })
  for (const id of [locked, used, ended, draft]) {
    const { og } = await open(id)
    assert.is(og['title'], 'Files for you')
    assert.is(og['image'], undefined)
    assert.not.match(JSON.stringify(og), /Secret|secret|Ann|1 /)
  }
  // A recipient who knows the password may forward the page, but not what is behind it.
  const guest = service.client()
  await guest.post(`/api/shares/${locked}/verify`, { password: 'pw' })
  assert.not.match((await guest.get(`/s/${locked}`)).body.toString(), 'og:title" content="Secret')
  assert.equal((await open('nothing-here')).og, {})
})

previews('should show nothing at all when previews are turned off', async () => {
  const id = await ann.share({ a: 'x' }, { name: 'Photos' })
  await set({ linkPreviews: false })
  assert.equal(await open(id), { og: {}, title: 'Files for you – Transfer' })
  await set({ linkPreviews: true })
})
