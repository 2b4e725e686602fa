// The actor's contacts. Addresses are unique in any case. The audit log records that a contact
// changed, but not which one, because contacts are private to the account.
import { changedFields } from '../../audit/changed-fields.ts'
import { isUniqueViolation, type Sql } from '../../database/connect.ts'
import type { UserActor } from '../../lib/actor.ts'
import { CodedError, requireFound } from '../../lib/errors.ts'
import { randomRowId } from '../../lib/random-id.ts'
import { lockUserForChange } from '../users/sql.ts'
import * as rows from './sql.ts'
import type { AccountBasis } from '../deps.ts'

const contactsMax = 1000

/** Changes of a contact; absent fields stay as they are. */
export interface ContactChange {
  readonly email?: string | null | undefined
  readonly name?: string | null | undefined
}

/** @throws CodedError conflict for an existing address, too_many_contacts, unauthorized */
export async function add(
  { database, audit, clock }: AccountBasis,
  actor: UserActor,
  input: { email: string; name: string },
): Promise<rows.Contact> {
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
export async function change(
  { database, audit }: AccountBasis,
  actor: UserActor,
  id: string,
  change: ContactChange,
): Promise<rows.Contact> {
  return database.begin(async (sql) => {
    await lockBook(sql, actor)
    const old = requireFound(await rows.findContact(sql, actor.userId, id))
    const next = { ...old, email: change.email ?? old.email, name: change.name ?? old.name }
    const fields = changedFields(old, next)
    if (fields.length === 0) return old
    await refuseKnown(() => rows.updateContact(sql, next))
    await audit.record(sql, actor, 'contact.changed', { id, name: '' }, { fields })
    return next
  })
}

/** @throws CodedError not_found, also for a contact of another account */
export async function remove(deps: AccountBasis, actor: UserActor, id: string): Promise<void> {
  const { database, audit } = deps
  await database.begin(async (sql) => {
    const isRemoved = await rows.deleteContact(sql, actor.userId, id)
    if (!isRemoved) throw new CodedError('not_found')
    await audit.record(sql, actor, 'contact.removed', { id, name: '' })
  })
}

/** Concurrent requests wait for each other, so that neither the limit nor a change is lost. */
async function lockBook(sql: Sql, actor: UserActor): Promise<void> {
  requireFound(await lockUserForChange(sql, actor.userId), 'unauthorized')
}

async function refuseKnown(write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (!isUniqueViolation(error, 'contacts_email_key')) throw error
    throw new CodedError('conflict', { message: 'This address is already in your contacts.' })
  }
}
