import * as v from 'valibot'
import { text, timestamp } from '../http/schema.ts'
import type { UserRow } from './sql.ts'

/** Trimmed; compared case-insensitively in the database. RFC 5321 allows 254 characters. */
export const emailSchema = v.pipe(
  text(1, 320),
  v.trim(),
  v.maxLength(254, 'must have at most 254 characters'),
  v.rfcEmail('must be an e-mail address'),
)

/** Length alone: composition rules make passwords worse (NIST SP 800-63B section 5.1.1.2). */
export const newPasswordSchema = text(8, 256)

export const userNameSchema = v.pipe(text(1, 200), v.trim(), v.minLength(1, 'must not be empty'))

/** A user as the contract's part 2 shows it. */
export const userSchema = v.object({
  id: v.pipe(v.number(), v.integer()),
  email: v.pipe(v.string(), v.rfcEmail()),
  name: v.string(),
  is_admin: v.boolean(),
  created_at: timestamp,
})

export function presentUser(user: UserRow): v.InferOutput<typeof userSchema> {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    is_admin: user.isAdmin,
    created_at: user.createdAt.toISOString(),
  }
}

/** A user as administrators see it. */
export const managedUserSchema = v.object({ ...userSchema.entries, disabled: v.boolean() })

export function presentManagedUser(user: UserRow): v.InferOutput<typeof managedUserSchema> {
  return { ...presentUser(user), disabled: user.disabledAt !== null }
}
