import type * as v from 'valibot'

/** One setting with everything that the API, the defaults and the docs need. */
export interface Setting<T> {
  readonly default: T
  readonly schema: v.GenericSchema<unknown, T>
  readonly doc: string
  /** Bytes: commands also read sizes like `50GB`. */
  readonly isSize?: boolean
  /** Branding: visible to everyone. */
  readonly isPublic?: boolean
  /** Written but never shown again: sealed in the database, masked everywhere else. */
  readonly isSecret?: boolean
  /** Affects sign-in, email or security: see lib/fresh-session.ts. */
  readonly isGuarded?: boolean
}

export function setting<T>(declared: Setting<T>): Setting<T> {
  return declared
}
