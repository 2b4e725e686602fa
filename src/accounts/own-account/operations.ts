import * as v from 'valibot'
import { json, success } from '../../http/answer.ts'
import { jsonBody, ok, operation } from '../../http/operation.ts'
import {
  named,
  nonNegative,
  noted,
  oneOfRequired,
  optional,
  present,
  successSchema,
  timestamp,
} from '../../http/schema.ts'
import { invalidInput } from '../../lib/errors.ts'
import { requireRecentProof } from '../../lib/fresh-session.ts'
import {
  emailSchema,
  newPasswordSchema,
  presentUser,
  userNameSchema,
  userSchema,
} from '../users/schemas.ts'
import { authenticationSchema } from '../passkeys/schemas.ts'
import {
  confirmationErrors,
  confirmationFields,
  readConfirmation,
  readGivenProof,
} from '../second-factor/schemas.ts'
import * as account from './account.ts'
import type { AccountDeps } from '../deps.ts'

const own = { tag: 'Account', auth: 'user', scope: 'session' } as const

export const getAccount = (deps: AccountDeps) =>
  operation({
    id: 'getAccount',
    method: 'GET',
    path: '/api/account',
    summary: 'Get the account of the caller',
    ...own,
    scope: 'read',
    beforeEnrolment: true,
    answers: ok('The account', userSchema),
    handle: async ({ actor }) => json(presentUser(await account.read(deps, actor))),
  })

export const getAccountUsage = (deps: AccountDeps) =>
  operation({
    id: 'getAccountUsage',
    method: 'GET',
    path: '/api/account/usage',
    summary: "Get the storage used by the caller's shares and deliveries, in bytes",
    ...own,
    scope: 'read',
    answers: ok(
      'Bytes of files, as counted for the quota, and the quota: 0 for no limit',
      v.object({ used_bytes: nonNegative, quota_bytes: nonNegative }),
    ),
    async handle({ actor }) {
      const { usedBytes, quotaBytes } = await account.usage(deps, actor)
      return json({ used_bytes: usedBytes, quota_bytes: quotaBytes })
    },
  })

export const updateAccount = (deps: AccountDeps) =>
  operation({
    id: 'updateAccount',
    method: 'PATCH',
    path: '/api/account',
    summary: 'Change name or email address; a new address requires the password and a code',
    ...own,
    scope: 'manage',
    body: jsonBody(
      v.object({
        name: optional(userNameSchema),
        email: optional(emailSchema),
        ...confirmationFields,
      }),
    ),
    answers: ok('The changed account', userSchema),
    errors: [...confirmationErrors, 'forbidden', 'api_token_not_allowed', 'conflict'],
    async handle({ actor, body }) {
      const { name, email } = body
      const confirmation = readConfirmation(body)
      const update = () => account.update(deps, actor, { name, email, confirmation })
      const guesses = confirmation && actor.sessionId !== null
      const user = await (guesses ? deps.accountAttempts.confirm(actor, update) : update())
      return json(presentUser(user))
    },
  })

export const changePassword = (deps: AccountDeps) =>
  operation({
    id: 'changePassword',
    method: 'POST',
    path: '/api/account/password',
    summary: 'Change the password; ends all other sessions, API tokens and upload tokens',
    ...own,
    body: jsonBody(v.object({ ...confirmationFields, newPassword: newPasswordSchema })),
    answers: ok('Changed', successSchema),
    errors: confirmationErrors,
    async handle({ actor, body }) {
      await deps.accountAttempts.confirm(actor, () =>
        account.changePassword(deps, actor, readConfirmation(body), body.newPassword),
      )
      return success()
    },
  })

export const confirmLogin = (deps: AccountDeps) =>
  operation({
    id: 'confirmLogin',
    method: 'POST',
    path: '/api/auth/confirm',
    summary:
      'Verify the user again; allows operations that answer 403 `confirmation_required` for ' +
      'ten minutes',
    description:
      'Changes to accounts, sign-in, email and security settings require that the user was ' +
      'verified in the last ten minutes, at sign-in or here: by a passkey, or by the password ' +
      'and, with an authenticator app, a code; by a code alone if the account has no password. ' +
      'With `require2FA`, an account with passkeys and no app needs the passkey. ' +
      'Where the error says `factors: one`, the password or a code is enough.',
    tag: 'Authentication',
    auth: 'user',
    scope: 'session',
    beforeEnrolment: true,
    body: jsonBody(
      oneOfRequired(
        v.object({
          ...confirmationFields,
          currentPassword: noted(
            confirmationFields.currentPassword,
            'Current password of the account',
            'correct horse battery',
          ),
          passkey: noted(
            optional(authenticationSchema),
            'Answer to the options of `getPasskeyConfirmationOptions`',
          ),
        }),
        ['currentPassword', 'code', 'recoveryCode', 'passkey'],
      ),
    ),
    answers: ok('Confirmed', successSchema),
    errors: [
      'wrong_current_password',
      'wrong_second_factor',
      'wrong_passkey',
      'https_required',
      'rate_limited',
    ],
    async handle({ actor, body: { currentPassword, passkey, ...proof } }) {
      await deps.accountAttempts.confirm(actor, async () => {
        if (passkey) return deps.passkeys.confirm(actor, passkey)
        const given = readGivenProof(proof)
        const password = currentPassword ?? null
        if (password === null && !given) throw invalidInput('currentPassword', 'is required')
        return account.confirm(deps, actor, password, given)
      })
      return success()
    },
  })

export const deleteAccount = (deps: AccountDeps) =>
  operation({
    id: 'deleteAccount',
    method: 'DELETE',
    path: '/api/account',
    summary: 'Permanently delete the account, its shares and their files',
    ...own,
    body: jsonBody(v.object(confirmationFields)),
    answers: ok('Deleted', successSchema, ['Set-Cookie']),
    errors: [...confirmationErrors, 'last_administrator'],
    async handle({ actor, body }) {
      await deps.accountAttempts.confirm(actor, () =>
        account.remove(deps, actor, readConfirmation(body)),
      )
      return { ...success(), cookies: [deps.credentials.clearedCookie()] }
    },
  })

const sessionSchema = named(
  'Session',
  v.object({
    id: v.string(),
    current: noted(v.boolean(), 'Whether it is the session of this request'),
    ip: v.string(),
    user_agent: v.string(),
    created_at: timestamp,
    last_seen_at: timestamp,
  }),
)

export const listSessions = (deps: AccountDeps) =>
  operation({
    id: 'listSessions',
    method: 'GET',
    path: '/api/account/sessions',
    summary: 'List the sessions of the account, newest first',
    ...own,
    answers: ok('The sessions', v.array(sessionSchema)),
    async handle({ actor }) {
      const sessions = await deps.auth.listSessions(actor)
      const isCurrent = (id: string) => id === actor.sessionId
      const shown = sessions.map((session) => ({ ...session, current: isCurrent(session.id) }))
      return json(shown.map((session) => present(sessionSchema, session)))
    },
  })

export const endOtherSessions = (deps: AccountDeps) =>
  operation({
    id: 'endOtherSessions',
    method: 'DELETE',
    path: '/api/account/sessions',
    summary: 'End all other sessions and all upload tokens of the account',
    ...own,
    answers: ok('Ended', successSchema),
    errors: ['confirmation_required'],
    async handle({ actor }) {
      requireRecentProof(actor)
      await deps.auth.endOtherSessions(actor)
      return success()
    },
  })

export const endSession = (deps: AccountDeps) =>
  operation({
    id: 'endSession',
    method: 'DELETE',
    path: '/api/account/sessions/{sessionId}',
    summary: 'End a session of the account; ending another session also ends all upload tokens',
    ...own,
    answers: ok('Ended', successSchema, ['Set-Cookie']),
    errors: ['confirmation_required'],
    async handle({ actor, params }) {
      const sessionId = params['sessionId']!
      const isOwn = sessionId === actor.sessionId
      if (!isOwn) requireRecentProof(actor)
      await deps.auth.endSession(actor, sessionId)
      return { ...success(), cookies: isOwn ? [deps.credentials.clearedCookie()] : [] }
    },
  })
