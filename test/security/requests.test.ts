// Requests of attackers, and names from clients on the file system. See security.md, part 1: the
// ids are the suites' names.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operations } from '../../src/routes.ts'
import { assertError, okay, sessionCookie } from '../helpers/client.ts'
import { adminEmail, adminPassword, startService } from '../helpers/service.ts'

const service = await startService({ env: { RATE_LIMIT_LOGIN: '2/15m' } })
const owner = await service.admin()
const anonymous = service.client()

const credentials = { email: adminEmail, password: adminPassword }

const crossSite = suite('security: CVE-2026-29084')

for (const { id, method, path } of operations.filter((declared) => declared.method !== 'GET')) {
  crossSite(`should refuse ${id} when another site sends it with the cookie`, async () => {
    const cookie = sessionCookie(owner)
    const target = path.replaceAll(/\{\w+\}/g, 'AAAAAAAAAAAAAAAAAAAAAA')
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.test' },
      { origin: 'null' },
    ]) {
      const all = { ...headers, cookie, 'content-type': 'text/plain' }
      const answer = await anonymous.call(method, target, { headers: all as never, body: '{}' })
      assertError(answer, 403, 'cross_site')
    }
  })
}

const forged = suite('security: CVE-2026-54089')

forged('should trust no header of a peer that is not a trusted proxy', async () => {
  for (let attempt = 0; attempt < 2; attempt += 1)
    await anonymous.post('/api/auth/login', credentials)
  for (const headers of [
    { 'x-forwarded-for': '203.0.113.9' },
    { 'x-real-ip': '203.0.113.9' },
    { forwarded: 'for=203.0.113.9' },
    { 'cf-connecting-ip': '203.0.113.9' },
    { 'x-remote-user': adminEmail },
  ]) {
    assertError(await anonymous.post('/api/auth/login', credentials, headers as never), 429)
  }
  const proxied = {
    'x-forwarded-host': 'evil.test',
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '203.0.113.9',
  }
  const answer = await owner.post(
    `/api/shares/${await owner.init()}/finalize`,
    { files: [] },
    proxied,
  )
  assert.match(answer.json().shareUrl, /^http:\/\/transfer\.test\/s\//)
  assert.is(answer.headers['strict-transport-security'], undefined)
  assert.not.match(service.logLines.join(''), /203\.0\.113\.9|evil\.test/)
})

forged('should build links from BASE_URL, never from Host', async () => {
  const files = { files: [] }
  const path = `/api/shares/${await owner.init()}/finalize`
  const answer = await owner.post(path, files, { host: 'evil.test' })
  assert.not.match(answer.body.toString(), /evil/)
  assert.not.match((await owner.get('/api/shares', { host: 'evil.test' })).body.toString(), /evil/)
})

const surroundings = path.dirname(service.storageDir)
// A sibling whose name begins with that of the containers' folder, and a file beside both.
writeFileSync(path.join(surroundings, 'beside.txt'), 'beside')
mkdirSync(`${service.storageDir}-x`)
writeFileSync(path.join(`${service.storageDir}-x`, 'config.mjs'), 'sibling')

/** Every file and folder below, with the contents of the files outside of the containers. */
function tree(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted()
}

function outside(): string[] {
  return tree(surroundings)
    .filter((name) => !name.startsWith(`${service.storageDir}/`))
    .map((name) => (statSync(name).isFile() ? `${name} ${readFileSync(name, 'utf8')}` : name))
}

// oxfmt-ignore
const hostile = [
  '../x', '../../../../../../../../tmp/x', '../containers-x/config.mjs', '/etc/x', 'C:\\x',
  'a\\..\\..\\x', 'x\0.txt', '..', '.', '%2e%2e%2fx', 'x'.repeat(200), 'CON', 'storage-root.json',
]

const names = suite('security: CVE-2025-22137, CVE-2026-24897, CVE-2026-41180, CVE-2025-52900')

names('should keep names from clients away from the file system', async () => {
  const before = outside()
  const shareId = await owner.init({ name: '../../x' })
  const listed = []
  for (const [place, name] of hostile.entries()) {
    const sent = await owner.chunk(shareId, name, 0, `content ${place}`, { fileName: name })
    assert.ok([200, 400].includes(sent.status), sent.body.toString())
    const size = `content ${place}`.length
    if (sent.status === 200) listed.push({ fileId: name, originalName: `file-${place}`, size })
    const file = { fileId: name, originalName: name, size: 1 }
    const refused = await owner.finalize(shareId, [file])
    assert.is(refused.status, 400, refused.body.toString())
    const other = await owner.chunk(encodeURIComponent(name), 'f', 0, 'x')
    assert.ok([404, 405].includes(other.status), `${name} ${other.status}`)
  }
  await okay(owner.finalize(shareId, listed))
  assert.equal(outside(), before)
  const made = tree(service.storageDir).filter((name) => statSync(name).isFile())
  for (const name of made) {
    if (path.basename(name) === 'storage-root.json') continue
    const relative = path.relative(service.storageDir, name)
    assert.match(
      relative,
      /^[0-9a-f]{2}\/[0-9a-f-]{36}\/([0-9a-f-]{36}\.seg|manifest\.json(\.new)?)$/,
    )
  }
})

names('should store nothing that other users of the machine may read', async () => {
  const shareId = await owner.share({ a: Buffer.alloc(400_000), b: 'small' })
  assert.is((await anonymous.get(`/api/public/shares/${shareId}`)).status, 200)
  const containers = tree(service.storageDir)
  assert.ok(containers.length > 2)
  for (const name of containers) {
    assert.is(statSync(name).mode & 0o077, 0, `${name} ${statSync(name).mode.toString(8)}`)
  }
})

const served = suite('security: CVE-2023-37474')

served('should serve only files in the static folder', async () => {
  assert.is((await anonymous.get('/static/icon.svg')).status, 200)
  for (const name of [
    '..%2fpackage.json',
    '%2e%2e%2fpackage.json',
    '%2e%2e/package.json',
    '..%5cpackage.json',
    '....//package.json',
    '%252e%252e%252fpackage.json',
    '%c0%ae%c0%ae%c0%afpackage.json',
    'icon.svg%00.css',
    'icon.svg%2f..%2f..%2fpackage.json',
    'app%2fmanifest.json',
    'app/manifest.json',
    'app/..%2ficon.svg',
    '/etc/passwd',
    '.hidden',
    'ICON.SVG',
  ]) {
    assertError(await anonymous.get(`/static/${name}`), 404)
  }
})
