import type { Target } from '../../audit/audit.ts'
import { changedFields } from '../../audit/changed-fields.ts'
import { isUniqueViolation, type Sql } from '../../database/connect.ts'
import { asciiAddress } from '../../lib/email-address.ts'
import type { AnonymousActor, Manager, OperatorActor, SystemActor } from '../../lib/actor.ts'
import { CodedError, invalidInput, requireFound } from '../../lib/errors.ts'
import { requesterOf } from '../passwords/passwords.ts'
import * as rows from './sql.ts'
import type { User } from './sql.ts'
import { deleteResetsOf } from '../reset/sql.ts'
import type { Auth } from '../sign-in/sign-in.ts'
import type { AccountBasis } from '../deps.ts'
import { requireFreshSession } from '../../lib/fresh-session.ts'

export interface NewUser {
  readonly email: string
  readonly name: string
  readonly password: string
  readonly isAdmin: boolean
  /** Bytes of files, 0 for no limit; null or absent for the default of the settings. */
  readonly quota?: number | null | undefined
}

/** Changes by an administrator; absent fields stay as they are. */
export interface UserChange {
  readonly email?: string | null | undefined
  readonly name?: string | null | undefined
  readonly isAdmin?: boolean | null | undefined
  readonly disabled?: boolean | null | undefined
  /** Bytes of files, 0 for no limit; null for the default of the settings. */
  readonly quota?: number | null | undefined
}

/** Property of an account, transferred or deleted with it. */
interface AccountProperty {
  /** Locks what is transferred or deleted, all of it before any of it is counted elsewhere. */
  lock(sql: Sql, userId: number): Promise<unknown>
  transfer(sql: Sql, fromId: number, toId: number): Promise<void>
  /**
   * Part of the transaction that deletes the account. Returns a function to call after the commit.
   */
  tombstone(sql: Sql, actor: Manager, userId: number): Promise<() => Promise<void>>
}

/**
 * Checks in the transaction of a change, under its locks, that the actor may still make it. Must
 * lock nothing: shares are locked before their owner, and deletion has not locked them yet.
 */
type Confirm = (sql: Sql, user: rows.User) => Promise<void> | void

type Deps = AccountBasis & {
  readonly properties: readonly AccountProperty[]
  readonly auth: Auth
}

/** Accounts, as administrators manage them. */
export class Users {
  readonly #deps: Deps
  #hasUsers = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** The last administrator cannot be removed, so an answer of false stays true. */
  async isEmpty(sql = this.#deps.database.sql): Promise<boolean> {
    this.#hasUsers ||= (await rows.countUsers(sql)) > 0
    return !this.#hasUsers
  }

  async list(): Promise<rows.ListedUser[]> {
    return rows.listUsers(this.#deps.database.sql)
  }

  /** @throws CodedError not_found */
  async find(id: number): Promise<rows.User> {
    return requireFound(await rows.findUser(this.#deps.database.sql, id))
  }

  /** Ignores the case of the address. Throws CodedError not_found. */
  async findByEmail(email: string): Promise<rows.User> {
    return requireFound(await rows.findUserByEmail(this.#deps.database.sql, asciiAddress(email)))
  }

  /** @throws CodedError conflict when the email address is taken */
  async create(actor: Manager, user: NewUser): Promise<rows.User> {
    const { database, audit, passwords } = this.#deps
    const { email, password } = user
    const passwordHash = await passwords.hashOfAccount(password, email, requesterOf(actor))
    return database.begin(async (sql) => {
      const created = await this.#insert(sql, user, passwordHash)
      const details = { is_admin: user.isAdmin }
      await audit.record(sql, actor, 'user.created', targetOf(created), details)
      return created
    })
  }

  /**
   * Creates an account with an unknown password; part of the transaction that makes the link for
   * its holder.
   * @throws CodedError conflict when the email address is taken
   */
  createInvited(sql: Sql, user: Omit<NewUser, 'password'>, passwordHash: string) {
    return this.#insert(sql, user, passwordHash, { invitedAt: new Date(this.#deps.clock.now()) })
  }

  /**
   * Creates an account without a password, for a user that a sign-in provider has verified; part
   * of the transaction that signs them in.
   * @throws CodedError conflict when the email address is taken
   */
  async createSignedUp(
    sql: Sql,
    actor: AnonymousActor,
    user: Omit<NewUser, 'password'>,
    provider: string,
  ): Promise<rows.User> {
    const created = await this.#insert(sql, user, '')
    const details = { is_admin: user.isAdmin, provider }
    await this.#deps.audit.record(sql, actor, 'user.created', targetOf(created), details)
    return created
  }

  /**
   * Creates an account for a person who has confirmed the address; part of the transaction that
   * signs them in.
   * @param isWaiting whether an administrator has to approve it first
   * @throws CodedError conflict when the email address is taken
   */
  async createConfirmed(
    sql: Sql,
    actor: AnonymousActor,
    user: Pick<NewUser, 'email' | 'name'> & { readonly passwordHash: string },
    isWaiting: boolean,
  ): Promise<rows.User> {
    const { passwordHash, ...person } = user
    const requestedAt = isWaiting ? new Date(this.#deps.clock.now()) : null
    const more = { requestedAt, disabledAt: requestedAt }
    const created = await this.#insert(sql, { ...person, isAdmin: false }, passwordHash, more)
    const details = { waiting: isWaiting }
    await this.#deps.audit.record(sql, actor, 'user.signed_up', targetOf(created), details)
    return created
  }

  /**
   * Creates the first account, an administrator's. One of two simultaneous calls succeeds.
   * @throws CodedError already_set_up when there is an account
   */
  async createFirst(
    actor: AnonymousActor | OperatorActor,
    user: Omit<NewUser, 'isAdmin'>,
  ): Promise<rows.User> {
    const { database, audit, passwords } = this.#deps
    const { email, password } = user
    const passwordHash = await passwords.hashOfAccount(password, email, requesterOf(actor))
    return database.begin(async (sql) => {
      await rows.lockUsers(sql)
      if ((await rows.countUsers(sql)) > 0) throw new CodedError('already_set_up')
      const created = await this.#insert(sql, { ...user, isAdmin: true }, passwordHash)
      await audit.record(sql, actor, 'setup.completed', targetOf(created))
      return created
    })
  }

  /**
   * Changes an account. Disabling ends its sessions; other changes take effect with the next
   * request. Enabling approves a person who has signed up. Links of a new administrator end,
   * because an API token may have made them before.
   * @throws CodedError not_found, conflict, last_administrator; errors of `confirm`
   */
  async update(actor: Manager | SystemActor, id: number, change: UserChange, confirm?: Confirm) {
    const { clock, auth, emails, notices } = this.#deps
    await emails.begin(async (sql) => {
      await rows.lockUsers(sql)
      const user = requireFound(await rows.findUser(sql, id))
      await confirm?.(sql, user)
      const isDisabled = change.disabled ?? user.disabledAt !== null
      const isAdmin = change.isAdmin ?? user.isAdmin
      const isApproval = user.requestedAt !== null && !isDisabled
      if (!isAdmin || isDisabled) await requireOtherAdministrator(sql, user)
      const changed = {
        id,
        email: change.email ?? user.email,
        name: change.name ?? user.name,
        isAdmin,
        disabledAt: isDisabled ? (user.disabledAt ?? new Date(clock.now())) : null,
        requestedAt: isApproval ? null : user.requestedAt,
        quota: change.quota === undefined ? user.quota : change.quota,
      }
      await this.#recordChange(sql, actor, user, changed)
      // Holders can enter any address; administrators are trusted with it.
      const isVerified = !isOwn(actor, id) || user.isAdmin
      await refuseTakenEmail(() => rows.updateUser(sql, changed, isVerified))
      if (changed.email !== user.email) await notices.write(sql, user, 'email_changed', actor)
      if (isApproval) await notices.answerSignUp(sql, changed, true)
      if (isDisabled) await auth.end(sql, id)
      const isMoved = changed.email.toLowerCase() !== user.email.toLowerCase()
      if (isMoved || (isAdmin && !user.isAdmin)) await deleteResetsOf(sql, id)
    })
  }

  /**
   * Deletes an account with everything it owns, or transfers that to another account first;
   * declines a person who waits for approval.
   * @throws CodedError not_found, last_administrator, invalid_input for an unknown recipient;
   *   errors of `confirm`
   */
  async delete(actor: Manager, id: number, transferTo: number | null, confirm?: Confirm) {
    const { audit, emails, properties, notices } = this.#deps
    const afterwards = await emails.begin(async (sql) => {
      await rows.lockUsers(sql)
      const user = requireFound(await rows.findUser(sql, id))
      await confirm?.(sql, user)
      await requireOtherAdministrator(sql, user)
      const isDeclined = user.requestedAt !== null
      const others = isDeclined ? 'user.declined' : 'user.deleted'
      const event = isOwn(actor, id) ? 'account.deleted' : others
      const details = transferTo === null ? {} : { transferred_to: transferTo }
      await audit.record(sql, actor, event, targetOf(user), details)
      for (const owned of properties) await owned.lock(sql, id)
      const actions: (() => Promise<void>)[] = []
      if (transferTo === null) {
        for (const owned of properties) actions.push(await owned.tombstone(sql, actor, id))
      } else {
        const heir = transferTo === id ? null : await rows.findUser(sql, transferTo)
        if (!heir || heir.requestedAt)
          throw invalidInput('transferTo', 'must be the id of another account')
        for (const owned of properties) await owned.transfer(sql, id, transferTo)
      }
      if (isDeclined) await notices.answerSignUp(sql, user, false)
      else await notices.write(sql, user, 'account_deleted', actor)
      await deleteResetsOf(sql, id)
      await rows.deleteUserRow(sql, id)
      return actions
    })
    for (const action of afterwards) await action()
  }

  /** Records one event for changed fields, and another when sign-in was enabled or disabled. */
  async #recordChange(
    sql: Sql,
    actor: Manager | SystemActor,
    user: rows.User,
    changed: rows.UserChanges,
  ): Promise<void> {
    const { audit } = this.#deps
    const { disabledAt, requestedAt: _requestedAt, ...profile } = changed
    const fields = changedFields(user, profile, { isAdmin: 'is_admin' })
    if (fields.length > 0) {
      const event = isOwn(actor, user.id) ? 'account.changed' : 'user.changed'
      const rights = fields.includes('is_admin') ? { is_admin: changed.isAdmin } : {}
      await audit.record(sql, actor, event, targetOf(user), { fields, ...rights })
    }
    const [was, is] = [user.disabledAt !== null, disabledAt !== null]
    if (was === is) return
    const enabled = user.requestedAt ? 'user.approved' : 'user.enabled'
    await audit.record(sql, actor, is ? 'user.disabled' : enabled, targetOf(user))
  }

  async #insert(
    sql: Sql,
    user: Omit<NewUser, 'password'>,
    passwordHash: string,
    state: Partial<Pick<rows.User, 'invitedAt' | 'requestedAt' | 'disabledAt'>> = {},
  ): Promise<rows.User> {
    const createdAt = new Date(this.#deps.clock.now())
    const { email, name, isAdmin, quota = null } = user
    const none = { invitedAt: null, requestedAt: null, disabledAt: null }
    const fields = { email, name, isAdmin, passwordHash, createdAt, quota }
    return refuseTakenEmail(() => rows.insertUser(sql, { ...fields, ...none, ...state }))
  }
}

/** An account as the target of an audit event. */
export function targetOf(user: Pick<rows.User, 'id' | 'email'>): Target {
  return { id: user.id, name: user.email }
}

function isOwn(actor: Manager | SystemActor, userId: number): boolean {
  return actor.kind === 'user' && actor.userId === userId
}

/** @throws CodedError last_administrator when this account is the only administrator */
async function requireOtherAdministrator(sql: Sql, user: rows.User): Promise<void> {
  if (!user.isAdmin || user.disabledAt || user.invitedAt) return
  if ((await rows.countOtherAdministrators(sql, user.id)) === 0) {
    throw new CodedError('last_administrator')
  }
}

async function refuseTakenEmail<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isUniqueViolation(error, 'users_email_key')) throw error
    throw new CodedError('conflict', {
      message: 'An account with this email address already exists.',
    })
  }
}

/** Fields that affect neither access to an account nor its rights. */
const harmless: ReadonlySet<string> = new Set(['name', 'quota', 'disabled'])

/**
 * Guards changes of who can sign in to an account, and all changes of an administrator.
 * @param user the account before the change
 * @param change as requested; unchanged values count as no change
 * @throws CodedError api_token_not_allowed, confirmation_required
 */
export function guardSignIn(actor: Manager, user: User, change: Readonly<Record<string, unknown>>) {
  const current: Readonly<Record<string, unknown>> = { ...user, disabled: user.disabledAt !== null }
  for (const [field, value] of Object.entries(change)) {
    // Only a quota can be null.
    const isGiven = value !== undefined && (value !== null || field === 'quota')
    if (!isGiven || value === current[field]) continue
    if (user.isAdmin || !harmless.has(field)) requireFreshSession(actor, fieldNames[field] ?? field)
  }
}

/** Field names in requests. */
const fieldNames: Readonly<Record<string, string>> = { isAdmin: 'is_admin' }
