import type { Sql } from '../db/connect.ts'
import type { Clock } from '../lib/clock.ts'
import { hashToken } from '../lib/random-id.ts'
import type { Keys } from './keys.ts'
import { findSecondFactor, useRecoveryCode, useTimeStep } from './sql.ts'

const stepSeconds = 30

/** TOTP (RFC 6238) with 30-second steps, one step of drift, each code good once. */
export class SecondFactor {
  readonly #keys: Keys
  readonly #clock: Clock

  constructor(keys: Keys, clock: Clock) {
    this.#keys = keys
    this.#clock = clock
  }

  async isEnabled(sql: Sql, userId: number): Promise<boolean> {
    return (await findSecondFactor(sql, userId)) !== null
  }

  /** Uses up a six-digit code. False when it is wrong or used, or there is no second factor. */
  async useCode(sql: Sql, userId: number, code: string): Promise<boolean> {
    const sealed = await findSecondFactor(sql, userId)
    if (!sealed) return false
    const secret = this.#keys.unseal(sealed)
    const { verifySync } = await import('otplib')
    const epoch = Math.floor(this.#clock.now() / 1000)
    const result = verifySync({ secret, token: code, epoch, epochTolerance: stepSeconds })
    if (!result.valid) return false
    const step = Math.floor(epoch / stepSeconds) + result.delta
    return useTimeStep(sql, userId, step)
  }

  /** Uses up a recovery code, written with or without dashes and spaces, in any case. */
  async useRecoveryCode(sql: Sql, userId: number, code: string): Promise<boolean> {
    if (!(await this.isEnabled(sql, userId))) return false
    const plain = code.replaceAll(/[\s-]/g, '').toLowerCase()
    return useRecoveryCode(sql, userId, hashToken(plain))
  }
}
