import { rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { inTime } from '../../lib/clock.ts'
import type { Binaries } from './binaries.ts'
import { endingOf, readLines, startChild } from './child.ts'
import type { Place } from './place.ts'
import {
  isPostmasterOf,
  processesOf,
  readLockFile,
  readPostmasterFile,
  signal,
} from './processes.ts'
import type { ServerLog } from './server-log.ts'
import { serverPort, serverSettings, type ServerMemory } from './settings.ts'

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
export function findServer(place: Place): { pid: number; socketDir: string } | null {
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
export function adoptServer(place: Place, found: { pid: number; socketDir: string }): Server {
  let running = true
  const poll = async (): Promise<string> => {
    while (isPostmasterOf(found.pid, place.clusterDir))
      await delay(pollMs, undefined, { ref: false })
    running = false
    return 'it is gone'
  }
  return { ...found, isAdopted: true, ended: poll(), isRunning: () => running }
}

export async function startServer(options: {
  place: Place
  binaries: Binaries
  socketDir: string
  connectionsMax: number
  memory: ServerMemory
  serverLog: ServerLog
}): Promise<Server> {
  const { place, binaries, socketDir, connectionsMax, memory, serverLog } = options
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
export async function stopServer(server: Server, place: Place): Promise<void> {
  const steps = [
    ['SIGINT', fastStopMs],
    ['SIGQUIT', immediateStopMs],
    ['SIGKILL', killMs],
  ] as const
  for (const [name, timeoutMs] of steps) {
    if (!server.isRunning()) break
    signal(server.pid, name)
    await inTime(server.ended, '', timeoutMs)
  }
  endProcessesOf(place)
}

/** Ends backends without a postmaster, which hold the cluster's shared memory until they end. */
export function endProcessesOf(place: Place): void {
  for (const pid of processesOf(place.clusterDir)) signal(pid, 'SIGKILL')
}
