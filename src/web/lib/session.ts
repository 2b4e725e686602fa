import { api, ApiError } from './api.ts'
import { goTo } from './base-path.ts'
import { codeIn } from './code-in.ts'
import { finishDeletions } from './deletion.ts'
import { forgetShared } from './forget-shared.ts'
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

/** Whether the account has a passkey, which dialogs then offer. */
export const ownsPasskey = signal(false)

/** Parses input that may be either: six digits are a code, anything else is a recovery code. */
export function readProof(typed: string): { code: string } | { recoveryCode: string } {
  const code = codeIn(typed)
  return /^\d{6}$/.test(code) ? { code } : { recoveryCode: typed.trim() }
}

/** @throws ApiError */
export async function signOut(): Promise<void> {
  await finishDeletions()
  forgetShared()
  try {
    await api('POST', '/api/auth/logout', { keepUnauthorized: true })
  } catch (error) {
    // The session had already ended.
    if (!(error instanceof ApiError && error.status === 401)) throw error
  }
  goTo('/login')
}
