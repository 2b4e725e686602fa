// The service's side of the installed app: its manifest, and shared files without a worker.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pluck } from '../helpers/client.ts'
import { contrast, darkGround, parseColor, white } from '../../src/lib/colors.ts'
import { crc32 } from '../../src/lib/crc32.ts'
import { startService } from '../helpers/service.ts'

const app = suite('web: installed app')

const service = await startService()
const admin = await service.admin()
const anyone = service.client()

const manifest = async (headers = {}) => (await anyone.get('/manifest.webmanifest', headers)).json()

app('should describe the app by the branding', async () => {
  const standard = await manifest()
  assert.is(standard.name, 'Transfer')
  assert.is(standard.theme_color, '#1d5fc4')
  const { start_url: start, scope, display, id } = standard
  assert.equal([start, scope, display, id], ['/', '/', 'standalone', '/'])
  const appName = 'Files "of" </script> & Söhne'
  await admin.put('/api/config', { appName, accentColor: '#B3261E' })
  const branded = await manifest()
  assert.is(branded.name, appName)
  assert.is(branded.theme_color, '#b3261e')
  await admin.put('/api/config', { appName: 'Transfer', accentColor: '#1d5fc4' })
})

app('should name the shortcuts in the language of the reader', async () => {
  const namesIn = async (language: string) => {
    const { shortcuts, lang } = await manifest({ 'accept-language': language })
    return [lang, ...shortcuts.map(({ name }: { name: string }) => name)]
  }
  assert.equal(await namesIn('de-AT,en;q=0.5'), ['de', 'Dateien senden', 'Dateianfragen'])
  assert.equal(await namesIn('fi, en'), ['en', 'Send files', 'File requests'])
  await admin.put('/api/config', { language: 'de' })
  assert.is((await namesIn('fi'))[0], 'de')
  await admin.put('/api/config', { language: 'en' })
})

app('should serve every icon as a picture of its size', async () => {
  const { icons } = await manifest()
  assert.equal(pluck<any, string>(icons, 'purpose'), ['any', 'any', 'maskable'])
  for (const { src, sizes, type } of [
    ...icons,
    { src: '/static/apple-touch-icon.png', sizes: '180x180', type: 'image/png' },
  ]) {
    const icon = await anyone.get(src)
    assert.is(icon.status, 200, src)
    assert.is(icon.headers['content-type'], type)
    assert.is(`${icon.body.readUInt32BE(16)}x${icon.body.readUInt32BE(20)}`, sizes, src)
    assert.ok(icon.body.length < 10_000, src)
  }
})

app('should draw the icons in the accent colour, readable', async () => {
  const get = async (name: string) => anyone.get(`/static/${name}`)
  const names = ['icon.svg', 'icon-192.png', 'icon-512.png', 'icon-maskable.png']
  const before = await Promise.all(names.map(get))
  const faceOf = ({ body }: { body: Buffer }) =>
    /fill="(#\w+)" stroke="\1"\s+d="M2/.exec(body.toString())![1]!
  const paletteOf = ({ body }: { body: Buffer }) =>
    [0, 15, 16].map((color) => body.subarray(41 + 3 * color, 44 + 3 * color).toString('hex'))
  assert.is(faceOf(before[0]!), '#2468d4')
  assert.equal(paletteOf(before[1]!), ['1d5fc4', 'ffffff', '1d5fc4'])
  await admin.put('/api/config', { accentColor: '#FFE000' })
  const after = await Promise.all(names.map(get))
  for (const [index, icon] of after.entries()) {
    assert.is.not(icon.headers['etag'], before[index]!.headers['etag'])
    const known = { 'if-none-match': String(icon.headers['etag']) }
    assert.is((await anyone.get(`/static/${names[index]}`, known)).status, 304)
    assert.is(icon.body.length, before[index]!.body.length)
  }
  const face = parseColor(faceOf(after[0]!))
  for (const ground of [white, darkGround]) assert.ok(contrast(face, ground) >= 3)
  const [tile, mark, edge] = paletteOf(after[1]!) as [string, string, string]
  assert.is(tile, edge)
  assert.ok(contrast(parseColor(`#${tile}`), parseColor(`#${mark}`)) >= 4.5)
  // Programs refuse a picture with a wrong sum.
  const end = 41 + after[1]!.body.readUInt32BE(33)
  assert.is(after[1]!.body.readUInt32BE(end), crc32(after[1]!.body.subarray(37, end)))
  await admin.put('/api/config', { accentColor: '#1d5fc4' })
  assert.equal(paletteOf(await get('icon-192.png')), ['1d5fc4', 'ffffff', '1d5fc4'])
})

app('should serve the worker under a separate policy, never from a cache', async () => {
  const worker = await anyone.get('/share-target.js')
  assert.is(worker.headers['content-type'], 'text/javascript; charset=utf-8')
  assert.is(worker.headers['content-security-policy'], "default-src 'none'")
  assert.is(worker.headers['cache-control'], 'no-cache')
  assert.is(worker.headers['service-worker-allowed'], undefined)
})

const policyOf = async (path: string) =>
  String((await anyone.get(path)).headers['content-security-policy'])

app('should allow manifest and worker on pages of the app alone', async () => {
  for (const path of ['/', '/shares', '/admin/users']) {
    const policy = await policyOf(path)
    assert.match(policy, "; manifest-src 'self'; worker-src 'self'")
    assert.match(policy, '; trusted-types share-target;')
    assert.match((await anyone.get(path)).body.toString(), 'rel="manifest"')
  }
  const shareId = await admin.share({ a: 'a' })
  for (const path of ['/login', '/setup', '/invitation', `/s/${shareId}`, '/s/none', '/r/none']) {
    const policy = await policyOf(path)
    assert.not.match(policy, /manifest-src|worker-src|share-target/)
    assert.match(policy, "; trusted-types 'none'")
    assert.not.match((await anyone.get(path)).body.toString(), 'manifest')
  }
})

app('should send people without a worker to the Send view, and store nothing', async () => {
  const before = (await admin.get('/api/admin/status')).json().containers
  const head = '--x\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\n'
  const body = `${head}${'a'.repeat(100_000)}\r\n--x--\r\n`
  const type = 'multipart/form-data; boundary=x'
  for (const [content, contentType] of [
    [body, type],
    ['', 'text/plain'],
    ['{', 'application/json'],
    [body.slice(0, 500), type],
    ['\0'.repeat(1000), 'multipart/form-data'],
  ] as const) {
    const headers = { 'content-type': contentType, 'sec-fetch-site': 'none' }
    const answer = await anyone.call('POST', '/share-target', { body: content, headers })
    assert.is(answer.status, 303)
    assert.is(answer.headers['location'], '/?shared=1')
    assert.is(answer.body.length, 0)
  }
  assert.equal((await admin.get('/api/admin/status')).json().containers, before)
})

app('should refuse what pages of other sites send', async () => {
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ]) {
    const answer = await anyone.call('POST', '/share-target', { body: 'x', headers })
    assert.is(answer.status, 403)
    assert.is(answer.json().code, 'cross_site')
  }
})
