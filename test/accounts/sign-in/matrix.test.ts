import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError, type Answer, type Client } from '../../helpers/client.ts'
import { inviteAgain, makeResetLink } from '../../../src/accounts/invitations/account-links.ts'
import { operator } from '../../../src/lib/actor.ts'
import { Authenticator } from '../../helpers/authenticator.ts'
import { startService } from '../../helpers/service.ts'
import { enrol, type Enrolled, newPerson, person, type Person } from '../people.ts'

const matrix = suite('sign-in: matrix')
const baseUrl = 'https://transfer.test'
const quarterHourMs = 15 * 60_000

const env = { BASE_URL: baseUrl, TRUST_PROXY: '127.0.0.1', PROXY_USER_HEADER: 'Remote-Email' }
const service = await startService({ env })
const chief: Person = await person(service, 'chief@example.org', { isAdmin: true })
await enrol(service, chief.client)
matrix.before.each(() => service.clock.advance(quarterHourMs))

interface Subject extends Person {
  readonly factor: Enrolled | null
  readonly key: Authenticator
}

type Attempt = readonly [path: string, json: object, headers?: Record<string, string>]

interface Way {
  /** The account of this way has an authenticator app. */
  readonly hasApp?: true
  readonly attempt: (who: Subject) => Promise<Attempt> | Attempt
  /** Whether it counts as two factors. */
  readonly isTwoFactors?: true
  /** The error for a disabled account. */
  readonly disabled: string
  /** The error for one that waits for approval, where it differs. */
  readonly waiting?: string
  /** The error for the same request again; none where it may be sent again. */
  readonly replay?: string
  /** False where nothing can be guessed. */
  readonly isLimited?: false
}

const tokenIn = (url: string) => ({ token: url.split('#token=')[1]! })

const ways: Readonly<Record<string, Way>> = {
  'a password': {
    attempt: ({ email, password }) => ['/api/auth/login', { email, password }],
    disabled: 'wrong_credentials',
    waiting: 'account_waiting',
  },
  'a code': {
    hasApp: true,
    attempt: ({ email, password, factor }) => [
      '/api/auth/verify-2fa',
      { email, password, code: factor!.app.code() },
    ],
    isTwoFactors: true,
    disabled: 'wrong_code',
    waiting: 'account_waiting',
    replay: 'wrong_code',
  },
  'a recovery code': {
    hasApp: true,
    attempt: ({ email, password, factor }) => [
      '/api/auth/verify-2fa',
      { email, password, recoveryCode: factor!.recoveryCodes[0] },
    ],
    isTwoFactors: true,
    disabled: 'wrong_code',
    waiting: 'account_waiting',
    replay: 'wrong_code',
  },
  'a passkey': {
    attempt: async ({ key }) => {
      const options = await service.client().post('/api/passkeys/auth/options')
      return ['/api/passkeys/auth/verify', key.get(options.json())]
    },
    isTwoFactors: true,
    disabled: 'wrong_passkey',
    replay: 'wrong_passkey',
  },
  'an invitation': {
    attempt: async ({ id }) => {
      await service.database.sql`update users set invited_at = now() where id = ${id}`
      const { url } = await inviteAgain(service.app.services, operator, id)
      return ['/api/auth/invitation/accept', { ...tokenIn(url), password: 'quite another one' }]
    },
    disabled: 'wrong_invitation',
    replay: 'wrong_invitation',
    isLimited: false,
  },
  'the header of a proxy': {
    attempt: ({ email }) => ['/api/auth/proxy', {}, { 'remote-email': email }],
    disabled: 'wrong_proxy_user',
  },
  'a password of a reset link': {
    attempt: async ({ id, email }) => {
      const { url } = await makeResetLink(service.app.services, operator, id)
      const password = 'quite another one'
      const reset = { ...tokenIn(url), password }
      const done = await service.client().post('/api/auth/password-reset/complete', reset)
      assert.equal([done.status, done.headers['set-cookie']], [200, undefined])
      return ['/api/auth/login', { email, password }]
    },
    disabled: 'wrong_credentials',
    waiting: 'account_waiting',
  },
}

for (const [name, way] of Object.entries(ways)) {
  const { hasApp, attempt, isTwoFactors, disabled, waiting, replay, isLimited = true } = way
  const subject = async (withKey = name === 'a passkey'): Promise<Subject> => {
    const who = await newPerson(service)
    const factor = hasApp ? await enrol(service, who.client) : null
    const key = new Authenticator(baseUrl)
    if (withKey) {
      const options = (await who.client.post('/api/passkeys/register/options')).json()
      const added = await who.client.post('/api/passkeys/register/verify', key.create(options))
      assert.is(added.status, 200, added.body.toString())
    }
    return { ...who, factor, key }
  }
  const send = ([path, json, headers = {}]: Attempt): Promise<Answer> =>
    service.client().post(path, json, headers)
  const clientOf = (answer: Answer): Client => {
    assert.is(answer.status, 200, answer.body.toString())
    const client = service.client()
    client.token = answer.json().token
    return client
  }

  matrix(
    `should sign in by ${name}, ${replay ? 'once' : 'again'}, until the session ends`,
    async () => {
      const who = await subject()
      const request = await attempt(who)
      const [path, json, headers = {}] = request
      const answer = await send([path, { ...json, remember: false }, headers])
      const client = clientOf(answer)
      const lifeSeconds = name === 'an invitation' ? 2_592_000 : 43_200
      assert.match(String(answer.headers['set-cookie']), `; Max-Age=${lifeSeconds};`)
      assert.is((await client.get('/api/account')).json().email, who.email)
      const again = await send(request)
      if (replay) assert.is(again.json().code, replay)
      else assert.is(again.status, 200)
      await service.app.services.auth.endSessionsOf(operator, who.id)
      assertError(await client.get('/api/account'), 401, 'unauthorized')
    },
  )

  matrix(`should keep the rule that a second factor is required, with ${name}`, async () => {
    const who = await subject()
    const request = await attempt(who)
    const { settings } = service.app.services
    await settings.update(operator, { require2FA: true })
    try {
      const client = clientOf(await send(request))
      const { status } = await client.get('/api/shares')
      assert.is(status, isTwoFactors ? 200 : 403)
      // A password alone never gets past a factor that there is.
      const both = await subject(true)
      const twice = await attempt(both)
      if (name !== 'an invitation' && !isTwoFactors) {
        const step = (await send(twice)).json()
        assert.equal([step.requires2FA, step.token], [true, undefined])
      }
    } finally {
      await settings.update(operator, { require2FA: false })
    }
  })

  for (const [state, requestedAt, code] of [
    ['is disabled', null, disabled],
    ['waits for approval', new Date(), waiting ?? disabled],
  ] as const) {
    matrix(`should refuse an account that ${state}, with ${name}`, async () => {
      const who = await subject()
      const request = await attempt(who)
      await service.database.sql`
        update users set disabled_at = now(), requested_at = ${requestedAt} where id = ${who.id}`
      const answer = await send(request)
      assert.equal([answer.json().code, answer.headers['set-cookie']], [code, undefined])
    })
  }

  if (!isLimited) continue
  matrix(`should limit the attempts of an address, with ${name}`, async () => {
    const request = await attempt(await subject())
    const [path, json, headers] = request
    const wrong = { ...json, password: 'wrong', id: 'AAAA', rawId: 'AAAA' }
    const nobody = headers && { 'remote-email': 'nobody@example.org' }
    for (let n = 0; n < 5; n += 1) {
      const { status } = await send([path, wrong, { ...nobody }])
      assert.is(status, nobody ? 403 : 401)
    }
    assertError(await send(request), 429, 'rate_limited')
  })
}
