import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError, type Client } from '../../helpers/client.ts'
import { type TokenScope, tokenScopes } from '../../../src/lib/actor.ts'
import { operations } from '../../../src/routes.ts'
import { startMailServer, useMailServer } from '../../email/mail-server.ts'
import { adminPassword, startService } from '../../helpers/service.ts'
import { description } from '../../helpers/description.ts'
import { apiTokenOf, person } from '../people.ts'

const scopes = suite('API tokens: scopes')
const tokens = new Map<TokenScope, Client>()

const service = await startService({ env: { RATE_LIMIT_LOGIN: 'off', RATE_LIMIT_DOWNLOAD: 'off' } })
const server = await startMailServer()
const admin = await service.admin()
for (const scope of tokenScopes) {
  tokens.set(scope, await apiTokenOf(service, admin, { scopes: [scope] }))
}

/** Well-formed ids of nothing. */
const things: Readonly<Record<string, string>> = {
  shareId: 'AAAAAAAAAAAAAAAAAAAAAA',
  reverseId: 'AAAAAAAAAAAAAAAAAAAAAA',
  fileId: '999999',
  userId: '999999',
}
const nowhere = '00000000-0000-4000-8000-000000000000'
const ofAccounts = operations.filter(({ auth }) => auth !== 'none')

scopes('should cover operations for accounts, and public ones called as owner', () => {
  for (const { id, auth, scope, query } of operations) {
    const isForOwners = JSON.stringify(query ?? {}).includes('"owner"')
    assert.is(scope !== undefined, auth !== 'none' || isForOwners, id)
    if (auth === 'admin') assert.ok(['administer', 'metrics', 'session'].includes(scope!), id)
  }
})

for (const { id, method, path, scope } of ofAccounts) {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => things[name] ?? nowhere)

  scopes(`should admit only tokens with the scope ${scope} to ${id}`, async () => {
    for (const [own, client] of tokens) {
      const answer = await client.call(method, address)
      if (scope === 'session') assertError(answer, 403, 'api_token_not_allowed')
      else if (own === scope) assert.not.equal(answer.status, 403, answer.body.toString())
      else {
        assertError(answer, 403, 'insufficient_scope')
        assert.is(answer.json().scope, scope)
      }
    }
    const described = description['paths'][path][method.toLowerCase()]
    assert.equal(described.security[0], { bearer: [scope] })
  })
}

scopes('should read as the owner of a share only with the scope read', async () => {
  const shareId = await admin.share({ 'a.txt': 'content' }, { password: 'a password' })
  for (const [own, client] of tokens) {
    const answer = await client.get(`/api/shares/${shareId}/download?as=owner`)
    if (own === 'read') assert.is(answer.status, 200)
    else assertError(answer, 403, 'insufficient_scope')
  }
})

scopes('should show only the branding without the scope to administer', async () => {
  const both = await apiTokenOf(service, admin, { scopes: ['read', 'administer'] })
  assert.ok('smtpHost' in (await both.get('/api/config')).json())
  assert.not.ok('smtpHost' in (await tokens.get('read')!.get('/api/config')).json())
})

scopes('should let no token decide who gets into an account, or who administers', async () => {
  const token = tokens.get('administer')!
  const [bob, heir] = [await person(service, 'bob@x.org'), await person(service, 'heir@x.org')]
  const chief = await person(service, 'chief@x.org', { isAdmin: true })
  const put = (who: { id: number }, json: object) => token.put(`/api/users/${who.id}`, json)
  const thief = { email: 'thief@example.org' }
  const change = { ...thief, currentPassword: adminPassword }
  const before = (await admin.get('/api/users')).json()
  for (const answer of [
    await token.delete(`/api/users/${bob.id}?transferTo=${heir.id}`),
    await token.delete(`/api/users/${chief.id}`),
    await tokens.get('manage')!.patch('/api/account', change),
    await put(bob, thief),
    await put(bob, { password: 'a long password' }),
    await put(bob, { is_admin: true }),
    await put(chief, { name: 'x' }),
    await put(chief, { disabled: true }),
    await put(chief, { is_admin: false }),
  ]) {
    assertError(answer, 403, 'api_token_not_allowed')
  }
  assert.equal((await admin.get('/api/users')).json(), before)
  // Other actions of administrators on accounts stay allowed.
  const same = { email: bob.email, is_admin: false, name: 'Bob', quota: 5000, disabled: true }
  assert.is((await put(bob, same)).status, 200)
  assert.is((await token.delete(`/api/users/${bob.id}`)).status, 200)
})

scopes('should let no token change settings of sign-in, email or security', async () => {
  const token = tokens.get('administer')!
  await useMailServer(admin, server.port)
  const put = (json: object) => token.put('/api/config', json)
  const all = (await admin.get('/api/config')).json()
  for (const [key, value] of Object.entries({
    smtpHost: 'evil.example.org',
    smtpPort: 2525,
    smtpSecurity: 'tls',
    smtpUser: 'thief',
    smtpPassword: 'known to the thief',
    smtpFrom: 'thief@example.org',
    require2FA: true,
    sessionLifeDays: 365,
    auditDays: 30,
    shownAddresses: 'hidden',
    blockedExtensions: ['exe'],
    blockedExtensionsGuests: ['exe'],
    emailsHeld: true,
  })) {
    const answer = await put({ appName: 'Changed', [key]: value })
    assertError(answer, 403, 'api_token_not_allowed')
    assert.is(answer.json().field, key)
  }
  assert.equal((await admin.get('/api/config')).json(), all, 'all of it or nothing')
  assert.is((await put(all)).status, 200, 'an unchanged value is no change')
  assert.is((await put({ appName: 'By a script' })).status, 200)
})
