import type { Sql } from '../../database/connect.ts'

/** The link of one person to a share. */
export interface PersonalLink {
  readonly id: string
  /** Stands in the link in place of the id of the share. */
  readonly token: string
  /** Empty for a person without one. */
  readonly email: string
  readonly name: string
  readonly createdAt: Date
  readonly revokedAt: Date | null
  readonly firstOpenedAt: Date | null
  readonly lastOpenedAt: Date | null
}

export type NewPersonalLink = Pick<PersonalLink, 'id' | 'token' | 'email' | 'name'>

/** A link with what was downloaded through it. */
export interface CountedLink extends PersonalLink {
  /** Downloads as the share counts them: clients within 24 hours. */
  readonly downloadCount: number
  /** Clients that were told apart by their cookie. */
  readonly deviceCount: number
}

const personalLink = (sql: Sql) => sql`
  personal_links.id, token, email, name, created_at, revoked_at, first_opened_at, last_opened_at`

/** @throws a unique violation of personal_links_email */
export async function insertLinks(
  sql: Sql,
  shareId: string,
  links: readonly NewPersonalLink[],
  createdAt: Date,
): Promise<void> {
  const column = <Key extends keyof NewPersonalLink>(key: Key) => links.map((link) => link[key])
  await sql`
    insert into personal_links (id, share_id, token, email, name, created_at)
    select id, ${shareId}, token, email, name, ${createdAt}::timestamptz
    from unnest(
      ${column('id')}::uuid[], ${column('token')}::text[], ${column('email')}::text[],
      ${column('name')}::text[]
    ) as added (id, token, email, name)`
}

/** In the order in which they were made. */
export async function listLinks(sql: Sql, shareId: string): Promise<PersonalLink[]> {
  return sql<PersonalLink[]>`
    select ${personalLink(sql)}
    from personal_links
    where share_id = ${shareId}
    order by created_at, email = '', lower(email), id`
}

export async function listCountedLinks(sql: Sql, shareId: string): Promise<CountedLink[]> {
  return sql<CountedLink[]>`
    select ${personalLink(sql)}, count(leases.id) as download_count,
      count(distinct leases.token_hash) as device_count
    from personal_links
    left join leases on leases.link_id = personal_links.id and leases.counted
    where personal_links.share_id = ${shareId}
    group by personal_links.id
    order by created_at, email = '', lower(email), personal_links.id`
}

/** Null for one of another share, and for one that is revoked. */
export async function revokeLink(
  sql: Sql,
  shareId: string,
  id: string,
  at: Date,
): Promise<PersonalLink | null> {
  return sql<PersonalLink[]>`
    update personal_links
    set revoked_at = ${at}
    where id = ${id} and share_id = ${shareId} and revoked_at is null
    returning ${personalLink(sql)}`.first()
}

/** For a draft: its links are not given out yet. */
export async function deleteLink(sql: Sql, id: string): Promise<void> {
  await sql`delete from personal_links where id = ${id}`
}

export async function markOpened(sql: Sql, id: string, at: Date): Promise<void> {
  await sql`
    update personal_links
    set first_opened_at = coalesce(first_opened_at, ${at}), last_opened_at = ${at}
    where id = ${id}`
}

/**
 * Replaces the code of a link. False for a revoked link, and if one was sent after `sentBefore`;
 * dates in the future were written while the clock was wrong.
 */
export async function replaceCode(
  sql: Sql,
  code: { readonly linkId: string; readonly hash: string; readonly at: Date },
  sentBefore: Date,
): Promise<boolean> {
  return sql`
    update personal_links
    set code_hash = ${code.hash}, code_sent_at = ${code.at}, code_tries = 0
    where id = ${code.linkId}
      and (code_sent_at is null or code_sent_at <= ${sentBefore} or code_sent_at > ${code.at})
      and revoked_at is null`.exists()
}

/**
 * Counts a try, and uses the code up if it is the right one: each is good for one client. Returns
 * whether it was; null without a live code.
 */
export async function useCode(
  sql: Sql,
  given: { readonly linkId: string; readonly hash: string },
  bounds: { readonly sentAfter: Date; readonly triesMax: number },
): Promise<boolean | null> {
  return sql<{ isUsed: boolean }[]>`
    update personal_links
    set code_tries = code_tries + 1,
        code_hash = nullif(code_hash, ${given.hash})
    where id = ${given.linkId}
      and revoked_at is null
      and code_hash is not null
      and code_sent_at > ${bounds.sentAfter}
      and code_tries < ${bounds.triesMax}
    returning code_hash is null as is_used`.firstValue()
}
