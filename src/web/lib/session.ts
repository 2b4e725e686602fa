import { api, ApiError } from './api.ts'
import { goTo } from './base-path.ts'
import { codeIn } from './code-in.ts'
import { finishDeletions } from './deletion.ts'
import { forgetShared } from './forget-shared.ts'
import { proxyUser, readPageData } from './page-data.ts'
import { signal } from './signals.ts'

/** The contract's `User` (part 2). */
export interface User {
  readonly id: number
  readonly email: string
  readonly name: string
  readonly is_admin: boolean
  readonly created_at: string
}

/** The signed-in user; the app's entry sets it before it shows a view. */
export const me = signal<User | null>(null)

/** What the account can prove its holder by, which dialogs then offer. */
export interface Factors {
  readonly hasPassword: boolean
  /** Whether an authenticator app is set up. */
  readonly enabled: boolean
  readonly hasPasskey: boolean
  /** Whether it must be shown beside the password, for lack of an app. */
  readonly needsPasskey?: boolean
}

/** Set with the user. */
export const factors = signal<Factors>({ hasPassword: true, enabled: false, hasPasskey: false })

export function noteFactors(change: Partial<Factors>): void {
  factors.value = { ...factors.value, ...change }
}

/** Parses input that may be either: six digits are a code, anything else is a recovery code. */
export function readProof(typed: string): { code: string } | { recoveryCode: string } {
  const code = codeIn(typed)
  return /^\d{6}$/.test(code) ? { code } : { recoveryCode: typed.trim() }
}

/**
 * @param to a page to go to, while the session at the provider goes on
 * @throws ApiError
 */
export async function signOut(to: string | null = null): Promise<void> {
  await finishDeletions()
  forgetShared()
  let url: string | null = null
  try {
    const path = to === null ? '/api/auth/oidc/sign-out' : '/api/auth/logout'
    const answer = await api<{ url?: string | null }>('POST', path, { keepUnauthorized: true })
    url = answer.url ?? null
  } catch (error) {
    // The session had already ended.
    if (!(error instanceof ApiError && error.status === 401)) throw error
  }
  // The provider ends its own session, and leads back.
  if (url) location.assign(url)
  else goTo(to ?? (readPageData<{ logoutUrl?: string }>().logoutUrl || '/login'))
}

/** Begins another session for the user of the proxy. False without one, and if more is needed. */
export async function signInByProxy(): Promise<boolean> {
  if (proxyUser() === null) return false
  const options = { body: {}, keepUnauthorized: true }
  return api<object>('POST', '/api/auth/proxy', options).then(
    (answer) => !('requires2FA' in answer),
    () => false,
  )
}
