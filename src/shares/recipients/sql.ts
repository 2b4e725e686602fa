import type { Sql } from '../../database/connect.ts'
import type { Audience } from '../sql.ts'
import { listedFilesMax, type ListedFile } from '../../email/common-blocks.ts'

/** What an email about a share needs beyond the share itself. */
export interface EmailFacts {
  /** As its owner typed them. */
  readonly recipients: string
  readonly audience: Audience
  readonly ownerId: number
  readonly ownerName: string
  /** '' while it is not verified. */
  readonly ownerEmail: string
  readonly fileCount: number
}

export async function findEmailFacts(sql: Sql, shareId: string): Promise<EmailFacts | null> {
  return sql<EmailFacts[]>`
    select shares.recipients, shares.audience, users.id as owner_id, users.name as owner_name,
      case when users.email_verified then users.email else '' end as owner_email,
      (select count(*) from files where files.container_id = shares.container_id) as file_count
    from shares
    join users on users.id = shares.owner_id
    where shares.id = ${shareId}`.first()
}

/** The files that an email names: the first ones of a share, or its newest. In order. */
export async function listEmailedFiles(
  sql: Sql,
  containerId: string,
  end: 'first' | 'last',
): Promise<ListedFile[]> {
  const direction = end === 'first' ? sql`asc` : sql`desc`
  return sql<ListedFile[]>`
    select name, size
    from (
      select id, original_name as name, size
      from files
      where container_id = ${containerId}
      order by id ${direction}
      limit ${listedFilesMax}
    ) as chosen
    order by id`
}

export interface DamagedFile {
  readonly fileName: string
  readonly shareId: string
  readonly shareName: string
  readonly ownerEmail: string
}

/** Null for a file that belongs to no share. */
export async function findDamagedFile(sql: Sql, fileId: number): Promise<DamagedFile | null> {
  return sql<DamagedFile[]>`
    select files.original_name as file_name, shares.id as share_id, shares.name as share_name,
      users.email as owner_email
    from files
    join shares on shares.container_id = files.container_id
    join users on users.id = shares.owner_id
    where files.id = ${fileId} and shares.state = 'complete'`.first()
}
