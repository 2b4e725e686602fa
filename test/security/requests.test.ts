// Requests of attackers. See security.md, part 1: the ids are the suites' names.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operations } from '../../src/operations.ts'
import type { Client } from '../helpers/client.ts'
import { enableSecondFactor } from '../helpers/second-factor.ts'
import { adminEmail, adminPassword, startService, type Service } from '../helpers/service.ts'
import { assertError } from '../contract/shapes.ts'

let service: Service
let owner: Client
let anonymous: Client

async function start(env: Record<string, string> = {}): Promise<void> {
  service = await startService({ env: { RATE_LIMIT_LOGIN: 'off', ...env } })
  owner = await service.admin()
  anonymous = service.client()
}
async function stop(): Promise<void> {
  await owner.close()
  await anonymous.close()
  await service.stop()
}

const credentials = { email: adminEmail, password: adminPassword }

// ---

const crossSite = suite('security: CVE-2026-29084')
crossSite.before(() => start())
crossSite.after(stop)

for (const { id, method, path } of operations.filter((declared) => declared.method !== 'GET')) {
  crossSite(`should refuse ${id} when another site sends it with the cookie`, async () => {
    const cookie = `session=${owner.token}`
    const target = path.replaceAll(/\{\w+\}/g, 'AAAAAAAAAAAAAAAAAAAAAA')
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.test' },
      { origin: 'null' },
    ]) {
      for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
        const all = { ...headers, cookie, 'content-type': type }
        const answer = await anonymous.call(method, target, { headers: all as never, body: '{}' })
        assertError(answer, 403, 'cross_site')
      }
    }
  })
}
crossSite.run()

// ---

const forged = suite('security: CVE-2026-54089')
forged.before(() => start({ RATE_LIMIT_LOGIN: '2/15m' }))
forged.after(stop)

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
  const log = service.logLines.join('')
  assert.not.match(log, /203\.0\.113\.9|evil\.test/)
})

forged('should build links from BASE_URL, never from Host', async () => {
  const files = { files: [] }
  const path = `/api/shares/${await owner.init()}/finalize`
  const answer = await owner.post(path, files, { host: 'evil.test' })
  assert.not.match(answer.body.toString(), /evil/)
  assert.not.match((await owner.get('/api/shares', { host: 'evil.test' })).body.toString(), /evil/)
})
forged.run()

// ---

const reflected = suite('security: CVE-2023-38501')
reflected.before(() => start())
reflected.after(stop)

reflected('should let no name or query into the header fields of an answer', async () => {
  const name = `a\u2028"';<script>.txt`
  const shareId = await owner.share({ [name]: 'content' }, { name: `x"\u0085;y'` })
  const [{ id: fileId }] = (await anonymous.get(`/api/public/shares/${shareId}`)).json().files
  for (const path of [
    `/api/shares/${shareId}/files/${fileId}`,
    `/api/shares/${shareId}/download`,
    `/api/shares/${shareId}/download?x=%0d%0aSet-Cookie:%20a=b`,
    `/s/${shareId}?x=%0d%0aSet-Cookie:%20a=b`,
    '/nothing%0d%0aSet-Cookie:%20a=b?<script>',
    '/api/nothing?"><script>alert(1)</script>',
  ]) {
    const answer = await anonymous.get(path)
    for (const [header, value] of Object.entries(answer.headers)) {
      assert.match(String(value), /^[\x20-\x7e]*$/, header)
      assert.not.match(String(value), /a=b|<script>/)
    }
    if (!path.includes('/files/') && !path.includes('/download')) {
      assert.not.match(answer.body.toString(), /<script>alert|<script>\.txt/)
    }
  }
})

for (const type of [
  'text/html',
  'image/svg+xml',
  'application/xhtml+xml',
  'text/xml',
  'application/javascript',
]) {
  reflected(`should never show ${type} of a user on our own address`, async () => {
    const shareId = await owner.init()
    await owner.chunk(shareId, 'f', 0, '<script>1</script>')
    const file = { fileId: 'f', originalName: 'x.html', size: 18, mimeType: type }
    await owner.finalize(shareId, [file])
    const [{ id: fileId }] = (await anonymous.get(`/api/public/shares/${shareId}`)).json().files
    for (const query of ['', '?inline=1']) {
      const { headers } = await anonymous.get(`/api/shares/${shareId}/files/${fileId}${query}`)
      assert.match(String(headers['content-disposition']), /^attachment/)
      assert.is(headers['x-content-type-options'], 'nosniff')
      assert.match(String(headers['content-security-policy']), /\bsandbox\b/)
    }
  })
}
reflected.run()

// ---

const ended = suite('security: CVE-2025-53826')
ended.before(() => start())
ended.after(stop)

ended('should refuse the token of a signed-out session, as Bearer and as cookie', async () => {
  const client = await service.admin()
  await client.post('/api/auth/logout')
  assertError(await client.get('/api/shares'), 401)
  assertError(await anonymous.get('/api/shares', { cookie: `session=${client.token}` }), 401)
  await client.close()
})

ended('should check demotion and disabling at the next request (CVE-2026-29061)', async () => {
  const user = await service.user('demoted@example.org', { isAdmin: true })
  assert.is((await user.get('/api/users')).status, 200)
  const users: { id: number; email: string }[] = (await owner.get('/api/users')).json()
  const path = `/api/users/${users.find(({ email }) => email === 'demoted@example.org')?.id}`
  await owner.call('PUT', path, { json: { is_admin: false } })
  assertError(await user.get('/api/users'), 403, 'forbidden')
  assert.is((await user.get('/api/shares')).status, 200)
  const draft = (await user.post('/api/shares/init')).json()
  await owner.call('PUT', path, { json: { disabled: true } })
  assertError(await user.get('/api/shares'), 401)
  const uploader = service.client()
  uploader.token = draft.uploadToken
  assertError(await uploader.chunk(draft.shareId, 'f', 0, 'x'), 404)
  for (const client of [user, uploader]) await client.close()
})
ended.run()

// ---

const recovery = suite('security: CVE-2022-36071')
recovery.before(() => start())
recovery.after(stop)

recovery('should accept recovery codes only while the second factor is on, and once', async () => {
  await (await service.user('codes@example.org')).close()
  const factor = await enableSecondFactor(service, 'codes@example.org')
  const account = { email: 'codes@example.org', password: 'password of codes@example.org' }
  const use = (recoveryCode = '') =>
    anonymous.post('/api/auth/verify-2fa', { ...account, recoveryCode })
  await service.database.sql`update second_factors set enabled_at = null`
  assertError(await use(factor.recoveryCodes[0]), 401)
  await service.database.sql`update second_factors set enabled_at = now()`
  assert.is((await use(factor.recoveryCodes[0])).status, 200)
  assertError(await use(factor.recoveryCodes[0]), 401)
})
recovery.run()

// ---

const unlocks = suite('security: unlock attempts')
unlocks.before(() => start())
unlocks.after(stop)

unlocks('should stop after 20 failures of an address on a share, for a while', async () => {
  const shareId = await owner.share({ a: 'content' }, { password: 'pw' })
  const other = await owner.share({ a: 'content' }, { password: 'pw' })
  const attempt = (password: string, id = shareId) =>
    anonymous.post(`/api/shares/${id}/verify`, { password })
  assert.is((await attempt('pw')).status, 200)
  const answers = await Promise.all(Array.from({ length: 25 }, () => attempt('wrong')))
  assert.is(answers.filter((answer) => answer.status === 401).length, 20)
  const refused = await attempt('pw')
  assertError(refused, 429, 'rate_limited')
  assert.is(refused.headers['retry-after'], '900')
  assert.is((await attempt('pw', other)).status, 200)
  service.clock.advance(15 * 60_000)
  assert.is((await attempt('pw')).status, 200)
})
unlocks.run()
