import type { Sql } from '../database/connect.ts'
import type { DueManifest } from '../bytes/upkeep/manifests.ts'

/** Complete deliveries without a manifest on disk, or with one of another revision. */
export async function listManifestsDue(sql: Sql): Promise<DueManifest[]> {
  return sql<DueManifest[]>`
    select id, container_id, revision
    from deliveries
    where state = 'complete' and manifest_revision is distinct from revision
    order by id
    limit 100`
}

/** The manifest of a delivery that was written for its revision. */
export async function findManifestWritten(
  sql: Sql,
  containerId: string,
): Promise<DueManifest | null> {
  const [row] = await sql<DueManifest[]>`
    select id, container_id, revision
    from deliveries
    where container_id = ${containerId} and state = 'complete' and manifest_revision = revision`
  return row ?? null
}

export async function markManifestWritten(sql: Sql, due: DueManifest): Promise<void> {
  await sql`update deliveries set manifest_revision = ${due.revision} where id = ${due.id}`
}
