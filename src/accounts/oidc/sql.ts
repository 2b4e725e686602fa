import type { Sql } from '../../database/connect.ts'
import type { ProviderInput } from './schemas.ts'

/** A sign-in provider. */
export interface Provider extends Omit<ProviderInput, 'clientSecret'> {
  /** Part of its redirect URI. */
  readonly id: string
  /** Null for a public client. */
  readonly secretSealed: Buffer | null
  readonly createdAt: Date
}

/** A user of an issuer, linked to an account. */
export interface Identity {
  readonly id: string
  readonly userId: number
  readonly issuer: string
  readonly subject: string
  /** Their email address or name there. */
  readonly name: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

const provider = (sql: Sql) => sql`
  id, name, issuer, client_id, secret_sealed, linking, creation, domains, trusts_email,
  trusts_second_factor, groups_claim, admin_group, group_quotas, created_at`

/** In the order of their names. */
export async function listProviders(sql: Sql): Promise<Provider[]> {
  return sql<Provider[]>`
    select ${provider(sql)}
    from oidc_providers
    order by lower(name), id`
}

export async function findProvider(sql: Sql, id: string): Promise<Provider | null> {
  return sql<Provider[]>`
    select ${provider(sql)}
    from oidc_providers
    where id = ${id}`.first()
}

/** False when another provider has this id. */
export async function insertProvider(sql: Sql, added: Provider): Promise<boolean> {
  return sql`
    insert into oidc_providers (
      id, name, issuer, client_id, secret_sealed, linking, creation, domains, trusts_email,
      trusts_second_factor, groups_claim, admin_group, group_quotas, created_at
    )
    values (
      ${added.id}, ${added.name}, ${added.issuer}, ${added.clientId}, ${added.secretSealed},
      ${added.linking}, ${added.creation}, ${added.domains}::text[], ${added.trustsEmail},
      ${added.trustsSecondFactor}, ${added.groupsClaim}, ${added.adminGroup},
      ${JSON.stringify(added.groupQuotas)}::text::jsonb, ${added.createdAt}
    )
    on conflict (id) do nothing`.exists()
}

export async function updateProvider(sql: Sql, changed: Provider): Promise<void> {
  await sql`
    update oidc_providers
    set name = ${changed.name},
        issuer = ${changed.issuer},
        client_id = ${changed.clientId},
        secret_sealed = ${changed.secretSealed},
        linking = ${changed.linking},
        creation = ${changed.creation},
        domains = ${changed.domains}::text[],
        trusts_email = ${changed.trustsEmail},
        trusts_second_factor = ${changed.trustsSecondFactor},
        groups_claim = ${changed.groupsClaim},
        admin_group = ${changed.adminGroup},
        group_quotas = ${JSON.stringify(changed.groupQuotas)}::text::jsonb,
        worked_at = case
          when issuer = ${changed.issuer}
            and client_id = ${changed.clientId}
            and secret_sealed is not distinct from ${changed.secretSealed}
          then worked_at
        end
    where id = ${changed.id}`
}

/**
 * Notes that a sign-in or a test has succeeded, unless the provider was changed since. It is not
 * changed until the transaction ends.
 */
export async function noteWorking(
  sql: Sql,
  { id, issuer, clientId, secretSealed }: Provider,
  at: Date,
): Promise<void> {
  await sql`
    update oidc_providers
    set worked_at = ${at}
    where id = ${id}
      and worked_at is null
      and (issuer, client_id) = (${issuer}, ${clientId})
      and secret_sealed is not distinct from ${secretSealed}`
}

/** Whether a sign-in or a test has succeeded with any provider, none of which changes meanwhile. */
export async function hasWorkingProvider(sql: Sql): Promise<boolean> {
  await lockProviders(sql)
  return sql`select 1 from oidc_providers where worked_at is not null limit 1`.exists()
}

/** Also ends the sessions that it started. */
export async function deleteProvider(sql: Sql, id: string): Promise<void> {
  await sql`delete from oidc_providers where id = ${id}`
}

/** Blocks other changes of providers until the transaction ends. */
export async function lockProviders(sql: Sql): Promise<void> {
  await sql`lock table oidc_providers in share row exclusive mode`
}

/** Newest first. */
export async function listIdentities(sql: Sql, userId: number): Promise<Identity[]> {
  return sql<Identity[]>`
    select id, user_id, issuer, subject, name, created_at, last_used_at
    from oidc_identities
    where user_id = ${userId}
    order by created_at desc, id`
}

export async function findIdentity(
  sql: Sql,
  issuer: string,
  subject: string,
): Promise<Identity | null> {
  return sql<Identity[]>`
    select id, user_id, issuer, subject, name, created_at, last_used_at
    from oidc_identities
    where issuer = ${issuer} and subject = ${subject}`.first()
}

/** False when the identity belongs to an account already. */
export async function insertIdentity(sql: Sql, added: Identity): Promise<boolean> {
  return sql`
    insert into oidc_identities (id, user_id, issuer, subject, name, created_at, last_used_at)
    values (
      ${added.id}, ${added.userId}, ${added.issuer}, ${added.subject}, ${added.name},
      ${added.createdAt}, ${added.lastUsedAt}
    )
    on conflict (issuer, subject) do nothing`.exists()
}

/** Records a sign-in. */
export async function useIdentity(sql: Sql, id: string, name: string, at: Date): Promise<void> {
  await sql`update oidc_identities set name = ${name}, last_used_at = ${at} where id = ${id}`
}

/** Also ends the sessions that it started. Null when the account has no identity with this id. */
export async function deleteIdentity(
  sql: Sql,
  userId: number,
  id: string,
): Promise<Identity | null> {
  return sql<Identity[]>`
    delete from oidc_identities
    where id = ${id} and user_id = ${userId}
    returning id, user_id, issuer, subject, name, created_at, last_used_at`.first()
}

/** Also ends the sessions that they started. */
export async function deleteIdentitiesOf(sql: Sql, userId: number): Promise<void> {
  await sql`delete from oidc_identities where user_id = ${userId}`
}

/** Counts the identities of an account with which it can sign in at present. */
export async function countUsableIdentities(sql: Sql, userId: number): Promise<number> {
  return sql<{ count: number }[]>`
    select count(*)
    from oidc_identities
    where user_id = ${userId}
      and issuer in (select issuer from oidc_providers)`.oneValue()
}

/** The provider that has started a session; null for a session that began in another way. */
export async function findProviderOfSession(sql: Sql, sessionId: string): Promise<Provider | null> {
  return sql<Provider[]>`
    select ${provider(sql)}
    from oidc_providers
    where id = (select provider_id from sessions where sessions.id = ${sessionId})`.first()
}

/** Keeps a session when the identity that has started it is removed. */
export async function releaseFromIdentity(sql: Sql, sessionId: string, identityId: string) {
  await sql`
    update sessions
    set identity_id = null, provider_id = null, provider_session = null
    where id = ${sessionId} and identity_id = ${identityId}`
}

/** Sessions that a provider has started; null for any. */
interface ProviderSessions {
  readonly providerId: string
  readonly issuer: string | null
  /** Those that it has started under this issuer are not meant. */
  readonly exceptIssuer?: string
  readonly subject: string | null
  /** The provider's name for its own session. */
  readonly providerSession: string | null
}

/** All sessions that a provider has started. */
export function allOf(providerId: string): ProviderSessions {
  return { providerId, issuer: null, subject: null, providerSession: null }
}

const areOfProvider = (sql: Sql, sessions: ProviderSessions) => sql`
  sessions.provider_id = ${sessions.providerId}
  and sessions.identity_id in (
    select id
    from oidc_identities
    where (${sessions.issuer}::text is null or issuer = ${sessions.issuer})
      and (${sessions.subject}::text is null or subject = ${sessions.subject})
      and issuer is distinct from ${sessions.exceptIssuer ?? null}
  )
  and (
    ${sessions.providerSession}::text is null or provider_session = ${sessions.providerSession}
  )`

/**
 * Ends the upload tokens of all accounts with these sessions, which may have made some. Call it
 * before the sessions end: accounts are locked before their sessions.
 */
export async function endUploadTokensOfProvider(sql: Sql, sessions: ProviderSessions) {
  await sql`
    update users
    set upload_version = upload_version + 1
    where id in (select user_id from sessions where ${areOfProvider(sql, sessions)})`
}

/** Ends these sessions, and returns their accounts: one for each session. */
export async function endProviderSessions(
  sql: Sql,
  sessions: ProviderSessions,
): Promise<{ userId: number; email: string }[]> {
  return sql<{ userId: number; email: string }[]>`
    delete from sessions
    using users
    where users.id = sessions.user_id and ${areOfProvider(sql, sessions)}
    returning users.id as user_id, users.email`
}
