// Uploaded bytes have the origin of our pages: no browser may treat them as a part of one.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError, Guest, makeLink } from '../helpers/client.ts'
import { fileIds } from '../bytes/send/scene.ts'
import { startService } from '../helpers/service.ts'
import { jpegOf, putThumbnail } from '../shares/thumbnails/scene.ts'
import { shareTyped } from '../web/previews/scene.ts'

const code = "document.title = 'taken over'; document.documentElement.dataset.taken = 'over'"
const logo =
  `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10">` +
  `<script>document.documentElement.setAttribute('data-taken', 'over')</script></svg>`

const service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
const owner = await service.admin()
const recipient = service.client()
const shareId = await owner.init({ name: 'Scripts' })
await owner.chunk(shareId, 'f', 0, code)
await putThumbnail(owner, shareId, 'f', jpegOf(`*/${code}`))
await owner.finalize(shareId, [
  { fileId: 'f', originalName: 'a.js', size: code.length, mimeType: 'text/javascript' },
])
const logoUrl = `data:image/svg+xml;base64,${Buffer.from(logo).toString('base64')}`
const picture = Buffer.from(`\x89PNG\r\n\x1a\n*/${code}`, 'latin1').toString('base64')
const groundPicture = `data:image/png;base64,${picture}`
const branding = { logo: logoUrl, logoDark: logoUrl, groundPicture }
await owner.put('/api/config', branding)
const fileId = (await fileIds(service, shareId))['a.js']
const reverseId = await makeLink(owner, { name: 'Code' })
await new Guest(service.client(), reverseId).deliver({ 'b.js': code })
const [delivered] = (await owner.get(`/api/reverse/${reverseId}/files`)).json()
const uploads = [
  `/api/shares/${shareId}/files/${fileId}`,
  `/api/shares/${shareId}/files/${fileId}?inline=1`,
  `/api/shares/${shareId}/files/${fileId}?as=owner`,
  `/api/shares/${shareId}/files/${fileId}/thumbnail`,
  `/api/shares/${shareId}/download`,
  '/logo',
  '/logo-dark',
  '/ground-picture',
  `/api/reverse/files/${delivered.id}/download?inline=1`,
  `/api/reverse/${reverseId}/download`,
]

const uses = suite('security: uploads as code')

const refused = ['script', 'worker', 'sharedworker', 'serviceworker', 'style', 'audioworklet']
const wanted = ['document', 'empty', 'image', 'video', 'audio']

for (const use of [...refused, 'paintworklet', 'xslt', 'manifest', 'json', 'Script']) {
  uses(`should refuse an uploaded file as ${use}, and count no download`, async () => {
    for (const path of uploads) {
      for (const method of ['GET', 'HEAD']) {
        const headers = { 'sec-fetch-dest': use, 'sec-fetch-site': 'same-origin' }
        const answer = await owner.call(method, path, { headers })
        assert.is(answer.status, 403, `${method} ${path}`)
        if (method === 'GET') assertError(answer, 403, 'not_a_script')
      }
    }
    assert.is((await owner.get(`/api/shares/${shareId}`)).json().download_count, 0)
  })
}

uses('should refuse a service worker of a browser without Sec-Fetch-Dest', async () => {
  for (const path of uploads) {
    assertError(await owner.get(path, { 'service-worker': 'script' }), 403, 'not_a_script')
  }
})

for (const use of wanted) {
  uses(`should send an uploaded file as ${use}, in a sandbox`, async () => {
    for (const path of uploads) {
      const answer = await owner.get(path, { 'sec-fetch-dest': use })
      assert.is(answer.status, 200, path)
      const policy = answer.headers['content-security-policy']
      assert.is(policy, "sandbox; default-src 'none'; frame-ancestors 'none'", path)
      assert.is(answer.headers['x-content-type-options'], 'nosniff')
    }
  })
}

uses('should let no page be cached, nor run a script without its nonce', async () => {
  const nonces = new Set<string>()
  const inline = new Set<string>()
  const paths = [
    '/',
    '/login',
    '/setup',
    '/reset-password',
    `/s/${shareId}`,
    '/s/unknown',
    '/r/unknown',
  ]
  for (const path of [...paths, ...paths]) {
    const { headers, body } = await recipient.get(path)
    assert.is(headers['cache-control'], 'no-store', path)
    const policy = String(headers['content-security-policy'])
    const nonce = /script-src 'nonce-([A-Za-z0-9+/]{22}==)'$/.exec(policy)?.[1]
    assert.ok(nonce, policy)
    nonces.add(nonce)
    const html = body.toString()
    for (const [, code] of html.matchAll(/<script nonce="[^"]+">(.*?)<\/script>/gs)) {
      inline.add(code!)
    }
    const scripts = html.match(/<script[^>]*>|<link rel="modulepreload"[^>]*>/g) ?? []
    assert.ok(scripts.length > 0)
    for (const tag of scripts) {
      assert.match(tag, `nonce="${nonce}"`)
      assert.match(tag, / (?:src|href)="\/static\/app\/|^<script nonce="[^"]+">$/)
    }
  }
  assert.is(inline.size, 1, 'the one that chooses the theme, with nothing from outside')
  assert.is(nonces.size, 2 * paths.length, 'each answer has a different nonce')
})

// PDF files are shown in a frame, without a sandbox: nothing else may pass for one.

const page = '<!doctype html><title>Page</title><script>alert(1)</script>'
const policy =
  "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'self'"
const sandbox = "sandbox; default-src 'none'; frame-ancestors 'none'"

uses('should take only PDF files out of the sandbox, and only when shown', async () => {
  const shareId = await shareTyped(owner, {
    'page.pdf': ['application/pdf', page],
    'upper.pdf': ['Application/PDF', page],
    'more.pdf': ['application/pdf; charset=utf-8', page],
    'page.html': ['text/html', page],
    'text.txt': ['text/plain', page],
  })
  const ids = await fileIds(service, shareId)
  await new Guest(service.client(), reverseId).deliver({ 'a.pdf': page })
  const files: { id: number; original_name: string }[] = (
    await owner.get(`/api/reverse/${reverseId}/files`)
  ).json()
  const ofGuest = files.find((file) => file.original_name === 'a.pdf')!
  for (const [name, query, type, wanted] of [
    ['page.pdf', '?inline=1', 'application/pdf', policy],
    ['upper.pdf', '?inline=1', 'application/pdf', policy],
    // Parameters are cut off when the upload ends.
    ['more.pdf', '?inline=1', 'application/pdf', policy],
    ['page.pdf', '', 'application/pdf', sandbox],
    ['page.pdf', '?inline=0', 'application/pdf', sandbox],
    ['a.pdf', '', 'application/octet-stream', sandbox],
    ['page.html', '?inline=1', 'text/html', sandbox],
    ['text.txt', '?inline=1', 'text/plain; charset=utf-8', sandbox],
  ] as const) {
    const isOfGuest = name === 'a.pdf'
    const path = isOfGuest
      ? `/api/reverse/files/${ofGuest.id}/download${query}`
      : `/api/shares/${shareId}/files/${ids[name]}${query}`
    const { headers } = await owner.get(path)
    const more = [{ 'if-none-match': headers['etag'] as string }, { range: 'bytes=0-5' }]
    const statuses = []
    for (const asked of [{}, ...more]) {
      const answer = await owner.get(path, asked)
      statuses.push(answer.status)
      assert.is(answer.headers['content-security-policy'], wanted, path)
      assert.is(answer.headers['x-content-type-options'], 'nosniff', path)
      if (answer.status !== 304) assert.is(answer.headers['content-type'], type, path)
    }
    assert.equal(statuses, [200, 304, 206], path)
    assert.is((await owner.call('HEAD', path)).headers['content-security-policy'], wanted, path)
  }
})
