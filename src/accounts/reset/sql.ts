import type { Sql } from '../../database/connect.ts'
import { deleteUnsent } from '../../email/sql.ts'

/** The account that a reset link opens, in its present state. */
export interface ResetTarget {
  readonly userId: number
  readonly email: string
  readonly name: string
  /** Whether the link was emailed; an administrator hands over others. */
  readonly provesEmail: boolean
}

export async function insertReset(
  sql: Sql,
  reset: {
    userId: number
    email: string
    tokenHash: Buffer
    createdAt: Date
    expiresAt: Date
    isInvitation: boolean
    provesEmail: boolean
  },
): Promise<void> {
  const { userId, email, tokenHash, createdAt, expiresAt, isInvitation, provesEmail } = reset
  await sql`
    insert into password_resets (
      token_hash, user_id, email, created_at, expires_at, is_invitation, proves_email
    )
    values (
      ${tokenHash}, ${userId}, ${email}, ${createdAt}, ${expiresAt}, ${isInvitation}, ${provesEmail}
    )`
}

/** Counts links for a lost password, without those made while the clock was ahead. */
export async function countResetsOf(sql: Sql, userId: number, now: Date): Promise<number> {
  return sql<{ count: number }[]>`
    select count(*)
    from password_resets
    where user_id = ${userId} and not is_invitation
      and created_at <= ${now} and expires_at > ${now}`.oneValue()
}

/**
 * The account that a link is for; null when the link has ended, when the account is disabled or has
 * another address, and for an invitation's link unless `isInvitation` is set.
 */
export async function findTarget(
  sql: Sql,
  link: { readonly tokenHash: Buffer; readonly isInvitation: boolean },
  now: Date,
): Promise<ResetTarget | null> {
  return sql<ResetTarget[]>`
    select users.id as user_id, users.email, users.name,
      password_resets.proves_email
    from password_resets
    join users on users.id = password_resets.user_id
    where password_resets.token_hash = ${link.tokenHash}
      and password_resets.is_invitation = ${link.isInvitation}
      and password_resets.expires_at > ${now}
      and lower(users.email) = lower(password_resets.email)
      and users.disabled_at is null`.first()
}

/** Voids all links to set a password, also those of emails that are not sent yet. */
export async function deleteResetsOf(sql: Sql, userId: number): Promise<void> {
  await sql`delete from password_resets where user_id = ${userId}`
  await deleteUnsent(sql, [linkTopic(userId, true), linkTopic(userId, false)])
}

/** The topic of emails with such a link. */
export function linkTopic(userId: number, isInvitation: boolean): string {
  return `${isInvitation ? 'invitation' : 'password-reset'}:${userId}`
}

export async function deleteEndedResets(sql: Sql, now: Date): Promise<number> {
  return sql`delete from password_resets where expires_at <= ${now}`.changes()
}
