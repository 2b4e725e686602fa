import type { Sql } from '../../db/connect.ts'

/** What a letter about a share says that the share itself does not know. */
export interface LetterFacts {
  /** As its owner typed it. */
  readonly recipients: string
  readonly ownerName: string
  readonly ownerEmail: string
  readonly fileCount: number
}

export async function findLetterFacts(sql: Sql, shareId: string): Promise<LetterFacts | null> {
  const [row] = await sql<
    { recipients: string; name: string; email: string; file_count: number }[]
  >`
    select shares.recipients, users.name, users.email,
      (select count(*) from files where files.parcel_id = shares.parcel_id) as file_count
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
