import { signal } from '@preact/signals'
import { api } from './api.ts'

/** User of the contract's part 2. */
export interface User {
  readonly id: number
  readonly email: string
  readonly name: string
  readonly is_admin: boolean
  readonly created_at: string
}

export type LoginAnswer =
  | { readonly token: string; readonly user: User }
  | { readonly requires2FA: true; readonly email: string }

/** Who is signed in: the app's entry sets it before any view is shown. */
export const me = signal<User | null>(null)

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

/** What somebody typed where both are taken: six digits are a code, all else a recovery code. */
export function readProof(typed: string): { code: string } | { recoveryCode: string } {
  const code = typed.replaceAll(' ', '')
  return /^\d{6}$/.test(code) ? { code } : { recoveryCode: typed.trim() }
}

export async function signOut(): Promise<void> {
  await api('POST', '/api/auth/logout', { keepUnauthorized: true })
  location.assign('/login')
}
