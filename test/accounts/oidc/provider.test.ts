import { request } from 'undici'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../helpers/until.ts'
import { assertError, Client } from '../../helpers/client.ts'
import { sealedKinds } from '../../../src/accounts/sign-in/sealed-sql.ts'
import { startService } from '../../helpers/service.ts'
import { startRealProvider, type RealProvider } from '../../helpers/real-provider.ts'
import { person, type Person } from '../people.ts'
import { accountOf, begin, placeOf, putProvider } from './scene.ts'

const real = suite('sign-in with a real provider')
const email = 'ada@example.org'

const service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' }, acceptsHttpProviders: true })
const ada = { email, email_verified: true, name: 'Ada', groups: ['admins'] }
const provider: RealProvider = await startRealProvider('http://transfer.test', { ada }, service.url)
const chief: Person = await person(service, 'chief@example.org', { isAdmin: true })
const rules = { creation: 'all', groupsClaim: 'groups', adminGroup: 'admins' }
await putProvider(chief.client, provider, rules)

/** What a browser keeps of the provider. */
type Jar = Map<string, string>

async function visit(jar: Jar, url: string): Promise<string> {
  for (let address = url; ;) {
    const headers = { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') }
    const answer = await request(address, { headers })
    await answer.body.dump()
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [name = '', value = ''] = line.split(';')[0]!.split(/=(.*)/s)
      jar.set(name, value)
    }
    const next = answer.headers['location']
    if (next === undefined) address = `${address}?who=ada`
    else if (String(next).startsWith('http://transfer.test')) return String(next)
    else address = new URL(String(next), address).href
  }
}

/** The answer of the provider, as its query is sent to the service. */
async function answerTo(client: Client, jar: Jar, url: string) {
  const { pathname, search } = new URL(await visit(jar, url))
  return client.get(pathname + search)
}

real('should read the user info, give rights, and end at both ends', async () => {
  const [client, jar] = [service.client(), new Map()]
  assert.is(placeOf(await answerTo(client, jar, await begin(client))), '/')
  const account = await accountOf(client)
  assert.equal([account.email, account.name, account.is_admin], [email, 'Ada', true])
  // By the front.
  const other = service.client()
  await answerTo(other, jar, await begin(other))
  const { url } = (await other.post('/api/auth/oidc/sign-out')).json()
  assert.is(await accountOf(other), null)
  const end = new URL(url)
  assert.is(end.origin + end.pathname, `${provider.issuer}/session/end`)
  assert.equal(Object.fromEntries(end.searchParams), {
    client_id: 'transfer',
    post_logout_redirect_uri: 'http://transfer.test/login',
  })
  // By the back: the provider asks its user, and tells the service.
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const page = await request(url, { headers: { cookie: cookie() } })
  const xsrf = /name="xsrf" value="(\w+)"/.exec(await page.body.text())?.[1]
  for (const line of [page.headers['set-cookie'] ?? []].flat()) {
    const [name = '', value = ''] = line.split(';')[0]!.split(/=(.*)/s)
    jar.set(name, value)
  }
  const done = await request(`${provider.issuer}/session/end/confirm`, {
    method: 'POST',
    headers: { cookie: cookie(), 'content-type': 'application/x-www-form-urlencoded' },
    body: `xsrf=${xsrf}&logout=yes`,
  })
  assert.match(String(done.headers['location']), /^http:\/\/transfer\.test\/login/)
  await until(async () => assert.is(await accountOf(client), null))
})

real('should report each step of a test, and make no session', async () => {
  const { client } = chief
  const test = async () => (await client.post('/api/admin/providers/main/test')).json()
  const read = async () => (await client.get('/api/admin/providers/main/report')).json()
  const { report, url } = await test()
  const worked = (...names: string[]) => names.map((name) => ({ name, problem: null }))
  assert.equal(report, { steps: worked('discovery', 'keys'), answered: '' })
  const before = await accountOf(client)
  assert.is(placeOf(await answerTo(client, new Map(), url)), '/admin/providers?report=main')
  const { steps, answered } = await read()
  assert.equal(steps, worked('discovery', 'keys', 'answer', 'account'))
  assert.match(answered, email)
  assert.not.match(answered, provider.clientSecret)
  assert.equal(await accountOf(client), before)
  const users = (await client.get('/api/users')).json<{ email: string }[]>()
  const count = users.length
  // What it would say to a person whose account is not linked.
  await putProvider(client, provider, {})
  await service.database.sql`delete from oidc_identities`
  await answerTo(client, new Map(), (await test()).url)
  const refused = (await read()).steps.at(-1)
  assert.is(refused.name, 'account')
  assert.match(refused.problem, 'Your account is not linked')
  assert.is((await client.get('/api/users')).json().length, count)
  // A wrong secret, in the words of the provider.
  await putProvider(client, provider, { clientSecret: 'another one' })
  await answerTo(client, new Map(), (await test()).url)
  assert.match((await read()).steps.at(-1).problem, 'invalid_client')
  // An issuer that is another, and one that is no provider.
  for (const [issuer, problem] of [
    [`${provider.issuer}/`, 'another issuer'],
    [`${provider.issuer}/nothing`, 'status 404'],
  ] as const) {
    await putProvider(client, { issuer })
    const failed = await test()
    assert.is(failed.url, null)
    assert.match(failed.report.steps[0].problem, problem)
  }
  assertError(await client.get('/api/admin/providers/other/report'), 404, 'not_found')
})

real('should keep secrets sealed, and ask for them again for another issuer', async () => {
  const { client } = chief
  const stored = await putProvider(client, provider, {})
  assert.is(stored.json().hasSecret, true)
  assert.not.match(stored.body.toString(), provider.clientSecret)
  const { sql } = service.database
  const [row] = await sql<{ secretSealed: Buffer }[]>`select secret_sealed from oidc_providers`
  assert.is(service.keys.unseal(row!.secretSealed), provider.clientSecret)
  const { issuer } = provider
  const put = (json: object) => client.put('/api/admin/providers/main', json)
  const same = { name: 'Main', issuer, clientId: 'transfer' }
  assert.is((await put(same)).json().hasSecret, true)
  assertError(await put({ ...same, issuer: 'https://evil.example' }), 400, 'invalid_input')
  // Rotation reseals it.
  const kind = sealedKinds.find(({ name }) => name.includes('provider'))!
  const [sealed] = await kind.list(sql, '', 10)
  assert.is(sealed!.key, 'main')
  await kind.update(sql, { key: 'main', sealed: service.keys.seal('resealed') })
  await kind.remove(sql, 'main')
  assert.is((await client.get('/api/admin/providers')).json()[0].hasSecret, false)
})

real('should take encrypted issuers only, from administrators with a fresh password', async () => {
  const plain = await startService()
  const admin = await plain.admin()
  const add = (issuer: string) =>
    admin.post('/api/admin/providers', { id: 'a', name: 'A', clientId: 'a', issuer })
  for (const issuer of ['http://127.0.0.1:1', 'ftp://a', 'https://a?b', 'https://u:p@a']) {
    assertError(await add(issuer), 400, 'invalid_input')
  }
  assert.is((await add('https://127.0.0.1:1')).status, 200)
  assertError(await add('https://127.0.0.1:1'), 409, 'conflict')
  plain.clock.advance(61 * 60_000)
  assertError(await admin.delete('/api/admin/providers/a'), 403, 'confirmation_required')
})
