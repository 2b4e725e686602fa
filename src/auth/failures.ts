import { limiterKey } from '../http/client-ip.ts'
import type { Limiter } from '../http/rate-limit.ts'
import { requireToken } from '../http/run.ts'
import type { UserActor } from '../lib/actor.ts'
import { CodedError, type ErrorCode } from '../lib/errors.ts'
import type { Account } from './account/account.ts'
import { requireSession } from './auth.ts'

/**
 * Wrong passwords and codes, at either step of logging in and afterwards: per account and address,
 * and per address over all accounts.
 */
export interface SignInFailures {
  readonly account: Limiter
  readonly address: Limiter
}

/** A limiter and the key to count under. */
export type FailureToken = readonly [limiter: Limiter, key: string]

/** What a guess is answered with when it is wrong. */
const guesses: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'wrong_credentials',
  'wrong_code',
  'wrong_current_password',
  'wrong_second_factor',
])

export function signInTokens(
  failures: SignInFailures,
  email: string,
  ip: string,
): readonly FailureToken[] {
  const address = limiterKey(ip)
  return [
    [failures.address, address],
    [failures.account, `${email.toLowerCase()} ${address}`],
  ]
}

/**
 * Does the work unless too many guesses have failed. Tokens are taken before and given back unless
 * the guess was wrong: guesses at the same instant count too.
 * @throws CodedError rate_limited, and what the work throws
 */
export async function limitFailures<T>(
  tokens: readonly FailureToken[],
  work: () => Promise<T>,
): Promise<T> {
  for (const [limiter, key] of tokens) requireToken(limiter.take(key))
  let isWrong = false
  try {
    return await work()
  } catch (error) {
    isWrong = error instanceof CodedError && guesses.has(error.code)
    throw error
  } finally {
    if (!isWrong) for (const [limiter, key] of tokens) limiter.giveBack(key)
  }
}

/**
 * Does the work and counts a wrong guess for those who are limited by the same count, without being
 * limited by it.
 */
export async function countFailures<T>(
  tokens: readonly FailureToken[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isWrong = error instanceof CodedError && guesses.has(error.code)
    if (isWrong) for (const [limiter, key] of tokens) limiter.take(key)
    throw error
  }
}

/** What operations need that ask an account holder for password or code once more. */
export interface GuessingRoom {
  readonly account: Account
  readonly signInFailures: SignInFailures
  /** Attempts to log in, per address. */
  readonly loginLimiter: Limiter
  /** Per login: a stolen one must not guess its way to the account from many addresses. */
  readonly sessionFailures: Limiter
}

/**
 * Does what was confirmed with password or code, unless too many were wrong: they count together
 * with those of logging in to the account.
 * @throws CodedError rate_limited, api_token_not_allowed, and what the work throws
 */
export async function limitOwnGuesses<T>(
  room: GuessingRoom,
  { actor, ip }: { readonly actor: UserActor; readonly ip: string },
  work: () => Promise<T>,
): Promise<T> {
  const session: FailureToken = [room.sessionFailures, requireSession(actor)]
  const { email } = await room.account.read(actor)
  const attempt: FailureToken = [room.loginLimiter, limiterKey(ip)]
  return limitFailures([session, ...signInTokens(room.signInFailures, email, ip)], () =>
    countFailures([attempt], work),
  )
}
