import type { Sql } from '../../database/connect.ts'
import { networkOf, requesterAt } from '../../http/client-ip.ts'
import type { AnonymousActor } from '../../lib/actor.ts'
import { CodedError } from '../../lib/errors.ts'
import { inTurns, Permits, type Requester } from '../../lib/permits.ts'
import { hashToken, randomRowId, randomToken } from '../../lib/random-id.ts'
import { deleteIdentitiesOf } from '../oidc/sql.ts'
import { deletePasskeysOf } from '../passkeys/sql.ts'
import { requesterOf } from '../passwords/passwords.ts'
import { rememberClient } from '../sign-in/known-clients.ts'
import { deleteFactor } from '../second-factor/sql.ts'
import {
  findUserByEmail,
  lockUserForChange,
  lockUsers,
  setPasswordHash,
  verifyEmail,
} from '../users/sql.ts'
import { targetOf } from '../users/users.ts'
import * as rows from './sql.ts'
import type { AccountBasis, SignInDeps } from '../deps.ts'

/** How long a link works. */
export const resetLifeMinutes = 60
const lifeMs = resetLifeMinutes * 60_000
/** Links of one account that work at the same time, so that its mailbox is not flooded. */
const resetsMax = 3
/** Waiting requests: of one network, and for one account. */
const waitingMax = { perNetwork: 100, perAccount: resetsMax }
/** Requests that are being stored, after their answer. */
const storingMax = 1
const storingWaits = { waitersMax: 200, waitMsMax: 30_000 }

/**
 * Resets a password by email. A request only looks the address up. Everything that is done for
 * known addresses alone begins after the answer, so that its time does not reveal which they are.
 * Unknown ones take no place in a queue, and networks take turns: no flood drops the request of
 * another network.
 */
export class PasswordReset {
  readonly #deps: SignInDeps
  readonly #storing: Permits<Requester>
  readonly #stored = new Set<Promise<void>>()
  #running: Promise<void> | null = null
  #again = false

  constructor(deps: SignInDeps) {
    this.#deps = deps
    this.#storing = new Permits(inTurns(storingMax), { ...storingWaits, clock: deps.clock })
  }

  async request({ ip }: AnonymousActor, email: string): Promise<void> {
    const user = await findUserByEmail(this.#deps.database.sql, email)
    if (!user || user.disabledAt) return
    const stored = this.#store(user.email, ip)
    this.#stored.add(stored)
    void stored.finally(() => this.#stored.delete(stored))
  }

  /**
   * Sets the password, once; ends every session of the account and its other links. If the link
   * is the first proof of the address, also removes every other way to sign in: someone else may
   * have entered the address and kept them.
   * @throws CodedError wrong_reset_token
   */
  async complete(actor: AnonymousActor, token: string, password: string): Promise<void> {
    const { sql: outside } = this.#deps.database
    const { userId, email } = await requireLink(this.#deps, outside, token, false)
    const { database, audit, passwords, auth, emails, notices } = this.#deps
    const passwordHash = await passwords.hashOfAccount(password, email, requesterOf(actor))
    await database.begin(async (sql) => {
      // Locked first, as everywhere: other changes of accounts then wait for this row.
      await lockUsers(sql)
      // When a link is used twice at the same time, the second use finds it gone.
      await lockUserForChange(sql, userId)
      const target = await requireLink(this.#deps, sql, token, false)
      if (target.userId !== userId) throw new CodedError('wrong_reset_token')
      await setPasswordHash(sql, userId, passwordHash)
      const isFirstProof = target.provesEmail && (await verifyEmail(sql, userId))
      if (isFirstProof) {
        await deletePasskeysOf(sql, userId)
        await deleteFactor(sql, userId)
        await deleteIdentitiesOf(sql, userId)
      }
      await rows.deleteResetsOf(sql, userId)
      await emails.withdraw(sql, [resetTopic(userId)])
      await auth.end(sql, userId)
      // The reader of the mailbox is the owner, however many others have guessed.
      await rememberClient(this.#deps, sql, userId, actor.ip)
      const user = { id: userId, email: target.email }
      await audit.record(sql, actor, 'password.reset_completed', targetOf(user), {
        ...(isFirstProof && { others_removed: true }),
      })
      await notices.write(sql, user, isFirstProof ? 'sign_ins_reset' : 'password_changed', actor)
    })
    notices.send()
  }

  /** Works through requests in the background. */
  wake(): void {
    this.#again = true
    this.#running ??= this.#run()
  }

  /** Resolves when no request is being worked on. */
  async idle(): Promise<void> {
    await Promise.all(this.#stored)
    await this.#running
  }

  /** For the job: handles requests that a dead process has left. */
  async run(): Promise<void> {
    this.wake()
    await this.idle()
  }

  /** Returns the number of removed links. */
  async removeEnded(): Promise<number> {
    const { database, clock } = this.#deps
    return rows.deleteEndedResets(database.sql, new Date(clock.now()))
  }

  async #store(email: string, ip: string): Promise<void> {
    const { database, clock, log } = this.#deps
    const createdAt = new Date(clock.now())
    const request = { id: randomRowId(), email, ip, network: networkOf(ip) ?? ip, createdAt }
    try {
      await this.#storing.run(
        () => rows.insertRequest(database.sql, request, waitingMax),
        requesterAt(ip),
      )
      this.wake()
    } catch (error) {
      log.warn('password reset not stored', { cause: error })
    }
  }

  async #run(): Promise<void> {
    while (this.#again) {
      this.#again = false
      try {
        while (await this.#answerNext()) this.#deps.emails.wake()
      } catch (error) {
        this.#deps.log.warn('password resets wait for database', { cause: error })
      }
    }
    this.#running = null
  }

  /** Takes a request and adds token and email, all or nothing. False when no request waits. */
  #answerNext(): Promise<boolean> {
    return this.#deps.database.begin(async (sql) => {
      const request = await rows.takeRequest(sql)
      if (!request) return false
      await this.#answer(sql, request)
      return true
    })
  }

  async #answer(sql: Sql, { email, ip }: rows.ResetRequest): Promise<void> {
    const { audit, clock, emails, resetUrl } = this.#deps
    const found = await findUserByEmail(sql, email)
    const user = found && (await lockUserForChange(sql, found.id))
    if (!user || user.disabledAt) return
    const createdAt = new Date(clock.now())
    if ((await rows.countResetsOf(sql, user.id, createdAt)) >= resetsMax) return
    const token = randomToken()
    const expiresAt = new Date(createdAt.getTime() + lifeMs)
    const queued = await emails.queue(
      sql,
      { kind: 'password_reset', url: resetUrl(token), lifeMinutes: resetLifeMinutes },
      { to: [user.email], topic: resetTopic(user.id), usefulUntil: expiresAt },
    )
    if (queued === 0) return
    await rows.insertReset(sql, {
      userId: user.id,
      email: user.email,
      tokenHash: hashToken(token),
      createdAt,
      expiresAt,
      isInvitation: false,
      provesEmail: true,
    })
    await audit.record(sql, { kind: 'anonymous', ip }, 'password.reset_requested', targetOf(user))
  }
}

/** The topic of emails with reset links. */
export function resetTopic(userId: number): string {
  return `password-reset:${userId}`
}

/**
 * The account that the token of an invitation or of a reset link is for.
 * @throws CodedError wrong_invitation, wrong_reset_token, the same for an unknown, used, replaced
 *   or ended one
 */
export async function requireLink(
  { clock }: AccountBasis,
  sql: Sql,
  token: string,
  isInvitation: boolean,
): Promise<rows.ResetTarget> {
  const link = { tokenHash: hashToken(token), isInvitation }
  const target = await rows.findTarget(sql, link, new Date(clock.now()))
  if (!target) throw new CodedError(isInvitation ? 'wrong_invitation' : 'wrong_reset_token')
  return target
}
