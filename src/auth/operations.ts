import * as v from 'valibot'
import { json, success } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { jsonBody, operation } from '../http/operation.ts'
import { named, noted, successSchema, text } from '../http/schema.ts'
import { hashToken } from '../lib/random-id.ts'
import { emailSchema, newPasswordSchema, userNameSchema } from '../users/schemas.ts'
import type { Auth } from './auth.ts'
import type { Credentials } from './credentials.ts'
import { limitFailures, secondFactorTokens, type SecondFactorFailures } from './failures.ts'
import { loggedIn, originOf, sessionSchema } from './logged-in.ts'
import { proofFields, readProof } from './second-factor/schemas.ts'
import type { GuessBounds } from './guesses/guess-bounds.ts'
import type { KnownClients } from './known-clients.ts'
import type { Setup } from './setup.ts'

export interface AuthRoom {
  readonly auth: Auth
  readonly credentials: Credentials
  readonly setup: Setup
  readonly secondFactorFailures: SecondFactorFailures
  readonly accountGuesses: GuessBounds['accountGuesses']
  readonly knownClients: KnownClients
}

const declare = operation<AuthRoom>()
const passwordSchema = noted(text(0, 256), 'Password of the account', 'correct horse battery')
const secondStepSchema = named(
  'SecondFactorNeeded',
  v.object({
    requires2FA: noted(v.boolean(), 'Go on with verify-2fa'),
    email: v.string(),
  }),
)

export const setup = declare({
  id: 'setup',
  method: 'POST',
  path: '/api/setup',
  summary: 'Create the first administrator with the token printed at start',
  tag: 'Authentication',
  auth: 'none',
  limit: { name: 'login', counts: 'valid' },
  body: jsonBody(
    v.object({
      token: text(1, 200),
      email: emailSchema,
      password: newPasswordSchema,
      name: userNameSchema,
    }),
  ),
  answers: {
    200: { description: 'Created and logged in', schema: sessionSchema, headers: ['Set-Cookie'] },
  },
  errors: ['invalid_input', 'wrong_setup_token', 'already_set_up', 'rate_limited'],
  async handle(room, call) {
    const user = await room.setup.run({ kind: 'anonymous', ip: call.ip }, call.body)
    return loggedIn(room.credentials, await room.auth.startSession(user, originOf(call)))
  },
})

export const login = declare({
  id: 'login',
  method: 'POST',
  path: '/api/auth/login',
  summary: 'Log in with e-mail and password',
  tag: 'Authentication',
  auth: 'none',
  limit: { name: 'login', counts: 'valid' },
  body: jsonBody(v.object({ email: emailSchema, password: passwordSchema })),
  answers: {
    200: {
      description: 'Logged in, or a second factor is needed',
      schema: v.union([sessionSchema, secondStepSchema]),
      headers: ['Set-Cookie'],
    },
  },
  errors: ['invalid_input', 'wrong_credentials', 'cross_site', 'rate_limited'],
  async handle(room, call) {
    const { email, password } = call.body
    const result = await guessing(room, call.exchange, email, () =>
      room.auth.login(email, password, originOf(call)),
    )
    if (result.kind === 'second_factor') return json({ requires2FA: true, email: result.email })
    return loggedIn(room.credentials, result)
  },
})

export const verify2fa = declare({
  id: 'verify2fa',
  method: 'POST',
  path: '/api/auth/verify-2fa',
  summary: 'Log in with e-mail, password and a second factor',
  tag: 'Authentication',
  auth: 'none',
  body: jsonBody(v.object({ email: emailSchema, password: passwordSchema, ...proofFields })),
  answers: {
    200: { description: 'Logged in', schema: sessionSchema, headers: ['Set-Cookie'] },
  },
  errors: ['invalid_input', 'wrong_credentials', 'wrong_code', 'cross_site', 'rate_limited'],
  async handle(room, call) {
    const { email, password } = call.body
    const proof = readProof(call.body)
    const tokens = secondFactorTokens(room.secondFactorFailures, email, call.ip)
    const result = await limitFailures(tokens, () =>
      guessing(room, call.exchange, email, () =>
        room.auth.verifySecondFactor(email, password, proof, originOf(call)),
      ),
    )
    return loggedIn(room.credentials, result)
  },
})

export const logout = declare({
  id: 'logout',
  method: 'POST',
  path: '/api/auth/logout',
  summary: 'End the session of the credential used',
  tag: 'Authentication',
  auth: 'user',
  sessionOnly: true,
  beforeEnrolment: true,
  answers: {
    200: { description: 'Logged out', schema: successSchema, headers: ['Set-Cookie'] },
  },
  errors: ['unauthorized', 'api_token_not_allowed', 'cross_site'],
  async handle(room, call) {
    await room.auth.logout(call.actor)
    return { ...success(), cookies: [room.credentials.clearedCookie()] }
  },
})

/** Both steps of a sign-in count as guesses at one account, whether or not it exists. */
function guessing<T>(
  { accountGuesses, knownClients, credentials }: AuthRoom,
  exchange: Exchange,
  email: string,
  work: () => Promise<T>,
): Promise<T> {
  const findKnown = () => knownClients.find(email, credentials.clientOf(exchange))
  const subject = hashToken(email.toLowerCase()).toString('base64')
  return accountGuesses.during({ subject, ip: exchange.ip, findKnown }, work)
}
