import type { Sql } from '../../database/connect.ts'
import { randomRowId } from '../../lib/random-id.ts'
import type { EmailOutcome } from '../sql.ts'

/** Marks additions as pending; no-op if they already are. */
export async function markAdding(sql: Sql, id: string, additions: { id: string; since: Date }) {
  await sql`
    update shares
    set adding_since = ${additions.since},
        additions_id = ${additions.id}
    where id = ${id}`
}

/** Ends pending additions and forgets their chunks. */
export async function dropPending(sql: Sql, id: string): Promise<void> {
  await sql`update shares set adding_since = null where id = ${id}`
}

/** Ends additions that were finalized. */
export async function endPending(sql: Sql, id: string, listHash: Buffer): Promise<void> {
  await sql`
    update shares
    set adding_since = null, list_hash = ${listHash}, email_outcome = null
    where id = ${id}`
}

/** Keeps the outcome of the email to recipients, for when the same list is finalized again. */
export async function keepEmailOutcome(sql: Sql, id: string, outcome: EmailOutcome): Promise<void> {
  await sql`update shares set email_outcome = ${outcome} where id = ${id}`
}

/** Records that the share has other files. */
export async function revise(
  sql: Sql,
  id: string,
  { totalSize, at }: { readonly totalSize: number; readonly at: Date },
): Promise<void> {
  await sql`
    update shares
    set revision = ${randomRowId()}, revised_at = ${at}, total_size = ${totalSize}
    where id = ${id}`
}

/** The names of a container's files, original and in archives, in pages. */
export async function* readNames(
  sql: Sql,
  containerId: string,
): AsyncGenerator<{ originalName: string; entryName: string }[]> {
  const pages = sql<{ originalName: string; entryName: string }[]>`
    select original_name, entry_name
    from files
    where container_id = ${containerId}
    order by id`.cursor(2000)
  for await (const page of pages) yield page
}

/** Deletes the rows of files and their extents. Returns how many there were, and their bytes. */
export async function deleteFiles(
  sql: Sql,
  containerId: string,
  fileIds: readonly number[],
): Promise<{ readonly count: number; readonly bytes: number }> {
  return sql<{ count: number; bytes: number }[]>`
    with deleted as (
      delete from files
      where container_id = ${containerId} and id = any(${[...fileIds]}::int[])
      returning size
    )
    select count(*)::int as count, coalesce(sum(size), 0)::bigint as bytes
    from deleted`.one()
}
