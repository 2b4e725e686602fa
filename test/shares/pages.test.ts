import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Client } from '../helpers/client.ts'
import { startService, type Service } from '../helpers/service.ts'
import { fileIds } from '../downloads/scene.ts'

const pages = suite('shares: pages')

let service: Service
let owner: Client
let stranger: Client

pages.before(async () => {
  service = await startService()
  owner = await service.admin()
  stranger = service.client()
})
pages.after(async () => {
  await Promise.all([owner.close(), stranger.close()])
  await service.stop()
})

const payloads = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title><svg onload=alert(1)>',
  '<!--',
  '&lt;script&gt;',
  '&#60;b&#62;',
  'javascript:alert(1)',
  '${alert(1)}',
  '\u202egpj.exe',
]

interface Page {
  status: number
  headers: Record<string, string | string[] | undefined>
  html: string
}

async function open(shareId: string): Promise<Page> {
  const { status, headers, body } = await stranger.get(`/s/${shareId}`)
  return { status, headers, html: body.toString('utf8') }
}

/** The tags of a page with their attributes, without what the share put into the values. */
function structureOf(html: string, shareId: string): string[] {
  const tags = html.match(/<[^>]*>/g) ?? []
  return tags.map((tag) => tag.replaceAll(shareId, 'ID').replaceAll(/files\/\d+/g, 'files/N'))
}

function unescape(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

function assertHeaders({ headers }: Page): void {
  assert.is(headers['content-type'], 'text/html; charset=utf-8')
  assert.is(headers['x-content-type-options'], 'nosniff')
  assert.is(headers['referrer-policy'], 'no-referrer')
  const policy = headers['content-security-policy'] as string
  assert.match(policy, "default-src 'none'")
  assert.match(policy, "require-trusted-types-for 'script'")
  assert.not.match(policy, 'unsafe')
}

pages('should show the name, the message, the files and their links', async () => {
  const shareId = await owner.share(
    { 'a/größe.txt': 'hello', 'b.bin': Buffer.alloc(1_500_000) },
    { name: 'Photos', message: 'Enjoy!' },
  )
  const ids = await fileIds(service, shareId)
  const page = await open(shareId)
  assert.is(page.status, 200)
  assertHeaders(page)
  for (const text of ['Photos', 'Enjoy!', 'a/größe.txt', 'b.bin', '1.5 MB', '5 B']) {
    assert.match(page.html, text)
  }
  const links = [...page.html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link!)
  for (const path of [
    `/api/shares/${shareId}/download`,
    `/api/shares/${shareId}/files/${ids['a/größe.txt']}`,
    `/api/shares/${shareId}/files/${ids['b.bin']}`,
  ]) {
    assert.ok(links.includes(path), path)
    assert.is((await stranger.get(path)).status, 200)
  }
})

for (const payload of payloads) {
  pages(`should show ${JSON.stringify(payload)} as text wherever it stands`, async () => {
    const segments = payload.split('/').filter(Boolean)
    const fileName = segments.join('/')
    const words = { name: 'plain', message: 'plain' }
    const plainId = await owner.share({ plain: 'x' }, words)
    const plain = structureOf((await open(plainId)).html, plainId)
    const shareId = await owner.share({ [fileName]: 'x' }, { name: payload, message: payload })
    const { html } = await open(shareId)
    assert.equal(structureOf(html, shareId), plain)
    const texts = html.split(/<[^>]*>/).map(unescape)
    for (const text of [payload, fileName]) {
      assert.ok(
        texts.some((shown) => shown.trim() === text.trim()),
        `${text} as it is`,
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

pages('should show no file and no message of a locked share', async () => {
  const shareId = await owner.share(
    { 'hidden name.txt': 'x' },
    { name: 'Shown', message: 'hidden message', password: 'secret' },
  )
  const page = await open(shareId)
  assert.is(page.status, 200)
  assertHeaders(page)
  assert.match(page.html, 'Shown')
  assert.not.match(page.html, 'hidden')
  assert.not.match(page.html, '/files/')
  assert.match(page.html, 'type="password"')
})

pages('should say what is wrong with a link in words and in the status', async () => {
  const draftId = await owner.init({ name: 'Secret plan' })
  const used = await owner.share({ hidden: 'x' }, { name: 'Secret used', maxDownloads: 1 })
  await service.client().get(`/api/shares/${used}/download`)
  const hours = { name: 'Secret expired', expirationVal: 1, expirationUnit: 'Hours' }
  const expired = await owner.share({ hidden: 'x' }, hours)
  const deleted = await owner.share({ hidden: 'x' }, { name: 'Secret deleted' })
  await owner.delete(`/api/shares/${deleted}`)
  service.clock.advance(3_600_000)
  for (const [id, status, text] of [
    ['there-is-no-such-share', 404, 'nothing here'],
    [draftId, 404, 'nothing here'],
    [deleted, 404, 'nothing here'],
    [expired, 410, 'expired'],
    [used, 410, 'used up'],
  ] as const) {
    const page = await open(id)
    assert.is(page.status, status)
    assertHeaders(page)
    assert.match(page.html, text)
    assert.not.match(page.html, /Secret|hidden/)
  }
})

pages('should list a thousand files and say how many more there are', async () => {
  const shareId = await owner.share({ first: 'x' })
  await service.database.sql`
    insert into files (
      parcel_id, file_key, original_name, entry_name, size, mime_type, crc32, created_at
    )
    select parcel_id, 'more-' || number, 'more ' || number, 'more ' || number, 0, 'text/plain', 0,
      now()
    from shares, generate_series(1, 1004) as number
    where shares.id = ${shareId}`
  const { html } = await open(shareId)
  assert.is(html.match(/<li>/g)!.length, 1000)
  assert.match(html, 'and 5 more files')
})

pages('should answer HEAD and a trailing slash', async () => {
  const shareId = await owner.share({ a: 'x' })
  const head = await stranger.call('HEAD', `/s/${shareId}`)
  assert.equal([head.status, head.body.length], [200, 0])
  assert.is((await stranger.get(`/s/${shareId}/`)).status, 200)
})

pages.run()
