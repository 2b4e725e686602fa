import * as fs from 'node:fs'
import type { Log } from '../../lib/log.ts'
import type { DatabaseDisk } from '../database-disk.ts'
import { Ballast, ballastBytesDefault } from './ballast.ts'
import { prepareBinaries, type Binaries } from './binaries.ts'
import { thisMachine, type Machine } from './machine.ts'
import { choosePlace, clusterDirOf, homeOf, giveTo, type Place } from './place.ts'
import { isPostmasterOf, readPostmasterFile, isAlive } from './processes.ts'
import { ServerLog } from './server-log.ts'
import * as settings from './settings.ts'
import { Supervisor } from './supervise.ts'
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { syncFolder } from '../../lib/durable-file.ts'
import { isSystemError } from '../../lib/errors.ts'
import { endingOf, endOf, readLines, startChild } from './child.ts'
import { EmbeddedFailure } from './failure.ts'

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
  memory?: settings.ServerMemory
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
    connectionsMax: options.connectionsMax ?? settings.connectionsMaxDefault,
    memory: options.memory ?? settings.serverMemoryDefault,
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
    user: settings.serverUser,
    database: settings.serverDatabase,
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
  if (!fs.existsSync(dataDir)) return null
  const clusterDir = clusterDirOf(homeOf(dataDir))
  const found = readPostmasterFile(clusterDir)
  if (!found || !isPostmasterOf(found.pid, clusterDir)) return null
  const { pid, socketDir } = found
  return { pid, socketDir, user: settings.serverUser, database: settings.serverDatabase }
}

const unfinishedPattern = /^pg\.new-(\d+)-[0-9a-f]+$/
/** An older initdb was abandoned, even if another process has its pid now. */
const unfinishedAgeMsMax = 10 * 60_000
const initdbTimeoutMs = 5 * 60_000
const keptCharactersMax = 2_000

/** Checks the version of an existing cluster, or makes a new one. */
export async function ensureCluster(place: Place, binaries: Binaries, log: Log): Promise<void> {
  removeUnfinished(place.home)
  if (!fs.existsSync(place.clusterDir)) await createCluster(place, binaries, log)
  compareVersion(place, binaries.majorVersion)
  compareOwner(place)
}

function compareVersion(place: Place, majorVersion: string): void {
  const found = readVersion(place.clusterDir)
  if (found === majorVersion) return
  const which = found === null ? 'no PostgreSQL version' : `PostgreSQL ${found}`
  throw new EmbeddedFailure(
    `${place.clusterDir} has ${which}, but this program includes PostgreSQL ${majorVersion}: ` +
      'restore a backup with this program, or start the program that made it',
  )
}

function readVersion(clusterDir: string): string | null {
  try {
    return fs.readFileSync(path.join(clusterDir, 'PG_VERSION'), 'utf8').trim()
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return null
    throw new EmbeddedFailure(`${clusterDir} cannot be read`, error)
  }
}

function compareOwner(place: Place): void {
  const uid = place.account?.uid ?? process.getuid?.()
  const found = fs.statSync(place.clusterDir).uid
  if (uid === undefined || found === uid) return
  throw new EmbeddedFailure(`${place.clusterDir} belongs to uid ${found}, not to uid ${uid}`)
}

/** Runs initdb in a temporary folder and renames it: a cluster is complete or missing. */
async function createCluster(place: Place, binaries: Binaries, log: Log): Promise<void> {
  const name = `pg.new-${process.pid}-${randomBytes(6).toString('hex')}`
  const unfinished = path.join(place.home, name)
  fs.mkdirSync(unfinished, { mode: 0o700 })
  try {
    giveTo(place.account, unfinished, 0o700)
    await runInitdb(place, binaries, unfinished)
    fs.renameSync(unfinished, place.clusterDir)
  } catch (error) {
    fs.rmSync(unfinished, { recursive: true, force: true })
    // Another process has made the cluster meanwhile: use that one.
    if (!isSystemError(error, 'ENOTEMPTY', 'EEXIST')) throw error
  }
  await syncFolder(place.home)
  log.info('created database', { folder: place.clusterDir })
}

/** initdb syncs all its files before it ends. */
async function runInitdb(place: Place, binaries: Binaries, folder: string): Promise<void> {
  const args = [
    `--pgdata=${folder}`,
    `--username=${settings.superuser}`,
    '--encoding=UTF8',
    '--locale=C',
    '--data-checksums',
    // Until access.ts writes who may connect.
    '--auth-local=reject',
    '--auth-host=reject',
    '--no-instructions',
    ...Object.entries(settings.initialSettings).map(([key, value]) => `--set=${key}=${value}`),
  ]
  const options = { account: place.account, workingDir: folder }
  const child = await startChild(binaries.initdb, args, options)
  let said = ''
  const keep = (line: string) => {
    said = `${said}${line.trim()} `.slice(-keptCharactersMax)
  }
  readLines(child.stdout, keep)
  readLines(child.stderr, keep)
  const timer = setTimeout(() => child.kill('SIGKILL'), initdbTimeoutMs)
  const { code, signal } = await endingOf(child)
  await Promise.all([endOf(child.stdout), endOf(child.stderr)])
  clearTimeout(timer)
  if (code === 0) return
  throw new EmbeddedFailure(`initdb failed (${signal ?? code}): ${said.trim()}`)
}

/** Removes folders of dead initdb runs, but not those of running ones. */
function removeUnfinished(home: string): void {
  for (const name of fs.readdirSync(home)) {
    const pid = Number(unfinishedPattern.exec(name)?.[1])
    if (Number.isNaN(pid)) continue
    const folder = path.join(home, name)
    const isOld = Date.now() - fs.statSync(folder).mtimeMs > unfinishedAgeMsMax
    if (pid !== process.pid && isAlive(pid) && !isOld) continue
    fs.rmSync(folder, { recursive: true, force: true })
  }
}
