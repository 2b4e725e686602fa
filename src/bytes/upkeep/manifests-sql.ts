import type { Sql } from '../../database/connect.ts'

/** A container without a manifest on disk, or with one of another revision. */
export interface DueManifest {
  /** Id of the share or delivery that owns the container. */
  readonly id: string
  readonly containerId: string
  readonly revision: string
}

/**
 * Complete owners without a manifest on disk, or with one of another revision.
 * @param lastId ids behind this one; null for all
 */
export async function listManifestsDue(
  sql: Sql,
  owners: string,
  lastId: string | null,
  limit: number,
): Promise<DueManifest[]> {
  return sql<DueManifest[]>`
    select id, container_id, revision
    from ${sql(owners)}
    where ${isDue(sql)}
      ${lastId === null ? sql`` : sql`and id > ${lastId}`}
    order by id
    limit ${limit}`
}

const isDue = (sql: Sql) => sql`state = 'complete' and manifest_revision is distinct from revision`

/** Whether the owner of a container is complete, and its present revision is not written. */
export async function isManifestDue(sql: Sql, owners: string, containerId: string) {
  return sql`
    select 1 from ${sql(owners)} where container_id = ${containerId} and ${isDue(sql)}`.exists()
}

/** The manifest that was written for the present revision; null while it is due. */
export async function findManifestWritten(sql: Sql, owners: string, containerId: string) {
  return sql<DueManifest[]>`
    select id, container_id, revision
    from ${sql(owners)}
    where container_id = ${containerId}
      and state = 'complete'
      and manifest_revision = revision`.first()
}

/**
 * An outdated write is due again: it may have replaced the manifest of a faster process. False when
 * the owner has ended.
 */
export async function markManifestWritten(
  sql: Sql,
  owners: string,
  due: DueManifest,
): Promise<boolean> {
  return sql`
    update ${sql(owners)}
    set manifest_revision = ${due.revision}
    where id = ${due.id} and state = 'complete'`.exists()
}
