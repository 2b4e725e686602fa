import * as v from 'valibot'
import {
  named,
  nonNegative,
  noted,
  present,
  text,
  timestamp,
  wholeNumber,
  written,
} from '../../http/schema.ts'
import { addressCharactersMax, asciiAddress, isEmailAddress } from '../../lib/email-address.ts'
import type { ListedUser, User } from './sql.ts'

/** Trimmed; compared case-insensitively in the database. */
export const emailSchema = v.pipe(
  written(
    v.pipe(
      text(1, 320),
      v.trim(),
      v.maxLength(addressCharactersMax, `must have at most ${addressCharactersMax} characters`),
      v.check(isEmailAddress, 'must be an email address'),
    ),
    {
      type: 'string',
      format: 'email',
      minLength: 1,
      maxLength: addressCharactersMax,
      description: 'Email address, case-insensitive',
      examples: ['ada@example.org'],
    },
  ),
  v.transform(asciiAddress),
)

/**
 * Only a length, because composition rules make passwords worse (NIST SP 800-63B section 5.1.1.2).
 * Common passwords are refused when they are hashed (passwords.ts).
 */
export const newPasswordSchema = noted(
  text(8, 256),
  '8 to 256 characters; common passwords are refused',
  'correct horse battery',
)

export const userNameSchema = noted(
  v.pipe(text(1, 200), v.trim(), v.minLength(1, 'must not be empty')),
  'Display name',
  'Ada',
)

/** Unlike in other fields, null is a value here; absent means no change. */
export const quotaSchema = noted(
  v.optional(v.nullable(wholeNumber(0, Number.MAX_SAFE_INTEGER))),
  'Storage quota in bytes of files; 0 for no limit, null for the setting `userQuota`',
  50_000_000_000,
)

/** The contract's `User` (part 2). */
export const userSchema = named(
  'User',
  v.object({
    id: v.pipe(v.number(), v.integer()),
    email: v.pipe(v.string(), v.rfcEmail()),
    name: v.string(),
    is_admin: v.boolean(),
    created_at: timestamp,
  }),
)

export function presentUser(user: User): v.InferOutput<typeof userSchema> {
  return present(userSchema, user)
}

interface ManagedUser extends v.InferOutput<typeof userSchema> {
  readonly disabled: boolean
}

export function presentManagedUser(user: User): ManagedUser {
  return { ...presentUser(user), disabled: user.disabledAt !== null }
}

/** A user as administrators see it. */
export const listedUserSchema = named(
  'ManagedUser',
  v.object({
    ...userSchema.entries,
    disabled: noted(v.boolean(), 'Whether the account is disabled and cannot sign in'),
    second_factor: noted(
      v.boolean(),
      'Whether it has a second factor: an authenticator app or a passkey',
    ),
    used_bytes: noted(nonNegative, 'Bytes of all files that the account owns', 52_428_800),
    quota: noted(
      v.nullable(nonNegative),
      'Storage quota in bytes of files; 0 for no limit, null for the setting `userQuota`',
    ),
    last_login_at: noted(v.nullable(timestamp), 'Last sign-in'),
    invited_at: noted(v.nullable(timestamp), 'When it was invited; null once the password is set'),
    requested_at: noted(
      v.nullable(timestamp),
      'When its holder signed up, while the account waits for approval: enabling it approves, ' +
        'deleting it declines. Null otherwise',
    ),
  }),
)

export function presentListedUser(user: ListedUser): v.InferOutput<typeof listedUserSchema> {
  return present(listedUserSchema, { ...user, disabled: user.disabledAt !== null })
}
