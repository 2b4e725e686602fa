import type { Metric } from '../../lib/metrics.ts'

const metricOf =
  (kind: Metric['kind']) =>
  (name: string, help: string, labels: readonly string[] = []): Metric => {
    return { name, kind, help, labels }
  }
const counter = metricOf('counter')
const gauge = metricOf('gauge')
const histogram = metricOf('histogram')

/**
 * The one table of metrics, in the order of a scrape and of docs/monitoring.md. Counters count
 * since the start of the process.
 */
export const metrics = {
  build: gauge('transfer_build_info', 'Always 1; the labels are the versions', ['version', 'node']),
  requests: counter('transfer_http_requests_total', 'Answered requests', ['operation', 'code']),
  times: histogram(
    'transfer_http_response_start_seconds',
    'Time until the answer began, without uploads and downloads',
    ['operation'],
  ),
  requestsRunning: gauge('transfer_http_requests_running', 'Requests in progress'),
  connections: gauge('transfer_http_connections', 'Open connections of clients'),
  receivedBytes: counter('transfer_received_bytes_total', 'Received bytes of files'),
  sentBytes: counter('transfer_sent_bytes_total', 'Sent bytes of files'),
  uploads: counter('transfer_uploads_total', 'Shares and deliveries that were completed'),
  downloads: counter('transfer_downloads_total', 'Downloads that were completed'),
  permits: gauge('transfer_permits', 'Requests that hold a bounded resource', ['resource']),
  waiting: gauge('transfer_permits_waiting', 'Requests that wait for it', ['resource']),
  heldBytes: gauge('transfer_buffer_bytes', 'Memory in buffers of transfers', ['direction']),
  writers: gauge('transfer_segment_writers', 'Open segment writers', ['state']),
  storeRequests: counter('transfer_store_requests_total', 'Requests to the bucket', [
    'method',
    'code',
  ]),
  signIns: counter('transfer_sign_ins_total', 'Attempts to sign in', ['result']),
  delay: gauge('transfer_event_loop_delay_seconds', 'Delay of the event loop in the last minute', [
    'stat',
  ]),
  loopActive: counter('transfer_event_loop_active_seconds_total', 'Busy time of the event loop'),
  cpu: counter('process_cpu_seconds_total', 'CPU time, user and system'),
  residentBytes: gauge('process_resident_memory_bytes', 'Resident memory of the Node process'),
  startTime: gauge('process_start_time_seconds', 'Start of the process, seconds since 1970'),
  openFiles: gauge('process_open_fds', 'Open file descriptors'),
  openFilesMax: gauge('process_max_fds', 'Maximum number of open file descriptors'),
  heapBytes: gauge('transfer_heap_bytes', 'JavaScript heap in use'),
  jobRuns: counter('transfer_job_runs_total', 'Runs of a job', ['job_name']),
  jobFailures: counter('transfer_job_failures_total', 'Failed runs of a job', ['job_name']),
  jobSuccess: gauge(
    'transfer_job_last_success_timestamp_seconds',
    'Start of the last run that succeeded; absent before the first',
    ['job_name'],
  ),
  jobFailing: gauge(
    'transfer_job_failing',
    '1 if the last run failed, or objects could not be removed',
    ['job_name'],
  ),
  jobDuration: gauge('transfer_job_last_duration_seconds', 'Time of the last run', ['job_name']),
  diskFree: gauge('transfer_disk_free_bytes', 'Free space', ['disk']),
  diskSize: gauge('transfer_disk_size_bytes', 'Size of the disk', ['disk']),
  diskFloor: gauge('transfer_disk_floor_bytes', 'Uploads stop below this free space', ['disk']),
  databaseUp: gauge('transfer_database_up', '1 if the database responds'),
  databaseConnections: gauge('transfer_database_connections', 'Connections', ['state']),
  databaseWaiting: gauge('transfer_database_waiting', 'Queries that wait for a connection'),
  databaseBytes: gauge('transfer_database_size_bytes', 'Size of the database'),
  accounts: gauge('transfer_accounts', 'Accounts'),
  sessions: gauge('transfer_sessions', 'Sessions that have not expired'),
  shares: gauge('transfer_shares', 'Shares', ['state']),
  reverseShares: gauge('transfer_reverse_shares', 'Reverse shares'),
  usedBytes: gauge('transfer_storage_used_bytes', 'Bytes in segments'),
  liveBytes: gauge('transfer_storage_live_bytes', 'Bytes in segments that files still need'),
  tombstones: gauge('transfer_storage_pending_removals', 'Deleted containers still on disk'),
  emails: gauge('transfer_emails', 'Unsent emails: queued, or failed for good (dead)', ['state']),
  damagedFiles: gauge('transfer_damaged_files', 'Files that are damaged on disk'),
  mismatches: gauge(
    'transfer_storage_mismatches',
    'Segments and folders that do not match the database, by the check at the start',
    ['kind'],
  ),
  verifiedAt: gauge(
    'transfer_verify_last_finish_timestamp_seconds',
    'End of the last check of all stored bytes; absent before the first',
  ),
  verifyFindings: gauge('transfer_verify_findings', 'Findings of that check', ['kind']),
} as const satisfies Record<string, Metric>
