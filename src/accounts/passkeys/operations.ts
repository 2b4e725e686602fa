import * as v from 'valibot'
import { json, success } from '../../http/answer.ts'
import { jsonBody, ok, operation } from '../../http/operation.ts'
import { optional, present, successSchema } from '../../http/schema.ts'
import { requireFreshSession } from '../../lib/fresh-session.ts'
import { loggedIn, originOf, remember, sessionSchema } from '../sign-in/signed-in.ts'
import {
  authenticationSchema,
  creationOptionsSchema,
  passkeyFields,
  passkeyNameSchema,
  passkeySchema,
  registrationSchema,
  requestOptionsSchema,
} from './schemas.ts'
import type { AccountDeps } from '../deps.ts'

const tag = 'Passkeys'
/** Open to users who still have to enrol, but not to API tokens. */
const own = { tag, auth: 'user', scope: 'session', beforeEnrolment: true } as const
const defaultName = 'Passkey'

export const listPasskeys = (deps: AccountDeps) =>
  operation({
    id: 'listPasskeys',
    method: 'GET',
    path: '/api/passkeys',
    summary: 'List the passkeys of the account, newest first',
    ...own,
    answers: ok('The passkeys', v.array(passkeySchema)),
    handle: async ({ actor }) =>
      json((await deps.passkeys.list(actor)).map((row) => present(passkeySchema, row))),
  })

export const getPasskeyRegistrationOptions = (deps: AccountDeps) =>
  operation({
    id: 'getPasskeyRegistrationOptions',
    method: 'POST',
    path: '/api/passkeys/register/options',
    summary: 'Get the options with which a browser makes a passkey for the account',
    ...own,
    answers: ok('`PublicKeyCredentialCreationOptionsJSON`', creationOptionsSchema),
    errors: ['https_required', 'too_many_passkeys', 'confirmation_required'],
    async handle({ actor }) {
      requireFreshSession(actor)
      return json(await deps.passkeys.registrationOptions(actor))
    },
  })

export const registerPasskey = (deps: AccountDeps) =>
  operation({
    id: 'registerPasskey',
    method: 'POST',
    path: '/api/passkeys/register/verify',
    summary: 'Add the passkey that a browser has made with the options of this session',
    ...own,
    body: jsonBody(v.object({ ...registrationSchema.entries, name: optional(passkeyNameSchema) })),
    answers: ok('The passkey', v.object({ success: v.boolean(), ...passkeyFields })),
    errors: ['https_required', 'conflict', 'too_many_passkeys', 'confirmation_required'],
    async handle({ actor, body: { name, ...registration } }) {
      requireFreshSession(actor)
      const passkey = await deps.passkeys.register(actor, registration, name ?? defaultName)
      return json({ success: true, ...present(passkeySchema, passkey) })
    },
  })

export const renamePasskey = (deps: AccountDeps) =>
  operation({
    id: 'renamePasskey',
    method: 'PATCH',
    path: '/api/passkeys/{passkeyId}',
    summary: 'Rename a passkey',
    ...own,
    body: jsonBody(v.object({ name: passkeyNameSchema })),
    answers: ok('The renamed passkey', passkeySchema),
    async handle({ actor, params, body }) {
      const renamed = await deps.passkeys.rename(actor, params['passkeyId']!, body.name)
      return json(present(passkeySchema, renamed))
    },
  })

export const deletePasskey = (deps: AccountDeps) =>
  operation({
    id: 'deletePasskey',
    method: 'DELETE',
    path: '/api/passkeys/{passkeyId}',
    summary: 'Remove a passkey; ends the other sessions that it started, and all upload tokens',
    ...own,
    answers: ok('Removed', successSchema),
    errors: ['last_factor', 'last_sign_in', 'confirmation_required'],
    async handle({ actor, params }) {
      requireFreshSession(actor)
      await deps.passkeys.remove(actor, params['passkeyId']!)
      return success()
    },
  })

export const getPasskeyConfirmationOptions = (deps: AccountDeps) =>
  operation({
    id: 'getPasskeyConfirmationOptions',
    method: 'POST',
    path: '/api/passkeys/confirm/options',
    summary: 'Get the options with which a browser confirms this session for `confirmLogin`',
    ...own,
    answers: ok('`PublicKeyCredentialRequestOptionsJSON`', requestOptionsSchema),
    errors: ['https_required'],
    handle: async ({ actor }) => json(deps.passkeys.confirmationOptions(actor)),
  })

export const getPasskeySignInOptions = (deps: AccountDeps) =>
  operation({
    id: 'getPasskeySignInOptions',
    method: 'POST',
    path: '/api/passkeys/auth/options',
    summary: 'Get the options with which a browser signs in with a passkey',
    tag,
    auth: 'none',
    answers: ok('`PublicKeyCredentialRequestOptionsJSON`', requestOptionsSchema),
    errors: ['https_required'],
    handle: async () => json(deps.passkeys.signInOptions()),
  })

export const signInWithPasskey = (deps: AccountDeps) =>
  operation({
    id: 'signInWithPasskey',
    method: 'POST',
    path: '/api/passkeys/auth/verify',
    summary: 'Sign in with a passkey; needs no password and no code',
    tag,
    auth: 'none',
    limit: { name: 'login', counts: 'valid' },
    body: jsonBody(v.object({ ...authenticationSchema.entries, remember })),
    answers: ok('Signed in', sessionSchema, ['Set-Cookie']),
    errors: ['wrong_passkey', 'https_required'],
    async handle(call) {
      const { remember: isRemembered, ...authentication } = call.body
      const origin = originOf(deps, call, isRemembered)
      const session = await deps.accountAttempts.signInWithPasskey(authentication.id, origin, () =>
        deps.passkeys.signIn(authentication, origin),
      )
      return loggedIn(deps.credentials, session)
    },
  })
