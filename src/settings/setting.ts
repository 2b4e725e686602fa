import type * as v from 'valibot'

/** One setting with everything that the API, the defaults and the docs need. */
export interface Setting<T> {
  readonly default: T
  readonly schema: v.GenericSchema<unknown, T>
  /** Adapts a value that an earlier version has stored. */
  readonly fit?: (stored: unknown) => unknown
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
