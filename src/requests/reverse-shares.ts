import type * as v from 'valibot'
import { changedFields } from '../audit/changed-fields.ts'
import type { Sql } from '../database/connect.ts'
import type { Manager, UserActor } from '../lib/actor.ts'
import { CodedError, requireFound } from '../lib/errors.ts'
import { randomPublicId } from '../lib/random-id.ts'
import { chooseLife, givesExpiration, type ExpirationInput } from '../settings/expiry.ts'
import { requesterOf } from '../accounts/passwords/passwords.ts'
import { isExpired } from './gate.ts'
import { refuseTaken, requireNoId, type ChosenSlug } from '../shares/slug.ts'
import * as rows from './sql.ts'
import type { RequestBasis } from './deps.ts'
import type { reverseShareChangeSchema } from './schemas.ts'

export interface NewLink extends ExpirationInput, rows.LinkTerms {
  readonly password: string
  readonly sendEmailTo: string
  readonly chosenSlug: ChosenSlug
}

/** Changes by an owner; absent fields stay as they are. */
type LinkChange = v.InferOutput<typeof reverseShareChangeSchema>

/** Reverse shares, as their owners see them. */
export class ReverseShares {
  readonly #deps: RequestBasis

  constructor(deps: RequestBasis) {
    this.#deps = deps
  }

  /**
   * Returns the new link's id, and whether the email to `sendEmailTo` is queued.
   * @throws CodedError invalid_input, slug_taken
   */
  async create(actor: UserActor, input: NewLink): Promise<{ id: string; isMailed: boolean }> {
    const { database, audit, clock, settings, deliveryEmails } = this.#deps
    const { slug, field } = input.chosenSlug
    const createdAt = new Date(clock.now())
    const reverse = {
      ...input,
      id: randomPublicId(settings.values.linkIdLength),
      slug,
      ownerId: actor.userId,
      passwordHash: await this.#hash(actor, input.password),
      expiresAt: this.#chooseExpiry(input, createdAt),
      createdAt,
    }
    requireNoId(slug, field)
    const inserting = database.begin(async (sql) => {
      await rows.insertReverseShare(sql, reverse)
      await audit.record(sql, actor, 'reverse_share.created', reverse)
      const { sendEmailTo } = input
      return sendEmailTo !== '' && deliveryEmails.invitation(sql, reverse, sendEmailTo)
    })
    const isMailed = await refuseTaken(inserting, 'reverse_shares_slug', field)
    deliveryEmails.send()
    return { id: reverse.id, isMailed }
  }

  /** The links of one account, or of all, newest first. */
  list(ownerId: number | null): Promise<rows.ReverseShareSummary[]> {
    return rows.listReverseShares(this.#deps.database.sql, ownerId)
  }

  isExpired(reverse: rows.ReverseShare): boolean {
    return isExpired(reverse, this.#deps.clock.now())
  }

  /**
   * The actor's link, expired or not. Throws CodedError not_found, also for links of other
   * accounts.
   */
  async findOwn(actor: UserActor, id: string): Promise<rows.ReverseShare> {
    return requireOwn(actor, await rows.findReverseShare(this.#deps.database.sql, id))
  }

  /**
   * Changes a link; a new life counts from now. Deliveries stay, even above a smaller limit, which
   * only refuses new ones. A link that a delivery has closed reopens when it becomes one for
   * several.
   * @throws CodedError not_found, invalid_input, slug_taken
   */
  async update(actor: UserActor, id: string, change: LinkChange): Promise<void> {
    const { database, audit, clock, deliveryEmails } = this.#deps
    const hasNewLife = givesExpiration(change)
    const expiry = hasNewLife ? this.#chooseExpiry(change, new Date(clock.now())) : null
    const { password } = change
    const passwordHash =
      password === null || password === undefined ? null : await this.#hash(actor, password)
    const changing = database.begin(async (sql) => {
      const old = requireOwn(actor, await rows.findReverseShare(sql, id, 'change'))
      requireNoId(change.slug, 'slug')
      const next = {
        ...old,
        slug: (change.slug ?? old.slug) || null,
        name: change.name ?? old.name,
        maxSize: change.maxSize ?? old.maxSize,
        passwordHash: password === '' ? null : (passwordHash ?? old.passwordHash),
        notify: change.notify ?? old.notify,
        thankYouMessage: change.thankYouMessage ?? old.thankYouMessage,
        instructions: change.instructions ?? old.instructions,
        allowedExtensions: change.allowedExtensions ?? old.allowedExtensions,
        requiredFields: change.requiredFields ?? old.requiredFields,
        once: change.once ?? old.once,
        allowSharing: change.allowSharing ?? old.allowSharing,
        closedAt: change.once === false ? null : old.closedAt,
        expiresAt: hasNewLife ? expiry : old.expiresAt,
      }
      await rows.updateReverseShare(sql, next)
      await deliveryEmails.rewriteInvitation(sql, next)
      const fields = changedFields(old, next, { passwordHash: 'password', closedAt: 'once' })
      if (fields.length > 0)
        await audit.record(sql, actor, 'reverse_share.changed', old, { fields })
    })
    await refuseTaken(changing, 'reverse_shares_slug', 'slug')
  }

  /**
   * Deletes a link with all its deliveries, and aborts running downloads.
   * @throws CodedError not_found
   */
  async delete(actor: UserActor, id: string): Promise<void> {
    await this.deleteAny(actor, id, (reverse) => requireOwn(actor, reverse))
  }

  /**
   * The same for a link of any account, including disabled ones.
   * @throws CodedError not_found
   */
  async deleteAny(actor: Manager, id: string, require = requireFound<rows.ReverseShare>) {
    const finish = await this.#deps.database.begin(async (sql) => {
      const reverse = require(await rows.findReverseShare(sql, id, 'change'))
      return this.#tombstone(sql, actor, [reverse])
    })
    await finish()
  }

  /** The links of an account, transferred or deleted with it: see accounts/users/users.ts. */
  async lock(sql: Sql, userId: number): Promise<void> {
    await rows.lockReverseSharesOf(sql, userId)
  }

  async transfer(sql: Sql, fromId: number, toId: number): Promise<void> {
    await rows.transferReverseShares(sql, fromId, toId)
  }

  async tombstone(sql: Sql, actor: Manager, userId: number): Promise<() => Promise<void>> {
    return this.#tombstone(sql, actor, await rows.lockReverseSharesOf(sql, userId))
  }

  /** For locked links. Returns a function to call after the commit. */
  async #tombstone(
    sql: Sql,
    actor: Manager,
    links: readonly Pick<rows.ReverseShare, 'id' | 'name'>[],
  ): Promise<() => Promise<void>> {
    const { audit, storage, downloads, deliveryEmails } = this.#deps
    const ids = links.map(({ id }) => id)
    await audit.recordEach(sql, actor, 'reverse_share.deleted', links)
    await deliveryEmails.withdraw(sql, ids)
    const deleted = await rows.deleteReverseShares(sql, ids)
    const containerIds = deleted.map(({ containerId }) => containerId)
    await storage.tombstone(
      sql,
      containerIds.map((containerId) => ({ containerId, shareId: null })),
    )
    const keys = [...ids, ...deleted.map(({ deliveryId }) => deliveryId)]
    const abort = await downloads.abortAfter(sql, keys)
    return async () => {
      abort()
      await storage.removeNow(containerIds)
    }
  }

  #chooseExpiry(input: ExpirationInput, now: Date): Date | null {
    return chooseLife(input, this.#deps.settings.values, now).expiresAt
  }

  async #hash(actor: UserActor, password: string): Promise<string | null> {
    return password === '' ? null : this.#deps.passwords.hash(password, requesterOf(actor))
  }
}

function requireOwn(actor: UserActor, reverse: rows.ReverseShare | null): rows.ReverseShare {
  if (!reverse || reverse.ownerId !== actor.userId) throw new CodedError('not_found')
  return reverse
}
