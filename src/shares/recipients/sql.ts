import type { Sql } from '../../database/connect.ts'

/** What an email about a share needs beyond the share itself. */
export interface EmailFacts {
  /** As its owner typed them. */
  readonly recipients: string
  readonly ownerName: string
  readonly ownerEmail: string
  readonly fileCount: number
}

export async function findEmailFacts(sql: Sql, shareId: string): Promise<EmailFacts | null> {
  const [row] = await sql<EmailFacts[]>`
    select shares.recipients, users.name as owner_name, users.email as owner_email,
      (select count(*) from files where files.container_id = shares.container_id) as file_count
    from shares
    join users on users.id = shares.owner_id
    where shares.id = ${shareId}`
  return row ?? null
}

/** A damaged file, and the owner to tell. */
export interface DamagedFile {
  readonly fileName: string
  readonly shareId: string
  readonly shareSlug: string | null
  readonly shareName: string
  readonly ownerEmail: string
}

/** Null for a file that belongs to no share. */
export async function findDamagedFile(sql: Sql, fileId: number): Promise<DamagedFile | null> {
  const [row] = await sql<DamagedFile[]>`
    select files.original_name as file_name, shares.id as share_id, shares.slug as share_slug,
      shares.name as share_name, users.email as owner_email
    from files
    join shares on shares.container_id = files.container_id
    join users on users.id = shares.owner_id
    where files.id = ${fileId} and shares.state = 'complete'`
  return row ?? null
}
