import type { Sql } from '../../../database/connect.ts'
import type { FindingKind } from './runs-sql.ts'

/** A finding, by ids. */
export interface NewFinding {
  readonly kind: FindingKind
  /** A segment, file, chunk or container; reported once per run. */
  readonly subject: string
  readonly containerId: string
  readonly segmentId?: string
  readonly fileId?: number
  /** Number of files that it damages. */
  readonly files: number
  readonly chunk?: { readonly fileKey: string; readonly index: number }
}

/** A finding, with the names that people know. */
export interface Finding {
  readonly id: number
  readonly kind: FindingKind
  readonly containerId: string
  readonly segmentId: string | null
  readonly share: { readonly id: string; readonly name: string } | null
  readonly delivery: {
    readonly id: string
    readonly reverseShareId: string
    readonly name: string
  } | null
  readonly file: { readonly id: number; readonly name: string } | null
  readonly files: number
  readonly chunk: { readonly fileKey: string; readonly index: number } | null
  readonly foundAt: Date
}

/**
 * Counts a finding, and keeps it while there are few enough. Null when it was found before.
 * @returns its id; 0 when it was only counted
 */
export async function insertFinding(
  sql: Sql,
  runId: number,
  finding: NewFinding,
  options: { keptMax: number; at: Date },
): Promise<number | null> {
  const { kind, chunk } = finding
  const [run] = await sql<{ kept: boolean }[]>`
    select missing + short + rotten + orphaned < ${options.keptMax} as kept
    from verify_runs
    where id = ${runId}
    for update`
  if (!run) return null
  let id = 0
  if (run.kept) {
    const [row] = await sql<{ id: number }[]>`
      insert into verify_findings (
        run_id, kind, subject, container_id, segment_id, file_id, files, file_key, chunk_index,
        found_at
      )
      values (
        ${runId}, ${kind}, ${finding.subject}, ${finding.containerId},
        ${finding.segmentId ?? null}, ${finding.fileId ?? null}, ${finding.files},
        ${chunk?.fileKey ?? null}, ${chunk?.index ?? null}, ${options.at}
      )
      on conflict (run_id, subject) do nothing
      returning id`
    if (!row) return null
    id = row.id
  }
  await sql`
    update verify_runs
    set ${sql.unsafe(kind)} = ${sql.unsafe(kind)} + 1
    where id = ${runId}`
  return id
}

type StoredFinding = Omit<Finding, 'share' | 'delivery' | 'file' | 'chunk'> & {
  shareId: string | null
  shareName: string | null
  deliveryId: string | null
  reverseShareId: string | null
  reverseShareName: string | null
  fileId: number | null
  fileName: string | null
  fileKey: string | null
  chunkIndex: number | null
}

/** The findings of a run in order, starting behind one. */
export async function listFindings(
  sql: Sql,
  runId: number,
  page: { afterId: number; limit: number },
): Promise<Finding[]> {
  const rows = await sql<StoredFinding[]>`
    select verify_findings.*, shares.id as share_id, shares.name as share_name,
      deliveries.id as delivery_id, reverse_shares.id as reverse_share_id,
      reverse_shares.name as reverse_share_name, files.original_name as file_name
    from verify_findings
    left join shares on shares.container_id = verify_findings.container_id
    left join deliveries on deliveries.container_id = verify_findings.container_id
    left join reverse_shares on reverse_shares.id = deliveries.reverse_share_id
    left join files on files.id = verify_findings.file_id
    where run_id = ${runId} and verify_findings.id > ${page.afterId}
    order by verify_findings.id
    limit ${page.limit}`
  return rows.map(nameSubjects)
}

function nameSubjects(row: StoredFinding): Finding {
  const { shareId, deliveryId, fileId, fileKey } = row
  return {
    id: row.id,
    kind: row.kind,
    containerId: row.containerId,
    segmentId: row.segmentId,
    share: shareId === null ? null : { id: shareId, name: row.shareName ?? '' },
    delivery:
      deliveryId === null
        ? null
        : {
            id: deliveryId,
            reverseShareId: row.reverseShareId ?? '',
            name: row.reverseShareName ?? '',
          },
    // A file that was deleted since has no name.
    file: fileId === null || row.fileName === null ? null : { id: fileId, name: row.fileName },
    files: row.files,
    chunk: fileKey === null ? null : { fileKey, index: row.chunkIndex ?? 0 },
    foundAt: row.foundAt,
  }
}

/** Orphans that a run has found and that still exist. */
export async function listOrphans(
  sql: Sql,
  runId: number,
  page: { afterId: number; limit: number },
): Promise<{ id: number; containerId: string; segmentId: string | null }[]> {
  return sql<{ id: number; containerId: string; segmentId: string | null }[]>`
    select id, container_id, segment_id
    from verify_findings
    where run_id = ${runId} and kind = 'orphaned' and removed_at is null and id > ${page.afterId}
    order by id
    limit ${page.limit}`
}

export async function markRemoved(sql: Sql, findingId: number, at: Date): Promise<void> {
  await sql`update verify_findings set removed_at = ${at} where id = ${findingId}`
}

/** Id of the newest finding of a run; 0 when there is none. */
export async function findLastFinding(sql: Sql, runId: number): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    select coalesce(max(id), 0) as id from verify_findings where run_id = ${runId}`
  return row!.id
}

/** The description of a finding, by its subject. Null when the run has not kept it. */
export async function findBySubject(
  sql: Sql,
  runId: number,
  subject: string,
): Promise<number | null> {
  const [row] = await sql<{ id: number }[]>`
    select id from verify_findings where run_id = ${runId} and subject = ${subject}`
  return row?.id ?? null
}

/**
 * Containers that a resumed run checks again: those with earlier findings, and those up to
 * `lastContainerId` with anything marked as damaged.
 */
export async function listDoubtful(
  sql: Sql,
  runId: number,
  resumed: { lastFindingId: number; lastContainerId: string },
): Promise<string[]> {
  const rows = await sql<{ containerId: string }[]>`
    select container_id
    from verify_findings
    where run_id = ${runId} and id <= ${resumed.lastFindingId} and file_key is null
    union
    select container_id
    from files
    where container_id <= ${resumed.lastContainerId} and damaged_at is not null
    order by container_id`
  return rows.map((row) => row.containerId)
}

/**
 * Removes findings of a container that a second check has not confirmed. Those about chunks stay,
 * because these chunks were dropped.
 */
export async function withdrawFindings(
  sql: Sql,
  runId: number,
  container: { id: string; lastFindingId: number; confirmed: readonly string[] },
): Promise<void> {
  await sql`
    with withdrawn as (
      delete from verify_findings
      where run_id = ${runId}
        and container_id = ${container.id}
        and id <= ${container.lastFindingId}
        and file_key is null
        and subject <> all(${[...container.confirmed]}::text[])
      returning kind
    )
    update verify_runs
    set missing = missing - (select count(*) from withdrawn where kind = 'missing'),
        short = short - (select count(*) from withdrawn where kind = 'short'),
        rotten = rotten - (select count(*) from withdrawn where kind = 'rotten'),
        orphaned = orphaned - (select count(*) from withdrawn where kind = 'orphaned')
    where id = ${runId}`
}
