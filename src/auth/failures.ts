import { limiterKey } from '../http/client-ip.ts'
import type { Limiter } from '../http/rate-limit.ts'
import { requireToken } from '../http/run.ts'
import type { UserActor } from '../lib/actor.ts'
import { CodedError, type ErrorCode } from '../lib/errors.ts'
import { requireSession } from './auth.ts'

/** Failed second factors: per account and address, and per address over all accounts. */
export interface SecondFactorFailures {
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

export function secondFactorTokens(
  failures: SecondFactorFailures,
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

/** Wrong current passwords, per login: a stolen one must not guess its way to the account. */
export type PasswordFailures = Limiter

export function passwordTokens(
  failures: PasswordFailures,
  actor: UserActor,
): readonly FailureToken[] {
  return [[failures, requireSession(actor)]]
}
