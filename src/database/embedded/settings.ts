/** Settings of the embedded server: small, durable, on a Unix socket only. */

export const serverUser = 'transfer_service'
/** The cluster's first role, with all rights, used only to make the other one. */
export const superuser = 'transfer'
export const serverDatabase = 'postgres'
export const serverPort = 5432

/** SQLSTATE and severity in front of every line, for server-log.ts. */
const logLinePrefix = '%e '

export const connectionsMaxDefault = 20

/** Memory of the server in bytes, in whole MiB. */
export interface ServerMemory {
  readonly sharedBytes: number
  readonly workBytes: number
  readonly maintenanceBytes: number
}

const mebibyte = 1024 * 1024

export const serverMemoryDefault: ServerMemory = {
  sharedBytes: 16 * mebibyte,
  workBytes: 2 * mebibyte,
  maintenanceBytes: 16 * mebibyte,
}

/** For initdb too: it runs a server, and /dev/shm may be missing or tiny in a container. */
export const initialSettings: Record<string, string> = {
  dynamic_shared_memory_type: 'mmap',
  huge_pages: 'off',
}

/** On the command line instead of in postgresql.conf, so that a new version brings its own. */
export function serverSettings(options: {
  socketDir: string
  connectionsMax: number
  memory: ServerMemory
}): Record<string, string> {
  const { sharedBytes, workBytes, maintenanceBytes } = options.memory
  return {
    ...initialSettings,
    listen_addresses: '',
    unix_socket_directories: options.socketDir,
    unix_socket_permissions: '0700',
    port: String(serverPort),
    max_connections: String(options.connectionsMax),
    superuser_reserved_connections: '0',
    // Memory.
    shared_buffers: inMegabytes(sharedBytes),
    wal_buffers: '1MB',
    work_mem: inMegabytes(workBytes),
    maintenance_work_mem: inMegabytes(maintenanceBytes),
    temp_buffers: '1MB',
    jit: 'off',
    io_method: 'sync',
    // Processes.
    max_worker_processes: '0',
    max_parallel_workers: '0',
    max_parallel_workers_per_gather: '0',
    max_parallel_maintenance_workers: '0',
    max_logical_replication_workers: '0',
    autovacuum_worker_slots: '1',
    autovacuum_max_workers: '1',
    autovacuum_naptime: '60s',
    // Durability, within the write budget of small disks and SD cards.
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_replication_slots: '0',
    min_wal_size: '32MB',
    max_wal_size: '128MB',
    checkpoint_timeout: '10min',
    // Goes to our log: no statements, no values.
    log_destination: 'stderr',
    logging_collector: 'off',
    log_line_prefix: logLinePrefix,
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    lc_messages: 'C',
    timezone: 'UTC',
    log_timezone: 'UTC',
  }
}

/** PostgreSQL's MB has 1024 kB of 1024 bytes. */
function inMegabytes(bytes: number): string {
  return `${Math.floor(bytes / mebibyte)}MB`
}

/** The whole environment of the server and of initdb. */
export const serverEnvironment: NodeJS.ProcessEnv = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
}
