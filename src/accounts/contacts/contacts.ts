import { changedFields } from '../../audit/changed-fields.ts'
import { isUniqueViolation, type Sql } from '../../database/connect.ts'
import type { UserActor } from '../../lib/actor.ts'
import { CodedError } from '../../lib/errors.ts'
import { randomRowId } from '../../lib/random-id.ts'
import { lockUserForChange } from '../users/sql.ts'
import * as rows from './sql.ts'
import type { AccountDeps } from '../deps.ts'

const contactsMax = 1000

type Deps = Pick<AccountDeps, 'database' | 'audit' | 'clock'>

/** Changes of a contact; absent fields stay as they are. */
export interface ContactChange {
  readonly email?: string | null | undefined
  readonly name?: string | null | undefined
}

/**
 * The actor's contacts. Addresses are unique in any case. The audit log records that a contact
 * changed, but not which one, because contacts are private to the account.
 */
export class Contacts {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** The actor's contacts, ordered by address. */
  list(actor: UserActor): Promise<rows.Contact[]> {
    return rows.listContacts(this.#deps.database.sql, actor.userId)
  }

  /** @throws CodedError conflict for an existing address, too_many_contacts, unauthorized */
  async add(actor: UserActor, input: { email: string; name: string }): Promise<rows.Contact> {
    const { database, audit, clock } = this.#deps
    const { email, name } = input
    const row = { id: randomRowId(), email, name, createdAt: new Date(clock.now()) }
    await database.begin(async (sql) => {
      await lockBook(sql, actor)
      if ((await rows.countContacts(sql, actor.userId)) >= contactsMax) {
        throw new CodedError('too_many_contacts', { details: { limit: contactsMax } })
      }
      await refuseKnown(() => rows.insertContact(sql, actor.userId, row))
      await audit.record(sql, actor, 'contact.added', { id: row.id, name: '' })
    })
    return row
  }

  /** @throws CodedError not_found, also for a contact of another account; conflict, unauthorized */
  async change(actor: UserActor, id: string, change: ContactChange): Promise<rows.Contact> {
    const { database, audit } = this.#deps
    return database.begin(async (sql) => {
      await lockBook(sql, actor)
      const old = await rows.findContact(sql, actor.userId, id)
      if (!old) throw new CodedError('not_found')
      const next = { ...old, email: change.email ?? old.email, name: change.name ?? old.name }
      const fields = changedFields(old, next)
      if (fields.length === 0) return old
      await refuseKnown(() => rows.updateContact(sql, next))
      await audit.record(sql, actor, 'contact.changed', { id, name: '' }, { fields })
      return next
    })
  }

  /** @throws CodedError not_found, also for a contact of another account */
  async remove(actor: UserActor, id: string): Promise<void> {
    const { database, audit } = this.#deps
    await database.begin(async (sql) => {
      const isRemoved = await rows.deleteContact(sql, actor.userId, id)
      if (!isRemoved) throw new CodedError('not_found')
      await audit.record(sql, actor, 'contact.removed', { id, name: '' })
    })
  }
}

/** Concurrent requests wait for each other, so that neither the limit nor a change is lost. */
async function lockBook(sql: Sql, actor: UserActor): Promise<void> {
  const user = await lockUserForChange(sql, actor.userId)
  if (!user) throw new CodedError('unauthorized')
}

async function refuseKnown(write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (!isUniqueViolation(error, 'contacts_email_key')) throw error
    throw new CodedError('conflict', { message: 'This address is already in your contacts.' })
  }
}
