import { api } from './api.ts'
import type { User } from './session.ts'

type LoginAnswer =
  | { readonly token: string; readonly user: User }
  | { readonly requires2FA: true; readonly email: string }

export function login(email: string, password: string): Promise<LoginAnswer> {
  return api('POST', '/api/auth/login', { body: { email, password }, keepUnauthorized: true })
}

/** @param proof a six-digit `code`, or a `recoveryCode` */
export function verifySecondFactor(
  email: string,
  password: string,
  proof: { code: string } | { recoveryCode: string },
): Promise<LoginAnswer> {
  const body = { email, password, ...proof }
  return api('POST', '/api/auth/verify-2fa', { body, keepUnauthorized: true })
}
