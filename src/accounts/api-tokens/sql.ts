import type { Sql } from '../../database/connect.ts'
import type { TokenScope } from '../../lib/actor.ts'
import type { AccountRights } from '../sign-in/sql.ts'

export interface ApiToken {
  readonly id: string
  readonly name: string
  readonly hint: string
  readonly scopes: readonly TokenScope[]
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly lastUsedAt: Date | null
}

export async function insertApiToken(
  sql: Sql,
  token: Omit<ApiToken, 'lastUsedAt'> & { userId: number; tokenHash: Buffer },
): Promise<void> {
  await sql`
    insert into api_tokens (id, user_id, name, hint, scopes, token_hash, created_at, expires_at)
    values (
      ${token.id}, ${token.userId}, ${token.name}, ${token.hint}, ${[...token.scopes]}::text[],
      ${token.tokenHash}, ${token.createdAt}, ${token.expiresAt}
    )`
}

/** A token and its owner. */
export interface OwnedApiToken {
  readonly token: ApiToken
  readonly owner: { readonly id: number; readonly email: string }
}

/** Tokens of one account, or of all, newest first. */
export async function listApiTokens(sql: Sql, userId: number | null): Promise<OwnedApiToken[]> {
  const rows = await sql<(ApiToken & { userId: number; email: string })[]>`
    select api_tokens.id, api_tokens.name, api_tokens.hint, api_tokens.scopes,
      api_tokens.created_at, api_tokens.expires_at, api_tokens.last_used_at, api_tokens.user_id,
      users.email
    from api_tokens
    join users on users.id = api_tokens.user_id
    where ${userId}::integer is null or api_tokens.user_id = ${userId}
    order by api_tokens.created_at desc, api_tokens.id`
  return rows.map(({ userId, email, ...token }) => ({ token, owner: { id: userId, email } }))
}

export async function countApiTokens(sql: Sql, userId: number): Promise<number> {
  return sql<{ count: number }[]>`
    select count(*)
    from api_tokens
    where user_id = ${userId}`.oneValue()
}

export interface LiveApiToken extends AccountRights {
  readonly id: string
  readonly scopes: readonly TokenScope[]
  readonly lastUsedAt: Date | null
}

/** The token with its user's present rights; null when it or the account has ended. */
export async function findLiveApiToken(
  sql: Sql,
  tokenHash: Buffer,
  now: Date,
): Promise<LiveApiToken | null> {
  return sql<LiveApiToken[]>`
    select api_tokens.id, api_tokens.scopes, api_tokens.user_id, api_tokens.last_used_at,
      users.is_admin,
      second_factors.enabled_at is not null
        or exists (select 1 from passkeys where passkeys.user_id = users.id)
        or exists (
          select 1
          from oidc_identities
          join oidc_providers using (issuer)
          where oidc_identities.user_id = users.id and oidc_providers.trusts_second_factor
        ) as has_second_factor
    from api_tokens
    join users on users.id = api_tokens.user_id
    left join second_factors on second_factors.user_id = users.id
    where api_tokens.token_hash = ${tokenHash}
      and (api_tokens.expires_at is null or api_tokens.expires_at > ${now})
      and users.disabled_at is null`.first()
}

export async function touchApiToken(sql: Sql, id: string, usedAt: Date): Promise<void> {
  await sql`update api_tokens set last_used_at = ${usedAt} where id = ${id}`
}

/** Call before the token is deleted: accounts are locked before their tokens. */
export async function endUploadTokensOfOwner(sql: Sql, id: string, ownerId: number | null) {
  await sql`
    update users
    set upload_version = upload_version + 1
    where id = (
      select user_id
      from api_tokens
      where id = ${id} and (${ownerId}::integer is null or user_id = ${ownerId})
    )`
}

/** Deletes a token, of one account or of any, and returns it; null when there is none. */
export async function deleteApiToken(
  sql: Sql,
  id: string,
  ownerId: number | null,
): Promise<{ name: string } | null> {
  return sql<{ name: string }[]>`
    delete from api_tokens
    where id = ${id} and (${ownerId}::integer is null or user_id = ${ownerId})
    returning name`.first()
}

export async function deleteApiTokensOf(sql: Sql, userId: number): Promise<void> {
  await sql`delete from api_tokens where user_id = ${userId}`
}

export async function deleteExpiredApiTokens(sql: Sql, now: Date): Promise<number> {
  return sql`delete from api_tokens where expires_at <= ${now}`.changes()
}
