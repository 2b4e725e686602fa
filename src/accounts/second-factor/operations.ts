import * as v from 'valibot'
import { json, success } from '../../http/answer.ts'
import { jsonBody, ok, operation } from '../../http/operation.ts'
import { requireFreshSession } from '../../lib/fresh-session.ts'
import { deprecated, nonNegative, noted, successSchema } from '../../http/schema.ts'
import { renderQrCode } from '../../lib/qr-code.ts'
import * as enrolment from './enrolment.ts'
import {
  codeSchema,
  confirmationErrors,
  confirmationFields,
  currentPasswordSchema,
  readConfirmation,
} from './schemas.ts'
import type { AccountDeps } from '../deps.ts'

/** Open to users who still have to enrol, but not to API tokens. */
const own = {
  tag: 'Second factor',
  auth: 'user',
  scope: 'session',
  beforeEnrolment: true,
} as const

const codesSchema = v.object({
  success: v.boolean(),
  recoveryCodes: v.array(v.string()),
  backupCodes: deprecated(v.array(v.string()), 'Another name of `recoveryCodes`'),
})

function presentCodes(recoveryCodes: string[]): v.InferOutput<typeof codesSchema> {
  return { success: true, recoveryCodes, backupCodes: recoveryCodes }
}

/** Changes of the second factor that require password and second factor. */
const confirmed = {
  body: jsonBody(v.object(confirmationFields)),
  errors: [...confirmationErrors, 'no_second_factor'],
} as const

export const getSecondFactorStatus = (deps: AccountDeps) =>
  operation({
    id: 'getSecondFactorStatus',
    method: 'GET',
    path: '/api/auth/2fa/status',
    summary: 'Get whether the account has a second factor, and whether it must have one',
    ...own,
    answers: ok(
      'The state of the second factor',
      v.object({
        enabled: noted(v.boolean(), 'Whether an authenticator app is set up'),
        hasPasskey: noted(v.boolean(), 'Whether a passkey is set up, which counts as well'),
        needsPasskey: noted(
          v.boolean(),
          'Whether changes that take the password take a passkey beside it, for lack of an app',
        ),
        hasPassword: noted(v.boolean(), 'Whether the account has a password'),
        required: v.boolean(),
        recoveryCodesLeft: nonNegative,
      }),
    ),
    handle: async ({ actor }) => json(await enrolment.status(deps, actor)),
  })

export const setupSecondFactor = (deps: AccountDeps) =>
  operation({
    id: 'setupSecondFactor',
    method: 'POST',
    path: '/api/auth/2fa/setup',
    summary: 'Create a secret for an authenticator app; takes effect once enabled with a code',
    ...own,
    answers: ok(
      'The secret in base32, as an otpauth: URI, and that as a QR code in SVG',
      v.object({
        secret: v.string(),
        otpauthUri: v.string(),
        qrCodeSvg: v.string(),
        qrCode: deprecated(v.string(), 'The image of `qrCodeSvg` as a data: URL'),
      }),
    ),
    errors: ['second_factor_enabled'],
    load: ({ actor }) => enrolment.requireState(deps, actor, 'none', 'pending'),
    async handle({ actor }) {
      const { secret, uri } = await enrolment.setup(deps, actor)
      const qrCodeSvg = await renderQrCode(uri)
      const qrCode = `data:image/svg+xml;base64,${Buffer.from(qrCodeSvg).toString('base64')}`
      return json({ secret, otpauthUri: uri, qrCodeSvg, qrCode })
    },
  })

export const enableSecondFactor = (deps: AccountDeps) =>
  operation({
    id: 'enableSecondFactor',
    method: 'POST',
    path: '/api/auth/2fa/enable',
    summary: 'Turn on the second factor with password and code; ends other sessions and API tokens',
    ...own,
    body: jsonBody(v.object({ currentPassword: currentPasswordSchema, code: codeSchema })),
    answers: ok('Turned on; the recovery codes are shown only once', codesSchema),
    errors: [...confirmationErrors, 'second_factor_enabled', 'no_second_factor'],
    load: ({ actor }) => enrolment.requireState(deps, actor, 'pending'),
    async handle({ actor, body }) {
      const recoveryCodes = await deps.accountAttempts.confirm(actor, () =>
        enrolment.enable(deps, actor, body.currentPassword ?? null, body.code),
      )
      return json(presentCodes(recoveryCodes))
    },
  })

export const renewRecoveryCodes = (deps: AccountDeps) =>
  operation({
    id: 'renewRecoveryCodes',
    method: 'POST',
    path: '/api/auth/2fa/recovery-codes',
    summary: 'Replace all recovery codes; requires password and code',
    ...own,
    ...confirmed,
    answers: ok('The new codes, shown only once', codesSchema),
    load: ({ actor }) => enrolment.requireState(deps, actor, 'enabled'),
    async handle({ actor, body }) {
      const recoveryCodes = await deps.accountAttempts.confirm(actor, () =>
        enrolment.renewRecoveryCodes(deps, actor, readConfirmation(body)),
      )
      return json(presentCodes(recoveryCodes))
    },
  })

export const disableSecondFactor = (deps: AccountDeps) =>
  operation({
    id: 'disableSecondFactor',
    method: 'POST',
    path: '/api/auth/2fa/disable',
    summary:
      'Turn off the second factor with password and code; ends other sessions and API tokens',
    ...own,
    ...confirmed,
    answers: ok('Off', successSchema),
    load: ({ actor }) => enrolment.requireState(deps, actor, 'enabled'),
    async handle({ actor, body }) {
      await deps.accountAttempts.confirm(actor, () =>
        enrolment.disable(deps, actor, readConfirmation(body)),
      )
      return success()
    },
  })

export const resetUserSecondFactor = (deps: AccountDeps) =>
  operation({
    id: 'resetUserSecondFactor',
    method: 'POST',
    path: '/api/users/{userId}/2fa/reset',
    summary: 'Remove authenticator app and passkeys of an account and end its sessions',
    tag: 'Users',
    auth: 'admin',
    scope: 'session',
    answers: ok('The account has no second factor', successSchema),
    errors: ['confirmation_required', 'own_second_factor'],
    load: ({ params }) => deps.users.find(Number(params['userId'])),
    async handle({ actor }, user) {
      requireFreshSession(actor)
      await enrolment.reset(deps, actor, user.id)
      return success()
    },
  })
