import type { FailureNotices } from '../failure-notices.ts'
import { AccountGuesses, type AccountGuessesParts } from './account-guesses.ts'
import { LinkGuesses } from './link-guesses.ts'

export interface GuessBounds {
  readonly accountGuesses: AccountGuesses
  readonly linkGuesses: LinkGuesses
}

export interface GuessBoundsParts extends AccountGuessesParts {
  readonly failureNotices: FailureNotices
}

export function createGuessBounds(parts: GuessBoundsParts): GuessBounds {
  return {
    accountGuesses: new AccountGuesses(parts),
    linkGuesses: new LinkGuesses(parts.clock, parts.failureNotices),
  }
}
