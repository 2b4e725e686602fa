import type { Sql } from '../../database/connect.ts'
import type { AnonymousActor } from '../../lib/actor.ts'
import { CodedError, requireFound } from '../../lib/errors.ts'
import { hashToken, randomToken } from '../../lib/random-id.ts'
import { deleteIdentitiesOf } from '../oidc/sql.ts'
import { deletePasskeysOf } from '../passkeys/sql.ts'
import { requesterOf } from '../passwords/passwords.ts'
import { rememberClient } from '../sign-in/known-clients.ts'
import { deleteFactor } from '../second-factor/sql.ts'
import * as userRows from '../users/sql.ts'
import { targetOf } from '../users/users.ts'
import { LateAnswers } from './late-answers.ts'
import * as rows from './sql.ts'
import type { AccountBasis, SignInDeps } from '../deps.ts'

/** How long a link works. */
export const resetLifeMinutes = 60
const lifeMs = resetLifeMinutes * 60_000
/** Links of one account that work at the same time, so that its mailbox is not flooded. */
const resetsMax = 3

/** Resets a password by email. A request only looks the address up. */
export class PasswordReset {
  readonly #deps: SignInDeps
  readonly #answers: LateAnswers

  constructor(deps: SignInDeps) {
    this.#deps = deps
    this.#answers = new LateAnswers(deps)
  }

  async request({ ip }: AnonymousActor, email: string): Promise<void> {
    const user = await userRows.findUserByEmail(this.#deps.database.sql, email)
    if (!user || user.disabledAt) return
    this.#answers.begin('password reset', ip, () => this.#answer(user.email, ip))
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
    const { audit, passwords, auth, emails, notices } = this.#deps
    const passwordHash = await passwords.hashOfAccount(password, email, requesterOf(actor))
    await emails.begin(async (sql) => {
      // Locked first, as everywhere: other changes of accounts then wait for this row.
      await userRows.lockUsers(sql)
      // When a link is used twice at the same time, the second use finds it gone.
      await userRows.lockUserForChange(sql, userId)
      const target = await requireLink(this.#deps, sql, token, false)
      if (target.userId !== userId) throw new CodedError('wrong_reset_token')
      await userRows.setPasswordHash(sql, userId, passwordHash)
      const isFirstProof = target.provesEmail && (await userRows.verifyEmail(sql, userId))
      if (isFirstProof) {
        await deletePasskeysOf(sql, userId)
        await deleteFactor(sql, userId)
        await deleteIdentitiesOf(sql, userId)
      }
      await auth.end(sql, userId)
      // The reader of the mailbox is the owner, however many others have guessed.
      await rememberClient(this.#deps, sql, userId, actor.ip)
      const user = { id: userId, email: target.email }
      await audit.record(sql, actor, 'password.reset_completed', targetOf(user), {
        ...(isFirstProof && { others_removed: true }),
      })
      await notices.write(sql, user, isFirstProof ? 'sign_ins_reset' : 'password_changed', actor)
    })
  }

  /** Resolves when no request is being answered. */
  idle(): Promise<void> {
    return this.#answers.idle()
  }

  /** Returns the number of removed links. */
  async removeEnded(): Promise<number> {
    const { database, clock } = this.#deps
    return rows.deleteEndedResets(database.sql, new Date(clock.now()))
  }

  /** Adds token and email, all or nothing. */
  async #answer(email: string, ip: string): Promise<void> {
    const { audit, clock, emails, resetUrl } = this.#deps
    await emails.begin(async (sql) => {
      const found = await userRows.findUserByEmail(sql, email)
      const user = found && (await userRows.lockUserForChange(sql, found.id))
      if (!user || user.disabledAt) return
      const createdAt = new Date(clock.now())
      if ((await rows.countResetsOf(sql, user.id, createdAt)) >= resetsMax) return
      const token = randomToken()
      const expiresAt = new Date(createdAt.getTime() + lifeMs)
      const queued = await emails.queue(
        sql,
        { kind: 'password_reset', url: resetUrl(token), lifeMinutes: resetLifeMinutes },
        { to: [user.email], topic: rows.linkTopic(user.id, false), usefulUntil: expiresAt },
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
    })
  }
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
  return requireFound(target, isInvitation ? 'wrong_invitation' : 'wrong_reset_token')
}
