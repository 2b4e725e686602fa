import type { Decision, Limiter } from '../../http/rate-limit.ts'
import { requireToken } from '../../http/run.ts'

/**
 * A token of an account's hourly limit for emailing recipients again. It is taken when the first
 * email is certain, and refunded when none was queued.
 */
export class ResendToken {
  readonly #limiter: Limiter
  readonly #key: string
  #taken: Decision | null = null

  constructor(limiter: Limiter, ownerId: number) {
    this.#limiter = limiter
    this.#key = String(ownerId)
  }

  /** False when there is none. */
  take(): boolean {
    this.#taken = this.#limiter.take(this.#key)
    return this.#taken.allowed
  }

  /** @throws CodedError rate_limited when there was none to take */
  requireTaken(): void {
    if (this.#taken) requireToken(this.#taken)
  }

  refund(): void {
    if (this.#taken?.allowed) this.#limiter.refund(this.#key)
    this.#taken = null
  }

  /** Refunds what the transaction has taken when it fails. */
  async during<T>(transaction: Promise<T>): Promise<T> {
    try {
      return await transaction
    } catch (error) {
      this.refund()
      throw error
    }
  }
}
