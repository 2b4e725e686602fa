import { rowNumberMax } from '../lib/path-parameters.ts'
import { CodedError } from '../lib/errors.ts'
import type { User } from '../accounts/users/sql.ts'
import type { Users } from '../accounts/users/users.ts'

/** The account with this id or email address. Throws CodedError not_found. */
export async function findAccount(users: Users, word: string): Promise<User> {
  try {
    if (!/^[1-9][0-9]{0,9}$/.test(word)) return await users.findByEmail(word)
    if (Number(word) <= rowNumberMax) return await users.find(Number(word))
  } catch (error) {
    if (!(error instanceof CodedError && error.code === 'not_found')) throw error
  }
  throw new CodedError('not_found', { message: `There is no account "${word}".` })
}

/** The id of the account in an option; null without the option. */
export async function findOwnerId(users: Users, word: string | null): Promise<number | null> {
  return word === null ? null : (await findAccount(users, word)).id
}
