import { api, ApiError } from './api.ts'
import { cookieProblem } from './cookie-problem.ts'
import type { User } from './session.ts'

type LoginAnswer =
  | { readonly token: string; readonly user: User }
  | { readonly requires2FA: true; readonly email: string }

/** @param remember false for a session of 12 hours */
export function login(email: string, password: string, remember = true): Promise<LoginAnswer> {
  const body = { email, password, remember }
  return signIn('/api/auth/login', body)
}

/** @param proof a six-digit `code`, or a `recoveryCode` */
export function verifySecondFactor(
  email: string,
  password: string,
  proof: { code: string } | { recoveryCode: string },
  remember = true,
): Promise<LoginAnswer> {
  const body = { email, password, remember, ...proof }
  return signIn('/api/auth/verify-2fa', body)
}

/** @throws ApiError also when the cookie of the new session does not come back */
async function signIn(path: string, body: object): Promise<LoginAnswer> {
  const answer = await api<LoginAnswer>('POST', path, { body, keepUnauthorized: true })
  if ('requires2FA' in answer) return answer
  await api('GET', '/api/account', { keepUnauthorized: true }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 401) throw cookieProblem()
  })
  return answer
}
