import type { Client } from '../helpers/client.ts'
import type { AuditEvent } from '../../src/audit/events.ts'
import { operator } from '../../src/lib/actor.ts'
import { apiTokenInput, appOf, enableSecondFactor, makeApiToken } from '../accounts/people.ts'
import { Authenticator, type Misbehaviour } from '../helpers/authenticator.ts'
import { adminEmail } from '../helpers/service.ts'
import { by, type EventRow, left, nothing, own, person, row, unprepared } from './event-row.ts'
import { deadEmail } from '../email/dead-email.ts'
import type { World } from './world.ts'

const asAdmin = (event: AuditEvent, details?: object) => by(adminEmail, event, { ...details })
const signIn = (world: World, email: string, password: string) =>
  world.anonymous().post('/api/auth/login', { email, password })

type Session = { id: string; current: boolean }

async function withSession(world: World) {
  const ann = await world.person()
  const [session] = (await ann.client.get('/api/account/sessions')).json()
  return { ...ann, sessionId: session.id as string }
}

async function withOther(world: World) {
  const ann = await world.person()
  await signIn(world, ann.email, ann.password)
  const sessions = (await ann.client.get('/api/account/sessions')).json<Session[]>()
  return { ...ann, sessionId: sessions.find(({ current }) => !current)!.id }
}

async function withToken(world: World) {
  const ann = await world.person()
  return { ...ann, tokenId: (await makeApiToken(ann.client, { name: 'backup' })).id }
}

async function withThings(world: World) {
  const ann = await world.person()
  const shareId = await ann.client.share({ a: 'a' }, { name: 'Letters' })
  const reverse = (await ann.client.post('/api/reverse', { name: 'Photos' })).json()
  return { ...ann, shareId, reverseId: reverse.id as string }
}

async function withContact(world: World) {
  const ann = await world.person()
  const contact = await ann.client.post('/api/account/contacts', { email: 'eve@example.org' })
  return { ...ann, contactId: contact.json().id as string }
}

async function withSecret(world: World) {
  const ann = await world.person()
  const { secret } = (await ann.client.post('/api/auth/2fa/setup')).json()
  return { ...ann, app: appOf(world.service, secret) }
}

const addPasskey = async (client: Client, key: Authenticator) => {
  const options = await client.post('/api/passkeys/register/options')
  const made = { ...key.create(options.json()), name: 'Phone' }
  return client.post('/api/passkeys/register/verify', made)
}

async function withPasskey(world: World) {
  const ann = await world.person()
  const key = new Authenticator('http://localhost')
  const passkeyId = (await addPasskey(ann.client, key)).json().id as string
  return { ...ann, key, passkeyId }
}

const usePasskey =
  (wrong: Misbehaviour = {}) =>
  async (world: World, { key }: { key: Authenticator }) => {
    const client = world.anonymous()
    const options = (await client.post('/api/passkeys/auth/options')).json()
    return client.post('/api/passkeys/auth/verify', key.get(options, wrong))
  }

let invitations = 0

async function invited({ admin }: World) {
  const email = `invited${(invitations += 1)}@example.org`
  const { id, url } = (await admin.post('/api/users/invite', { email, name: 'Invited' })).json()
  return { id: id as number, email, token: /token=(.+)/.exec(url)![1]! }
}

async function withFactor(world: World) {
  const ann = await world.person()
  const factor = await enableSecondFactor(world.service, ann.email)
  return { ...ann, factor }
}

async function resetToken(world: World) {
  const ann = await world.person()
  await world.anonymous().post('/api/auth/password-reset/request', { email: ann.email })
  await world.settle()
  const token = /#token=(\S+)/.exec(world.mailServer.received.at(-1)?.text ?? '')?.[1]
  return { ...ann, token }
}

async function signingUp(world: World, signUp = 'open') {
  const email = `joins${(invitations += 1)}@example.org`
  await world.service.app.services.settings.update(operator, { signUp })
  await world.anonymous().post('/api/auth/sign-up/request', { email })
  await world.settle()
  const token = /#token=(\S+)/.exec(world.mailServer.received.at(-1)?.text ?? '')?.[1]
  return { email, token, name: 'New', password: 'long enough' }
}

const confirm = (world: World, { email: _email, ...json }: { readonly email: string }) =>
  world.anonymous().post('/api/auth/sign-up/confirm', json)

async function waiting(world: World) {
  const person = await signingUp(world, 'approval')
  await confirm(world, person)
  const { email } = person
  return { email, id: (await world.service.app.services.users.findByEmail(email)).id }
}

const verify = (world: World, proof: object) =>
  world.anonymous().post('/api/auth/verify-2fa', proof)
const requestReset = (world: World, email: string) =>
  world.anonymous().post('/api/auth/password-reset/request', { email })
const put = ({ admin }: World, id: number, json: object) => admin.put(`/api/users/${id}`, json)
const putConfig = ({ admin }: World, json: object) => admin.put('/api/config', json)
const newcomer = { email: 'new@example.org', name: 'New', password: 'long enough' }
const asked = { email: 'asked@example.org', name: 'Queued', is_admin: true, quota: 5 }
const failed = (step: string) => by('anonymous', 'login.failed', { step })
const usedCode = { event: 'second_factor.recovery_code_used', details: { left: 1 } } as const

// oxfmt-ignore
export const accountEvents: readonly EventRow[] = [
  row('login', 'the password is right', person,
    (world, { email, password }) => signIn(world, email, password),
    own('login.succeeded', { second_factor: 'none' })),
  row('login', 'the password is wrong', person,
    (world, { email }) => signIn(world, email, 'not the password'), failed('password')),
  row('login', 'the account does not exist', unprepared,
    (world) => signIn(world, 'nobody@example.org', 'not the password'),
    () => [left('login.failed', 'anonymous', '', 'nobody@example.org', { step: 'password' })]),
  row('login', 'a second factor is required', withFactor,
    (world, { email, password }) => signIn(world, email, password),
    by('anonymous', 'login.second_step')),
  row('verify2fa', 'the code is right', withFactor,
    (world, { email, password, factor }) => verify(world, { email, password, code: factor.code() }),
    own('login.succeeded', { second_factor: 'code' })),
  row('verify2fa', 'a recovery code is used', withFactor,
    (world, { email, password, factor }) =>
      verify(world, { email, password, recoveryCode: factor.recoveryCodes[0] }),
    ({ id, email }) => [
      { ...usedCode, by: email, target: id, name: email },
      left('login.succeeded', email, id, email, { second_factor: 'recovery_code' }),
    ]),
  row('verify2fa', 'the code is wrong', withFactor,
    (world, { email, password, factor }) =>
      verify(world, { email, password, code: factor.code(9) }),
    failed('second_factor')),
  row('logout', 'signed in', withSession,
    (_, { client }) => client.post('/api/auth/logout'),
    ({ email, sessionId }) => [left('session.logged_out', email, sessionId, '')]),
  row('confirmLogin', 'signed in', withSession,
    (_, { client, password: currentPassword }) =>
      client.post('/api/auth/confirm', { currentPassword }),
    ({ email, sessionId }) => [left('session.confirmed', email, sessionId, email)]),
  row('requestPasswordReset', 'the account exists', person,
    (world, { email }) => requestReset(world, email),
    by('anonymous', 'password.reset_requested'), true),
  row('requestPasswordReset', 'the account does not exist', unprepared,
    (world) => requestReset(world, 'nobody@example.org'), nothing),
  row('completePasswordReset', 'the link is valid', resetToken,
    (world, { token }) => world.anonymous()
      .post('/api/auth/password-reset/complete', { token, password: 'a password by mail' }),
    by('anonymous', 'password.reset_completed')),
  // The address as it was: later events are under the new one.
  row('updateAccount', 'name and address change', person,
    (_, { id, client, password: currentPassword }) => {
      const json = { name: 'Ann', email: `other${id}@example.org`, currentPassword }
      return client.patch('/api/account', json)
    },
    own('account.changed', { fields: ['email', 'name'] })),
  row('changePassword', 'the current password is right', person,
    (_, { client, password: currentPassword }) =>
      client.post('/api/account/password', { currentPassword, newPassword: 'quite another one' }),
    own('password.changed')),
  row('deleteAccount', 'it owns shares', withThings,
    (_, { client, password: currentPassword }) =>
      client.call('DELETE', '/api/account', { json: { currentPassword } }),
    ({ id, email, shareId, reverseId }) => [
      left('account.deleted', email, id, email),
      left('share.deleted', email, shareId, 'Letters'),
      left('reverse_share.deleted', email, reverseId, 'Photos'),
    ]),
  row('endOtherSessions', 'there is another session', withOther,
    (_, { client }) => client.delete('/api/account/sessions'),
    own('session.others_ended', { sessions: 1 })),
  row('endSession', 'it belongs to the account', withOther,
    (_, { client, sessionId }) => client.delete(`/api/account/sessions/${sessionId}`),
    ({ email, sessionId }) => [left('session.ended', email, sessionId, '')]),
  row('createApiToken', 'it is named', person,
    async (_, { client }) =>
      client.post('/api/tokens', await apiTokenInput(client, { name: 'backup', scopes: ['read'] })),
    ({ email }) => [
      { event: 'api_token.created', by: email, name: 'backup', details: { scopes: ['read'] } },
    ]),
  row('deleteApiToken', 'it belongs to the account', withToken,
    (_, { client, tokenId }) => client.delete(`/api/tokens/${tokenId}`),
    ({ email, tokenId }) => [left('api_token.revoked', email, tokenId, 'backup')]),
  row('enableSecondFactor', 'the code is right', withSecret,
    (_, { client, app, password: currentPassword }) =>
      client.post('/api/auth/2fa/enable', { currentPassword, code: app.code() }),
    own('second_factor.enabled')),
  row('renewRecoveryCodes', 'a code is sent', withFactor,
    (_, { client, password: currentPassword, factor }) =>
      client.post('/api/auth/2fa/recovery-codes', { currentPassword, code: factor.code() }),
    own('second_factor.recovery_codes_renewed')),
  row('disableSecondFactor', 'a recovery code is sent', withFactor,
    (_, { client, password: currentPassword, factor }) => {
      const [recoveryCode] = factor.recoveryCodes
      return client.post('/api/auth/2fa/disable', { currentPassword, recoveryCode })
    },
    ({ id, email }) => [
      { ...usedCode, by: email, target: id, name: email },
      left('second_factor.disabled', email, id, email),
    ]),
  row('registerPasskey', 'an authenticator made it', person,
    (_, { client }) => addPasskey(client, new Authenticator('http://localhost')),
    ({ email }) => [{ event: 'passkey.added', by: email, name: 'Phone' }]),
  row('renamePasskey', 'it belongs to the account', withPasskey,
    (_, { client, passkeyId }) =>
      client.patch(`/api/passkeys/${passkeyId}`, { name: 'Tablet' }),
    ({ email, passkeyId }) => [left('passkey.changed', email, passkeyId, 'Tablet')]),
  row('deletePasskey', 'it belongs to the account', withPasskey,
    (_, { client, passkeyId }) => client.delete(`/api/passkeys/${passkeyId}`),
    ({ email, passkeyId }) => [left('passkey.removed', email, passkeyId, 'Phone')]),
  row('signInWithPasskey', 'the signature is right', withPasskey, usePasskey(),
    own('login.succeeded', { second_factor: 'passkey' })),
  row('signInWithPasskey', 'the user was not verified', withPasskey,
    usePasskey({ isVerified: false }), failed('passkey')),
  row('signInWithPasskey', 'it may be a copy', withPasskey, usePasskey({ counter: 0 }),
    ({ id, email, passkeyId }) => [
      left('passkey.refused', 'anonymous', passkeyId, 'Phone'),
      left('login.failed', 'anonymous', id, email, { step: 'passkey' }),
    ]),
  row('addContact', 'it is a new address', person,
    (_, { client }) =>
      client.post('/api/account/contacts', { email: 'eve@example.org', name: 'Eve' }),
    ({ email }) => [{ event: 'contact.added', by: email, name: '' }]),
  row('updateContact', 'the name changes', withContact,
    (_, { client, contactId }) =>
      client.patch(`/api/account/contacts/${contactId}`, { name: 'Eva' }),
    ({ email, contactId }) => [
      { event: 'contact.changed', by: email, target: contactId, details: { fields: ['name'] } },
    ]),
  row('deleteContact', 'it belongs to the account', withContact,
    (_, { client, contactId }) => client.delete(`/api/account/contacts/${contactId}`),
    ({ email, contactId }) => [{ event: 'contact.removed', by: email, target: contactId }]),
  row('putPreferences', 'another value is chosen', person,
    (_, { client }) => {
      const json = { expirationVal: 2, expirationUnit: 'Weeks', message: 'a private note' }
      return client.put('/api/account/preferences', json)
    },
    own('account.changed', { fields: ['expirationVal', 'expirationUnit', 'message'] })),
]

/** What administrators do to accounts and settings. */
// oxfmt-ignore
export const userEvents: readonly EventRow[] = [
  row('resetUserSecondFactor', 'the account has one', withFactor,
    ({ admin }, { id }) => admin.post(`/api/users/${id}/2fa/reset`),
    asAdmin('second_factor.reset')),
  row('createUser', 'an administrator creates it', unprepared,
    ({ admin }) => admin.post('/api/users', { ...newcomer, is_admin: true }),
    () => [
      { event: 'user.created', by: adminEmail, name: newcomer.email, details: { is_admin: true } },
    ]),
  row('updateUser', 'rights and name change', person,
    (world, { id }) => put(world, id, { name: 'Renamed', is_admin: true }),
    asAdmin('user.changed', { fields: ['name', 'is_admin'], is_admin: true })),
  row('updateUser', 'it is disabled', person,
    (world, { id }) => put(world, id, { disabled: true }), asAdmin('user.disabled')),
  row('updateUser', 'it is enabled',
    async (world) => {
      const ann = await world.person()
      await put(world, ann.id, { disabled: true })
      return ann
    },
    (world, { id }) => put(world, id, { disabled: false }), asAdmin('user.enabled')),
  row('updateUser', 'it waits for approval', waiting,
    (world, { id }) => put(world, id, { disabled: false }), asAdmin('user.approved')),
  row('deleteUser', 'it waits for approval', waiting,
    ({ admin }, { id }) => admin.delete(`/api/users/${id}`), asAdmin('user.declined')),
  row('confirmSignUp', 'the link is valid', signingUp, confirm,
    ({ email: name }) => [
      { event: 'user.signed_up', by: 'anonymous', name, details: { waiting: false } },
      { event: 'login.succeeded', by: name, name, details: { second_factor: 'none' } },
    ]),
  row('updateUser', 'nothing changes', person,
    (world, { id, email }) => put(world, id, { email, disabled: false }), nothing),
  row('deleteUser', 'its shares go to another account',
    async (world) => ({ ...(await withThings(world)), heir: await world.person() }),
    ({ admin }, { id, heir }) => admin.delete(`/api/users/${id}?transferTo=${heir.id}`),
    ({ id, email, heir }) => [
      left('user.deleted', adminEmail, id, email, { transferred_to: heir.id }),
    ]),
  row('inviteUser', 'an administrator invites', unprepared,
    ({ admin }) => admin.post('/api/users/invite', asked),
    () => {
      const details = { is_admin: true, mailed: true }
      return [{ event: 'user.invited', by: adminEmail, name: asked.email, details }]
    }),
  row('inviteUserAgain', 'it was not accepted yet', invited,
    ({ admin }, { id }) => admin.post(`/api/users/${id}/invite`),
    asAdmin('user.invited_again', { mailed: true })),
  row('acceptInvitation', 'the link is valid', invited,
    (world, { token }) =>
      world.anonymous().post('/api/auth/invitation/accept', { token, password: 'long enough' }),
    ({ id, email }) => [
      left('user.invitation_accepted', 'anonymous', id, email),
      left('login.succeeded', email, id, email, { second_factor: 'none' }),
    ]),
  row('createResetLink', 'the account has a password', person,
    ({ admin }, { id }) => admin.post(`/api/users/${id}/password-reset`),
    asAdmin('password.link_made', { mailed: true })),
  row('updateConfig', 'some of the values are new', unprepared,
    (world) => putConfig(world, { welcomeText: 'Hello', appName: 'Transfer', myOwn: 'my value' }),
    () => [
      { event: 'settings.changed', by: adminEmail, details: { keys: ['welcomeText', 'myOwn'] } },
    ]),
  row('updateConfig', 'unchanged values are written back',
    async ({ admin }) => (await admin.get('/api/config')).json() as object, putConfig, nothing),
  row('testMail', 'email is configured', unprepared,
    ({ admin }) => admin.post('/api/admin/mail/test', { to: 'me@example.org' }),
    () => [{ event: 'mail.tested', by: adminEmail, name: 'me@example.org' }]),
  row('retryMail', 'it is a dead email', ({ service }) => deadEmail(service),
    ({ admin }, id) => admin.post(`/api/admin/mail/${id}/retry`),
    (id) => [left('mail.retried', adminEmail, id, 'lost@example.org')]),
]
