import type { ExpirationInput } from '../settings/expiry.ts'
import type { ChosenSlug } from './slug.ts'
import type { Audience, RecipientProof } from './sql.ts'

export interface NewShare extends ExpirationInput {
  readonly name: string
  readonly message: string
  readonly recipients: string
  readonly audience?: Audience
  readonly recipientProof?: RecipientProof
  readonly password: string
  readonly maxDownloads: number
  readonly chosenSlug?: ChosenSlug
}

/** A new draft. */
export interface Draft {
  readonly shareId: string
  readonly uploadToken: string
}
