import type { Clock } from '../../lib/clock.ts'
import type { FailureNotices } from '../failure-notices.ts'
import { accountGuesses, Guesses } from './guesses.ts'
import { LinkGuesses } from './link-guesses.ts'

export interface GuessBounds {
  /** Passwords and codes, per account and wide network. */
  readonly accountGuesses: Guesses
  readonly linkGuesses: LinkGuesses
}

export function createGuessBounds(clock: Clock, notices: FailureNotices): GuessBounds {
  return {
    accountGuesses: new Guesses(accountGuesses, clock),
    linkGuesses: new LinkGuesses(clock, notices),
  }
}
