import type { Sql } from '../../database/connect.ts'
import type { ShareRow } from '../sql.ts'

/** As its owner typed them; empty for a share that is gone. */
export async function findRecipients(sql: Sql, shareId: string): Promise<string> {
  const [row] = await sql<{ recipients: string }[]>`
    select recipients
    from shares
    where id = ${shareId}`
  return row?.recipients ?? ''
}

/** Whether some share has this id, in whatever case. */
export async function isIdOfShare(sql: Sql, name: string): Promise<boolean> {
  const rows = await sql`
    select 1
    from shares
    where lower(id collate "C") = ${name.toLowerCase()}
    limit 1`
  return rows.length > 0
}

export async function updateShare(
  sql: Sql,
  share: Pick<
    ShareRow,
    | 'id'
    | 'name'
    | 'message'
    | 'passwordHash'
    | 'passwordVersion'
    | 'maxDownloads'
    | 'expirationValue'
    | 'expirationUnit'
    | 'expiresAt'
    | 'slug'
    | 'published'
    | 'expectedBytes'
  > & { recipients: string },
): Promise<void> {
  await sql`
    update shares
    set name = ${share.name},
        message = ${share.message},
        password_hash = ${share.passwordHash},
        password_version = ${share.passwordVersion},
        max_downloads = ${share.maxDownloads},
        expiration_val = ${share.expirationValue},
        expiration_unit = ${share.expirationUnit},
        expires_at = ${share.expiresAt},
        recipients = ${share.recipients},
        slug = ${share.slug},
        published = ${share.published},
        expected_bytes = ${share.expectedBytes}
    where id = ${share.id}`
}

export async function setExpiresAt(sql: Sql, id: string, expiresAt: Date): Promise<void> {
  await sql`
    update shares
    set expires_at = ${expiresAt}
    where id = ${id}`
}
