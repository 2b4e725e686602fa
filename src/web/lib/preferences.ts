import { api } from './api.ts'
import type { ExpiryUnit } from './limits.ts'

/** Initial values of the account's new shares; null where nothing was chosen. */
export interface Preferences {
  readonly expirationVal: number | null
  readonly expirationUnit: ExpiryUnit | null
  readonly maxDownloads: number | null
  readonly message: string | null
  readonly startRightAway: boolean | null
  /** Chosen, or the service's default. */
  readonly startsRightAway: boolean
}

const path = '/api/account/preferences'
let loading: Promise<Preferences> | null = null

/**
 * Loaded once per visit, and after each change.
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
