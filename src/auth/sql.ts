import type { Sql } from '../db/connect.ts'

export interface SessionRow {
  readonly id: string
  readonly userId: number
  readonly isAdmin: boolean
  readonly lastSeenAt: Date
}

export async function insertSession(
  sql: Sql,
  session: {
    id: string
    userId: number
    createdAt: Date
    expiresAt: Date
    ip: string
    userAgent: string
  },
): Promise<void> {
  await sql`
    insert into sessions (id, user_id, created_at, last_seen_at, expires_at, ip, user_agent)
    values (
      ${session.id}, ${session.userId}, ${session.createdAt}, ${session.createdAt},
      ${session.expiresAt}, ${session.ip}, ${session.userAgent}
    )`
}

/** The session with its user's rights as they are now; null when it or the account has ended. */
export async function findLiveSession(
  sql: Sql,
  id: string,
  now: Date,
  seenSince: Date,
): Promise<SessionRow | null> {
  const [row] = await sql<{ id: string; user_id: number; is_admin: boolean; last_seen_at: Date }[]>`
    select sessions.id, sessions.user_id, users.is_admin, sessions.last_seen_at
    from sessions
    join users on users.id = sessions.user_id
    where sessions.id = ${id}
      and sessions.expires_at > ${now}
      and sessions.last_seen_at > ${seenSince}
      and users.disabled_at is null`
  if (!row) return null
  return { id: row.id, userId: row.user_id, isAdmin: row.is_admin, lastSeenAt: row.last_seen_at }
}

export async function touchSession(sql: Sql, id: string, seenAt: Date): Promise<void> {
  await sql`update sessions set last_seen_at = ${seenAt} where id = ${id}`
}

export async function deleteSession(sql: Sql, id: string): Promise<void> {
  await sql`delete from sessions where id = ${id}`
}

export async function deleteSessionsOf(sql: Sql, userId: number): Promise<void> {
  await sql`delete from sessions where user_id = ${userId}`
}

export async function deleteEndedSessions(sql: Sql, now: Date, seenSince: Date): Promise<void> {
  await sql`delete from sessions where expires_at <= ${now} or last_seen_at <= ${seenSince}`
}

/** The sealed secret of an enabled second factor; null for an account without one. */
export async function findSecondFactor(sql: Sql, userId: number): Promise<Buffer | null> {
  const [row] = await sql<{ secret_sealed: Buffer }[]>`
    select secret_sealed
    from second_factors
    where user_id = ${userId} and enabled_at is not null`
  return row?.secret_sealed ?? null
}

/** Uses up a code's time step. False when it, or a later one, was used before. */
export async function useTimeStep(sql: Sql, userId: number, step: number): Promise<boolean> {
  const rows = await sql`
    update second_factors
    set last_step = ${step}
    where user_id = ${userId} and last_step < ${step}
    returning user_id`
  return rows.length > 0
}

/** Uses up a recovery code. False when there is none with this hash. */
export async function useRecoveryCode(
  sql: Sql,
  userId: number,
  codeHash: Buffer,
): Promise<boolean> {
  const rows = await sql`
    delete from recovery_codes
    where user_id = ${userId} and code_hash = ${codeHash}
    returning user_id`
  return rows.length > 0
}
