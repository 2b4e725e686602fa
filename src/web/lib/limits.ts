import { api } from './api.ts'

/** `GET /api/limits`: sizes in bytes, 0 for none. */
export interface Limits {
  readonly maxChunkSize: number
  readonly maxFileSize: number
  readonly maxShareSize: number
  readonly defaultExpirationVal: number
  readonly defaultExpirationUnit: ExpiryUnit
  readonly maxExpirationVal: number
  readonly maxExpirationUnit: ExpiryUnit
  readonly blockedExtensions: readonly string[]
}

export const expiryUnits = ['Hours', 'Days', 'Weeks', 'Months'] as const
export type ExpiryUnit = (typeof expiryUnits)[number]

let loading: Promise<Limits> | null = null

/**
 * The limits of the service, loaded once per visit.
 * @throws ApiError
 */
export function loadLimits(): Promise<Limits> {
  loading ??= api<Limits>('GET', '/api/limits').catch((error: unknown) => {
    loading = null
    throw error
  })
  return loading
}
