import { existsSync } from 'node:fs'
import type { Log } from '../../lib/log.ts'
import type { DatabaseDisk } from '../database-disk.ts'
import { Ballast, ballastBytesDefault } from './ballast.ts'
import { prepareBinaries } from './binaries.ts'
import { ensureCluster } from './cluster.ts'
import { thisMachine, type Machine } from './machine.ts'
import { choosePlace, clusterDirOf, homeOf } from './place.ts'
import { isPostmasterOf, readPostmasterFile } from './processes.ts'
import { ServerLog } from './server-log.ts'
import {
  connectionsMaxDefault,
  serverDatabase,
  serverMemoryDefault,
  serverUser,
  type ServerMemory,
} from './settings.ts'
import { Supervisor } from './supervise.ts'

export { DataDirInUse } from './failure.ts'

/** Address of an embedded server for `connect`. */
export interface EmbeddedAddress {
  readonly socketDir: string
  readonly user: string
  readonly database: string
}

export interface EmbeddedPostgres extends EmbeddedAddress {
  /** Pid of the postmaster, which changes with a restart. */
  readonly pid: number
  /** Whether the server is believed to accept connections. */
  readonly available: boolean
  readonly disk: DatabaseDisk
  /** Fast shutdown with bounded waits, then SIGKILL, so that no process is left. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  log: Log
  /** Connection limit of the server, for the service and commands. */
  connectionsMax?: number
  memory?: ServerMemory
  /** Called when another process has taken the cluster over: this one must end. */
  onExit?: (error: Error) => void
  ballastBytes?: number
  machine?: Partial<Machine>
}

/**
 * Starts the PostgreSQL of this data directory: makes its cluster, and takes over a server that a
 * killed service has left, or starts one. The server is owned by this process, and restarted when
 * it dies.
 * @throws DataDirInUse when another process owns it; EmbeddedFailure when it cannot run here
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { log } = options
  const machine = { ...thisMachine, ...options.machine }
  const place = await choosePlace(options.dataDir, machine)
  const binaries = prepareBinaries(place, machine, log)
  await ensureCluster(place, binaries, log)
  const ballast = new Ballast(place.home, options.ballastBytes ?? ballastBytesDefault, log)
  const supervisor = new Supervisor({
    place,
    binaries,
    connectionsMax: options.connectionsMax ?? connectionsMaxDefault,
    memory: options.memory ?? serverMemoryDefault,
    ballast,
    serverLog: new ServerLog(log, () => ballast.free()),
    log,
    onExit: options.onExit ?? (() => {}),
  })
  await supervisor.start()
  ballast.start()
  return {
    get socketDir() {
      return supervisor.socketDir
    },
    user: serverUser,
    database: serverDatabase,
    get pid() {
      return supervisor.pid
    },
    disk: ballast,
    get available() {
      return supervisor.available
    },
    async stop() {
      await ballast.stop()
      await supervisor.stop()
    },
  }
}

/** The running server of this data directory, for commands beside the service. */
export function findRunning(dataDir: string): (EmbeddedAddress & { pid: number }) | null {
  if (!existsSync(dataDir)) return null
  const clusterDir = clusterDirOf(homeOf(dataDir))
  const found = readPostmasterFile(clusterDir)
  if (!found || !isPostmasterOf(found.pid, clusterDir)) return null
  const { pid, socketDir } = found
  return { pid, socketDir, user: serverUser, database: serverDatabase }
}
