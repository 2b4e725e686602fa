import * as v from 'valibot'
import { json, type JsonAnswer } from '../../http/answer.ts'
import type { Call } from '../../http/operation.ts'
import { named, noted, optional } from '../../http/schema.ts'
import { presentUser, userSchema } from '../users/schemas.ts'
import type { SignInOrigin, StartedSession } from './sign-in.ts'
import type { AccountDeps } from '../deps.ts'
import type { Credentials } from './credentials.ts'
import type { Client } from './known-clients.ts'

export const sessionSchema = named(
  'LoggedIn',
  v.object({
    success: v.boolean(),
    token: noted(v.string(), 'A JWT, for `Authorization: Bearer`'),
    user: userSchema,
  }),
)

/** For people without a session. */
export const authentication = { tag: 'Authentication', auth: 'none' } as const
/** Guesses at passwords and codes are limited by address. */
export const signIn = { ...authentication, limit: { name: 'login', counts: 'valid' } } as const

/** A field of a body that signs in. */
export const remember = noted(optional(v.boolean()), 'False for a session that ends after 12 hours')

/** The answer to a sign-in: the session as a token and a cookie, and the device's cookie. */
export function loggedIn(
  credentials: Credentials,
  { token, deviceToken, user, lifeMs }: StartedSession,
): JsonAnswer {
  const cookies = [credentials.sessionCookie(token, lifeMs), credentials.deviceCookie(deviceToken)]
  return json({ success: true, token, user: presentUser(user) }, { cookies })
}

/** The origin of a session, and the client that begins it. */
export function originOf(
  { credentials }: Pick<AccountDeps, 'credentials'>,
  { context }: Pick<Call, 'context'>,
  isRemembered?: boolean | null,
): SignInOrigin & Client {
  const userAgent = (context.header('user-agent') ?? '').slice(0, 300)
  return { ...credentials.clientOf(context), userAgent, isRemembered: isRemembered ?? true }
}
