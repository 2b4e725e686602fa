import type { Expiry } from '../../lib/expiry.ts'

/** What is said about a share before it is sent, as its fields hold it. */
export interface DraftSettings {
  readonly name: string
  readonly message: string
  /** Null until the service has said its default. */
  readonly expiry: Expiry | null
  /** Null: without one. */
  readonly password: string | null
  /** Whole number as text; empty: no limit. */
  readonly maxDownloads: string
  readonly slug: string
  readonly recipients: string
}
