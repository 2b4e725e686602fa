import { api } from './api.ts'
import type { User } from './session.ts'

type LoginAnswer =
  | { readonly token: string; readonly user: User }
  | { readonly requires2FA: true; readonly email: string }

/** @param remember false for a session of 12 hours */
export function login(email: string, password: string, remember = true): Promise<LoginAnswer> {
  const body = { email, password, remember }
  return api('POST', '/api/auth/login', { body, keepUnauthorized: true })
}

/** @param proof a six-digit `code`, or a `recoveryCode` */
export function verifySecondFactor(
  email: string,
  password: string,
  proof: { code: string } | { recoveryCode: string },
  remember = true,
): Promise<LoginAnswer> {
  const body = { email, password, remember, ...proof }
  return api('POST', '/api/auth/verify-2fa', { body, keepUnauthorized: true })
}
