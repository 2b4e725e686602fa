import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pluck } from '../helpers/client.ts'
import { startService } from '../helpers/service.ts'
import { unpackTexts } from './additions/scene.ts'
import { unescape } from '../helpers/unescape.ts'

const pages = suite('shares: pages')

const service = await startService()
const owner = await service.admin()
const anonymous = service.client()

const payloads = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title><svg onload=alert(1)>',
  '&lt;script&gt;',
  '\u202egpj.exe',
]

async function open(shareId: string, language = 'en') {
  const accepted = { 'accept-language': language }
  const { status, headers, body } = await anonymous.get(`/s/${shareId}`, accepted)
  return { status, headers, html: body.toString('utf8') }
}

/** The tags of a page with their attributes, without the values from the share. */
function structureOf(html: string, shareId: string): string[] {
  const tags = html.match(/<[^>]*>/g) ?? []
  return tags.map((tag) =>
    tag
      .replaceAll(shareId, 'ID')
      .replaceAll(/files\/\d+|data-id="\d+"/g, 'N')
      .replace(/(content|title|data-path)="[^"]*"/, '$1')
      .replace(/nonce="[^"]*"/, 'nonce'),
  )
}

function assertHeaders({ headers }: Awaited<ReturnType<typeof open>>): void {
  assert.is(headers['content-type'], 'text/html; charset=utf-8')
  assert.is(headers['x-content-type-options'], 'nosniff')
  assert.is(headers['referrer-policy'], 'no-referrer')
  const policy = headers['content-security-policy'] as string
  assert.match(policy, "default-src 'none'")
  assert.match(policy, "require-trusted-types-for 'script'")
  assert.not.match(policy, 'unsafe')
}

pages('should show the names of the archive on pages, in lists and for files', async () => {
  const shareId = await owner.init()
  const names = ['notes.txt', 'notes.txt', 'NOTES.txt', 'what?.txt', 'plain.txt']
  const listed = names.map((originalName, n) => ({ fileId: `f${n}`, originalName, size: 1 }))
  for (const { fileId } of listed) await owner.chunk(shareId, fileId, 0, 'x')
  assert.is((await owner.finalize(shareId, listed)).status, 200)
  const archive = (await anonymous.get(`/api/shares/${shareId}/download`)).body
  const entries = Object.keys(unpackTexts(archive))
  assert.equal(entries, ['notes.txt', 'notes (1).txt', 'NOTES (2).txt', 'what_.txt', 'plain.txt'])
  const { html } = await open(shareId)
  const shown = [...html.matchAll(/<bdi>(.*?)<\/bdi>/g)].slice(1).map(([, name]) => name)
  assert.equal(new Set(shown), new Set(entries))
  const { files } = (await anonymous.get(`/api/public/shares/${shareId}`)).json()
  assert.equal(pluck<any, string>(files, 'original_name'), names)
  const listedNames = files.map((file: any) => file.archive_name ?? file.original_name)
  assert.equal(listedNames, entries)
  const single = await anonymous.get(`/api/shares/${shareId}/files/${files[1].id}`)
  assert.match(String(single.headers['content-disposition']), 'notes (1).txt')
})

pages(
  'should list files in the order of their tree: folders first, and as people count',
  async () => {
    const names = ['b 10.txt', 'z/a.txt', 'b 9.txt', 'z/y/a.txt', 'Ä/a.txt']
    const { html } = await open(
      await owner.share(Object.fromEntries(names.map((name) => [name, 'x']))),
    )
    const shown = [...html.matchAll(/data-path="([^"]*)"/g)].map(([, name]) => name)
    assert.equal(shown, ['Ä/a.txt', 'z/y/a.txt', 'z/a.txt', 'b 9.txt', 'b 10.txt'])
  },
)

pages('should divide long names before a word, and say them whole', async () => {
  const long = 'minutes of the meeting in the north & south, final.docx'
  const others = [
    'IMG_2042 Harbour at noon.jpg',
    'Floor plan ground floor.pdf',
    `${'x'.repeat(30)}.txt`,
  ]
  const files = Object.fromEntries([long, ...others].map((name) => [name, 'x']))
  const { html } = await open(await owner.share(files))
  const ends = [...html.matchAll(/<span>([^<]*)<\/span><\/span><\/bdi>/g)].map(([, end]) => end)
  assert.equal(ends, ['ground floor.pdf', 'at noon.jpg', 'final.docx', 'xxxxxx.txt'])
  const whole = long.replace('&', '&amp;')
  assert.match(html, `<bdi title="${whole}"><span class="visually-hidden">${whole}</span>`)
  assert.match(html, '&amp; south, </span><span>final.docx</span>')
})

for (const payload of payloads) {
  pages(`should show ${JSON.stringify(payload)} as text everywhere`, async () => {
    const fileName = payload.split('/').filter(Boolean).join('/')
    const words = { name: 'plain', message: 'plain' }
    // Long names are in two parts.
    const plainName = 'x'.repeat(fileName.length)
    const plainId = await owner.share({ [plainName]: 'x' }, words)
    const plain = structureOf((await open(plainId)).html, plainId)
    const shareId = await owner.share({ [fileName]: 'x' }, { name: payload, message: payload })
    const { html } = await open(shareId)
    assert.equal(structureOf(html, shareId), plain)
    const texts = html.split(/<[^>]*>/).map(unescape)
    for (const text of [payload, fileName]) {
      assert.ok(
        texts.some((shown) => shown.trim() === text.trim()),
        text,
      )
    }

    const lockedPlain = await owner.share({ plain: 'x' }, { ...words, password: 'x' })
    const locked = await owner.share({ [fileName]: 'x' }, { name: payload, password: 'x' })
    assert.equal(
      structureOf((await open(locked)).html, locked),
      structureOf((await open(lockedPlain)).html, lockedPlain),
    )
  })
}

pages('should explain a broken link in words and in the status', async () => {
  const draftId = await owner.init({ name: 'Secret plan' })
  const used = await owner.share({ concealed: 'x' }, { name: 'Secret used', maxDownloads: 1 })
  await service.client().get(`/api/shares/${used}/download`)
  const hours = { name: 'Secret expired', expirationVal: 1, expirationUnit: 'Hours' }
  const expired = await owner.share({ concealed: 'x' }, hours)
  const deleted = await owner.share({ concealed: 'x' }, { name: 'Secret deleted' })
  await owner.delete(`/api/shares/${deleted}`)
  service.clock.advance(3_600_000)
  for (const [id, status, text] of [
    ['there-is-no-such-share', 404, 'Link not found'],
    [draftId, 404, 'Link not found'],
    [deleted, 404, 'Link not found'],
    [expired, 410, 'expired'],
    [used, 410, 'Download limit reached'],
  ] as const) {
    const page = await open(id)
    assert.is(page.status, status)
    assertHeaders(page)
    assert.match(page.html, text)
    assert.not.match(page.html, /Secret|concealed/)
  }
})

pages('should show expiry, downloads left, and a button for a single file', async () => {
  const shareId = await owner.share(
    { 'day/beach.mp4': Buffer.alloc(81_000) },
    { expirationVal: 6, expirationUnit: 'Days', maxDownloads: 3 },
  )
  const { html } = await open(shareId)
  assert.match(html, 'Download · 81 kB</a>')
  assert.match(html, '<div id="files" class="lone">', 'its title is its name')
  assert.match(html, '<bdi>beach.mp4</bdi></h1>', 'without its folder')
  assert.match(html, '<span id="left">can be downloaded by 3 more people</span>')
  assert.match(html, 'for 24 hours')
  const until = new Date(service.clock.now() + 6 * 86_400_000).toISOString()
  assert.match(html, `Available until <time datetime="${until}" data-end>`)
  assert.match(html, /data-end>\w{3}, \w{3} \d+(, \d{4})?, \d\d:\d\d [AP]M [A-Z][^<]+<\/time>/)
  const endless = await owner.share({ a: 'x', b: 'y' }, { expirationVal: 0 })
  assert.not.match((await open(endless)).html, /Available until|more people|24 hours/)
})

pages('should show the name of a single file above its button under another title', async () => {
  const shareId = await owner.share({ 'beach.mp4': 'x' }, { name: 'Holiday' })
  const { html } = await open(shareId)
  const places = ['Holiday</bdi></h1>', 'class="lone titled"', 'beach.mp4</bdi>', 'class="facts"']
  const found = places.map((part) => html.indexOf(part))
  assert.ok(found.every((at, place) => at > (found[place - 1] ?? 0)))
  const { html: two } = await open(await owner.share({ a: 'x', b: 'y' }))
  assert.not.match(two, 'lone')
  assert.match(two, '<bdi>Files for you</bdi></h1>')
})

pages('should use the language that the browser asks for, otherwise English', async () => {
  const shareId = await owner.share({ a: Buffer.alloc(1500), b: 'y' }, { expirationVal: 1 })
  for (const [asked, spoken] of [
    ['de-DE,de;q=0.9,en;q=0.8', 'de'],
    ['fi, de;q=0.2, en;q=0.1', 'de'],
    ['pt;q=0.5, zh-Hant-TW', 'zh-Hans'],
    ['pt-PT', 'pt-BR'],
    ['de;q=0.1, en-GB', 'en'],
    ['de;q=0', 'en'],
    ['fi', 'en'],
    [';;=,q', 'en'],
  ] as const) {
    const { html } = await open(shareId, asked)
    assert.match(html, `<html lang="${spoken}"`)
    assert.is(html.includes('Alles herunterladen · 2 kB'), spoken === 'de', asked)
  }
  assert.match((await open('nothing', 'de')).html, 'Link nicht gefunden')
})

pages('should show the name of the deployment and its links', async () => {
  const admin = await service.admin()
  await admin.put('/api/config', {
    appName: 'Files & <Co>',
    imprintUrl: 'https://example.org/?a=1&b="2"',
  })
  const { html } = await open(await owner.share({ a: 'x' }))
  assert.match(html, 'alt=""><span class="name">Files &amp; &lt;Co&gt;</span></span>')
  assert.match(html, '<a href="https://example.org/?a=1&amp;b=&quot;2&quot;">Imprint</a>')
  assert.not.match(html, 'Privacy')
  await admin.put('/api/config', { appName: 'Transfer', imprintUrl: '' })
})

pages('should name the sender, and on an ended share the person to ask', async () => {
  const ann = await service.user('ann@example.org')
  await ann.patch('/api/account', { name: 'Ann <b>' })
  const name = 'Ann &lt;b&gt;'
  const open1 = await open(await ann.share({ a: 'x' }, { name: 'Photos' }))
  assert.match(open1.html, `${name} sent you</p>\n<h1 tabindex="-1"><bdi>Photos</bdi>`)
  const locked = await open(await ann.share({ a: 'x' }, { password: 'secret' }))
  assert.match(locked.html, `${name} protected these files with a password.`)
  const usedUp = await ann.share({ a: 'x' }, { maxDownloads: 1 })
  await anonymous.get(`/api/shares/${usedUp}/download`)
  anonymous.cookies.clear()
  assert.match((await open(usedUp)).html, `Ask ${name} for a new link.`)
  const over = await ann.share({ a: 'x' }, { expirationVal: 1, expirationUnit: 'Hours' })
  const told = await ann.share({ a: 'x' })
  await ann.post(`/api/shares/${told}/stop`)
  service.clock.jump(60 * 60_000)
  const expired = await open(over)
  service.clock.jump(-60 * 60_000)
  for (const { html, status } of [expired, await open(told)]) {
    assert.is(status, 410)
    assert.match(html, /Ask Ann &lt;b.*<\/p>\n<p class="faint">Ended on <time datetime="/)
    // Recipients have nothing to look for on the start page.
    assert.not.match(html, 'href="/"')
  }
  const { code, ownerName } = (await anonymous.get(`/api/public/shares/${told}`)).json()
  assert.equal([code, ownerName], ['expired', 'Ann <b>'])
  // Links to nothing name no person.
  await ann.delete(`/api/shares/${told}`)
  assert.not.match((await open(told)).html, /Ann/)
})

pages('should show its link as a QR code to clients that may see it', async () => {
  const shareId = await owner.share({ a: 'x' }, { password: 'secret' })
  const { html } = await open(shareId)
  const image = /<img class="qr" src="([^"]*)"/.exec(html)![1]!
  const answer = await anonymous.get(image)
  assert.equal([answer.status, answer.headers['content-type']], [200, 'image/svg+xml'])
  const own = (await owner.get(`/api/shares/${shareId}/qr-code`)).json().qrCodeSvg
  assert.is(answer.body.toString(), own)
  const etag = answer.headers['etag'] as string
  assert.is((await anonymous.get(image, { 'if-none-match': etag })).status, 304)
  await owner.delete(`/api/shares/${shareId}`)
  assert.is((await anonymous.get(image)).status, 404)
})

pages('should link to the address for reports, if there is one', async () => {
  const admin = await service.admin()
  const shareId = await owner.share({ a: 'x' })
  const report = async (reportUrl: string) => {
    await admin.put('/api/config', { reportUrl })
    return / href="([^"]*)">Report this share/.exec((await open(shareId)).html)?.[1]
  }
  const about = encodeURIComponent(`http://transfer.test/s/${shareId}`)
  for (const [url, link] of [
    ['https://example.org/report?a="b"', 'https://example.org/report?a=&quot;b&quot;'],
    ['mailto:abuse@example.org', `mailto:abuse@example.org?subject=${about}`],
    ['mailto:abuse@example.org?subject=Files', 'mailto:abuse@example.org?subject=Files'],
    ['', undefined],
  ] as const) {
    assert.is(await report(url), link)
  }
})
