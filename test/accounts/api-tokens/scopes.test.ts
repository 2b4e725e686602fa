// API tokens against every operation with every scope, and what no token may do.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { tokenScopes, type TokenScope } from '../../../src/lib/actor.ts'
import { operations } from '../../../src/routes.ts'
import type { Client } from '../../helpers/client.ts'
import { description } from '../../helpers/description.ts'
import { startService, type Service } from '../../helpers/service.ts'
import { startMailServer, useMailServer, type MailServer } from '../../email/mail-server.ts'
import { apiTokenOf, assertRefused, person, type Person } from '../people.ts'

const scopes = suite('API tokens: scopes')
let service: Service
let server: MailServer
let admin: Client
/** An administrator's tokens of one scope each. */
const tokens = new Map<TokenScope, Client>()

scopes.before(async () => {
  service = await startService({ env: { RATE_LIMIT_LOGIN: 'off', RATE_LIMIT_DOWNLOAD: 'off' } })
  server = await startMailServer()
  admin = await service.admin()
  for (const scope of tokenScopes) {
    tokens.set(scope, await apiTokenOf(service, admin, { scopes: [scope] }))
  }
})
scopes.after(async () => {
  for (const client of [admin, ...tokens.values()]) await client.close()
  await service.stop()
  await server.stop()
})

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
      if (scope === 'session') assertRefused(answer, 403, 'api_token_not_allowed')
      else if (own === scope) assert.not.equal(answer.status, 403, answer.body.toString())
      else {
        assertRefused(answer, 403, 'insufficient_scope')
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
    else assertRefused(answer, 403, 'insufficient_scope')
  }
})

scopes('should show only the branding without the scope to administer', async () => {
  const both = await apiTokenOf(service, admin, { scopes: ['read', 'administer'] })
  assert.ok('smtpHost' in (await both.get('/api/config')).json())
  assert.not.ok('smtpHost' in (await tokens.get('read')!.get('/api/config')).json())
  await both.close()
})

const account = { email: 'new@example.org', name: 'New', password: 'a long password' }

async function adminsNow(): Promise<number> {
  const users: { is_admin: boolean }[] = (await admin.get('/api/users')).json()
  return users.filter(({ is_admin: isAdmin }) => isAdmin).length
}

scopes('should let no token make an administrator, directly or through an invitation', async () => {
  const token = tokens.get('administer')!
  const ann = await person(service, 'ann@example.org')
  const invited = { email: 'invited@example.org', name: 'Invited', is_admin: true }
  const chief = (await admin.post('/api/users/invite', invited)).json()
  const before = await adminsNow()
  for (const answer of [
    await token.post('/api/users', { ...account, is_admin: true }),
    await token.post('/api/users/invite', { ...account, is_admin: true }),
    await token.call('PUT', `/api/users/${ann.id}`, { json: { is_admin: true } }),
    // The person who opens the link becomes one.
    await token.post(`/api/users/${chief.id}/invite`),
    await token.post(`/api/users/${chief.id}/password-reset`),
  ]) {
    assertRefused(answer, 403, 'api_token_not_allowed')
  }
  assert.is(await adminsNow(), before)
  await ann.client.close()
})

scopes('should let no token decide who gets into an account, or who administers', async () => {
  const token = tokens.get('administer')!
  const bob = await person(service, 'bob@example.org')
  const chief = await person(service, 'chief@example.org', { isAdmin: true })
  const put = (who: Person, json: object) => token.call('PUT', `/api/users/${who.id}`, { json })
  const thief = { email: 'thief@example.org' }
  assertRefused(await put(bob, thief), 403, 'api_token_not_allowed')
  for (const change of [thief, { name: 'x' }, { disabled: true }, { is_admin: false }]) {
    assertRefused(await put(chief, change), 403, 'api_token_not_allowed')
  }
  assertRefused(await token.delete(`/api/users/${chief.id}`), 403, 'api_token_not_allowed')
  assertRefused(await token.post(`/api/users/${bob.id}/2fa/reset`), 403, 'api_token_not_allowed')
  // Other actions of administrators on accounts stay allowed.
  const same = { email: bob.email, is_admin: false, name: 'Bob', quota: 5000, disabled: true }
  assert.is((await put(bob, same)).status, 200)
  assert.is((await put(bob, { disabled: false })).status, 200)
  assert.is((await admin.post('/api/users', account)).status, 200)
  assert.is((await token.delete(`/api/users/${bob.id}`)).status, 200)
  for (const { client } of [bob, chief]) await client.close()
})

scopes('should let no token make accounts or invitations, which would outlive it', async () => {
  const token = tokens.get('administer')!
  const newcomer = { email: 'newcomer@example.org', name: 'Newcomer' }
  const { id } = (await admin.post('/api/users/invite', newcomer)).json()
  const before = (await admin.get('/api/users')).json()
  const other = { email: 'other@example.org', name: 'Other' }
  for (const answer of [
    await token.post('/api/users', { ...other, password: 'a long password' }),
    await token.post('/api/users/invite', other),
    await token.post(`/api/users/${id}/invite`),
  ]) {
    assertRefused(answer, 403, 'api_token_not_allowed')
  }
  assert.equal((await admin.get('/api/users')).json(), before)
  assert.is((await admin.post('/api/users/invite', other)).status, 200, 'a session can')
})

scopes('should let no token hand over the shares of an account', async () => {
  const token = tokens.get('administer')!
  const [owner, heir] = [await person(service, 'owner@x.org'), await person(service, 'heir@x.org')]
  const shareId = await owner.client.share({ a: 'content' }, { password: 'secret' })
  const transfer = `/api/users/${owner.id}?transferTo=${heir.id}`
  assertRefused(await token.delete(transfer), 403, 'api_token_not_allowed')
  assert.equal((await heir.client.get('/api/shares')).json(), [])
  assert.is((await owner.client.get(`/api/shares/${shareId}`)).status, 200)
  assert.is((await admin.delete(transfer)).status, 200)
  assert.is((await heir.client.get('/api/shares')).json().length, 1)
  for (const { client } of [owner, heir]) await client.close()
})

scopes('should let no token change settings of sign-in, email or security', async () => {
  const token = tokens.get('administer')!
  await useMailServer(admin, server.port)
  const put = (json: object) => token.call('PUT', '/api/config', { json })
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
  })) {
    const answer = await put({ appName: 'Changed', [key]: value })
    assertRefused(answer, 403, 'api_token_not_allowed')
    assert.is(answer.json().field, key)
  }
  assert.equal((await admin.get('/api/config')).json(), all, 'all of it or nothing')
  assert.is((await put(all)).status, 200, 'an unchanged value is no change')
  assert.is((await put({ appName: 'By a script' })).status, 200)
})

scopes.run()
