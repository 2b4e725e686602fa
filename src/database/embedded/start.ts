import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Log } from '../../lib/log.ts'
import type { DatabaseDisk } from '../database-disk.ts'
import { Ballast, ballastBytesDefault } from './ballast.ts'
import { prepareBinaries } from './binaries.ts'
import { ensureCluster } from './cluster.ts'
import { thisMachine, type Machine } from './machine.ts'
import { choosePlace, clusterDirOf, possibleHomes } from './place.ts'
import { isPostmasterOf, readPostmasterFile } from './processes.ts'
import { ServerLog } from './server-log.ts'
import { connectionsMaxDefault, serverDatabase, serverUser } from './settings.ts'
import { Supervisor } from './supervise.ts'
import { noteHome } from './whereabouts.ts'

export { DataDirInUse } from './failure.ts'

/** What `connect` takes to reach an embedded server. */
export interface EmbeddedAddress {
  readonly socketDir: string
  readonly user: string
  readonly database: string
}

export interface EmbeddedPostgres extends EmbeddedAddress {
  /** Of the postmaster; another one after a restart. */
  readonly pid: number
  /** True while the server is believed to accept connections. */
  readonly available: boolean
  readonly disk: DatabaseDisk
  /** Fast shutdown, waits, bounded, then SIGKILL; nothing is left running. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  log: Log
  /** Connections the server takes, ours and those of the command line. */
  connectionsMax?: number
  /** Called when the cluster has gone to another process: this one must end. */
  onExit?: (error: Error) => void
  ballastBytes?: number
  machine?: Partial<Machine>
}

/**
 * Brings up the PostgreSQL of this data directory: makes its cluster, takes over a server that a
 * killed service has left, or starts one; owned by this process, restarted when it dies.
 * @throws DataDirInUse when another process owns it; EmbeddedFailure when it cannot run here
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { log } = options
  const machine = { ...thisMachine, ...options.machine }
  const place = await choosePlace(options.dataDir, machine, log)
  const binaries = prepareBinaries(place, machine, log)
  await ensureCluster(place, binaries, log)
  noteHome(options.dataDir, place.home, machine)
  const ballast = new Ballast(place.home, options.ballastBytes ?? ballastBytesDefault, log)
  const supervisor = new Supervisor({
    place,
    binaries,
    connectionsMax: options.connectionsMax ?? connectionsMaxDefault,
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

/** The server that runs for this data directory at the moment, for commands beside the service. */
export function findRunning(
  dataDir: string,
  machine: Partial<Machine> = {},
): (EmbeddedAddress & { pid: number }) | null {
  if (!existsSync(dataDir)) return null
  for (const home of possibleHomes(path.resolve(dataDir), { ...thisMachine, ...machine })) {
    const clusterDir = clusterDirOf(home)
    const found = readPostmasterFile(clusterDir)
    if (!found || !isPostmasterOf(found.pid, clusterDir)) continue
    const { pid, socketDir } = found
    return { pid, socketDir, user: serverUser, database: serverDatabase }
  }
  return null
}
