import { isUniqueViolation, type Sql } from '../../database/connect.ts'
import { findAddresses } from '../../email/addresses.ts'
import type { UserActor } from '../../lib/actor.ts'
import { isEmailAddress } from '../../lib/email-address.ts'
import { CodedError, invalidInput, requireFound } from '../../lib/errors.ts'
import { publicIdLengthMin, randomPublicId, randomRowId } from '../../lib/random-id.ts'
import { isExpired, requireOwn, withdrawalVersionOf } from '../access.ts'
import type { EmailOutcome } from '../sql.ts'
import type { RecipientEmail } from '../recipients/recipient-emails.ts'
import type { ResendToken } from '../recipients/resend-token.ts'
import { findShare, type Share } from '../sql.ts'
import * as rows from './sql.ts'
import type { ShareBasis } from '../deps.ts'

const liveMax = 100
/** With revoked ones, which stay for the activity of their share. */
const allMax = 500

export interface NewPerson {
  /** Empty for a person who gets the link from the owner. */
  readonly email: string
  readonly name: string
}

/** A link as the owner of its share sees it. */
export interface ListedLink extends rows.CountedLink {
  /** The newest email with it; null for none that is known. */
  readonly sent: RecipientEmail | null
}

/** What decides who may open a share. */
type Audience = Pick<Share, 'audience' | 'recipientProof'> & {
  /** As typed. */
  readonly recipients: string
}

/**
 * Links of the persons that a share names: each has one, which counts and ends by itself
 * (docs/decisions/0029-personal-links.md).
 */
export class PersonalLinks {
  readonly #deps: ShareBasis

  constructor(deps: ShareBasis) {
    this.#deps = deps
  }

  /** All links of a share, also the revoked ones. */
  async list(shareId: string): Promise<ListedLink[]> {
    const { database, recipientEmails } = this.#deps
    const emails = await recipientEmails.list(database.sql, shareId)
    const byAddress = new Map(emails.map((email) => [email.to.toLowerCase(), email]))
    const links = await rows.listCountedLinks(database.sql, shareId)
    return links.map((link) => {
      const email = byAddress.get(link.email.toLowerCase())
      // An earlier one had the link for anyone.
      const isOwn = email?.createdAt && email.createdAt >= link.createdAt
      return { ...link, sent: isOwn ? email : null }
    })
  }

  /**
   * Names one more person, who is emailed if the share is complete.
   * @throws CodedError not_found, expired, invalid_input; conflict when the share is open to
   *   anyone, or the person has a link already; rate_limited without a token for the email
   */
  async add(
    actor: UserActor,
    shareId: string,
    person: NewPerson,
    token: ResendToken,
  ): Promise<{ link: rows.PersonalLink; outcome: EmailOutcome | null }> {
    const { database, audit, clock, recipientEmails } = this.#deps
    const added = await database.begin(async (sql) => {
      const share = requireOwn(actor, shareId, await findShare(sql, shareId, 'change'))
      if (isExpired(share, clock.now())) throw new CodedError('expired')
      if (share.audience !== 'named') {
        throw new CodedError('conflict', { message: 'This share is open to anyone.' })
      }
      const email = person.email.trim() === '' ? '' : readAddress(person.email)
      const name = isVisible(person.name) ? person.name : ''
      if (email === '' && name === '') throw invalidInput('name', 'or email is required')
      if (email === '' && share.recipientProof !== 'none') throw needsAddress('email')
      const [link] = await this.#insert(sql, shareId, [{ email, name }], 'email')
      await audit.record(sql, actor, 'share.person_added', share, { person: nameOf(link!) })
      if (email === '' || share.state === 'draft') return { link: link!, outcome: null }
      const { outcome } = await recipientEmails.write(sql, share, share, { only: email, token })
      token.requireTaken()
      return { link: link!, outcome }
    })
    recipientEmails.send()
    return added
  }

  /**
   * Ends a link at once, with its running downloads, leases and unsent emails.
   * @throws CodedError not_found, also for a link that is revoked already
   */
  async revoke(actor: UserActor, shareId: string, linkId: string): Promise<void> {
    const abort = await this.#deps.database.begin(async (sql) => {
      const share = requireOwn(actor, shareId, await findShare(sql, shareId, 'change'))
      return this.#revoke(sql, actor, share, linkId)
    })
    abort()
  }

  /**
   * Gives the recipients of a new or changed share their links, and revokes those of recipients
   * that were removed, in the transaction of the change.
   * @param before null for a new share
   * @returns what to call after the commit
   * @throws CodedError invalid_input
   */
  async follow(
    sql: Sql,
    actor: UserActor,
    share: Pick<Share, 'id' | 'name' | 'state' | 'passwordVersion'>,
    { before, after }: { readonly before: Audience | null; readonly after: Audience },
  ): Promise<() => void> {
    const links = before ? await rows.listLinks(sql, share.id) : []
    // Links from before a share was opened to anyone work again once it names people.
    if (after.audience === 'anyone' && links.length === 0) return () => {}
    const live = links.filter(({ revokedAt }) => revokedAt === null)
    const isSame =
      before?.audience === after.audience && before.recipientProof === after.recipientProof
    // A mail server may be gone since: other changes stay possible.
    if (after.audience === 'named' && !isSame) this.#requireProvable(live, after)
    const had = addressesOf(before?.recipients ?? '')
    const has = addressesOf(after.recipients)
    if (after.audience === 'named') requireAllFound(after.recipients)
    const keysOf = (some: typeof links) => new Set(some.map(({ email }) => email.toLowerCase()))
    const [everKeys, liveKeys] = [keysOf(links), keysOf(live)]
    // A link that was revoked by hand stays so, however often the share is saved.
    const isKnown = (key: string) => (had.has(key) ? everKeys : liveKeys).has(key)
    const added = [...has].filter(([key]) => !isKnown(key))
    const isRemoved = (key: string) => had.has(key) && !has.has(key)
    const removed = live.filter(({ email }) => isRemoved(email.toLowerCase()))
    const aborts: (() => void)[] = []
    for (const { id } of removed) {
      if (share.state === 'draft') await rows.deleteLink(sql, id)
      else aborts.push(await this.#revoke(sql, actor, share, id))
    }
    const people = added.map(([, email]) => ({ email, name: '' }))
    await this.#insert(sql, share.id, people, 'recipients')
    return () => {
      for (const abort of aborts) abort()
    }
  }

  /** @throws CodedError invalid_input for a proof that cannot be given */
  #requireProvable(live: readonly rows.PersonalLink[], { recipientProof }: Audience): void {
    if (recipientProof === 'code' && !this.#deps.emails.isConfigured) {
      throw invalidInput('recipientProof', 'needs a mail server; choose "none" or "account"')
    }
    const isNameless = live.some(({ email }) => email === '')
    if (recipientProof !== 'none' && isNameless) throw needsAddress('recipientProof')
  }

  /** Returns what to call after the commit. */
  async #revoke(
    sql: Sql,
    actor: UserActor,
    share: Pick<Share, 'id' | 'name' | 'passwordVersion'>,
    linkId: string,
  ): Promise<() => void> {
    const { audit, clock, downloads, recipientEmails } = this.#deps
    const link = requireFound(await rows.revokeLink(sql, share.id, linkId, new Date(clock.now())))
    if (link.email !== '') await recipientEmails.withdrawFrom(sql, share.id, [link.email])
    await audit.record(sql, actor, 'share.person_removed', share, { person: nameOf(link) })
    return downloads.abortAfter(sql, [share.id], 'not_found', withdrawalVersionOf(share, linkId))
  }

  async #insert(
    sql: Sql,
    shareId: string,
    people: readonly NewPerson[],
    field: string,
  ): Promise<rows.PersonalLink[]> {
    if (people.length === 0) return []
    const links = await rows.listLinks(sql, shareId)
    const live = links.filter(({ revokedAt }) => revokedAt === null)
    if (live.length + people.length > liveMax || links.length + people.length > allMax) {
      throw tooMany(field)
    }
    const createdAt = new Date(this.#deps.clock.now())
    const length = Math.max(publicIdLengthMin, this.#deps.settings.values.linkIdLength)
    const added = people.map((person) => {
      return { ...person, id: randomRowId(), token: randomPublicId(length) }
    })
    try {
      await rows.insertLinks(sql, shareId, added, createdAt)
    } catch (error) {
      if (!isUniqueViolation(error, 'personal_links_email')) throw error
      throw new CodedError('conflict', { message: 'This person has a link already.' })
    }
    const unused = { createdAt, revokedAt: null, firstOpenedAt: null, lastOpenedAt: null }
    return added.map((link) => ({ ...link, ...unused }))
  }
}

function needsAddress(field: string): CodedError {
  return invalidInput(field, 'people without an email address cannot prove who they are')
}

function readAddress(text: string): string {
  const { addresses, ignored } = findAddresses(text)
  if (addresses.length !== 1 || ignored.length > 0) {
    throw invalidInput('email', 'must be one email address')
  }
  return addresses[0]!
}

/** Whether a name shows: spaces and characters that take no room do not. */
function isVisible(name: string): boolean {
  return /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(name)
}

/** @throws CodedError invalid_input, where an address would get no link */
function requireAllFound(recipients: string): void {
  if (findAddresses(recipients).ignored.some(isEmailAddress)) throw tooMany('recipients')
}

function tooMany(field: string): CodedError {
  return invalidInput(field, `a share can name at most ${liveMax} people`)
}

/** By their lower case. */
function addressesOf(recipients: string): ReadonlyMap<string, string> {
  const { addresses } = findAddresses(recipients)
  return new Map(addresses.map((address) => [address.toLowerCase(), address]))
}

/** In the audit log. */
function nameOf({ email, name }: rows.PersonalLink): string {
  return email || name
}
