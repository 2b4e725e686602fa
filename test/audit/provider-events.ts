import { enableSecondFactor } from '../accounts/people.ts'
import { adminEmail } from '../helpers/service.ts'
import { by, type EventRow, left, own, row } from './event-row.ts'
import type { World } from './world.ts'

const path = '/api/admin/providers'
const callback = '/api/auth/oidc/main/callback'
let made = 0

async function provide({ admin, provider }: World, id = 'main', rules: object = {}) {
  const fields = { name: 'Main', issuer: provider.issuer, clientId: 'transfer' }
  const json = { ...fields, clientSecret: 'secret of the client', creation: 'all', ...rules }
  if ((await admin.put(`${path}/${id}`, json)).status === 404) {
    await admin.post(path, { id, ...json })
  }
  return { id, json }
}

/** Someone who has linked an identity, and what the provider says of them. */
async function linked(world: World) {
  const ann = await world.person()
  await provide(world)
  const claims = { sub: `s${(made += 1)}`, email: ann.email, email_verified: true }
  const { url } = (await ann.client.post('/api/auth/oidc/main/link')).json()
  await ann.client.get(callback + (await world.provider.answer(url, claims)))
  const { identities } = (await ann.client.get('/api/account/identities')).json()
  return { ...ann, claims, identityId: identities[0].id as string }
}

async function enter(world: World, claims: Record<string, unknown>) {
  const client = world.anonymous()
  const { url } = (await client.post('/api/auth/oidc/main/start')).json()
  return { client, answer: await client.get(callback + (await world.provider.answer(url, claims))) }
}

async function withStep(world: World) {
  const ann = await linked(world)
  const factor = await enableSecondFactor(world.service, ann.email)
  return { ...ann, factor, ...(await enter(world, ann.claims)) }
}

async function withSession(world: World) {
  const ann = await linked(world)
  const { client } = await enter(world, ann.claims)
  const sessions = (await client.get('/api/account/sessions')).json()
  const { id } = sessions.find(({ current }: { current: boolean }) => current)
  return { ...ann, client, sessionId: id as string }
}

const details = { second_factor: 'none', provider: 'main' }
const event = 'http://schemas.openid.net/event/backchannel-logout'

// oxfmt-ignore
export const providerEvents: readonly EventRow[] = [
  row('addProvider', 'it is new',
    async (world) => ({ ...await provide(world), id: `new${(made += 1)}` }),
    ({ admin }, { id, json }) => admin.post(path, { id, ...json }),
    ({ id }) => [left('provider.added', adminEmail, id, 'Main')]),
  row('updateProvider', 'a field changes', provide,
    (world, { id, json }) =>
      world.admin.put(`${path}/${id}`, { ...json, creation: 'off' }),
    ({ id }) => [left('provider.changed', adminEmail, id, 'Main',
      { fields: ['creation', 'clientSecret'] })]),
  row('deleteProvider', 'it is there', (world) => provide(world, 'gone'),
    ({ admin }, { id }) => admin.delete(`${path}/${id}`),
    ({ id }) => [left('provider.removed', adminEmail, id, 'Main')]),
  row('answerOfProvider', 'the identity is linked', linked,
    async (world, { claims }) => (await enter(world, claims)).answer,
    own('login.succeeded', details), true),
  row('answerOfProvider', 'the identity is to be linked',
    async (world) => ({ ...await world.person(), provider: await provide(world) }),
    async ({ provider }, { client, email }) => {
      const { url } = (await client.post('/api/auth/oidc/main/link')).json()
      return client.get(callback + await provider.answer(url, { sub: email, email }))
    },
    ({ email }) => [{ event: 'identity.linked', by: email, name: email }], true),
  row('answerOfProvider', 'the token is not signed', provide,
    async (world) => {
      const client = world.anonymous()
      const { url } = (await client.post('/api/auth/oidc/main/start')).json()
      return client.get(callback + await world.provider.answer(url, { sub: 'a' }, { none: true }))
    },
    () => [left('login.failed', 'anonymous', '', 'main', { step: 'provider' })], true),
  row('verifyProviderSignIn', 'the code is right', withStep,
    (_, { client, factor }) => client.post('/api/auth/oidc/verify-2fa', { code: factor.code() }),
    own('login.succeeded', { second_factor: 'code', provider: 'main' })),
  row('signOut', 'signed in', withSession,
    (_, { client }) => client.post('/api/auth/oidc/sign-out'),
    ({ email, sessionId }) => [left('session.logged_out', email, sessionId, '')]),
  row('endProviderSession', 'the token is right', withSession,
    async (world, { claims: { sub } }) => {
      const token = { sub, jti: `j${(made += 1)}`, events: { [event]: {} } }
      const iat = Math.floor(world.service.clock.now() / 1000)
      const signed = await world.provider.sign({ ...token, iat, exp: iat + 60 })
      return world.anonymous().call('POST', '/api/auth/oidc/main/logout', {
        body: `logout_token=${signed}`,
      })
    },
    by('anonymous', 'session.ended_by_provider', { provider: 'main' })),
  row('unlinkIdentity', 'it belongs to the account', linked,
    (_, { client, identityId }) => client.delete(`/api/account/identities/${identityId}`),
    ({ email, identityId }) => [left('identity.unlinked', email, identityId, email)]),
]
