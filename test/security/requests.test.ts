// Requests of attackers. See security.md, part 1: the ids are the suites' names.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operations } from '../../src/routes.ts'
import { assertError } from '../contract/shapes.ts'
import type { Client } from '../helpers/client.ts'
import { sessionCookie } from '../helpers/cookies.ts'
import { adminEmail, adminPassword, type Service, startService } from '../helpers/service.ts'

let service: Service
let owner: Client
let anonymous: Client

async function start(env: Record<string, string> = {}): Promise<void> {
  service = await startService({ env: { RATE_LIMIT_LOGIN: 'off', ...env } })
  owner = await service.admin()
  anonymous = service.client()
}
const stop = () => service.stop()

const credentials = { email: adminEmail, password: adminPassword }

// ---

const crossSite = suite('security: CVE-2026-29084')
crossSite.before(() => start())
crossSite.after(stop)

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
