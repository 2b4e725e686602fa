// Events of accounts, sign-ins, settings and email.
import { operator } from '../../src/lib/actor.ts'
import { App } from '../accounts/people.ts'
import { apiTokenInput, makeApiToken } from '../helpers/api-token.ts'
import { adminEmail } from '../helpers/service.ts'
import { enableSecondFactor } from '../helpers/second-factor.ts'
import { failedSignIn, left, nothing, row, type EventRow } from './event-row.ts'
import { deadEmail, type World } from './world.ts'

const unprepared = async () => null
const person = (world: World) => world.person()
const signIn = (world: World, email: string, password: string) =>
  world.anonymous().post('/api/auth/login', { email, password })

/** An account with the id of its session. */
async function withSession(world: World) {
  const ann = await world.person()
  const [session] = (await ann.client.get('/api/account/sessions')).json()
  return { ...ann, sessionId: session.id as string }
}

/** An account with an authenticator app and its unused codes. */
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

export const loginEvents: readonly EventRow[] = [
  row({
    id: 'login',
    when: 'the password is right',
    prepare: person,
    act: (world, { email, password }) => signIn(world, email, password),
    leaves: ({ id, email }) => [
      left('login.succeeded', email, id, email, { second_factor: 'none' }),
    ],
  }),
  row({
    id: 'login',
    when: 'the password is wrong',
    prepare: person,
    act: (world, { email }) => signIn(world, email, 'not the password'),
    leaves: failedSignIn('password'),
  }),
  row({
    id: 'login',
    when: 'the account does not exist',
    prepare: unprepared,
    act: (world) => signIn(world, 'nobody@example.org', 'not the password'),
    leaves: () => [
      left('login.failed', 'anonymous', '', 'nobody@example.org', { step: 'password' }),
    ],
  }),
  row({
    id: 'login',
    when: 'a second factor is required',
    prepare: withFactor,
    act: (world, { email, password }) => signIn(world, email, password),
    leaves: ({ id, email }) => [left('login.second_step', 'anonymous', id, email)],
  }),
  row({
    id: 'verify2fa',
    when: 'the code is right',
    prepare: withFactor,
    act: (world, { email, password, factor }) =>
      world.anonymous().post('/api/auth/verify-2fa', { email, password, code: factor.code() }),
    leaves: ({ id, email }) => [
      left('login.succeeded', email, id, email, { second_factor: 'code' }),
    ],
  }),
  row({
    id: 'verify2fa',
    when: 'a recovery code is used',
    prepare: withFactor,
    act: (world, { email, password, factor }) => {
      const [recoveryCode] = factor.recoveryCodes
      return world.anonymous().post('/api/auth/verify-2fa', { email, password, recoveryCode })
    },
    leaves: ({ id, email }) => [
      left('second_factor.recovery_code_used', email, id, email, { left: 1 }),
      left('login.succeeded', email, id, email, { second_factor: 'recovery_code' }),
    ],
  }),
  row({
    id: 'verify2fa',
    when: 'the code is wrong',
    prepare: withFactor,
    act: (world, { email, password, factor }) =>
      world.anonymous().post('/api/auth/verify-2fa', { email, password, code: factor.code(9) }),
    leaves: failedSignIn('second_factor'),
  }),
  row({
    id: 'logout',
    when: 'logged in',
    prepare: withSession,
    act: (_world, { client }) => client.post('/api/auth/logout'),
    leaves: ({ email, sessionId }) => [left('session.logged_out', email, sessionId, '')],
  }),
  row({
    id: 'confirmLogin',
    when: 'logged in',
    prepare: withSession,
    act: (_world, { client, password }) =>
      client.post('/api/auth/confirm', { currentPassword: password }),
    leaves: ({ email, sessionId }) => [left('session.confirmed', email, sessionId, email)],
  }),
  row({
    id: 'requestPasswordReset',
    when: 'the account exists',
    prepare: person,
    act: (world, { email }) =>
      world.anonymous().post('/api/auth/password-reset/request', { email }),
    leaves: ({ id, email }) => [left('password.reset_requested', 'anonymous', id, email)],
    leftover: true,
  }),
  row({
    id: 'requestPasswordReset',
    when: 'the account does not exist',
    prepare: unprepared,
    act: (world) =>
      world.anonymous().post('/api/auth/password-reset/request', { email: 'nobody@example.org' }),
    leaves: nothing,
  }),
  row({
    id: 'completePasswordReset',
    when: 'the link is valid',
    prepare: resetToken,
    act: (world, { token }) =>
      world
        .anonymous()
        .post('/api/auth/password-reset/complete', { token, password: 'a password by mail' }),
    leaves: ({ id, email }) => [left('password.reset_completed', 'anonymous', id, email)],
  }),
]

export const accountEvents: readonly EventRow[] = [
  row({
    id: 'updateAccount',
    when: 'the name changes',
    prepare: person,
    act: (_world, { client }) => client.call('PATCH', '/api/account', { json: { name: 'Ann' } }),
    leaves: ({ id, email }) => [left('account.changed', email, id, email, { fields: ['name'] })],
  }),
  row({
    id: 'updateAccount',
    when: 'the address changes',
    prepare: person,
    act: (_world, { id, client, password: currentPassword }) => {
      const json = { email: `other${id}@example.org`, currentPassword }
      return client.call('PATCH', '/api/account', { json })
    },
    // The address as it was: later events are under the new one.
    leaves: ({ id, email }) => [left('account.changed', email, id, email, { fields: ['email'] })],
  }),
  row({
    id: 'changePassword',
    when: 'the current password is right',
    prepare: person,
    act: (_world, { client, password: currentPassword }) =>
      client.post('/api/account/password', { currentPassword, newPassword: 'quite another one' }),
    leaves: ({ id, email }) => [left('password.changed', email, id, email)],
  }),
  row({
    id: 'deleteAccount',
    when: 'it owns shares',
    prepare: async (world) => {
      const ann = await world.person()
      const shareId = await ann.client.share({ a: 'a' }, { name: 'Letters' })
      const reverse = (await ann.client.post('/api/reverse', { name: 'Photos' })).json()
      return { ...ann, shareId, reverseId: reverse.id as string }
    },
    act: (_world, { client, password: currentPassword }) =>
      client.call('DELETE', '/api/account', { json: { currentPassword } }),
    leaves: ({ id, email, shareId, reverseId }) => [
      left('account.deleted', email, id, email),
      left('share.deleted', email, shareId, 'Letters'),
      left('reverse_share.deleted', email, reverseId, 'Photos'),
    ],
  }),
  row({
    id: 'endOtherSessions',
    when: 'there is another session',
    prepare: async (world) => {
      const ann = await world.person()
      await signIn(world, ann.email, ann.password)
      return ann
    },
    act: (_world, { client }) => client.delete('/api/account/sessions'),
    leaves: ({ id, email }) => [left('session.others_ended', email, id, email, { sessions: 1 })],
  }),
  row({
    id: 'endSession',
    when: 'it belongs to the account',
    prepare: async (world) => {
      const ann = await world.person()
      await signIn(world, ann.email, ann.password)
      const sessions = (await ann.client.get('/api/account/sessions')).json<
        { id: string; current: boolean }[]
      >()
      return { ...ann, sessionId: sessions.find(({ current }) => !current)!.id }
    },
    act: (_world, { client, sessionId }) => client.delete(`/api/account/sessions/${sessionId}`),
    leaves: ({ email, sessionId }) => [left('session.ended', email, sessionId, '')],
  }),
  row({
    id: 'createApiToken',
    when: 'it is named',
    prepare: person,
    act: async (_world, { client }) =>
      client.post('/api/tokens', await apiTokenInput(client, { name: 'backup', scopes: ['read'] })),
    leaves: ({ email }) => [
      { event: 'api_token.created', by: email, name: 'backup', details: { scopes: ['read'] } },
    ],
  }),
  row({
    id: 'deleteApiToken',
    when: 'it belongs to the account',
    prepare: async (world) => {
      const ann = await world.person()
      return { ...ann, tokenId: (await makeApiToken(ann.client, { name: 'backup' })).id }
    },
    act: (_world, { client, tokenId }) => client.delete(`/api/tokens/${tokenId}`),
    leaves: ({ email, tokenId }) => [left('api_token.revoked', email, tokenId, 'backup')],
  }),
  row({
    id: 'enableSecondFactor',
    when: 'the code is right',
    prepare: async (world) => {
      const ann = await world.person()
      const { secret } = (await ann.client.post('/api/auth/2fa/setup')).json()
      return { ...ann, app: new App(world.service, secret) }
    },
    act: (_world, { client, app, password: currentPassword }) =>
      client.post('/api/auth/2fa/enable', { currentPassword, code: app.code() }),
    leaves: ({ id, email }) => [left('second_factor.enabled', email, id, email)],
  }),
  row({
    id: 'renewRecoveryCodes',
    when: 'a code is sent',
    prepare: withFactor,
    act: (_world, { client, password: currentPassword, factor }) =>
      client.post('/api/auth/2fa/recovery-codes', { currentPassword, code: factor.code() }),
    leaves: ({ id, email }) => [left('second_factor.recovery_codes_renewed', email, id, email)],
  }),
  row({
    id: 'disableSecondFactor',
    when: 'a recovery code is sent',
    prepare: withFactor,
    act: (_world, { client, password: currentPassword, factor }) => {
      const [recoveryCode] = factor.recoveryCodes
      return client.post('/api/auth/2fa/disable', { currentPassword, recoveryCode })
    },
    leaves: ({ id, email }) => [
      left('second_factor.recovery_code_used', email, id, email, { left: 1 }),
      left('second_factor.disabled', email, id, email),
    ],
  }),
]

export const userEvents: readonly EventRow[] = [
  row({
    id: 'resetUserSecondFactor',
    when: 'the account has one',
    prepare: withFactor,
    act: ({ admin }, { id }) => admin.post(`/api/users/${id}/2fa/reset`),
    leaves: ({ id, email }) => [left('second_factor.reset', adminEmail, id, email)],
  }),
  row({
    id: 'createUser',
    when: 'an administrator resets it',
    prepare: unprepared,
    act: ({ admin }) => {
      const account = { email: 'new@example.org', name: 'New', password: 'long enough' }
      return admin.post('/api/users', { ...account, is_admin: true })
    },
    leaves: () => [
      {
        event: 'user.created',
        by: adminEmail,
        name: 'new@example.org',
        details: { is_admin: true },
      },
    ],
  }),
  row({
    id: 'command',
    when: 'the operator creates an account',
    prepare: unprepared,
    act: async ({ service }) => {
      const account = { email: 'by-hand@example.org', name: 'Hand', password: 'long enough' }
      await service.app.services.users.create(operator, { ...account, isAdmin: false })
      return null
    },
    leaves: () => [
      {
        event: 'user.created',
        by: 'operator',
        name: 'by-hand@example.org',
        details: { is_admin: false },
      },
    ],
  }),
  row({
    id: 'updateUser',
    when: 'rights and name change',
    prepare: person,
    act: ({ admin }, { id }) => {
      const json = { name: 'Renamed', is_admin: true }
      return admin.call('PUT', `/api/users/${id}`, { json })
    },
    leaves: ({ id, email }) => [
      left('user.changed', adminEmail, id, email, { fields: ['name', 'is_admin'], is_admin: true }),
    ],
  }),
  row({
    id: 'updateUser',
    when: 'it is disabled',
    prepare: person,
    act: ({ admin }, { id }) => admin.call('PUT', `/api/users/${id}`, { json: { disabled: true } }),
    leaves: ({ id, email }) => [left('user.disabled', adminEmail, id, email)],
  }),
  row({
    id: 'updateUser',
    when: 'it is enabled',
    prepare: async (world) => {
      const ann = await world.person()
      await world.admin.call('PUT', `/api/users/${ann.id}`, { json: { disabled: true } })
      return ann
    },
    act: ({ admin }, { id }) =>
      admin.call('PUT', `/api/users/${id}`, { json: { disabled: false } }),
    leaves: ({ id, email }) => [left('user.enabled', adminEmail, id, email)],
  }),
  row({
    id: 'updateUser',
    when: 'nothing changes',
    prepare: person,
    act: ({ admin }, { id, email }) =>
      admin.call('PUT', `/api/users/${id}`, { json: { email, disabled: false } }),
    leaves: nothing,
  }),
  row({
    id: 'deleteUser',
    when: 'its shares go to another account',
    prepare: async (world) => {
      const ann = await world.person()
      await ann.client.share({ a: 'a' })
      return { ann, heir: await world.person() }
    },
    act: ({ admin }, { ann, heir }) => admin.delete(`/api/users/${ann.id}?transferTo=${heir.id}`),
    leaves: ({ ann, heir }) => [
      left('user.deleted', adminEmail, ann.id, ann.email, { transferred_to: heir.id }),
    ],
  }),
  row({
    id: 'updateConfig',
    when: 'some of the values are new',
    prepare: unprepared,
    act: ({ admin }) => {
      const json = { welcomeText: 'Hello', appName: 'Transfer', myOwn: 'value of mine' }
      return admin.call('PUT', '/api/config', { json })
    },
    leaves: () => [
      { event: 'settings.changed', by: adminEmail, details: { keys: ['welcomeText', 'myOwn'] } },
    ],
  }),
  row({
    id: 'updateConfig',
    when: 'unchanged values are written back',
    prepare: async ({ admin }) => (await admin.get('/api/config')).json() as object,
    act: ({ admin }, json) => admin.call('PUT', '/api/config', { json }),
    leaves: nothing,
  }),
  row({
    id: 'testMail',
    when: 'email is configured',
    prepare: unprepared,
    act: ({ admin }) => admin.post('/api/admin/mail/test', { to: 'me@example.org' }),
    leaves: () => [{ event: 'mail.tested', by: adminEmail, name: 'me@example.org' }],
  }),
  row({
    id: 'retryMail',
    when: 'it is a dead email',
    prepare: deadEmail,
    act: ({ admin }, id) => admin.post(`/api/admin/mail/${id}/retry`),
    leaves: (id) => [left('mail.retried', adminEmail, id, 'lost@example.org')],
  }),
]
