import type { Sql } from '../../database/connect.ts'
import type { Sender } from '../../email/blocks.ts'

export interface User {
  readonly id: number
  readonly email: string
  readonly name: string
  /** Empty for an account without a password. */
  readonly passwordHash: string
  readonly isAdmin: boolean
  readonly disabledAt: Date | null
  readonly createdAt: Date
  /** When its invitation was made; null once its holder has set a password. */
  readonly invitedAt: Date | null
  /** When a person signed up who waits for approval; null otherwise. Disabled until then. */
  readonly requestedAt: Date | null
  /** Bytes of files, 0 for no limit; null for the default of the settings. */
  readonly quota: number | null
}

const account = (sql: Sql) => sql`
  id, email, name, password_hash, is_admin, disabled_at, created_at, invited_at, requested_at,
  quota`

export async function findUserByEmail(sql: Sql, email: string): Promise<User | null> {
  return sql<User[]>`
    select ${account(sql)}
    from users
    where lower(email) = lower(${email})`.first()
}

export async function findUser(sql: Sql, id: number): Promise<User | null> {
  return sql<User[]>`
    select ${account(sql)}
    from users
    where id = ${id}`.first()
}

/** Blocks changes and deletion of the account until the transaction ends. */
export async function lockUserForSignIn(sql: Sql, id: number): Promise<User | null> {
  return sql<User[]>`
    select ${account(sql)}
    from users
    where id = ${id}
    for share`.first()
}

/**
 * Blocks sign-ins too, for changes that end sessions. Waits for `lockUsers` first: with the row
 * already locked, each would wait for the other.
 */
export async function lockUserForChange(sql: Sql, id: number): Promise<User | null> {
  await sql`lock table users in row exclusive mode`
  return sql<User[]>`
    select ${account(sql)}
    from users
    where id = ${id}
    for no key update`.first()
}

/** An account with fields for administrators. */
export interface ListedUser extends User {
  /** Whether it has one. */
  readonly secondFactor: boolean
  /** Bytes of everything it owns, as counted for its quota. */
  readonly usedBytes: number
  readonly lastLoginAt: Date | null
}

/** Newest first. */
export async function listUsers(sql: Sql): Promise<ListedUser[]> {
  return sql<ListedUser[]>`
    select
      users.id, email, name, password_hash, is_admin, disabled_at, users.created_at, invited_at,
      requested_at, quota,
      second_factors.enabled_at is not null
        or exists (select 1 from passkeys where passkeys.user_id = users.id) as second_factor,
      coalesce(used.bytes, 0) as used_bytes,
      last_sign_ins.at as last_login_at
    from users
    left join last_sign_ins on last_sign_ins.user_id = users.id
    left join second_factors on second_factors.user_id = users.id
    left join (
      select user_id, sum(live_bytes)::bigint as bytes from usage group by user_id
    ) as used on used.user_id = users.id
    order by users.id desc`
}

export async function countUsers(sql: Sql): Promise<number> {
  return sql<{ count: number }[]>`select count(*) from users`.oneValue()
}

/** Blocks other inserts until the transaction ends, for "only if there is none yet". */
export async function lockUsers(sql: Sql): Promise<void> {
  await sql`lock table users in share row exclusive mode`
}

/** @throws a unique violation of users_email_key */
export async function insertUser(sql: Sql, user: Omit<User, 'id'>): Promise<User> {
  return sql<User[]>`
    insert into users (
      email, name, password_hash, is_admin, disabled_at, created_at, invited_at, requested_at,
      quota
    )
    values (
      ${user.email}, ${user.name}, ${user.passwordHash}, ${user.isAdmin}, ${user.disabledAt},
      ${user.createdAt}, ${user.invitedAt}, ${user.requestedAt}, ${user.quota}
    )
    returning ${account(sql)}`.one()
}

/** Fields of an account that administrators change, with their new values. */
export type UserChanges = Pick<
  User,
  'id' | 'email' | 'name' | 'isAdmin' | 'disabledAt' | 'requestedAt' | 'quota'
>

/**
 * @param isVerified whether a new email address is known to be the holder's
 * @throws a unique violation of users_email_key
 */
export async function updateUser(sql: Sql, user: UserChanges, isVerified: boolean): Promise<void> {
  await sql`
    update users
    set email = ${user.email},
        email_verified = case
          when lower(email) = lower(${user.email}) then email_verified
          else ${isVerified}
        end,
        name = ${user.name},
        is_admin = ${user.isAdmin},
        disabled_at = ${user.disabledAt},
        requested_at = ${user.requestedAt},
        quota = ${user.quota}
    where id = ${user.id}`
}

/** Serialises chunk commits of one account while its quota is counted. */
export async function lockUser(sql: Sql, id: number): Promise<void> {
  await sql`select 1 from users where id = ${id} for no key update`
}

/** Bytes of the shares and deliveries of an account, in its files and chunks, and on disk. */
export interface Usage {
  readonly liveBytes: number
  readonly storedBytes: number
}

/** As triggers have counted it (docs/decisions/0026-usage-in-rows.md). */
export async function sumUsage(sql: Sql, userId: number): Promise<Usage> {
  return sql<Usage[]>`
    select coalesce(sum(live_bytes), 0)::bigint as live_bytes,
      coalesce(sum(stored_bytes), 0)::bigint as stored_bytes
    from usage
    where user_id = ${userId}`.one()
}

/** Sets the password of an account, and ends its invitation. */
export async function setPasswordHash(sql: Sql, id: number, passwordHash: string): Promise<void> {
  await sql`update users set password_hash = ${passwordHash}, invited_at = null where id = ${id}`
}

/**
 * Call when its holder has followed a link that was sent to the address. False when the address was
 * verified before.
 */
export async function verifyEmail(sql: Sql, id: number): Promise<boolean> {
  return sql`
    update users
    set email_verified = true
    where id = ${id} and not email_verified`.exists()
}

/** Name and address for emails to others; `address` is '' while it is not verified. */
export async function findSender(sql: Sql, userId: number): Promise<Sender | null> {
  return sql<Sender[]>`
    select id as user_id, name, case when email_verified then email else '' end as address
    from users
    where id = ${userId}`.first()
}

/** Whether an account has the address, and it is known to be its holder's. */
export async function hasVerifiedEmail(sql: Sql, id: number, email: string): Promise<boolean> {
  return sql`
    select 1
    from users
    where id = ${id} and lower(email) = lower(${email}) and email_verified`.exists()
}

/** Replaces the hash of an unchanged password. False if the password has changed. */
export async function renewPasswordHash(
  sql: Sql,
  { id, passwordHash }: Pick<User, 'id' | 'passwordHash'>,
  renewed: string,
): Promise<boolean> {
  return sql`
    update users
    set password_hash = ${renewed}
    where id = ${id} and password_hash = ${passwordHash}`.exists()
}

/** The account's own quota; null for the default of the settings. */
export async function findQuota(sql: Sql, id: number): Promise<number | null> {
  return sql<{ quota: number | null }[]>`select quota from users where id = ${id}`.firstValue()
}

export async function setInvitedAt(sql: Sql, id: number, invitedAt: Date): Promise<void> {
  await sql`update users set invited_at = ${invitedAt} where id = ${id}`
}

export async function deleteUserRow(sql: Sql, id: number): Promise<void> {
  await sql`delete from users where id = ${id}`
}

/** Administrators who can sign in, other than this one. */
export async function countOtherAdministrators(sql: Sql, id: number): Promise<number> {
  return sql<{ count: number }[]>`
    select count(*)
    from users
    where is_admin and disabled_at is null and invited_at is null and id <> ${id}`.oneValue()
}

/** The first hundred administrators who can sign in. */
export async function listAdministratorEmails(sql: Sql): Promise<string[]> {
  return sql<{ email: string }[]>`
    select email
    from users
    where is_admin and disabled_at is null and invited_at is null
    order by id
    limit 100`.column()
}
