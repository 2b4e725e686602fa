import { api, type ApiOptions } from '../../lib/api.ts'
import type { ExpiryUnit } from '../../lib/limits.ts'

/** Settings and facts for the wizard. */
export interface Config {
  readonly appName: string
  readonly baseUrl: string
  readonly maxShareSize: number
  readonly userQuota: number
  readonly defaultExpirationVal: number
  readonly defaultExpirationUnit: ExpiryUnit
  readonly smtpHost: string
  readonly smtpPort: number
  readonly smtpSecurity: 'starttls' | 'tls' | 'none'
  readonly smtpUser: string
  readonly smtpPassword: string
  readonly smtpFrom: string
  /** Whether this browser keeps the session at the present address. */
  readonly canStay: boolean
}

/** Session token if the browser refuses the cookie: an http address while BASE_URL is https. */
let token: string | null = null

export function useToken(given: string): void {
  token = given
}

/** Calls the API as the new administrator. */
export function call<T>(method: string, path: string, options: ApiOptions = {}): Promise<T> {
  return api(method, path, token ? { ...options, token } : options)
}

export async function readConfig(signal: AbortSignal): Promise<Config> {
  const config = await call<Omit<Config, 'canStay'>>('GET', '/api/config', { signal })
  const isSecure = location.protocol === 'https:' || location.hostname === 'localhost'
  return { ...config, canStay: isSecure || !config.baseUrl.startsWith('https:') }
}

export interface StepProps {
  readonly config: Config
  readonly onSave: (changes: Partial<Config>) => Promise<void>
  readonly onNext: () => void
  /** Called with unsaved input, which is kept. */
  readonly onBack: (typed: Partial<Config>) => void
}
