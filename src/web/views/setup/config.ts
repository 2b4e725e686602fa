import { api, type ApiOptions } from '../../lib/api.ts'

/** The settings that the wizard asks for, and what it has to know beside them. */
export interface Config {
  readonly appName: string
  readonly baseUrl: string
  readonly maxShareSize: number
  readonly userQuota: number
  readonly defaultExpirationVal: number
  readonly defaultExpirationUnit: 'Hours' | 'Days' | 'Weeks' | 'Months'
  readonly smtpHost: string
  readonly smtpPort: number
  readonly smtpSecurity: 'starttls' | 'tls' | 'none'
  readonly smtpUser: string
  readonly smtpPassword: string
  readonly smtpFrom: string
  /** Whether this browser keeps the login at the address it is at. */
  readonly canStay: boolean
}

/** Where the browser refuses the cookie: an http address of a service whose BASE_URL is https. */
let token: string | null = null

export function useToken(given: string): void {
  token = given
}

/** Calls the API as the administrator who was just made. */
export function call<T>(method: string, path: string, options: ApiOptions = {}): Promise<T> {
  return api(method, path, token ? { ...options, token } : options)
}

export async function readConfig(signal: AbortSignal): Promise<Config> {
  const config = await call<Omit<Config, 'canStay'>>('GET', '/api/config', { signal })
  const isSecure = location.protocol === 'https:' || location.hostname === 'localhost'
  return { ...config, canStay: isSecure || !config.baseUrl.startsWith('https:') }
}

export async function save(changes: Partial<Config>): Promise<void> {
  await call('PUT', '/api/config', { body: changes })
}

/** What each step after the first is given. */
export interface StepProps {
  readonly config: Config
  /** After what it changed was saved. */
  readonly onSaved: (changes: Partial<Config>) => void
  readonly onNext: () => void
  /** With what was typed: it is not saved yet, and not lost either. */
  readonly onBack: (typed: Partial<Config>) => void
}
