import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startService } from '../helpers/service.ts'

const fresh = suite('web: home, before the set-up')
const service = await startService()
const admin = await service.admin()
const visitor = service.client()

const read = async (path: string, headers = {}, client = visitor) => {
  const answer = await client.get(path, headers)
  assert.is(answer.status, 200, path)
  assert.is(answer.headers['cache-control'], 'no-store')
  return answer.body.toString()
}

fresh('should say so instead of asking people to sign in, until there is an account', async () => {
  const empty = await startService({ empty: true })
  const client = empty.client()
  const { token } = empty.app.services.setup
  for (const path of ['/', '/login', '/login?next=%2Fshares', '/?a=b']) {
    const html = await read(path, {}, client)
    assert.match(html, '<h1 tabindex="-1">Not set up yet</h1>')
    assert.match(html, 'the setup link from the server’s log')
    assert.match(html, 'journalctl -u transfer-service | grep setup:')
    assert.match(html, 'docker logs transfer 2>&amp;1 | grep setup:')
    assert.not.match(html, /<form|<input|manifest|<title>Sign in –/)
    assert.not.match(html, token)
    const german = await read(path, { 'accept-language': 'de' }, client)
    assert.match(german, 'Noch nicht eingerichtet')
  }
  const account = { email: 'first@example.org', name: 'First', password: 'a few good words' }
  assert.is((await client.post('/api/setup', { ...account, token: 'wrong' })).status, 403)
  assert.match(await read('/', {}, client), 'Not set up yet')
  assert.is((await client.post('/api/setup', { ...account, token })).status, 200)
  assert.match(await read('/login', {}, client), /<title>Sign in –/)
  assert.match(await read('/', {}, client), 'rel="manifest"')
})

const home = suite('web: home for visitors')

const set = (json: object) => admin.put('/api/config', json)
home.after.each(async () => {
  await set({ homePage: 'signIn', homeText: '', homeRedirect: '', appName: 'Transfer' })
})

const isApp = async (path: string, headers = {}) => /rel="manifest"/.test(await read(path, headers))

home('should be the app, which asks to sign in, unless set otherwise', async () => {
  assert.ok(await isApp('/'))
  await set({ homeText: 'Hello', homeRedirect: 'https://example.org/' })
  assert.ok(await isApp('/'))
})

home('should welcome visitors with a text, as text', async () => {
  const appName = 'Files <b>of</b> "Ada" & Söhne'
  const homeText = 'Hello <script>alert(1)</script>\nSecond line. “שלום”'
  await set({ homePage: 'welcome', homeText, appName })
  const html = await read('/')
  assert.match(html, '<h1 tabindex="-1">Files &lt;b&gt;of&lt;/b&gt;')
  assert.match(html, 'Hello &lt;script&gt;alert(1)&lt;/script&gt;\nSecond line. “שלום”</p>')
  assert.match(html, '<a class="button primary wide" href="/login">Sign in</a>')
  assert.match(await read('/', { 'accept-language': 'de' }), '>Anmelden</a>')
  assert.match(await read('/login'), /<title>Sign in –/)
  await set({ homeText: '' })
  assert.not.match(await read('/'), 'class="text"')
})

home('should redirect visitors, only from the bare address', async () => {
  await set({ homePage: 'redirect', homeRedirect: 'https://example.org/a b?c=ü' })
  const answer = await visitor.get('/')
  assert.is(answer.status, 302)
  assert.is(answer.headers['location'], 'https://example.org/a%20b?c=%C3%BC')
  assert.is(answer.headers['cache-control'], 'no-store')
  assert.is(answer.body.length, 0)
  for (const path of ['/?shared=1', '/?app=1', '/?homeRedirect=https://evil.example', '/shares']) {
    assert.ok(await isApp(path), path)
  }
  assert.match(await read('/login'), /<title>Sign in –/)
  assert.is((await visitor.get('/manifest.webmanifest')).json().start_url, '/?app=1')
})

for (const homeRedirect of [
  'javascript:alert(1)',
  '//evil.example',
  '/shares',
  'example.org',
  'https://',
  'https://example.org@evil.example/',
  'https://user:pass@example.org',
  'https://exa mple.org',
  `https://example.org/${'a'.repeat(2000)}`,
]) {
  home(`should refuse to redirect to ${homeRedirect.slice(0, 40)}`, async () => {
    const answer = await set({ homePage: 'redirect', homeRedirect })
    assert.is(answer.status, 400)
    assert.is(answer.json().field, 'homeRedirect')
    assert.is(service.app.services.settings.values.homePage, 'signIn')
  })
}

home('should store an address so that it fits a header', async () => {
  for (const [given, stored] of [
    [' https://example.org ', 'https://example.org/'],
    ['https://bücher.example/\\ä', 'https://xn--bcher-kva.example//%C3%A4'],
    ['https://example.org/a\r\nSet-Cookie: x=y', null],
    ['https://example.org\\@evil.example/', 'https://example.org/@evil.example/'],
    ['HTTPS://EXAMPLE.ORG', 'https://example.org/'],
  ] as const) {
    const { status } = await set({ homePage: 'redirect', homeRedirect: given })
    if (stored === null && status === 400) continue
    assert.is(status, 200, given)
    const { location, 'set-cookie': cookie } = (await visitor.get('/')).headers
    assert.is(location, stored ?? 'https://example.org/aSet-Cookie:%20x=y')
    assert.is(cookie, undefined)
  }
})
