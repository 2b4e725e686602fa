import { api } from './api.ts'
import type { ExpiryUnit } from './limits.ts'

/** What new shares of the account begin with; null where it has chosen nothing. */
export interface Preferences {
  readonly expirationVal: number | null
  readonly expirationUnit: ExpiryUnit | null
  readonly maxDownloads: number | null
  readonly message: string | null
  readonly startRightAway: boolean | null
  /** Chosen, or as the service has it. */
  readonly startsRightAway: boolean
}

const path = '/api/account/preferences'
let loading: Promise<Preferences> | null = null

/**
 * Asked for once a visit, and whenever they were changed.
 * @throws ApiError
 */
export function loadPreferences(): Promise<Preferences> {
  loading ??= api<Preferences>('GET', path).catch((error: unknown) => {
    loading = null
    throw error
  })
  return loading
}

/** @throws ApiError */
export async function savePreferences(
  body: Omit<Preferences, 'startsRightAway'>,
): Promise<Preferences> {
  const saved = await api<Preferences>('PUT', path, { body })
  loading = Promise.resolve(saved)
  return saved
}
