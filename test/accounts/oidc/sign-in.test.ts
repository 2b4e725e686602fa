import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../helpers/until.ts'
import { assertError, type Answer } from '../../helpers/client.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { setPassword } from '../../../src/accounts/own-account/account.ts'
import { lockUsers } from '../../../src/accounts/users/sql.ts'
import { reset } from '../../../src/accounts/second-factor/enrolment.ts'
import { operator } from '../../../src/lib/actor.ts'
import { useMailServer } from '../../email/mail-server.ts'
import { startService } from '../../helpers/service.ts'
import { countLockWaits } from '../../helpers/locks.ts'
import { SmallProvider } from '../../helpers/small-provider.ts'
import { enrol, makeApiToken, newPerson, person, type Person } from '../people.ts'
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

const signIn = suite('sign-in with a provider')
const minuteMs = 60_000
let chief: Person
let ann: Person

const provider: SmallProvider = await new SmallProvider().start()
const env = { RATE_LIMIT_LOGIN: 'off' }
const service = await startService({ env, acceptsHttpProviders: true })
chief = await person(service, 'chief@example.org', { isAdmin: true })
signIn.before.each(async () => {
  ann = await newPerson(service)
  chief = { ...chief, client: await chief.signIn() }
  await rules({ creation: 'all' })
})

const rules = (wanted: object) => putProvider(chief.client, provider, wanted)
const set = async (json: object) => {
  const administrator = await chief.signIn()
  assert.is((await administrator.put('/api/config', json)).status, 200)
}
const sessionOf = async (email: string) => {
  const [row] = await service.database.sql<{ providerSession: string }[]>`
    select provider_session from sessions
    join users on users.id = user_id where email = ${email} and provider_id = 'main'`
  return row
}

signIn('should ask for the code flow with PKCE, state and nonce, and no secret', async () => {
  const url = new URL(await begin(service.client()))
  assert.is(url.origin + url.pathname, `${provider.issuer}/page`)
  const { state, nonce, code_challenge, ...rest } = Object.fromEntries(url.searchParams)
  assert.equal(rest, {
    client_id: 'transfer',
    response_type: 'code',
    redirect_uri: `http://transfer.test${callback}`,
    scope: 'openid email profile',
    code_challenge_method: 'S256',
  })
  for (const value of [state, nonce, code_challenge]) assert.is(value?.length, 43)
  assert.is(new Set([state, nonce, code_challenge]).size, 3)
})

signIn('should make an account at the first sign-in, and find it by its subject', async () => {
  const client = service.client()
  const claims = newcomer({ sid: 'session at the provider' })
  const next = await begin(client, { returnTo: '/shares?q=a', remember: false })
  const answer = await client.get(callback + (await provider.answer(next, claims)))
  assert.is(placeOf(answer), '/shares?q=a')
  assert.match(String(answer.headers['set-cookie']), '; Max-Age=43200;')
  const account = await accountOf(client)
  assert.equal([account.email, account.name, account.is_admin], [claims.email, claims.name, false])
  assert.is((await sessionOf(claims.email))?.providerSession, 'session at the provider')
  const [made] = await eventsOf(service, 'user.created')
  assert.equal(made!.details, { is_admin: false, provider: 'main' })
  const [entered] = await eventsOf(service, 'login.succeeded')
  assert.equal(entered!.details, { second_factor: 'none', provider: 'main' })
  // Another address and an unverified one: an identity is its issuer and subject.
  await rules({})
  const again = service.client()
  const changed = { ...claims, email: ann.email, email_verified: false }
  assert.is(await enter(again, provider, changed), '/')
  assert.is((await accountOf(again)).id, account.id)
  // It has no password, whatever is tried.
  const { email } = claims
  for (const password of ['', 'a password']) {
    assertError(await again.post('/api/auth/login', { email, password }), 401, 'wrong_credentials')
  }
})

signIn('should make one account when two browsers sign in first at once', async () => {
  const claims = newcomer()
  const browsers = [service.client(), service.client()]
  let entering: Promise<string>[] = []
  await service.database.begin(async (sql) => {
    await lockUsers(sql)
    entering = browsers.map((client) => enter(client, provider, claims))
    await until('both wait', async () => (await countLockWaits(service.database)) === 2)
  })
  assert.equal(await Promise.all(entering), ['/', '/'])
  const ids = await Promise.all(browsers.map(async (client) => (await accountOf(client)).id))
  assert.is(ids[0], ids[1])
})

signIn('should tell of new devices alone', async () => {
  // Refuses connections: emails stay in the queue.
  await useMailServer(await chief.signIn(), 1)
  const client = service.client()
  const claims = newcomer()
  const told = async () => {
    const rows = await service.database.sql`select 1 from emails where recipient = ${claims.email}`
    return rows.length
  }
  await enter(client, provider, claims)
  const toldAtFirst = await told()
  for (const [device, more] of [
    [client, 0],
    [service.client(), 1],
  ] as const) {
    assert.is((await client.post('/api/auth/logout')).status, 200)
    assert.is(await enter(device, provider, claims), '/')
    assert.is(await told(), toldAtFirst + more)
  }
  await set({ smtpHost: '' })
})

const verified = { email_verified: true }
const unverified = { email_verified: false }
const unsaid = { email_verified: undefined }
type Rule = readonly [title: string, rules: object, claims: object, result: string]
const all = { creation: 'all' }
const trusted = { creation: 'all', trustsEmail: true }
const firstSignIns: readonly Rule[] = [
  ['nobody gets an account', {}, verified, 'no_account'],
  ['the domain may', { creation: 'domains', domains: ['Example.org'] }, verified, ''],
  ['another domain may', { creation: 'domains', domains: ['x.org'] }, verified, 'no_account'],
  ['the address is unverified', all, unverified, 'email_not_verified'],
  ['it is not said to be verified', all, unsaid, 'email_not_verified'],
  ['the provider need not say it', trusted, unsaid, ''],
  ['it says no all the same', trusted, unverified, 'email_not_verified'],
  ['there is no address', all, { email: undefined }, 'email_not_verified'],
  ['the address is none', all, { email: 'a@b@c', ...verified }, 'email_not_verified'],
]
for (const [title, wanted, claims, problem] of firstSignIns) {
  signIn(`should ${problem ? 'refuse' : 'make'} an account where ${title}`, async () => {
    await rules(wanted)
    const client = service.client()
    const place = await enter(client, provider, newcomer(claims as Record<string, unknown>))
    assert.is(place, problem ? `/login?problem=${problem}` : '/')
    assert.is((await accountOf(client)) === null, problem !== '')
  })
}

const invite = async (email: string) => {
  const { users } = service.app.services
  const user = { email, name: 'Invited', isAdmin: false }
  await service.database.begin((sql) => users.createInvited(sql, user, 'unknown'))
}
const linkings: readonly (readonly [linking: string, has: string, problem: string])[] = [
  ['off', 'a password', 'account_exists'],
  ['off', 'an invitation', 'account_exists'],
  ['no_password', 'a password', 'account_exists'],
  ['no_password', 'an invitation', ''],
  ['all', 'a password', ''],
]
for (const [linking, has, problem] of linkings) {
  const does = problem ? 'refuse' : 'link'
  signIn(`should ${does} by email an account with ${has} where ${linking} may be`, async () => {
    await rules({ linking, creation: 'all' })
    const { email } = newcomer()
    if (has === 'an invitation') await invite(email)
    const known = has === 'a password' ? ann.email : email
    const client = service.client()
    const claims = newcomer({ email: known.toUpperCase() })
    const before = await enter(client, provider, { ...claims, ...unverified })
    assert.is(before, '/login?problem=email_not_verified')
    assert.is(await enter(client, provider, claims), problem ? `/login?problem=${problem}` : '/')
    assert.is((await accountOf(client))?.email ?? null, problem ? null : known)
    if (problem) return
    assert.is((await eventsOf(service, 'identity.linked'))[0]!.targetName, known.toUpperCase())
    const [user] = (await chief.client.get('/api/users'))
      .json<any[]>()
      .filter((one) => one.email === known)
    assert.is(user.invited_at, null)
  })
}

for (const linking of ['no_password', 'all']) {
  signIn(`should not link an account whose holder entered the address: ${linking}`, async () => {
    await rules({ linking, creation: 'all' })
    const waiting = service.client()
    await enter(waiting, provider, newcomer())
    const victim = newcomer()
    assert.is((await waiting.patch('/api/account', { email: victim.email })).status, 200)
    const client = service.client()
    assert.is(await enter(client, provider, victim), '/login?problem=account_exists')
    assert.is(await accountOf(client), null)

    // As a password reset link does.
    const { sql } = service.database
    await sql`update users set email_verified = true where email = ${victim.email}`
    assert.is(await enter(client, provider, victim), '/')
    assert.is((await accountOf(client)).email, victim.email)
  })
}

signIn('should refuse a disabled account', async () => {
  const client = service.client()
  const claims = newcomer()
  await enter(client, provider, claims)
  const { id } = await accountOf(client)
  await chief.client.put(`/api/users/${id}`, { disabled: true })
  assert.is(await enter(client, provider, claims), '/login?problem=account_disabled')
  assert.is(await accountOf(client), null)
  assert.is((await eventsOf(service, 'login.failed'))[0]!.targetName, 'main')
})

signIn('should give rights by groups, and take them at the next sign-in', async () => {
  const quotas = [
    { group: 'staff', quota: 1000 },
    { group: 'film', quota: 5000 },
  ]
  await rules({
    creation: 'all',
    groupsClaim: 'groups',
    adminGroup: 'admins',
    groupQuotas: quotas,
  })
  const claims = newcomer()
  const client = service.client()
  const now = async (groups: unknown) => {
    assert.is(await enter(client, provider, { ...claims, groups }), '/')
    const { is_admin: isAdmin } = await accountOf(client)
    return [isAdmin, (await client.get('/api/account/usage')).json().quota_bytes]
  }
  assert.equal(await now(['admins', 'staff', 'film']), [true, 5000])
  assert.equal(await now(['staff']), [false, 1000])
  assert.equal((await eventsOf(service, 'user.changed'))[0]!.actorKind, 'system')
  // As Zitadel writes them.
  assert.equal(await now({ admins: { '1': 'x' } }), [true, 0])
  assert.equal(await now(undefined), [false, 0])
  assert.equal(await now('staff'), [false, 1000])
})

signIn('should never demote the last administrator', async () => {
  const small = await new SmallProvider().start()
  const other = await startService({ acceptsHttpProviders: true })
  const wanted = { linking: 'all', groupsClaim: 'groups', adminGroup: 'admins' }
  const groupQuotas = [{ group: 'a', quota: 5 }]
  await putProvider(await other.admin(), small, { ...wanted, groupQuotas })
  const client = other.client()
  const claims = newcomer({ email: 'admin@example.org', groups: ['a'] })
  assert.is(await enter(client, small, claims), '/')
  assert.is((await accountOf(client)).is_admin, true)
  assert.is((await client.get('/api/account/usage')).json().quota_bytes, 5)
})

signIn('should ask for the code of the account unless the provider is trusted', async () => {
  const claims = newcomer()
  const client = service.client()
  await enter(client, provider, claims)
  await client.post('/api/auth/password-reset/request', { email: claims.email })
  const { services } = service.app
  await setPassword(
    services,
    operator,
    (await services.users.findByEmail(claims.email)).id,
    `password of ${claims.email}`,
  )
  const another = service.client()
  await enter(another, provider, claims)
  const { app, recoveryCodes } = await enrol(service, another)
  const fresh = service.client()
  const verify = (body: object) => fresh.post('/api/auth/oidc/verify-2fa', body)
  assertError(await verify({ code: app.code() }), 403, 'sign_in_expired')
  assert.is(await enter(fresh, provider, claims), '/login?step=code&next=%2F')
  assert.is(await accountOf(fresh), null)
  assertError(await verify({ code: app.code(9) }), 401, 'wrong_code')
  const { cookies } = fresh
  const kept = new Map(cookies)
  assert.is((await verify({ code: app.code() })).json().user.email, claims.email)
  assert.is((await accountOf(fresh)).email, claims.email)
  assert.is((await eventsOf(service, 'login.succeeded'))[0]!.details.second_factor, 'code')
  // It is good once, as the sign-in is.
  fresh.cookies.clear()
  for (const [name, value] of kept) fresh.cookies.set(name, value)
  assertError(await verify({ recoveryCode: recoveryCodes[0] }), 403, 'sign_in_expired')
  await rules({ trustsSecondFactor: true })
  assert.is(await enter(service.client(), provider, claims), '/')
  assert.is((await eventsOf(service, 'login.succeeded'))[0]!.details.second_factor, 'provider')
})

signIn('should stand for a required second factor only where it is trusted', async () => {
  await enrol(service, chief.client)
  const claims = newcomer()
  const client = service.client()
  await enter(client, provider, claims)
  await set({ require2FA: true })
  const required = async () => (await client.get('/api/auth/2fa/status')).json().required
  try {
    assertError(await client.get('/api/shares'), 403, 'second_factor_required')
    assert.is(await required(), true)
    await rules({ trustsSecondFactor: true })
    assert.is((await client.get('/api/shares')).status, 200)
    assert.is(await required(), false)
    // Also for the account's API tokens.
    const script = service.client()
    script.token = (await makeApiToken(client, { currentPassword: undefined })).token
    assert.is((await script.get('/api/shares')).status, 200)
    await rules({ trustsSecondFactor: false })
    assertError(await script.get('/api/shares'), 403, 'second_factor_required')
  } finally {
    await set({ require2FA: false })
    await reset(service.app.services, operator, chief.id)
  }
})

signIn('should refuse to turn passwords off before a sign-in or test has worked', async () => {
  const put = (json: object) => chief.client.put('/api/config', json)
  const change = (rules: object) => putProvider(chief.client, provider, rules)
  const remove = () => chief.client.delete('/api/admin/providers/main')
  await remove()
  assertError(await put({ passwordSignIn: false }), 409, 'no_other_sign_in')
  await change({ creation: 'all' })
  assertError(await put({ passwordSignIn: false }), 409, 'no_other_sign_in')
  await enter(service.client(), provider, newcomer())
  // Other credentials have not worked yet.
  await change({ creation: 'all', clientSecret: 'another' })
  assertError(await put({ passwordSignIn: false }), 409, 'no_other_sign_in')
  const test = (await chief.client.post('/api/admin/providers/main/test')).json().url
  await chief.client.get(callback + (await provider.answer(test, newcomer())))
  assert.is((await put({ passwordSignIn: false })).status, 200)
  assertError(await remove(), 409, 'no_other_sign_in')
  assert.is((await put({ passwordSignIn: true })).status, 200)
})

signIn('should keep the last provider while another one is being removed', async () => {
  await putProvider(chief.client, provider, { creation: 'all' })
  await enter(service.client(), provider, newcomer())
  await service.database.sql`
    insert into oidc_providers
    select (jsonb_populate_record(p, '{"id": "other", "issuer": "https://other.example"}')).*
    from oidc_providers as p where id = 'main'`
  const set = (passwordSignIn: boolean) => chief.client.put('/api/config', { passwordSignIn })
  assert.is((await set(false)).status, 200)
  try {
    let isOver = false
    let removed: Promise<Answer> | null = null
    await service.database.begin(async (sql) => {
      await sql`delete from oidc_providers where id = 'other'`
      removed = chief.client.delete('/api/admin/providers/main').finally(() => (isOver = true))
      await untilStatementWaits(service, () => isOver)
    })
    assertError(await removed!, 409, 'no_other_sign_in')
  } finally {
    assert.is((await set(true)).status, 200)
  }
})

signIn('should end sessions and upload tokens with the provider that started them', async () => {
  await putProvider(chief.client, provider, { creation: 'all' })
  const [client, upload, other] = [service.client(), service.client(), service.client()]
  await enter(client, provider, newcomer())
  const draft = (await client.post('/api/shares/init')).json()
  const foreign = (await chief.client.post('/api/shares/init')).json()
  upload.token = draft.uploadToken
  other.token = foreign.uploadToken
  assert.is((await upload.chunk(draft.shareId, 'f', 0, 'abc')).status, 200)
  assert.is((await chief.client.delete('/api/admin/providers/main')).status, 200)
  assert.is(await accountOf(client), null)
  assertError(await upload.chunk(draft.shareId, 'f', 1, 'abc'), 401, 'unauthorized')
  assert.is((await other.chunk(foreign.shareId, 'f', 0, 'abc')).status, 200)
})

signIn('should count as proof only what the provider says has happened just now', async () => {
  const seconds = () => Math.floor(service.clock.now() / 1000)
  const claims = newcomer()
  for (const [ago, isAsked, place, isProven] of [
    // What providers say without being asked; null is nothing.
    [null, false, '/', true],
    [0, false, '/', true],
    [700, false, '/', false],
    [-1e9, false, '/', true],
    [null, true, '/login?problem=provider_refused', null],
    [700, true, '/login?problem=provider_refused', null],
    [0, true, '/', true],
  ] as const) {
    const client = service.client()
    const page = await begin(client, { again: isAsked })
    assert.is(new URL(page).searchParams.get('max_age'), isAsked ? '0' : null)
    const said = ago === null ? undefined : seconds() - ago
    const query = await provider.answer(page, { ...claims, auth_time: said })
    assert.is(placeOf(await client.get(callback + query)), place, `${ago} ${isAsked}`)
    if (isProven === null) continue
    const { status } = await client.post('/api/auth/oidc/main/link')
    assert.is(status, isProven ? 200 : 403, `${ago} ${isAsked}`)
  }
})

signIn('should be the only way in where passwords are off', async () => {
  const login = () =>
    service.client().post('/api/auth/login', { email: ann.email, password: ann.password })
  const code = { code: '123456', email: ann.email, password: ann.password }
  await enter(service.client(), provider, newcomer())
  await set({ passwordSignIn: false })
  try {
    assertError(await login(), 401, 'password_sign_in_off')
    const step = await service.client().post('/api/auth/verify-2fa', code)
    assertError(step, 401, 'password_sign_in_off')
    assert.is(await enter(service.client(), provider, newcomer()), '/')
    // What an operator does on the command line.
    await service.app.services.settings.update(operator, { passwordSignIn: true })
    assert.is((await login()).status, 200)
  } finally {
    await set({ passwordSignIn: true })
  }
})

signIn('should say in words that a provider is slow or gone, and leave other ways', async () => {
  const slow = await new SmallProvider().start()
  slow.isSilent = true
  await putProvider(chief.client, slow, {}, 'slow')
  const { clock } = service
  const setTimer = clock.setTimer.bind(clock)
  service.clock.setTimer = (ms, call) => systemClock.setTimer(Math.min(ms, 100), call)
  try {
    const client = service.client()
    const start = () => client.post('/api/auth/oidc/slow/start')
    assertError(await start(), 409, 'provider_unreachable')
    // It is not asked again at once.
    assertError(await start(), 409, 'provider_unreachable')
    assert.is(slow.asked.length, 1)
    slow.stop()
    service.clock.advance(minuteMs)
    assertError(await start(), 409, 'provider_unreachable')
    const { email, password } = ann
    assert.is((await client.post('/api/auth/login', { email, password })).status, 200)
    // It was there when the sign-in began.
    const url = await begin(client)
    provider.isSilent = true
    const place = placeOf(await client.get(callback + (await provider.answer(url, newcomer()))))
    assert.is(place, '/login?problem=provider_unreachable')
  } finally {
    provider.isSilent = false
    service.clock.setTimer = setTimer
    slow.stop()
  }
})
