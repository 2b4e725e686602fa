import * as v from 'valibot'
import { json, success } from '../../http/answer.ts'
import { jsonBody, ok, operation } from '../../http/operation.ts'
import { named, noted, successSchema, text } from '../../http/schema.ts'
import type { AccountDeps } from '../deps.ts'
import { authentication, loggedIn, originOf, sessionSchema } from '../sign-in/signed-in.ts'
import { emailSchema, newPasswordSchema, userNameSchema } from '../users/schemas.ts'

/** It holds an address of at most 254 characters. */
const tokenSchema = noted(text(1, 1000), 'From the link')

const linkErrors = [
  'sign_up_off',
  'wrong_sign_up_link',
  'sign_up_used',
  'too_many_sign_ups',
] as const

export const requestSignUp = (deps: AccountDeps) =>
  operation({
    id: 'requestSignUp',
    method: 'POST',
    path: '/api/auth/sign-up/request',
    summary: 'Request a link to create an account; the answer is the same for every address',
    ...authentication,
    limit: { name: 'reset', counts: 'valid' },
    body: jsonBody(v.object({ email: emailSchema })),
    answers: ok(
      'Accepted. A new address gets a link; one with an account gets an email that says so',
      successSchema,
    ),
    errors: ['sign_up_off'],
    async handle({ body, ip }) {
      await deps.signUp.request({ kind: 'anonymous', ip }, body.email)
      return success()
    },
  })

export const verifySignUp = (deps: AccountDeps) =>
  operation({
    id: 'verifySignUp',
    method: 'POST',
    path: '/api/auth/sign-up/verify',
    summary: 'Check whether a sign-up link is valid, and return its email address',
    ...authentication,
    body: jsonBody(v.object({ token: tokenSchema })),
    answers: ok(
      'The link is valid',
      v.object({
        valid: v.boolean(),
        email: v.string(),
        needs_approval: noted(v.boolean(), 'Whether an administrator has to approve the account'),
      }),
    ),
    errors: linkErrors,
    async handle({ body }) {
      const { signUp } = deps
      const { email } = await signUp.verify(body.token)
      return json({ valid: true, email, needs_approval: signUp.needsApproval })
    },
  })

export const confirmSignUp = (deps: AccountDeps) =>
  operation({
    id: 'confirmSignUp',
    method: 'POST',
    path: '/api/auth/sign-up/confirm',
    summary: 'Create an account with the token of a sign-up link, once, and sign in',
    ...authentication,
    body: jsonBody(
      v.object({ token: tokenSchema, name: userNameSchema, password: newPasswordSchema }),
    ),
    answers: ok(
      'Created and signed in, or waiting for approval',
      v.union([
        sessionSchema,
        named(
          'WaitingForApproval',
          v.object({
            success: v.boolean(),
            waiting: noted(v.boolean(), 'True: an email says when the account is approved'),
          }),
        ),
      ]),
      ['Set-Cookie'],
    ),
    errors: linkErrors,
    async handle(call) {
      const { token, ...chosen } = call.body
      const actor = { kind: 'anonymous', ip: call.ip } as const
      const session = await deps.signUp.confirm(actor, token, chosen, originOf(deps, call))
      return session ? loggedIn(deps.credentials, session) : json({ success: true, waiting: true })
    },
  })
