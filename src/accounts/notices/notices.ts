import type { Sql } from '../../database/connect.ts'
import { showAddress } from '../../http/address-privacy.ts'
import type { OperatorActor, SystemActor } from '../../lib/actor.ts'
import type { NoticeKind } from '../../email/notice-kinds.ts'
import type { User } from '../users/sql.ts'
import type { AccountDeps } from '../deps.ts'

type Deps = Pick<AccountDeps, 'emails' | 'clock' | 'shownAddresses'>

/** Notifies the holder of an account about changes, which may be the work of an attacker. */
export class Notices {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * Queues a notice to the account, as part of the transaction of the change; no-op without SMTP.
   * Call `send` afterwards.
   */
  async write(
    sql: Sql,
    user: Pick<User, 'id' | 'email'>,
    what: NoticeKind,
    actor: { readonly ip: string; readonly userId?: number } | OperatorActor | SystemActor,
  ): Promise<void> {
    const { emails, clock, shownAddresses } = this.#deps
    if (!emails.isConfigured) return
    const isOther = 'userId' in actor && actor.userId !== user.id
    const privacy = isOther ? shownAddresses() : 'full'
    const ip = 'ip' in actor ? showAddress(actor.ip, privacy) : null
    const email = { kind: what, at: new Date(clock.now()), ip }
    const topic = `account:${user.id}`
    await emails.queue(sql, email, { to: [user.email], topic, usefulUntil: null })
  }

  /** Queues the answer to a person who has signed up, as part of the transaction that gives it. */
  async answerSignUp(
    sql: Sql,
    { id, email }: Pick<User, 'id' | 'email'>,
    isApproved: boolean,
  ): Promise<void> {
    const { emails } = this.#deps
    if (!emails.isConfigured) return
    const kind = isApproved ? 'sign_up_approved' : 'sign_up_declined'
    await emails.queue(sql, { kind }, { to: [email], topic: `account:${id}`, usefulUntil: null })
  }

  /** Sends queued notices in the background. */
  send(): void {
    this.#deps.emails.wake()
  }
}
