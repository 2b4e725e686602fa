import type { Sql } from '../../database/connect.ts'

/** The present rights of an account. */
export interface AccountRights {
  readonly userId: number
  readonly isAdmin: boolean
  readonly hasSecondFactor: boolean
}

/** By what the holder of a session was verified: one of several factors, all, or a passkey. */
type Confirmed = 'one' | 'all' | 'passkey'

export interface SessionRow extends AccountRights {
  readonly id: string
  readonly email: string
  readonly hasPassword: boolean
  readonly isByProxy: boolean
  /** When its holder was last verified. */
  readonly confirmedAt: Date
  readonly confirmedBy: Confirmed
  readonly lastSeenAt: Date
  /** Whether the only second factors are passkeys, and none of them has verified the holder. */
  readonly lacksPasskey: boolean
}

export async function insertSession(
  sql: Sql,
  session: {
    id: string
    userId: number
    createdAt: Date
    confirmedAt: Date
    isByProxy: boolean
    expiresAt: Date
    passkeyId: string | null
    provider: { id: string; identityId: string; session: string | null } | null
    ip: string
    userAgent: string
  },
): Promise<void> {
  const { provider } = session
  await sql`
    insert into sessions (
      id, user_id, created_at, last_seen_at, confirmed_at, confirmed_by, expires_at, passkey_id,
      provider_id, identity_id, provider_session, ip, user_agent, is_by_proxy
    )
    values (
      ${session.id}, ${session.userId}, ${session.createdAt}, ${session.createdAt},
      ${session.confirmedAt}, ${session.passkeyId === null ? 'all' : 'passkey'},
      ${session.expiresAt}, ${session.passkeyId}, ${provider?.id ?? null},
      ${provider?.identityId ?? null}, ${provider?.session ?? null}, ${session.ip},
      ${session.userAgent}, ${session.isByProxy}
    )`
}

/** Concurrent sign-ins to the account may call this too; the later one wins. */
export async function writeLastSignIn(sql: Sql, userId: number, at: Date): Promise<void> {
  await sql`
    insert into last_sign_ins (user_id, at)
    values (${userId}, ${at})
    on conflict (user_id) do update
    set at = greatest(last_sign_ins.at, excluded.at)`
}

/** Sessions that were last used, or begun, before these moments have ended. */
export interface SessionBounds {
  readonly now: Date
  readonly seenSince: Date
  readonly begunSince: Date
}

const isLive = (sql: Sql, { now, seenSince, begunSince }: SessionBounds) => sql`
  sessions.expires_at > ${now}
  and sessions.last_seen_at > ${seenSince}
  and sessions.created_at > ${begunSince}`

/**
 * The session with its user's present rights; null when it or the account has ended. A provider
 * that is trusted with it stands for a second factor.
 */
export async function findLiveSession(
  sql: Sql,
  id: string,
  bounds: SessionBounds,
): Promise<SessionRow | null> {
  return sql<SessionRow[]>`
    select sessions.id, sessions.user_id, sessions.last_seen_at, sessions.confirmed_at,
      sessions.confirmed_by, sessions.is_by_proxy, users.email, users.is_admin,
      users.password_hash <> '' as has_password,
      second_factors.enabled_at is not null or has_passkey or is_trusted as has_second_factor,
      second_factors.enabled_at is null and has_passkey and sessions.passkey_id is null
        and not is_trusted as lacks_passkey
    from sessions
    join users on users.id = sessions.user_id
    left join oidc_providers on oidc_providers.id = sessions.provider_id
    cross join lateral (
      select coalesce(oidc_providers.trusts_second_factor, false) as is_trusted
    ) as provider
    left join second_factors on second_factors.user_id = users.id
    cross join lateral (
      select exists (select 1 from passkeys where passkeys.user_id = users.id) as has_passkey
    ) as passkey
    where sessions.id = ${id}
      and ${isLive(sql, bounds)}
      and users.disabled_at is null`.first()
}

/**
 * Whether an account that was signed in to before has no session of this client, by the traces that
 * programs without cookies leave.
 */
export async function isNewClient(
  sql: Sql,
  userId: number,
  { ip, userAgent }: { readonly ip: string; readonly userAgent: string },
): Promise<boolean> {
  return sql`
    select 1
    from last_sign_ins
    where user_id = ${userId} and not exists (
      select 1
      from sessions
      where sessions.user_id = ${userId} and ip = ${ip} and user_agent = ${userAgent}
    )`.exists()
}

export async function confirmSession(sql: Sql, id: string, at: Date, by: Confirmed): Promise<void> {
  await sql`update sessions set confirmed_at = ${at}, confirmed_by = ${by} where id = ${id}`
}

export async function touchSession(sql: Sql, id: string, seenAt: Date): Promise<void> {
  await sql`update sessions set last_seen_at = ${seenAt} where id = ${id}`
}

/**
 * Deletes all sessions of an account, or all but one, and ends its upload tokens.
 * @returns number of sessions
 */
export async function endSessionsOf(
  sql: Sql,
  userId: number,
  keptId: string | null,
): Promise<number> {
  const ended = await sql`
    delete from sessions
    where user_id = ${userId} and id is distinct from ${keptId}::uuid`.changes()
  await endUploadTokensOf(sql, userId)
  return ended
}

/** Upload tokens carry the account's version: raising it ends all existing ones. */
export async function endUploadTokensOf(sql: Sql, userId: number): Promise<void> {
  await sql`update users set upload_version = upload_version + 1 where id = ${userId}`
}

export async function deleteEndedSessions(sql: Sql, bounds: SessionBounds): Promise<number> {
  return sql`delete from sessions where not (${isLive(sql, bounds)})`.changes()
}

/** Whether a session is alive; call under the lock of its account. */
export async function hasSession(sql: Sql, id: string): Promise<boolean> {
  return sql`select 1 from sessions where id = ${id}`.exists()
}

export interface ListedSession {
  readonly id: string
  readonly ip: string
  readonly userAgent: string
  readonly createdAt: Date
  readonly lastSeenAt: Date
}

/** The live sessions of an account, newest first. */
export async function listLiveSessions(
  sql: Sql,
  userId: number,
  bounds: SessionBounds,
): Promise<ListedSession[]> {
  return sql<ListedSession[]>`
    select id, ip, user_agent, created_at, last_seen_at
    from sessions
    where user_id = ${userId} and ${isLive(sql, bounds)}
    order by created_at desc, id`
}

/** False when the account has no session with this id. */
export async function deleteSessionOf(sql: Sql, userId: number, id: string): Promise<boolean> {
  return sql`
    delete from sessions
    where id = ${id} and user_id = ${userId}`.exists()
}

export async function upsertAddress(
  sql: Sql,
  known: { userId: number; address: string; seenAt: Date },
): Promise<void> {
  await sql`
    insert into sign_in_addresses (user_id, address, seen_at)
    values (${known.userId}, ${known.address}, ${known.seenAt})
    on conflict (user_id, address) do update
    set seen_at = greatest(sign_in_addresses.seen_at, excluded.seen_at)`
}

/** Keeps the newest addresses. */
export async function deleteAddressesBeyond(sql: Sql, userId: number, max: number): Promise<void> {
  await sql`
    delete from sign_in_addresses
    where user_id = ${userId} and address in (
      select address
      from sign_in_addresses
      where user_id = ${userId}
      order by seen_at desc, address
      offset ${max}
    )`
}

export async function hasAddress(
  sql: Sql,
  userId: number,
  address: string,
  seenSince: Date,
): Promise<boolean> {
  return sql`
    select 1
    from sign_in_addresses
    where user_id = ${userId} and address = ${address} and seen_at > ${seenSince}`.exists()
}

export async function deleteAddressesBefore(sql: Sql, before: Date): Promise<number> {
  return sql`delete from sign_in_addresses where seen_at <= ${before}`.changes()
}
