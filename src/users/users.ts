import { isUniqueViolation, type Database, type Sql } from '../db/connect.ts'
import type { Passwords } from './passwords.ts'
import type { Clock } from '../lib/clock.ts'
import { CodedError } from '../lib/errors.ts'
import { countUsers, insertUser, lockUsers, type UserRow } from './sql.ts'

export interface NewUser {
  readonly email: string
  readonly name: string
  readonly password: string
  readonly isAdmin: boolean
}

/** Accounts: who may log in at all. */
export class Users {
  readonly #database: Database
  readonly #passwords: Passwords
  readonly #clock: Clock

  constructor(parts: { database: Database; passwords: Passwords; clock: Clock }) {
    this.#database = parts.database
    this.#passwords = parts.passwords
    this.#clock = parts.clock
  }

  async isEmpty(): Promise<boolean> {
    return (await countUsers(this.#database.sql)) === 0
  }

  /** @throws CodedError conflict when the e-mail address is taken */
  async create(user: NewUser): Promise<UserRow> {
    const passwordHash = await this.#passwords.hash(user.password)
    return this.#insert(this.#database.sql, user, passwordHash)
  }

  /**
   * Creates the first account of all, an administrator's. Of two at once one wins.
   * @throws CodedError already_set_up when there is an account
   */
  async createFirst(user: Omit<NewUser, 'isAdmin'>): Promise<UserRow> {
    const passwordHash = await this.#passwords.hash(user.password)
    return this.#database.begin(async (sql) => {
      await lockUsers(sql)
      if ((await countUsers(sql)) > 0) throw new CodedError('already_set_up')
      return this.#insert(sql, { ...user, isAdmin: true }, passwordHash)
    })
  }

  async #insert(sql: Sql, user: NewUser, passwordHash: string): Promise<UserRow> {
    const createdAt = new Date(this.#clock.now())
    const { email, name, isAdmin } = user
    try {
      return await insertUser(sql, { email, name, isAdmin, passwordHash, createdAt })
    } catch (error) {
      if (!isUniqueViolation(error, 'users_email_key')) throw error
      throw new CodedError('conflict', { message: 'There is an account with this e-mail address.' })
    }
  }
}
