import { randomInt } from 'node:crypto'
import { limiterKey, networkOf } from '../../http/client-ip.ts'
import { RateLimiter, type Limiter } from '../../http/rate-limit.ts'
import { requireToken } from '../../http/run.ts'
import { hourMs, minuteMs } from '../../lib/clock.ts'
import { CodedError } from '../../lib/errors.ts'
import type { Share } from '../sql.ts'
import * as rows from './sql.ts'
import type { ShareBasis } from '../deps.ts'

export const codeDigits = 6
const codeLifeMinutes = 10
const triesMax = 5
const apartMs = minuteMs

type CodedLink = Pick<rows.PersonalLink, 'id' | 'email'>
type AskedCode = CodedLink & { readonly ownerId: number; readonly ip: string }

/**
 * One-time codes by email, with which people show that a personal link is theirs. At most five
 * emails an hour with a link, and five guesses with each: an attacker with the link needs years.
 */
export class LinkCodes {
  readonly #deps: ShareBasis
  readonly #bounds: readonly (readonly [Limiter, keyOf: (asked: AskedCode) => string])[]

  constructor(deps: ShareBasis) {
    this.#deps = deps
    const { clock, limitExchange: exchange } = deps
    const limiter = (name: string, limit: number) =>
      new RateLimiter({
        limit,
        windowMs: hourMs,
        clock,
        shared: { exchange, name: `link codes ${name}` },
      })
    this.#bounds = [
      [limiter('links', 5), ({ id }) => id],
      // No account uses up what another one's recipients need.
      [limiter('recipients', 10), ({ ownerId, email }) => `${ownerId} ${email.toLowerCase()}`],
      [limiter('mailboxes', 40), ({ email }) => email.toLowerCase()],
      [limiter('clients', 10), ({ ip }) => limiterKey(ip)],
      [limiter('networks', 40), ({ ip }) => networkOf(ip) ?? ip],
    ]
  }

  /**
   * Emails a new code, which replaces the last one.
   * @param ip of the client
   * @throws CodedError rate_limited; unavailable when it cannot be emailed
   */
  async send({ ownerId }: Pick<Share, 'ownerId'>, link: CodedLink, ip: string): Promise<void> {
    const { database, emails, clock } = this.#deps
    const now = clock.now()
    const code = String(randomInt(10 ** codeDigits)).padStart(codeDigits, '0')
    const refund = this.#take({ ...link, ownerId, ip })
    try {
      await database.begin(async (sql) => {
        const renewed = { linkId: link.id, hash: this.#hash(link, code), at: new Date(now) }
        if (!(await rows.replaceCode(sql, renewed, new Date(now - apartMs)))) throw tooSoon()
        const topic = `link-code:${link.id}`
        const usefulUntil = new Date(now + codeLifeMinutes * minuteMs)
        const queued = await emails.queue(
          sql,
          { kind: 'link_code', code, lifeMinutes: codeLifeMinutes },
          { to: [link.email], topic, usefulUntil, isReplacing: true },
        )
        if (queued === 0) throw new CodedError('unavailable')
      })
    } catch (error) {
      refund()
      throw error
    }
    emails.wake()
  }

  /**
   * Accepts the code that was emailed last, once.
   * @throws CodedError wrong_code for any other, and after five tries or ten minutes
   */
  async use(share: Pick<Share, 'id' | 'name'>, link: CodedLink, code: string, ip: string) {
    const { database, audit, clock } = this.#deps
    const given = { linkId: link.id, hash: this.#hash(link, code) }
    const sentAfter = new Date(clock.now() - codeLifeMinutes * minuteMs)
    const isRight = await database.begin(async (sql) => {
      const guessed = await rows.useCode(sql, given, { sentAfter, triesMax })
      const details = { person: link.email }
      // Guesses without a live code have no end, and would fill the log.
      if (guessed === false)
        await audit.record(sql, { kind: 'anonymous', ip }, 'share.code_failed', share, details)
      return guessed
    })
    if (isRight) return
    throw new CodedError('wrong_code', {
      message: 'The code is wrong, was already used, or has expired. Request a new one.',
    })
  }

  #hash({ id }: CodedLink, code: string): string {
    return this.#deps.keys.mark('link code', `${id} ${code}`)
  }

  /** Takes a token of each bound, and returns what gives them back. */
  #take(asked: AskedCode): () => void {
    const bounds = this.#bounds.map(([limiter, keyOf]) => [limiter, keyOf(asked)] as const)
    for (const [limiter, key] of bounds) requireToken(limiter.peek(key))
    for (const [limiter, key] of bounds) limiter.take(key)
    return () => {
      for (const [limiter, key] of bounds) limiter.refund(key)
    }
  }
}

function tooSoon(): CodedError {
  const headers = { 'Retry-After': String(apartMs / 1000) }
  return new CodedError('rate_limited', {
    message: 'A code was just sent. Wait a minute before you request another one.',
    headers,
  })
}
