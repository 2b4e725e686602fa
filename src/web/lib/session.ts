import { signal } from '@preact/signals'
import { api, ApiError } from './api.ts'
import { finishDeletions } from './deletion.ts'

/** User of the contract's part 2. */
export interface User {
  readonly id: number
  readonly email: string
  readonly name: string
  readonly is_admin: boolean
  readonly created_at: string
}

/** Who is signed in: the app's entry sets it before any view is shown. */
export const me = signal<User | null>(null)

/** What somebody typed where both are taken: six digits are a code, all else a recovery code. */
export function readProof(typed: string): { code: string } | { recoveryCode: string } {
  const code = typed.replaceAll(' ', '')
  return /^\d{6}$/.test(code) ? { code } : { recoveryCode: typed.trim() }
}

/** @throws ApiError */
export async function signOut(): Promise<void> {
  await finishDeletions()
  try {
    await api('POST', '/api/auth/logout', { keepUnauthorized: true })
  } catch (error) {
    // The login had ended already.
    if (!(error instanceof ApiError && error.status === 401)) throw error
  }
  location.assign('/login')
}
