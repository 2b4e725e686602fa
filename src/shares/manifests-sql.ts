import type { Sql } from '../db/connect.ts'
import type { DueManifest } from '../downloads/manifests.ts'

/** Complete shares whose manifest on disk tells of another revision, or of none. */
export async function listManifestsDue(sql: Sql): Promise<DueManifest[]> {
  const rows = await sql<{ id: string; parcel_id: string; revision: string; generation: number }[]>`
    select id, parcel_id, revision, generation
    from shares
    where state = 'complete' and manifest_revision is distinct from revision
    order by id
    limit 100`
  return rows.map((row) => ({
    id: row.id,
    parcelId: row.parcel_id,
    revision: row.revision,
    generation: row.generation,
  }))
}

/** What was overtaken is due again: it may have replaced the manifest of a quicker process. */
export async function markManifestWritten(sql: Sql, due: DueManifest): Promise<void> {
  await sql`
    update shares
    set manifest_revision = case when generation = ${due.generation} then ${due.revision}::uuid end
    where id = ${due.id}`
}
