// The service with a path in BASE_URL, as programs see it.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Client, makeLink } from '../helpers/client.ts'
import { linkBelow } from '../../src/lib/base-path.ts'
import { withoutBasePath } from '../../src/http/listener.ts'
import { adminEmail, startService } from '../helpers/service.ts'
import { rawRequest } from '../helpers/raw-connection.ts'
import { tokenOf } from '../shares/personal-links/scene.ts'

const targets = suite('base path: request targets')

const cases: [target: string, rest: string][] = [
  ['/files/api/limits', '/api/limits'],
  ['/files/', '/'],
  ['/files', ''],
  ['/files?a', '?a'],
  ['/files/files/x', '/files/x'],
  ['/files//host/x', '//host/x'],
  ['http://any.example/files/s/a?b', '/s/a?b'],
  // Not below the path, so they stay.
  ['/readyz', '/readyz'],
  ['/filesystem', '/filesystem'],
  ['/Files/', '/Files/'],
  ['/%66iles/', '/%66iles/'],
  ['//files/', '//files/'],
  ['/x/files/', '/x/files/'],
  ['*', '*'],
]
for (const [target, rest] of cases) {
  targets(`should read ${target} below /files as ${JSON.stringify(rest)}`, () => {
    assert.is(withoutBasePath(target, '/files'), rest)
  })
}

targets('should change only the addresses of links and files in HTML', () => {
  const html = '<a class="x" href="/a"><img src="/b"><a href="//h/c"><a data-href="/d">href="/e'
  const linked =
    '<a class="x" href="/files/a"><img src="/files/b"><a href="//h/c"><a data-href="/d">href="/e'
  assert.is(linkBelow('/files', html), linked)
  assert.is(linkBelow('', html), html)
})

const api = suite('base path: the service')
const env = { BASE_URL: 'https://example.org/files', RATE_LIMIT_LOGIN: 'off' }
const service = await startService({ env })
const { url } = service
const admin = await service.admin()
const below = new Client(`${url}/files`, admin.token)

api('should answer with and without the path, and log the path of the operation', async () => {
  for (const client of [below, admin]) {
    assert.is((await client.get('/readyz')).status, 200)
    assert.is((await client.get('/api/account')).json().email, adminEmail)
  }
  const paths = service.logLines.map((line) => JSON.parse(line).path as string | undefined)
  assert.ok(paths.includes('/api/account'))
  assert.not.ok(paths.some((path) => path?.startsWith('/files/api/account')))
  assert.is((await below.get('/files/api/account')).status, 404)
})

api('should redirect from the path alone to nothing that a request names', async () => {
  const named = ['/files', '/files?next=//evil.example', 'http://evil.example/files?a']
  for (const target of named) {
    const head = `GET ${target} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`
    const { status, headers } = await rawRequest(url, head)
    assert.is(status, 302, target)
    assert.is(headers['location'], '/files/')
  }
  const post = 'POST /files HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n'
  assert.is((await rawRequest(url, post)).status, 405)
})

api('should make links, pages and redirects below the path', async () => {
  const message = 'see <a href="/x"> and href="/y"'
  const input = { name: 'A', message, password: 'open sesame' }
  const shareId = await admin.share({ 'a.txt': 'a', 'b.txt': 'b' }, { ...input, password: '' })
  const lockedId = await admin.share({ 'a.txt': 'a' }, input)
  const named = { audience: 'named', recipients: 'ada@example.org', recipientProof: 'account' }
  const token = await tokenOf(admin, await admin.share({ 'a.txt': 'a' }, named), 'ada@example.org')
  const share = (await admin.get(`/api/shares/${shareId}`)).json()
  assert.is(share.url, `https://example.org/files/s/${shareId}`)
  const unlocked = await below.post(`/api/shares/${lockedId}/verify`, { password: input.password })
  assert.match(String(unlocked.headers['set-cookie']), '; Path=/files/;')

  const headers = { accept: 'text/html', cookie: 'a=b' }
  const paths = ['/', '/login', '/setup', '/nothing', `/s/${shareId}`, `/s/${lockedId}`]
  for (const path of [...paths, `/s/${token}`, `/r/${await makeLink(admin)}`]) {
    // A proxy may remove the path.
    for (const client of [below, admin]) {
      const html = (await client.call('GET', path, { headers })).body.toString()
      assert.match(html, '<html lang="en"', path)
      assert.match(html, 'data-base="/files"', path)
      const addresses = [...html.matchAll(/<[^>]* (?:href|src|srcset)="(\/[^"]*)"/g)]
      assert.ok(addresses.length > 3, path)
      for (const [, address] of addresses) assert.match(address!, /^\/files\/(?!files)/, path)
    }
  }
  const page = (await below.get(`/s/${shareId}`)).body.toString()
  assert.match(page, 'see &lt;a href=&quot;/x&quot;&gt; and href=&quot;/y&quot;')
  assert.match(page, 'content="https://example.org/files/static/preview.png')

  for (const client of [below, admin]) {
    const target = await client.call('POST', '/share-target')
    assert.is(target.headers['location'], '/files/?shared=1')
  }
  const rows = await below.get('/api/audit?limit=1')
  assert.match(String(rows.headers['link']), /^<\/files\/api\/audit\?limit=1&cursor=/)
  const { servers } = (await below.get('/openapi.json')).json()
  assert.is(servers[0].url, 'https://example.org/files')
})
