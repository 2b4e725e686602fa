import { AccountGuesses, type AccountGuessesParts } from './account-guesses.ts'
import { LinkGuesses } from './link-guesses.ts'

export interface GuessBounds {
  readonly accountGuesses: AccountGuesses
  readonly linkGuesses: LinkGuesses
}

export function createGuessBounds(parts: AccountGuessesParts): GuessBounds {
  return {
    accountGuesses: new AccountGuesses(parts),
    linkGuesses: new LinkGuesses(parts.clock, parts.failureNotices),
  }
}
