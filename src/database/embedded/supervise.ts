import { rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../lib/log.ts'
import { writeAccess } from './access.ts'
import type { Ballast } from './ballast.ts'
import type { Binaries } from './binaries.ts'
import { DataDirInUse, EmbeddedFailure } from './failure.ts'
import { claim, type Ownership } from './ownership.ts'
import { makeSocketDir, remakeSocketDir, type Place } from './place.ts'
import {
  isPostmasterOf,
  processesOf,
  readLockFile,
  readPostmasterFile,
  signal,
} from './processes.ts'
import type { ServerLog } from './server-log.ts'
import { type ServerMemory, serverPort, serverSettings } from './settings.ts'
import path from 'node:path'
import { inTime, systemClock } from '../../lib/clock.ts'
import { endingOf, readLines, startChild } from './child.ts'

const backoffMsMin = 200
const backoffMsMax = 10_000
/** Failures after this time do not count as failed starts. */
const steadyMs = 60_000
const attemptsMax = 20
const attemptPauseMs = 250
/** Backends of a killed postmaster end by themselves unless they are stuck. */
const orphanPatienceMs = 3_000

const sharedMemoryInUse = /pre-existing shared memory block/
const startedByAnother = /lock file "postmaster\.pid" already exists/

export interface SupervisorOptions {
  place: Place
  binaries: Binaries
  connectionsMax: number
  memory: ServerMemory
  ballast: Ballast
  serverLog: ServerLog
  log: Log
  /** Called when another process owns the cluster now. */
  onExit: (error: Error) => void
}

/** Keeps the cluster's server running and owned, from `start` to `stop`. */
export class Supervisor {
  readonly #options: SupervisorOptions
  readonly #stopping = new AbortController()
  #server: Server | null = null
  #ownership: Ownership | null = null
  #socketDir: string | null = null
  #available = false
  #watching: Promise<void> = Promise.resolve()

  constructor(options: SupervisorOptions) {
    this.#options = options
  }

  get available(): boolean {
    return this.#available
  }

  get pid(): number {
    return this.#server?.pid ?? 0
  }

  get socketDir(): string {
    return this.#socketDir ?? ''
  }

  /** @throws DataDirInUse, leaving the running server as it is; EmbeddedFailure */
  async start(): Promise<void> {
    try {
      await this.#bringUp()
    } catch (error) {
      const isOurs = this.#server?.isAdopted === false && !(error instanceof DataDirInUse)
      if (isOurs && this.#server) await stopServer(this.#server, this.#options.place)
      if (isOurs) rmSync(this.socketDir, { recursive: true, force: true })
      throw error
    }
    this.#watching = this.#watch()
  }

  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) return await this.#watching
    this.#stopping.abort()
    // We stop a server that we started, even if not owned yet, but not one that we found.
    const isOwner = this.#ownership !== null || this.#server?.isAdopted === false
    // Before waiting for the end of watching, which would wait for a server that is starting.
    if (isOwner && this.#server) await stopServer(this.#server, this.#options.place)
    await this.#watching
    if (isOwner && this.#server?.isRunning()) await stopServer(this.#server, this.#options.place)
    await this.#ownership?.close()
    this.#available = false
    if (isOwner) rmSync(this.socketDir, { recursive: true, force: true })
  }

  /** Starts or finds the server and takes its lock; no-op after `stop`. */
  async #bringUp(): Promise<void> {
    const firstAtMs = performance.now()
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      if (this.#stopping.signal.aborted) return
      const server = await this.#findOrStart()
      const stopping = this.#stopping.signal
      const { dataDir } = this.#options.place
      this.#ownership = await claim(dataDir, server.socketDir, () => server.isRunning(), stopping)
      if (stopping.aborted) return
      if (this.#ownership && server.isAdopted) {
        if (writeAccess(this.#options.place)) signal(server.pid, 'SIGHUP')
        this.#options.log.info('took over database server of dead process', {
          pid: server.pid,
        })
      }
      if (server.isRunning()) {
        this.#available = true
        return
      }
      await this.#prepareNextAttempt(await server.ended, performance.now() - firstAtMs)
    }
    throw new EmbeddedFailure(`PostgreSQL failed to start: ${this.#options.serverLog.tail}`)
  }

  async #findOrStart(): Promise<Server> {
    const { place, ballast } = this.#options
    const found = findServer(place)
    if (found && this.#server?.pid === found.pid && this.#server.isRunning()) return this.#server
    if (found) {
      this.#server = adoptServer(place, found)
    } else {
      await ballast.freeForStart()
      const socketDir = this.#socketDir ?? makeSocketDir(place)
      remakeSocketDir(place, socketDir)
      writeAccess(place)
      this.#socketDir = socketDir
      this.#server = await startServer(this.#options, socketDir)
    }
    this.#socketDir ??= this.#server.socketDir
    return this.#server
  }

  /** Waits where waiting helps, otherwise throws. */
  async #prepareNextAttempt(how: string, sinceFirstMs: number): Promise<void> {
    const { place, serverLog } = this.#options
    const said = serverLog.tail
    const isShared = sharedMemoryInUse.test(said)
    const isPassing = isShared || startedByAnother.test(said) || said === ''
    if (!isPassing) throw new EmbeddedFailure(`PostgreSQL exited during start (${how}): ${said}`)
    if (isShared && sinceFirstMs > orphanPatienceMs) endProcessesOf(place)
    await delay(attemptPauseMs)
  }

  async #watch(): Promise<void> {
    let backoffMs = backoffMsMin
    while (!this.#stopping.signal.aborted) {
      const upAtMs = performance.now()
      const how = await this.#untilLost()
      this.#available = false
      if (this.#stopping.signal.aborted) return
      this.#options.log.error('lost database server: restarting it', { how })
      if (performance.now() - upAtMs > steadyMs) backoffMs = backoffMsMin
      const isBack = await this.#bringBack(backoffMs)
      if (!isBack) return
      backoffMs = Math.min(backoffMs * 2, backoffMsMax)
    }
  }

  async #untilLost(): Promise<string> {
    const server = this.#server
    const ownership = this.#ownership
    if (!server || !ownership) return 'it never came up'
    const lost = ownership.lost.then(() => 'its ownership session was closed')
    const how = await Promise.race([server.ended, lost])
    if (this.#stopping.signal.aborted) return how
    this.#ownership = null
    await ownership.close()
    return how
  }

  /** False when this process no longer owns the cluster, or stops. */
  async #bringBack(backoffMsFirst: number): Promise<boolean> {
    const { log, onExit } = this.#options
    const { signal } = this.#stopping
    for (let backoffMs = backoffMsFirst; ; backoffMs = Math.min(backoffMs * 2, backoffMsMax)) {
      await delay(backoffMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) return false
      try {
        await this.#bringUp()
        if (this.#available) log.info('database is back', { pid: this.pid })
        return this.#available
      } catch (error) {
        if (error instanceof DataDirInUse) {
          this.#server = null
          onExit(error)
          return false
        }
        log.error('database restart failed: will retry', { cause: error })
      }
    }
  }
}

/** A postmaster of our cluster, started by us or taken over. */
export interface Server {
  readonly pid: number
  readonly socketDir: string
  /** Whether another process of ours, now gone, has started it. */
  readonly isAdopted: boolean
  /** Resolves with the way it ended. */
  readonly ended: Promise<string>
  isRunning(): boolean
}

const pollMs = 500
const fastStopMs = 20_000
const immediateStopMs = 5_000
const killMs = 5_000

/** The running postmaster of this cluster; removes a stale pid file. */
function findServer(place: Place): { pid: number; socketDir: string } | null {
  const found = readPostmasterFile(place.clusterDir)
  if (found && isPostmasterOf(found.pid, place.clusterDir)) return found
  rmSync(path.join(place.clusterDir, 'postmaster.pid'), { force: true })
  // Made by makeSocketDir for that run, and left behind with it.
  if (found && /^transfer-\w{6}$/.test(path.basename(found.socketDir))) {
    rmSync(found.socketDir, { recursive: true, force: true })
  }
  return null
}

/** Supervises a postmaster that another process of ours has started and left. */
function adoptServer(place: Place, found: { pid: number; socketDir: string }): Server {
  let running = true
  const poll = async (): Promise<string> => {
    while (isPostmasterOf(found.pid, place.clusterDir))
      await delay(pollMs, undefined, { ref: false })
    running = false
    return 'it is gone'
  }
  return { ...found, isAdopted: true, ended: poll(), isRunning: () => running }
}

async function startServer(options: SupervisorOptions, socketDir: string): Promise<Server> {
  const { place, binaries, connectionsMax, memory, serverLog } = options
  serverLog.clear()
  removeStaleSocketLock(place, socketDir)
  const settings = Object.entries(serverSettings({ socketDir, connectionsMax, memory }))
  const args = [
    '-D',
    place.clusterDir,
    ...settings.flatMap(([key, value]) => ['-c', `${key}=${value}`]),
  ]
  const child = await startChild(binaries.postgres, args, {
    account: place.account,
    workingDir: place.clusterDir,
  })
  readLines(child.stdout, serverLog.take)
  readLines(child.stderr, serverLog.take)
  let running = true
  const ended = endingOf(child).then(({ code, signal: name }) => {
    running = false
    return name === null ? `exit code ${code}` : `signal ${name}`
  })
  return { pid: child.pid ?? 0, socketDir, isAdopted: false, ended, isRunning: () => running }
}

/**
 * Like postmaster.pid, the socket's lock counts only if its process is this cluster's server:
 * PostgreSQL itself accepts any process of the same user, even a zombie.
 */
function removeStaleSocketLock(place: Place, socketDir: string): void {
  const file = path.join(socketDir, `.s.PGSQL.${serverPort}.lock`)
  const found = readLockFile(file)
  if (!found || !isPostmasterOf(found.pid, place.clusterDir)) rmSync(file, { force: true })
}

/** Fast shutdown; after a timeout an immediate one, then SIGKILL, so that no process is left. */
async function stopServer(server: Server, place: Place): Promise<void> {
  const steps = [
    ['SIGINT', fastStopMs],
    ['SIGQUIT', immediateStopMs],
    ['SIGKILL', killMs],
  ] as const
  for (const [name, timeoutMs] of steps) {
    if (!server.isRunning()) break
    signal(server.pid, name)
    await inTime(systemClock, server.ended, '', timeoutMs)
  }
  endProcessesOf(place)
}

/** Ends backends without a postmaster, which hold the cluster's shared memory until they end. */
function endProcessesOf(place: Place): void {
  for (const pid of processesOf(place.clusterDir)) signal(pid, 'SIGKILL')
}
