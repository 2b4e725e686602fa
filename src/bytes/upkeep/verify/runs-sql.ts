import type { Sql } from '../../../database/connect.ts'
import { firstPlace, parsePlace, type Place } from './place.ts'

export type FindingKind = 'missing' | 'short' | 'rotten' | 'orphaned'
export type Counts = Readonly<Record<FindingKind, number>>

/** One check of everything, from start to end, with any number of interruptions. */
export interface RunRow {
  readonly id: number
  readonly startedAt: Date
  /** Null while it is unfinished. */
  readonly finishedAt: Date | null
  /** Whether a process is working on it. */
  readonly isActive: boolean
  readonly place: Place
  readonly bytesChecked: number
  readonly bytesTotal: number
  /** Bytes that had been checked before the run was last resumed; 0 without an interruption. */
  readonly bytesResumed: number
  readonly counts: Counts
  /** Host and folder of the storage where it began. */
  readonly storagePlace: string
  /** Whether its last progress is less than a day old. */
  readonly isRecent: boolean
  /** Why the last worker ended early; null when it was stopped, or has not ended. */
  readonly lastError: string | null
}

type StoredRun = Omit<RunRow, 'place' | 'counts'> & Counts & { place: string }

/** A worker without progress for this long was killed. */
const storedRun = (sql: Sql) => sql`
  id, started_at, finished_at, place, bytes_checked, bytes_total, missing, short, rotten, orphaned,
  resumed_bytes as bytes_resumed, storage_place, last_error,
  progress_at > now() - interval '1 day' as is_recent,
  finished_at is null and coalesce(active_at > now() - interval '1 minute', false) as is_active`

function parseRun({ place, missing, short, rotten, orphaned, ...run }: StoredRun): RunRow {
  return { ...run, place: parsePlace(place), counts: { missing, short, rotten, orphaned } }
}

/** The newest run, followed by the last finished one. */
export async function listRuns(sql: Sql): Promise<RunRow[]> {
  const rows = await sql<StoredRun[]>`
    select ${storedRun(sql)}
    from verify_runs
    order by id desc
    limit 10`
  return rows.map(parseRun)
}

/** Makes a run, and deletes the earlier ones except the last finished one. */
export async function insertRun(
  sql: Sql,
  run: { workerId: string; startedAt: Date; storagePlace: string },
): Promise<RunRow> {
  await sql`
    delete from verify_runs
    where id not in (
      select id
      from verify_runs
      where finished_at is not null
      order by id desc
      limit 1
    )`
  const [row] = await sql<StoredRun[]>`
    insert into verify_runs (
      started_at, storage_place, place, worker_id, active_at, bytes_total
    )
    select ${run.startedAt}, ${run.storagePlace}, ${JSON.stringify(firstPlace)}, ${run.workerId},
      now(), coalesce(sum(live_bytes), 0)
    from containers
    returning ${storedRun(sql)}`
  return parseRun(row!)
}

/** Assigns the run to this worker; null when it is gone, or finished. */
export async function takeRun(sql: Sql, runId: number, workerId: string): Promise<RunRow | null> {
  const [row] = await sql<StoredRun[]>`
    update verify_runs
    set worker_id = ${workerId}, active_at = now(), resumed_bytes = bytes_checked,
        last_error = null
    where id = ${runId} and finished_at is null
    returning ${storedRun(sql)}`
  return row ? parseRun(row) : null
}

export interface RunProgress {
  readonly id: number
  readonly workerId: string
  readonly place: Place
  readonly bytesChecked: number
  readonly counts: Counts
}

/** False when another worker has taken the run. */
export async function saveProgress(sql: Sql, progress: RunProgress): Promise<boolean> {
  const { counts } = progress
  return sql`
    update verify_runs
    set place = ${JSON.stringify(progress.place)},
        bytes_checked = ${progress.bytesChecked},
        missing = ${counts.missing},
        short = ${counts.short},
        rotten = ${counts.rotten},
        orphaned = ${counts.orphaned},
        active_at = now(),
        progress_at = now()
    where id = ${progress.id} and worker_id = ${progress.workerId}`.exists()
}

/** Marks the run as having no worker: finished, or to be resumed. */
export async function leaveRun(
  sql: Sql,
  run: { id: number; workerId: string; finishedAt: Date | null; error: string | null },
): Promise<void> {
  await sql`
    update verify_runs
    set active_at = null, progress_at = now(), finished_at = ${run.finishedAt},
        last_error = ${run.error}
    where id = ${run.id} and worker_id = ${run.workerId}`
}

/** When the service began to store bytes: the first run is due some time later. */
export async function findStorageAge(sql: Sql): Promise<Date | null> {
  return sql<{ createdAt: Date }[]>`
    select created_at from storage_roots order by created_at limit 1`.firstValue()
}

/** Id of the last finished run; null when there is none. */
export async function findFinishedRun(sql: Sql): Promise<number | null> {
  return sql<{ id: number | null }[]>`
    select max(id) as id from verify_runs where finished_at is not null`.firstValue()
}
