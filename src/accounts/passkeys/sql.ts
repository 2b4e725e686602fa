import type { Sql } from '../../database/connect.ts'

export interface Passkey {
  readonly id: string
  readonly name: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

/** The public half of a passkey, as its authenticator has made it. */
export interface Credential {
  /** Base64url. */
  readonly credentialId: string
  /** A COSE key (RFC 9052, section 7). */
  readonly publicKey: Buffer
  /** Signatures so far; stays 0 where the authenticator counts none. */
  readonly counter: number
  /** How browsers reach the authenticator, such as `usb` or `hybrid`. */
  readonly transports: readonly string[]
}

export interface StoredPasskey extends Passkey, Credential {
  readonly userId: number
  /** Names the account to its authenticators; random, base64url. */
  readonly userHandle: string
}

const passkey = (sql: Sql) => sql`
  id, user_id, name, created_at, last_used_at, credential_id, public_key, counter, transports,
  user_handle`

/** The passkeys of an account, newest first. */
export async function listPasskeys(sql: Sql, userId: number): Promise<StoredPasskey[]> {
  return sql<StoredPasskey[]>`
    select ${passkey(sql)}
    from passkeys
    where user_id = ${userId}
    order by created_at desc, id`
}

export async function findCredential(
  sql: Sql,
  credentialId: string,
): Promise<StoredPasskey | null> {
  return sql<StoredPasskey[]>`
    select ${passkey(sql)}
    from passkeys
    where credential_id = ${credentialId}`.first()
}

export async function countPasskeys(sql: Sql, userId: number): Promise<number> {
  return sql<{ count: number }[]>`
    select count(*)
    from passkeys
    where user_id = ${userId}`.oneValue()
}

/** False when some account has this credential already. */
export async function insertPasskey(sql: Sql, passkey: StoredPasskey): Promise<boolean> {
  return sql`
    insert into passkeys (
      id, user_id, name, created_at, credential_id, public_key, counter, transports, user_handle
    )
    values (
      ${passkey.id}, ${passkey.userId}, ${passkey.name}, ${passkey.createdAt},
      ${passkey.credentialId}, ${passkey.publicKey}, ${passkey.counter},
      ${[...passkey.transports]}::text[], ${passkey.userHandle}
    )
    on conflict (credential_id) do nothing`.exists()
}

/**
 * Records a signature. False when its counter has not grown, which is what a copy of the passkey
 * shows (WebAuthn level 3, section 7.2, step 22), and when the passkey is gone.
 */
export async function countSignature(
  sql: Sql,
  id: string,
  counter: number,
  at: Date,
): Promise<boolean> {
  return sql`
    update passkeys
    set counter = ${counter}, last_used_at = ${at}
    where id = ${id}
      and (counter < ${counter} or (counter = 0 and ${counter}::bigint = 0))`.exists()
}

/** Null when the account has no passkey with this id. */
export async function renamePasskey(
  sql: Sql,
  userId: number,
  id: string,
  name: string,
): Promise<Passkey | null> {
  return sql<Passkey[]>`
    update passkeys
    set name = ${name}
    where id = ${id} and user_id = ${userId}
    returning id, name, created_at, last_used_at`.first()
}

/** Also ends the sessions that it started. Null when the account has no passkey with this id. */
export async function deletePasskey(
  sql: Sql,
  userId: number,
  id: string,
): Promise<{ name: string } | null> {
  return sql<{ name: string }[]>`
    delete from passkeys
    where id = ${id} and user_id = ${userId}
    returning name`.first()
}

export async function deletePasskeysOf(sql: Sql, userId: number): Promise<number> {
  return sql`delete from passkeys where user_id = ${userId}`.changes()
}

/** The passkey that has last verified the holder of a session; it ends with this passkey. */
export async function setSessionPasskey(sql: Sql, sessionId: string, passkeyId: string) {
  await sql`update sessions set passkey_id = ${passkeyId} where id = ${sessionId}`
}

/** Keeps a session whose passkey is removed: another one of the account takes its place. */
export async function releaseSession(sql: Sql, sessionId: string, passkeyId: string) {
  await sql`
    update sessions
    set passkey_id = (
      select id
      from passkeys
      where user_id = sessions.user_id and id <> ${passkeyId}
      order by created_at desc, id
      limit 1
    )
    where id = ${sessionId} and passkey_id = ${passkeyId}`
}

/**
 * Uses up a challenge, or another value that is good once. False when it was used before; waits for
 * another use at the same time.
 */
export async function useChallenge(sql: Sql, hash: Buffer, expiresAt: Date): Promise<boolean> {
  return sql`
    insert into used_challenges (challenge_hash, expires_at)
    values (${hash}, ${expiresAt})
    on conflict do nothing`.exists()
}

export async function isChallengeUsed(sql: Sql, hash: Buffer): Promise<boolean> {
  return sql`select 1 from used_challenges where challenge_hash = ${hash}`.exists()
}

export async function deleteExpiredChallenges(sql: Sql, now: Date): Promise<number> {
  return sql`delete from used_challenges where expires_at <= ${now}`.changes()
}
