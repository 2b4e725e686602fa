import type { Sql } from '../../database/connect.ts'
import { shareWithOwner, type Share } from '../sql.ts'

/** A share with fields that only its owner sees, and that are too long for lists. */
export interface DetailedShare extends Share {
  /** As its owner typed them. */
  readonly recipients: string
  /** Whether the owner gets emails about downloads. */
  readonly notifyDownloads: boolean
}

const detailedShare = (sql: Sql) => sql`
  ${shareWithOwner(sql)}, shares.recipients,
  shares.notify_downloads_since is not null as notify_downloads`

/** @param isLocked for a change */
export async function findDetailedShare(
  sql: Sql,
  id: string,
  isLocked = false,
): Promise<DetailedShare | null> {
  return sql<DetailedShare[]>`
    select ${detailedShare(sql)}
    from shares
    join users on users.id = shares.owner_id
    where shares.id = ${id}
    ${isLocked ? sql`for update of shares` : sql``}`.first()
}

export async function updateShare(
  sql: Sql,
  share: DetailedShare,
  at: Date,
): Promise<DetailedShare | null> {
  return sql<DetailedShare[]>`
    update shares
    set name = ${share.name},
        message = ${share.message},
        audience = ${share.audience},
        recipient_proof = ${share.recipientProof},
        password_hash = ${share.passwordHash},
        password_version = ${share.passwordVersion},
        max_downloads = ${share.maxDownloads},
        expiration_val = ${share.expirationValue},
        expiration_unit = ${share.expirationUnit},
        fixed_end = ${share.isEndFixed},
        expires_at = ${share.expiresAt},
        recipients = ${share.recipients},
        notify_downloads_since = case
          when ${share.notifyDownloads} then coalesce(notify_downloads_since, ${at})
        end,
        slug = ${share.slug},
        published = ${share.published},
        expected_bytes = ${share.expectedBytes}
    from users
    where shares.id = ${share.id} and users.id = shares.owner_id
    returning ${detailedShare(sql)}`.first()
}
