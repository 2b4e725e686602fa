import type { ExpirationInput } from '../settings/expiry.ts'
import type { ChosenSlug } from './slug.ts'

export interface NewShare extends ExpirationInput {
  readonly name: string
  readonly message: string
  readonly recipients: string
  readonly password: string
  readonly maxDownloads: number
  readonly chosenSlug?: ChosenSlug
}

/** A new draft. */
export interface Draft {
  readonly shareId: string
  readonly uploadToken: string
}
