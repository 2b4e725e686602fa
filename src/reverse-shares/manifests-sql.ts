import type { Sql } from '../database/connect.ts'
import type { DueManifest } from '../blobs/manifests.ts'

interface ManifestColumns {
  id: string
  parcel_id: string
  revision: string
}

function toManifest(row: ManifestColumns): DueManifest {
  return { id: row.id, parcelId: row.parcel_id, revision: row.revision, generation: 0 }
}

/** Complete deliveries whose manifest on disk tells of another revision, or of none. */
export async function listManifestsDue(sql: Sql): Promise<DueManifest[]> {
  const rows = await sql<ManifestColumns[]>`
    select id, parcel_id, revision
    from deliveries
    where state = 'complete' and manifest_revision is distinct from revision
    order by id
    limit 100`
  return rows.map(toManifest)
}

/** The manifest of a delivery that was written for its revision. */
export async function findManifestWritten(sql: Sql, parcelId: string): Promise<DueManifest | null> {
  const [row] = await sql<ManifestColumns[]>`
    select id, parcel_id, revision
    from deliveries
    where parcel_id = ${parcelId} and state = 'complete' and manifest_revision = revision`
  return row ? toManifest(row) : null
}

export async function markManifestWritten(sql: Sql, due: DueManifest): Promise<void> {
  await sql`update deliveries set manifest_revision = ${due.revision} where id = ${due.id}`
}
