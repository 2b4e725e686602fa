import { api } from './api.ts'
import { changeLanguage, language } from './i18n.ts'
import { inTurn } from './in-turn.ts'
import type { Language } from './languages.ts'
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

/**
 * Changes some of them, as the service has them now. Emails to the account follow the language and
 * time zone of this browser.
 * @throws ApiError
 */
export function savePreferences(changes: Partial<Preferences>, readAs: Language = language) {
  return inTurn(async () => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    const known = await api<Preferences>('GET', path)
    const body = { ...known, ...changes, language: readAs, timeZone }
    const saved = await api<Preferences>('PUT', path, { body })
    loading = Promise.resolve(saved)
    return saved
  })
}

/** Changes the language of this browser, and of emails to the account. */
export async function chooseLanguage(to: Language): Promise<void> {
  try {
    await savePreferences({}, to)
  } catch {
    // The language of the pages changes in any case.
  }
  changeLanguage(to)
}
