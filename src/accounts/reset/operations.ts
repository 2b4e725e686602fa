import * as v from 'valibot'
import { json, success } from '../../http/answer.ts'
import { jsonBody, ok, operation } from '../../http/operation.ts'
import { successSchema, text } from '../../http/schema.ts'
import { authentication } from '../sign-in/signed-in.ts'
import { emailSchema, newPasswordSchema } from '../users/schemas.ts'
import type { AccountDeps } from '../deps.ts'
import { requireLink } from './password-reset.ts'

const tokenSchema = text(1, 1000)

export const requestPasswordReset = (deps: AccountDeps) =>
  operation({
    id: 'requestPasswordReset',
    method: 'POST',
    path: '/api/auth/password-reset/request',
    summary: 'Request a password reset link by email; the answer is the same for every address',
    ...authentication,
    limit: { name: 'reset', counts: 'valid' },
    body: jsonBody(v.object({ email: emailSchema })),
    answers: ok('Accepted; if the account exists, it gets an email', successSchema),
    async handle({ body, ip }) {
      await deps.passwordReset.request({ kind: 'anonymous', ip }, body.email)
      return success()
    },
  })

export const verifyPasswordReset = (deps: AccountDeps) =>
  operation({
    id: 'verifyPasswordReset',
    method: 'POST',
    path: '/api/auth/password-reset/verify',
    summary: 'Check whether a password reset link is still valid, and for which account',
    ...authentication,
    body: jsonBody(v.object({ token: tokenSchema })),
    answers: ok('The link is valid', v.object({ valid: v.boolean(), email: v.string() })),
    errors: ['wrong_reset_token'],
    async handle({ body }) {
      const { email } = await requireLink(deps, deps.database.sql, body.token, false)
      return json({ valid: true, email })
    },
  })

export const completePasswordReset = (deps: AccountDeps) =>
  operation({
    id: 'completePasswordReset',
    method: 'POST',
    path: '/api/auth/password-reset/complete',
    summary: 'Set a new password with the token of a link, once; ends all sessions of the account',
    ...authentication,
    body: jsonBody(v.object({ token: tokenSchema, password: newPasswordSchema })),
    answers: ok('Password set; sign in with it', successSchema),
    errors: ['wrong_reset_token'],
    async handle({ body, ip }) {
      await deps.passwordReset.complete({ kind: 'anonymous', ip }, body.token, body.password)
      return success()
    },
  })
