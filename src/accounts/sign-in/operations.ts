import * as v from 'valibot'
import { json, success, type Answer } from '../../http/answer.ts'
import { limiterKey } from '../../http/client-ip.ts'
import { jsonBody, ok, operation } from '../../http/operation.ts'
import { named, noted, successSchema, text } from '../../http/schema.ts'
import { emailSchema, newPasswordSchema, userNameSchema } from '../users/schemas.ts'
import type { SignInResult } from './sign-in.ts'
import { authentication, loggedIn, originOf, remember, sessionSchema, signIn } from './signed-in.ts'
import { readProof, withProof } from '../second-factor/schemas.ts'
import type { AccountDeps } from '../deps.ts'

const passwordSchema = noted(text(0, 256), 'Password of the account', 'correct horse battery')
const secondStepSchema = named(
  'SecondFactorNeeded',
  v.object({
    requires2FA: noted(v.boolean(), 'Continue with one of the methods'),
    email: v.string(),
    methods: noted(
      v.array(v.picklist(['code', 'passkey'])),
      'What the second step accepts: `code` with verify-2fa, `passkey` with passkeys/auth/verify',
    ),
  }),
)

/** The answers of a first step. */
export const signInAnswers = {
  200: {
    description: 'Signed in, or a second factor is required',
    schema: v.union([sessionSchema, secondStepSchema]),
    headers: ['Set-Cookie'],
  },
} as const

const setupTokenSchema = text(1, 200)

export const verifySetup = (deps: AccountDeps) =>
  operation({
    id: 'verifySetup',
    method: 'POST',
    path: '/api/setup/verify',
    summary: 'Check the setup token before a form is filled in',
    ...authentication,
    body: jsonBody(v.object({ token: setupTokenSchema })),
    answers: ok('The token is valid', successSchema),
    errors: ['wrong_setup_token', 'already_set_up'],
    async handle({ body }) {
      await deps.setup.verify(body.token)
      return success()
    },
  })

export const setup = (deps: AccountDeps) =>
  operation({
    id: 'setup',
    method: 'POST',
    path: '/api/setup',
    summary: 'Create the first administrator with the setup token printed at start',
    ...signIn,
    body: jsonBody(
      v.object({
        token: setupTokenSchema,
        email: emailSchema,
        password: newPasswordSchema,
        name: userNameSchema,
      }),
    ),
    answers: ok('Created and signed in', sessionSchema, ['Set-Cookie']),
    errors: ['wrong_setup_token', 'already_set_up'],
    async handle(call) {
      const user = await deps.setup.run({ kind: 'anonymous', ip: call.ip }, call.body)
      return loggedIn(deps.credentials, await deps.auth.startSession(user, originOf(deps, call)))
    },
  })

export const login = (deps: AccountDeps) =>
  operation({
    id: 'login',
    method: 'POST',
    path: '/api/auth/login',
    summary: 'Sign in with email and password',
    ...signIn,
    body: jsonBody(v.object({ email: emailSchema, password: passwordSchema, remember })),
    answers: signInAnswers,
    errors: ['wrong_credentials', 'account_waiting', 'password_sign_in_off'],
    async handle(call) {
      const { email, password } = call.body
      const origin = originOf(deps, call, call.body.remember)
      const result = await deps.accountAttempts.signIn(email, origin, () =>
        deps.auth.signIn(email, password, origin),
      )
      return answerSignIn(deps, call.ip, result)
    },
  })

export const verify2fa = (deps: AccountDeps) =>
  operation({
    id: 'verify2fa',
    method: 'POST',
    path: '/api/auth/verify-2fa',
    summary: 'Sign in with email, password and second factor',
    ...signIn,
    body: jsonBody(withProof({ email: emailSchema, password: passwordSchema, remember })),
    answers: ok('Signed in', sessionSchema, ['Set-Cookie']),
    errors: ['wrong_code', 'account_waiting', 'password_sign_in_off'],
    async handle(call) {
      const { email, password } = call.body
      const proof = readProof(call.body)
      const origin = originOf(deps, call, call.body.remember)
      const result = await deps.accountAttempts.verify(email, origin, () =>
        deps.auth.verifySecondFactor(email, password, proof, origin),
      )
      return loggedIn(deps.credentials, result)
    },
  })

export const logout = (deps: AccountDeps) =>
  operation({
    id: 'logout',
    method: 'POST',
    path: '/api/auth/logout',
    summary: 'End the session of the credential used',
    tag: 'Authentication',
    auth: 'user',
    scope: 'session',
    beforeEnrolment: true,
    answers: ok('Signed out', successSchema, ['Set-Cookie']),
    async handle(call) {
      await deps.auth.logout(call.actor)
      return { ...success(), cookies: [deps.credentials.clearedCookie()] }
    },
  })

/** Refunds the first step of two, because the second one counts. */
export function answerSignIn(
  deps: Pick<AccountDeps, 'credentials' | 'signInAttempts'>,
  ip: string,
  result: SignInResult,
): Answer {
  if (result.kind === 'logged_in') return loggedIn(deps.credentials, result)
  deps.signInAttempts.refund(limiterKey(ip))
  return json({ requires2FA: true, email: result.email, methods: result.methods })
}
