import { randomBytes } from 'node:crypto'
import type { Audit, AuditActor } from '../../audit/audit.ts'
import type { Sql } from '../../database/connect.ts'
import type { Clock } from '../../lib/clock.ts'
import { hashToken } from '../../lib/random-id.ts'
import type { Keys } from '../sign-in/keys.ts'
import type { User } from '../users/sql.ts'
import { targetOf } from '../users/users.ts'
import { countRecoveryCodes, findFactor, useRecoveryCode, useTimeStep } from './sql.ts'

const stepSeconds = 30
const recoveryAlphabet = 'abcdefghijklmnopqrstuvwxyz234567'

export type SecondFactorProof = { readonly code: string } | { readonly recoveryCode: string }

/** The method, for the audit log. */
export function sayProof(proof: SecondFactorProof | null): string {
  if (proof === null) return 'none'
  return 'code' in proof ? 'code' : 'recovery_code'
}

export interface NewSecret {
  /** Base32, to be typed into an app. */
  readonly secret: string
  readonly sealed: Buffer
  /** `otpauth://totp/…`, for the QR code. */
  readonly uri: string
}

/** TOTP (RFC 6238) with 30-second steps, one step of drift, and single-use codes. */
export class SecondFactor {
  readonly #keys: Keys
  readonly #clock: Clock
  readonly #audit: Audit

  constructor(keys: Keys, clock: Clock, audit: Audit) {
    this.#keys = keys
    this.#clock = clock
    this.#audit = audit
  }

  async isEnabled(sql: Sql, userId: number): Promise<boolean> {
    return (await this.#findEnabled(sql, userId)) !== null
  }

  /**
   * Uses up the proof of an account's second factor, as part of the caller's transaction. False
   * when it is wrong or used, or when there is no second factor.
   */
  async use(
    sql: Sql,
    actor: AuditActor,
    user: Pick<User, 'id' | 'email'>,
    proof: SecondFactorProof,
  ): Promise<boolean> {
    const sealed = await this.#findEnabled(sql, user.id)
    if (!sealed) return false
    if ('code' in proof) {
      const step = await this.findStep(sealed, proof.code)
      return step !== null && useTimeStep(sql, user.id, step)
    }
    // Typed in any case, with or without dashes and spaces.
    const plain = proof.recoveryCode.replaceAll(/[\s-]/g, '').toLowerCase()
    if (!(await useRecoveryCode(sql, user.id, hashToken(plain)))) return false
    const left = await countRecoveryCodes(sql, user.id)
    const event = 'second_factor.recovery_code_used'
    await this.#audit.record(sql, actor, event, targetOf(user), { left })
    return true
  }

  /** The time step of the code, at most one from now; null for a wrong code. */
  async findStep(sealed: Buffer, code: string): Promise<number | null> {
    const secret = this.#keys.unseal(sealed)
    const { verifySync } = await import('otplib')
    const epoch = Math.floor(this.#clock.now() / 1000)
    const result = verifySync({ secret, token: code, epoch, epochTolerance: stepSeconds })
    return result.valid ? Math.floor(epoch / stepSeconds) + result.delta : null
  }

  /** An unused secret. Apps show it under issuer and label. */
  async createSecret(issuer: string, label: string): Promise<NewSecret> {
    const { generateSecret, generateURI } = await import('otplib')
    const secret = generateSecret()
    return { secret, sealed: this.#keys.seal(secret), uri: generateURI({ issuer, label, secret }) }
  }

  async #findEnabled(sql: Sql, userId: number): Promise<Buffer | null> {
    const factor = await findFactor(sql, userId)
    return factor?.enabledAt ? factor.secretSealed : null
  }
}

/**
 * A recovery code of 80 random bits, so that its hash can stay a plain one:
 * `abcd-efgh-ijkl-mnop`, and the hash of it without dashes.
 */
export function createRecoveryCode(): { code: string; hash: Buffer } {
  const plain = [...randomBytes(16)].map((byte) => recoveryAlphabet[byte & 31]).join('')
  return { code: plain.replaceAll(/(.{4})(?=.)/g, '$1-'), hash: hashToken(plain) }
}
