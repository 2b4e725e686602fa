import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError, type Answer, type Client } from '../../helpers/client.ts'
import { setPassword } from '../../../src/accounts/own-account/account.ts'
import { operator } from '../../../src/lib/actor.ts'
import { endSessionsOf } from '../../../src/accounts/sign-in/sql.ts'
import { findUserByEmail, lockUserForChange } from '../../../src/accounts/users/sql.ts'
import { startService } from '../../helpers/service.ts'
import { SmallProvider } from '../../helpers/small-provider.ts'
import { person, type Person } from '../people.ts'
import {
  accountOf,
  begin,
  callback,
  enter,
  eventsOf,
  placeOf,
  putProvider,
  newcomer,
  untilStatementWaits,
} from './scene.ts'

const attacks = suite('sign-in with a provider: attacks')
const minuteMs = 60_000
const refused = '/login?problem=provider_refused'
const expired = '/login?problem=sign_in_expired'
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
let chief: Person

const provider: SmallProvider = await new SmallProvider().start()
const evil: SmallProvider = await new SmallProvider().start()
const service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' }, acceptsHttpProviders: true })
chief = await person(service, 'chief@example.org', { isAdmin: true })
await putProvider(chief.client, provider, { creation: 'all' })
await putProvider(chief.client, evil, { creation: 'all' }, 'evil')

const seconds = (from: number) => Math.floor(Date.now() / 1000) + from
type Options = { none?: boolean; foreign?: boolean }
const badTokens: readonly (readonly [title: string, claims: object, options?: Options])[] = [
  ['for another audience', { aud: 'another' }],
  ['for two audiences, of which the other is authorised', { aud: ['transfer', 'b'], azp: 'b' }],
  ['authorised for another client', { azp: 'another' }],
  ['that has expired', { exp: seconds(-300), iat: seconds(-600) }],
  ['without an end', { exp: undefined }],
  ['of another issuer', { iss: 'https://evil.example' }],
  ['with another nonce', { nonce: 'a nonce of before' }],
  ['without a nonce', { nonce: undefined }],
  ['without a subject', { sub: undefined }],
  ['with a subject that is none', { sub: 'a\u0000b' }],
  ['without a signature', {}, { none: true }],
  ['with the signature of another key', {}, { foreign: true }],
]
for (const [title, claims, options] of badTokens) {
  attacks(`should refuse an ID token ${title}`, async () => {
    const client = service.client()
    assert.is(await enter(client, provider, { ...newcomer(), ...claims }, options), refused)
    assert.is(await accountOf(client), null)
    assert.is((await eventsOf(service, 'login.failed'))[0]!.details.step, 'provider')
  })
}

attacks('should take an answer once, also of two at the same time', async () => {
  const client = service.client()
  const query = await provider.answer(await begin(client), newcomer())
  const kept = new Map(client.cookies)
  const other = service.client()
  for (const [name, value] of kept) other.cookies.set(name, value)
  const both = await Promise.all([client, other].map((one) => one.get(callback + query)))
  assert.equal(both.map(placeOf).toSorted(), ['/', expired])
  const [name, value] = [...kept].find(([one]) => one.includes('provider'))!
  client.cookies.set(name, value)
  assert.is(placeOf(await client.get(callback + query)), expired)
})

attacks('should refuse the answer to another browser, to nobody, and a late one', async () => {
  const attacker = service.client()
  const query = await provider.answer(await begin(attacker), newcomer())
  const victim = service.client()
  assert.is(placeOf(await victim.get(callback + query)), expired)
  // Also while they sign in themselves: login CSRF.
  const asked = await provider.answer(await begin(victim), newcomer())
  const state = new URLSearchParams(asked).get('state')!
  assert.is(placeOf(await victim.get(callback + query)), refused)
  // Without their cookie, their own answer is useless too.
  assert.is(placeOf(await service.client().get(`${callback}?state=${state}`)), expired)
  assert.is(await accountOf(victim), null)
  const late = await provider.answer(await begin(attacker), newcomer())
  service.clock.advance(10 * minuteMs)
  assert.is(placeOf(await attacker.get(callback + late)), expired)
  chief = { ...chief, client: await chief.signIn() }
})

attacks('should refuse to mix providers up', async () => {
  const client = service.client()
  const url = await begin(client)
  const ofEvil = await evil.answer(url, newcomer())
  // RFC 9207: the answer names another issuer than the one that was asked.
  assert.is(placeOf(await client.get(callback + ofEvil)), refused)
  // At the redirect URI of the other provider.
  const asked = await provider.answer(await begin(client), newcomer())
  assert.is(placeOf(await client.get(callback.replace('main', 'evil') + asked)), expired)
  // A provider that always names its issuer cannot leave it out.
  const query = new URLSearchParams(await provider.answer(await begin(client), newcomer()))
  query.delete('iss')
  assert.is(placeOf(await client.get(`${callback}?${query}`)), refused)
  // The same subject at another issuer is another person.
  const claims = newcomer()
  await enter(client, provider, claims)
  const { id } = await accountOf(client)
  const impostor = service.client()
  const answer = await evil.answer(await begin(impostor, {}, 'evil'), claims)
  const place = placeOf(await impostor.get(callback.replace('main', 'evil') + answer))
  assert.is(place, '/login?problem=account_exists')
  const other = { ...claims, email: 'other@example.org' }
  const again = await evil.answer(await begin(impostor, {}, 'evil'), other)
  assert.is(placeOf(await impostor.get(callback.replace('main', 'evil') + again)), '/')
  assert.is.not((await accountOf(impostor)).id, id)
})

attacks('should say that the user has cancelled, in its own words', async () => {
  const client = service.client()
  const state = new URL(await begin(client)).searchParams.get('state')!
  const words = new URLSearchParams({
    error: 'access_denied',
    error_description: '<script>alert(1)</script>',
    state,
    iss: provider.issuer,
  })
  const answer = await client.get(`${callback}?${words}`)
  assert.is(placeOf(answer), refused)
  assert.not.match(answer.body.toString() + String(answer.headers['location']), 'script')
})

attacks('should return to its own paths only', async () => {
  const client = service.client()
  for (const returnTo of ['https://evil.example', 'evil', '/a b', '/a\\b\n']) {
    assertError(await client.post('/api/auth/oidc/main/start', { returnTo }), 400, 'invalid_input')
  }
  for (const returnTo of ['//evil.example', '/\\evil.example', '/@evil.example']) {
    const url = await begin(client, { returnTo })
    const answer = await client.get(callback + (await provider.answer(url, newcomer())))
    assert.match(String(answer.headers['location']), /^http:\/\/transfer\.test\//)
  }
})

attacks('should take new keys, and ask for them at most once a minute', async () => {
  const keysAsked = () => provider.asked.filter((path) => path === 'keys').length
  const now = () => enter(service.client(), provider, newcomer())
  assert.is(await now(), '/')
  const before = keysAsked()
  provider.rotateKey()
  service.clock.advance(minuteMs)
  assert.is(await now(), '/')
  assert.is(keysAsked(), before + 1)
  for (let round = 0; round < 3; round += 1) {
    assert.is(await enter(service.client(), provider, newcomer(), { foreign: true }), refused)
  }
  assert.is(keysAsked(), before + 1)
})

const end = (token: string, id = 'main') =>
  service.client().call('POST', `/api/auth/oidc/${id}/logout`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ logout_token: token }).toString(),
  })
let jtis = 0
const logoutClaims = (more: object = {}) => ({
  jti: `logout ${(jtis += 1)}`,
  events: { [logoutEvent]: {} },
  iat: Math.floor(service.clock.now() / 1000),
  exp: Math.floor(service.clock.now() / 1000) + 120,
  ...more,
})
const signedIn = async (claims: object): Promise<Client> => {
  const client = service.client()
  assert.is(await enter(client, provider, { ...claims }), '/')
  return client
}

attacks('should end the sessions that a logout token names, and no others', async () => {
  const claims = newcomer()
  const [one, two] = [
    await signedIn({ ...claims, sid: 's1' }),
    await signedIn({ ...claims, sid: 's2' }),
  ]
  const other = await signedIn(newcomer({ sid: 's3' }))
  const upload = service.client()
  upload.token = (await one.post('/api/shares/init')).json().uploadToken
  const token = await provider.sign(logoutClaims({ sid: 's1' }))
  assert.is((await end(token)).status, 200)
  assert.equal([await accountOf(one), (await accountOf(two)).email], [null, claims.email])
  const [event] = await eventsOf(service, 'session.ended_by_provider')
  assert.equal([event!.targetName, event!.details], [claims.email, { provider: 'main' }])
  assertError(await end(token), 400, 'wrong_logout_token')
  const three = await signedIn({ ...claims, sid: 's1' })
  assertError(await end(token), 400, 'wrong_logout_token')
  assert.is((await end(await provider.sign(logoutClaims({ sub: claims.sub })))).status, 200)
  assert.equal([await accountOf(two), await accountOf(three)], [null, null])
  assert.ok(await accountOf(other))
})

attacks('should end sessions while their account is being changed', async () => {
  const claims = newcomer()
  const client = await signedIn({ ...claims })
  const token = await provider.sign(logoutClaims({ sub: claims.sub }))
  let ended: Promise<Answer> | null = null
  await service.database.begin(async (sql) => {
    await lockUserForChange(sql, (await accountOf(client)).id)
    ended = end(token)
    await untilStatementWaits(service)
    // As every change that ends sessions does.
    await endSessionsOf(sql, (await findUserByEmail(sql, claims.email))!.id, null)
  })
  assert.is((await ended!).status, 200)
  assert.is(await accountOf(client), null)
})

const badLogouts: readonly (readonly [title: string, claims: () => object, options?: Options])[] = [
  ['without a signature', () => ({}), { none: true }],
  ['with the signature of another key', () => ({}), { foreign: true }],
  ['of another issuer', () => ({ iss: 'https://evil.example' })],
  ['for another audience', () => ({ aud: 'another' })],
  ['that is old', () => ({ iat: Math.floor(service.clock.now() / 1000) - 400 })],
  ['without a time', () => ({ iat: undefined })],
  ['without an id', () => ({ jti: undefined })],
  ['without the event', () => ({ events: {} })],
  ['with a nonce, as an ID token', () => ({ nonce: 'a' })],
  ['that names no account or session', () => ({ sub: undefined })],
]
for (const [title, claims, options] of badLogouts) {
  attacks(`should refuse a logout token ${title}`, async () => {
    const another = newcomer()
    const client = await signedIn(another)
    const given = logoutClaims({ sub: another.sub, ...claims() })
    assertError(await end(await provider.sign(given, options)), 400, 'wrong_logout_token')
    assert.ok(await accountOf(client))
  })
}

attacks('should refuse logout tokens of and to nobody', async () => {
  assertError(await end('no token'), 400, 'wrong_logout_token')
  assertError(await end('x'.repeat(20_000)), 413, 'payload_too_large')
  assertError(await end(await provider.sign(logoutClaims({ sub: 'a' })), 'gone'), 404, 'not_found')
})

attacks('should link an identity only for the session that has asked', async () => {
  const ann = await person(service, 'ann@example.org')
  const link = async (client: Client) =>
    (await client.post('/api/auth/oidc/main/link')).json().url as string
  const claims = newcomer()
  const query = await provider.answer(await link(ann.client), claims)
  assert.is(placeOf(await ann.client.get(callback + query)), '/account/providers')
  const { identities, providers } = (await ann.client.get('/api/account/identities')).json()
  assert.equal([identities[0].name, identities[0].issuer], [claims.email, provider.issuer])
  assert.equal(providers, [
    { id: 'evil', name: 'Main' },
    { id: 'main', name: 'Main' },
  ])
  const phone = await signedIn(claims)
  assert.is((await accountOf(phone)).email, ann.email)
  // It belongs to another person.
  const bob = await person(service, 'bob@example.org')
  const taken = await provider.answer(await link(bob.client), claims)
  const place = placeOf(await bob.client.get(callback + taken))
  assert.is(place, '/account/providers?problem=identity_taken')
  // A session that has ended meanwhile.
  const late = await provider.answer(await link(bob.client), newcomer())
  await bob.client.post('/api/auth/logout')
  const ended = placeOf(await bob.client.get(callback + late))
  assert.is(ended, '/account/providers?problem=unauthorized')
  const id = identities[0].id as string
  const unlink = (client: Client) => client.delete(`/api/account/identities/${id}`)
  assertError(await unlink(await bob.signIn()), 404, 'not_found')
  service.clock.advance(61 * minuteMs)
  assertError(await unlink(ann.client), 403, 'confirmation_required')
  assertError(await ann.client.post('/api/auth/oidc/main/link'), 403, 'confirmation_required')
  // Unlinking ends what it started.
  assert.is((await unlink(await ann.signIn())).status, 200)
  assert.is(await accountOf(phone), null)
  assert.is(await enter(phone, provider, claims), '/')
  assert.is.not((await accountOf(phone)).email, ann.email)
  chief = { ...chief, client: await chief.signIn() }
})

attacks('should keep the last way in to an account', async () => {
  const claims = newcomer()
  const client = await signedIn(claims)
  const identities = async () => (await client.get('/api/account/identities')).json().identities
  const [{ id }] = await identities()
  const unlink = () => client.delete(`/api/account/identities/${id}`)
  assertError(await unlink(), 409, 'last_sign_in')
  assert.is((await identities()).length, 1)
  const { id: userId } = await accountOf(client)
  await setPassword(service.app.services, operator, userId, 'a password of theirs')
  const again = await signedIn(claims)
  assert.is((await again.delete(`/api/account/identities/${id}`)).status, 200)
  assert.ok(await accountOf(again))
})
