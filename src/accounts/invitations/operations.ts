import * as v from 'valibot'
import { json } from '../../http/answer.ts'
import { jsonBody, ok, operation } from '../../http/operation.ts'
import { named, noted, optional, text, timestamp } from '../../http/schema.ts'
import { emailSchema, newPasswordSchema, quotaSchema, userNameSchema } from '../users/schemas.ts'
import { requireFreshSession } from '../../lib/fresh-session.ts'
import { authentication, loggedIn, originOf, sessionSchema } from '../sign-in/signed-in.ts'
import { requireLink } from '../reset/password-reset.ts'
import * as links from './account-links.ts'
import type { AccountDeps } from '../deps.ts'

const administrator = { tag: 'Users', auth: 'admin', scope: 'session' } as const
const tokenSchema = text(1, 1000)

const linkFields = {
  expires_at: timestamp,
  mailed: noted(v.boolean(), 'Whether the link was emailed; otherwise pass it on yourself'),
}
const exampleUrl = 'https://files.example.org/invitation#token=…'
const invitationSchema = named(
  'Invitation',
  v.object({
    success: v.boolean(),
    id: noted(v.number(), 'Id of the account', 7),
    url: noted(
      v.string(),
      'Sets the password and signs in, once. Anyone with the link can use it',
      exampleUrl,
    ),
    ...linkFields,
  }),
)

function presentInvitation(id: number, { url, expiresAt, isEmailed }: links.AccountLink) {
  return { success: true, id, url, expires_at: expiresAt.toISOString(), mailed: isEmailed }
}

export const inviteUser = (deps: AccountDeps) =>
  operation({
    id: 'inviteUser',
    method: 'POST',
    path: '/api/users/invite',
    summary: 'Create an account by invitation; the link expires after 7 days',
    ...administrator,
    body: jsonBody(
      v.object({
        email: emailSchema,
        name: userNameSchema,
        is_admin: optional(v.boolean()),
        quota: quotaSchema,
      }),
    ),
    answers: ok('Invited; the link is emailed if email is set up', invitationSchema),
    errors: ['confirmation_required', 'conflict'],
    async handle({ actor, body }) {
      const { is_admin: isAdmin, ...user } = body
      if (isAdmin) requireFreshSession(actor)
      const invited = await links.invite(deps, actor, { ...user, isAdmin: isAdmin ?? false })
      return json(presentInvitation(invited.user.id, invited.link))
    },
  })

export const inviteUserAgain = (deps: AccountDeps) =>
  operation({
    id: 'inviteUserAgain',
    method: 'POST',
    path: '/api/users/{userId}/invite',
    summary: 'Replace the invitation link of an account that has no password yet',
    ...administrator,
    answers: ok('Invited; the link is emailed if email is set up', invitationSchema),
    errors: ['confirmation_required', 'conflict'],
    load: ({ params }) => deps.users.find(Number(params['userId'])),
    handle: async ({ actor }, { id }) =>
      json(presentInvitation(id, await links.inviteAgain(deps, actor, id))),
  })

export const createResetLink = (deps: AccountDeps) =>
  operation({
    id: 'createResetLink',
    method: 'POST',
    path: '/api/users/{userId}/password-reset',
    summary: 'Create a password reset link: emailed, or returned if email is not set up',
    ...administrator,
    answers: ok(
      'The link works once and expires after an hour; earlier links stop working',
      named(
        'ResetLink',
        v.object({
          success: v.boolean(),
          url: noted(v.nullable(v.string()), 'Link to pass on; null if it was emailed'),
          ...linkFields,
        }),
      ),
    ),
    errors: ['confirmation_required', 'conflict'],
    load: ({ params }) => deps.users.find(Number(params['userId'])),
    async handle({ actor }, user) {
      requireFreshSession(actor)
      const { url, expiresAt, isEmailed } = await links.makeResetLink(deps, actor, user.id)
      const shown = { url: isEmailed ? null : url, mailed: isEmailed }
      return json({ success: true, ...shown, expires_at: expiresAt.toISOString() })
    },
  })

export const verifyInvitation = (deps: AccountDeps) =>
  operation({
    id: 'verifyInvitation',
    method: 'POST',
    path: '/api/auth/invitation/verify',
    summary: 'Check whether an invitation is valid, and return its email address and name',
    ...authentication,
    body: jsonBody(v.object({ token: tokenSchema })),
    answers: ok(
      'The invitation is valid',
      v.object({ valid: v.boolean(), email: v.string(), name: v.string() }),
    ),
    errors: ['wrong_invitation'],
    async handle({ body }) {
      const { email, name } = await requireLink(deps, deps.database.sql, body.token, true)
      return json({ valid: true, email, name })
    },
  })

export const acceptInvitation = (deps: AccountDeps) =>
  operation({
    id: 'acceptInvitation',
    method: 'POST',
    path: '/api/auth/invitation/accept',
    summary: 'Accept an invitation: set the password and sign in',
    ...authentication,
    body: jsonBody(v.object({ token: tokenSchema, password: newPasswordSchema })),
    answers: ok('Password set, signed in', sessionSchema, ['Set-Cookie']),
    errors: ['wrong_invitation'],
    async handle(call) {
      const { token, password } = call.body
      const actor = { kind: 'anonymous', ip: call.ip } as const
      const accepted = await links.accept(deps, actor, token, password, originOf(deps, call))
      return loggedIn(deps.credentials, accepted)
    },
  })
