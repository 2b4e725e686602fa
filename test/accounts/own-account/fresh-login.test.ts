// Changes that would make a stolen session permanent need the password entered within an hour.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Answer, Client } from '../../helpers/client.ts'
import { adminPassword, startService, type Service } from '../../helpers/service.ts'
import { apiTokenOf, assertRefused, enrol, person, type Person } from '../people.ts'

const fresh = suite('account: recent sign-ins')
const hourMs = 60 * 60_000
const newcomer = { email: 'new@example.org', name: 'New', password: 'a long password' }
let service: Service
let thief: Client
let ann: Person
let chief: Person
let invited = 0

fresh.before(async () => {
  service = await startService()
  thief = await service.admin()
  ann = await person(service, 'ann@example.org')
  chief = await person(service, 'chief@example.org', { isAdmin: true })
  const asked = { email: 'asked@example.org', name: 'Queued' }
  invited = (await thief.post('/api/users/invite', asked)).json().id
})
fresh.before.each(async () => {
  await confirm(thief)
  service.clock.advance(hourMs)
})
fresh.after(async () => {
  for (const client of [thief, ann.client, chief.client]) await client.close()
  await service.stop()
})

function confirm(client: Client, proof: object = {}): Promise<Answer> {
  return client.post('/api/auth/confirm', { currentPassword: adminPassword, ...proof })
}

const put = (who: Person, json: object) => thief.call('PUT', `/api/users/${who.id}`, { json })
const set = (json: object) => thief.call('PUT', '/api/config', { json })
const guarded: readonly (readonly [name: string, send: () => Promise<Answer>])[] = [
  ['a new administrator', () => thief.post('/api/users', { ...newcomer, is_admin: true })],
  [
    'an invited administrator',
    () => thief.post('/api/users/invite', { email: 'i@example.org', name: 'I', is_admin: true }),
  ],
  ['another invitation', () => thief.post(`/api/users/${invited}/invite`)],
  ['a promotion', () => put(ann, { is_admin: true })],
  ['a new address for an account', () => put(ann, { email: 'thief@example.org' })],
  ['a new password for an account', () => put(ann, { password: 'a long password' })],
  ['disabling an administrator', () => put(chief, { disabled: true })],
  ['deleting an administrator', () => thief.delete(`/api/users/${chief.id}`)],
  [
    'handing shares to another account',
    () => thief.delete(`/api/users/${ann.id}?transferTo=${chief.id}`),
  ],
  ['a link to set a password', () => thief.post(`/api/users/${ann.id}/password-reset`)],
  ['resetting a second factor', () => thief.post(`/api/users/${ann.id}/2fa/reset`)],
  ['another mail server', () => set({ smtpHost: 'thief.example.org', smtpPassword: 'x' })],
  ['no mail server', () => set({ smtpFrom: 'thief@example.org' })],
  ['requiring a second factor', () => set({ require2FA: true })],
  ['shortening the audit log', () => set({ auditDays: 30 })],
]

for (const [name, send] of guarded) {
  fresh(`should require the password of an old session for ${name}`, async () => {
    const before = await stateNow()
    assertRefused(await send(), 403, 'confirmation_required')
    assert.equal(await stateNow(), before)
  })
}

async function stateNow(): Promise<unknown> {
  const [users, config] = [await thief.get('/api/users'), await thief.get('/api/config')]
  return [users.json(), config.json()]
}

fresh('should allow old sessions the other actions of administrators', async () => {
  for (const answer of [
    await thief.post('/api/users', newcomer),
    await put(ann, { name: 'Ann', quota: 5_000, email: ann.email, is_admin: false }),
    await put(ann, { disabled: true }),
    await put(ann, { disabled: false }),
    await put(chief, { name: 'chief@example.org', is_admin: true, disabled: false }),
    await set({ appName: 'Ours', auditDays: (await thief.get('/api/config')).json().auditDays }),
  ]) {
    assert.is(answer.status, 200, answer.body.toString())
  }
  const [created] = (await thief.get('/api/users')).json()
  assert.is((await thief.delete(`/api/users/${created.id}`)).status, 200)
})

fresh('should work again for an hour after the password was entered', async () => {
  assert.is((await confirm(thief)).status, 200)
  service.clock.advance(hourMs - 1)
  assert.is((await put(ann, { email: 'ann2@example.org' })).status, 200)
  service.clock.advance(1)
  assertRefused(await put(ann, { email: 'ann@example.org' }), 403, 'confirmation_required')
  service.clock.advance(-2 * hourMs)
  assertRefused(await put(ann, { email: 'ann@example.org' }), 403, 'confirmation_required')
  service.clock.advance(2 * hourMs)
})

fresh('should confirm a session only with the password of its own account', async () => {
  const other = await service.admin()
  service.clock.advance(hourMs)
  const wrong = await confirm(other, { currentPassword: 'wrong' })
  assertRefused(wrong, 400, 'wrong_current_password')
  assert.is((await confirm(other)).status, 200)
  const json = { require2FA: false, auditDays: 365 }
  assert.is((await other.call('PUT', '/api/config', { json })).status, 200)
  assertRefused(await put(ann, { is_admin: true }), 403, 'confirmation_required')
  const token = await apiTokenOf(service, other, { scopes: ['administer', 'manage'] })
  assertRefused(await confirm(token), 403, 'api_token_not_allowed')
  for (const client of [other, token]) await client.close()
})

fresh('should also require the code when there is a second factor', async () => {
  const carol = await person(service, 'carol@example.org', { isAdmin: true })
  const { recoveryCodes } = await enrol(service, carol.client)
  service.clock.advance(hourMs)
  const proof = { currentPassword: carol.password }
  const without = await confirm(carol.client, proof)
  assert.equal([without.status, without.json().field], [400, 'code'])
  const path = `/api/users/${ann.id}/2fa/reset`
  assertRefused(await carol.client.post(path), 403, 'confirmation_required')
  const recoveryCode = recoveryCodes[0]!
  assert.is((await confirm(carol.client, { ...proof, recoveryCode })).status, 200)
  assert.is.not((await carol.client.post(path)).status, 403)
  await carol.client.close()
})

fresh.run()
