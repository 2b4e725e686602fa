import type { Sql } from '../../database/connect.ts'

/** What an email about a share says that the share itself does not know. */
export interface EmailFacts {
  /** As its owner typed it. */
  readonly recipients: string
  readonly ownerName: string
  readonly ownerEmail: string
  readonly fileCount: number
}

export async function findEmailFacts(sql: Sql, shareId: string): Promise<EmailFacts | null> {
  const [row] = await sql<
    { recipients: string; name: string; email: string; file_count: number }[]
  >`
    select shares.recipients, users.name, users.email,
      (select count(*) from files where files.container_id = shares.container_id) as file_count
    from shares
    join users on users.id = shares.owner_id
    where shares.id = ${shareId}`
  if (!row) return null
  return {
    recipients: row.recipients,
    ownerName: row.name,
    ownerEmail: row.email,
    fileCount: row.file_count,
  }
}

/** A damaged file, and whom to tell. */
export interface DamagedFile {
  readonly fileName: string
  readonly shareId: string
  readonly shareSlug: string | null
  readonly shareName: string
  readonly ownerEmail: string
}

/** Null for a file that is no share's. */
export async function findDamagedFile(sql: Sql, fileId: number): Promise<DamagedFile | null> {
  const [row] = await sql<
    { original_name: string; id: string; slug: string | null; name: string; email: string }[]
  >`
    select files.original_name, shares.id, shares.slug, shares.name, users.email
    from files
    join shares on shares.container_id = files.container_id
    join users on users.id = shares.owner_id
    where files.id = ${fileId} and shares.state = 'complete'`
  if (!row) return null
  return {
    fileName: row.original_name,
    shareId: row.id,
    shareSlug: row.slug,
    shareName: row.name,
    ownerEmail: row.email,
  }
}
