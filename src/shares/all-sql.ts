import type { Sql } from '../database/connect.ts'
import { endOfTime } from '../lib/pages.ts'
import { shareWithOwner, stateAt, type Share, type ShareState } from './sql.ts'

export interface OwnedShare {
  readonly share: Share
  readonly ownerEmail: string
  /** See `shownName`. */
  readonly shownName: string
  readonly fileCount: number
  readonly damagedFiles: number
}

/** The name of a share, or that of its first file. Files of a protected share stay unnamed. */
const foundName = (sql: Sql) => sql`
  coalesce(
    nullif(shares.name, ''),
    (
      select regexp_replace(original_name, '^.*/', '')
      from files
      where files.container_id = shares.container_id and shares.password_hash is null
      order by id
      limit 1
    ),
    ''
  )`

const countFiles = (sql: Sql) => sql`(
  select count(*)
  from files
  where files.container_id = shares.container_id
)`

/** The name of a share for administrators, as its owner reads it: `report.pdf +4` without one. */
export const shownName = (sql: Sql, fileCount = countFiles(sql)) => sql`
  ${foundName(sql)} || case
    when shares.name = '' and shares.password_hash is null
    then coalesce(' +' || nullif(greatest(${fileCount} - 1, 0), 0), '')
    else ''
  end`

/** `stateAt` as a condition; a draft's, in these words, is that of an index. */
const isInState = (sql: Sql, state: ShareState | null, now: Date) => {
  if (state === null) return sql`true`
  return state === 'draft' ? sql`shares.state = 'draft'` : sql`${stateAt(sql, now)} = ${state}`
}

/** Filter for the shares of all accounts; null matches everything. */
export interface ShareFilter {
  readonly ownerId: number | null
  readonly ownerEmail?: string | null
  readonly state: ShareState | null
  /** A part of the name, the link or the owner's address; null matches everything. */
  readonly search?: string | null
  /** The page starts behind this share. */
  readonly behind?: { readonly createdAt: Date; readonly id: string } | null
  readonly limit: number | null
}

/** One page. It is cut before owners join it: a join makes the database sort all shares first. */
export async function listAllShares(
  sql: Sql,
  filter: ShareFilter,
  now: Date,
): Promise<OwnedShare[]> {
  const { ownerId, ownerEmail = null, state, search = null, behind = null, limit } = filter
  const { createdAt = endOfTime, id = '' } = behind ?? {}
  const rows = await sql<(Share & Omit<OwnedShare, 'share'>)[]>`
    select ${shareWithOwner(sql)}, users.email as owner_email,
      ${shownName(sql, sql`file_count`)} as shown_name, file_count, damaged_files
    from (
      select *
      from shares
      where (${ownerId}::integer is null or owner_id = ${ownerId})
        and (
          ${ownerEmail}::text is null
          or owner_id = (select id from users where lower(email) = lower(${ownerEmail}))
        )
        and ${isInState(sql, state, now)}
        and (
          ${search}::text is null
          or strpos(lower(concat_ws(' ', ${foundName(sql)}, slug, id)), lower(${search})) > 0
          or owner_id in (select id from users where strpos(lower(email), lower(${search})) > 0)
        )
        and created_at <= ${createdAt}
        and (created_at < ${createdAt} or id > ${id})
      order by created_at desc, id
      limit ${limit}
    ) as shares
    join users on users.id = shares.owner_id
    cross join lateral (
      select count(*) as file_count, count(damaged_at) as damaged_files
      from files
      where files.container_id = shares.container_id
    ) as counted
    order by shares.created_at desc, shares.id`
  return rows.map(({ ownerEmail, shownName, fileCount, damagedFiles, ...share }) => {
    return { share, ownerEmail, shownName, fileCount, damagedFiles }
  })
}
