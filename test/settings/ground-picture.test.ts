import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Gate } from '../helpers/until.ts'
import { pluck } from '../helpers/client.ts'
import type { Database } from '../../src/database/connect.ts'
import { GroundPictures, parsePicture } from '../../src/settings/ground-picture.ts'
import { defaultSettings } from '../../src/settings/table.ts'
import { themeStyle } from '../../src/pages/theme.ts'
import { startService } from '../helpers/service.ts'

const pictures = suite('settings: picture behind the card')

const service = await startService()
const admin = await service.admin()
const visitor = service.client()

const png = Buffer.from('\x89PNG\r\n\x1a\n0123456789', 'latin1')
const jpeg = Buffer.from('\xff\xd8\xff\xe0012345678901', 'latin1')
const webp = Buffer.from('RIFF\x10\0\0\0WEBPVP8 0123', 'latin1')
const bytesMax = 2_000_000

const dataUrl = (bytes: Buffer, type = 'image/png') =>
  `data:${type};base64,${bytes.toString('base64')}`
const put = (groundPicture: unknown, more: object = {}) =>
  admin.put('/api/config', { groundPicture, ...more })
const current = async (): Promise<string> => (await admin.get('/api/config')).json().groundPicture

async function address(): Promise<string> {
  return /url\('([^']*)'\)/.exec((await visitor.get('/theme.css')).body.toString())?.[1] ?? ''
}

for (const [name, bytes, type] of [
  ['a PNG', png, 'image/png'],
  ['a JPEG', jpeg, 'image/jpeg'],
  ['a WebP', webp, 'image/webp'],
  ['the largest picture', Buffer.concat([png, Buffer.alloc(bytesMax - png.length)]), 'image/png'],
] as const) {
  pictures(`should take ${name}, and send it for a year by its version`, async () => {
    const answer = await put(dataUrl(bytes, type))
    assert.is(answer.status, 200, answer.body.toString().slice(0, 300))
    const version = await current()
    assert.match(version, /^[\w-]{22}$/)
    assert.is(await address(), `/ground-picture?v=${version}`)
    const image = await visitor.get(await address())
    assert.equal([image.status, image.body.equals(bytes)], [200, true])
    assert.is(image.headers['content-type'], type)
    assert.is(image.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.is(image.headers['x-content-type-options'], 'nosniff')
    assert.is(
      image.headers['content-security-policy'],
      "sandbox; default-src 'none'; frame-ancestors 'none'",
    )
    const headers = { 'if-none-match': `"${version}"` }
    assert.is((await visitor.call('GET', await address(), { headers })).status, 304)
  })
}

pictures('should read the picture once at a time, however many browsers want it', async () => {
  const answered = new Gate()
  let reading = 0
  let most = 0
  const firstValue = async () => {
    most = Math.max(most, (reading += 1))
    await answered.passed
    reading -= 1
    return dataUrl(png)
  }
  const database = { sql: () => ({ firstValue }) } as unknown as Database
  const found = new GroundPictures(database)
  const { version } = parsePicture(dataUrl(png))!
  const finding = Array.from({ length: 20 }, () => found.find(version))
  answered.open()
  for (const picture of await Promise.all(finding)) assert.ok(picture!.body.equals(png))
  assert.is(most, 1)
})

pictures('should trust the first bytes, not the declared type', async () => {
  assert.is((await put(dataUrl(jpeg, 'image/png'))).status, 200)
  assert.is((await visitor.get(await address())).headers['content-type'], 'image/jpeg')
})

pictures('should let browsers keep no other version', async () => {
  await put(dataUrl(png))
  for (const query of ['', '?v=', '?v=AAAAAAAAAAAAAAAAAAAAAA', `?v=${'x'.repeat(100)}`]) {
    const image = await visitor.get(`/ground-picture${query}`)
    assert.equal([image.status, image.headers['cache-control']], [200, 'no-cache'], query)
  }
  assert.is((await visitor.get(`/ground-picture?v=${'x'.repeat(101)}`)).status, 400)
})

const html = Buffer.from('<script>alert(1)</script>')
for (const [name, value] of [
  ['an SVG', dataUrl(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml')],
  ['a page that is called a PNG', dataUrl(html)],
  ['a sound in the container of WebP', dataUrl(Buffer.from('RIFF\x10\0\0\0WAVEfmt '))],
  ['half a signature', dataUrl(png.subarray(0, 7))],
  ['other letters than base64', 'data:image/png;base64,iVBORw0KGgo\n='],
  ['a type with parameters', 'data:image/png;charset=x;base64,iVBORw0KGgo='],
  ['an address in style', "x')}body{background:url(//elsewhere.example"],
  ['one byte too many', dataUrl(Buffer.concat([png, Buffer.alloc(bytesMax - png.length + 1)]))],
  ['the version of another picture', 'A'.repeat(22)],
] as const) {
  pictures(`should refuse ${name}, and change nothing`, async () => {
    await put(dataUrl(png))
    const answer = await put(value, { welcomeText: 'changed' })
    assert.equal([answer.status, answer.json().field], [400, 'groundPicture'])
    assert.ok(answer.body.length < 500, 'the answer does not repeat it')
    assert.is((await admin.get('/api/config')).json().welcomeText, '')
    assert.equal((await visitor.get('/ground-picture')).body, png)
  })
}

pictures('should replace a picture, record it once, and never show its bytes', async () => {
  const events = async () => {
    const listed = (await admin.get('/api/audit?event=settings.changed')).json()
    return listed as { details: { keys: string[] } }[]
  }
  await put(dataUrl(png))
  const first = await address()
  const before = (await events()).length
  assert.is((await put(dataUrl(webp, 'image/webp'))).status, 200)
  assert.not.equal(await address(), first)
  assert.is((await put(dataUrl(webp, 'image/webp'))).status, 200, 'the same again')
  assert.is((await put(await current())).status, 200, 'the value that is shown')
  const recorded = await events()
  assert.is(recorded.length, before + 1)
  assert.equal(recorded[0]!.details, { keys: ['groundPicture'] })
  assert.equal((await visitor.get('/ground-picture')).body, webp)
  const base64 = webp.toString('base64')
  for (const path of ['/api/config', '/api/public/branding', '/theme.css', '/login']) {
    assert.not.ok((await admin.get(path)).body.includes(base64), path)
  }
})

pictures('should remove a picture with its bytes', async () => {
  await put(dataUrl(png))
  assert.is((await put('')).status, 200)
  assert.equal([await current(), await address()], ['', ''])
  assert.is((await visitor.get('/ground-picture')).status, 404)
  const rows = await service.database.sql`select key from settings where key like 'groundPicture%'`
  assert.equal(pluck(rows, 'key'), ['groundPicture'])
})

pictures('should show what another process has changed, and cache nothing too long', async () => {
  await put(dataUrl(png))
  const old = await address()
  // As another process writes it: this one reads the version a few seconds later.
  const { sql } = service.database
  await sql`
    update settings
    set value = to_jsonb(${dataUrl(jpeg, 'image/jpeg')}::text)
    where key = 'groundPicture:data'`
  const image = await visitor.get(old)
  assert.equal([image.status, image.body.equals(jpeg)], [200, true])
  assert.is(image.headers['cache-control'], 'no-cache', 'these are not the bytes of that version')
  await sql`delete from settings where key = 'groundPicture:data'`
  assert.is((await visitor.get(old)).status, 404)
  await put('')
})

pictures('should style pages only with values that were checked', async () => {
  const shown = async (json: object) => {
    assert.is((await admin.put('/api/config', json)).status, 200)
    return (await visitor.get('/theme.css')).body.toString()
  }
  const style = await shown({ groundColor: '#0b3d2e', cornerRadius: 'sharp' })
  const given = { groundColor: '#0b3d2e', cornerRadius: 'sharp' } as const
  assert.is(style, themeStyle({ ...defaultSettings, ...given }))
  assert.match(style, '--radius: 0px;')
  assert.match(style, '--backdrop: light-dark(#0b3d2e, ')
  assert.match((await visitor.get('/login')).body.toString(), 'href="/theme.css"')
  const preview = await admin.get('/api/admin/theme?accent=%231d5fc4&ground=%230b3d2e')
  assert.is(preview.json().light.ground, '#0b3d2e')
  assert.is((await admin.get('/api/admin/theme?accent=%231d5fc4&ground=red')).status, 400)
  assert.is(await shown({ groundColor: '', cornerRadius: 'soft' }), '')
})

pictures('should store no custom value in its place', async () => {
  assert.is((await admin.put('/api/config', { 'groundPicture:data': 'x' })).status, 400)
})
