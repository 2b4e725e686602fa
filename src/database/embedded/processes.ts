import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { isSystemError } from '../../lib/errors.ts'
import { serverPort } from './settings.ts'

const hasProc = existsSync('/proc/self/stat')

/** Contents of `postmaster.pid`, which a running postmaster keeps in its cluster. */
export interface PostmasterFile {
  pid: number
  socketDir: string
}

/**
 * Reads `postmaster.pid`, one value per line: pid · data directory · start time · port · socket
 * directory · listen address · shared memory key · status. Null when it is missing or unreadable.
 */
export function readPostmasterFile(clusterDir: string): PostmasterFile | null {
  return readLockFile(path.join(clusterDir, 'postmaster.pid'))
}

/** The lock file beside a socket has the same first five lines. */
export function readLockFile(file: string): PostmasterFile | null {
  try {
    const lines = readFileSync(file, 'utf8').split('\n')
    const pid = Number(lines[0])
    if (!Number.isSafeInteger(pid) || pid <= 0) return null
    return { pid, socketDir: (lines[4] ?? '').trim() }
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return null
    throw error
  }
}

/** True while the process runs; false for a zombie, which may never be reaped. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!isSystemError(error, 'EPERM')) return false
  }
  return !isZombie(pid)
}

function isZombie(pid: number): boolean {
  if (!hasProc) return false
  const stat = readProc(pid, 'stat')
  // `<pid> (<command>) <state> …`, where the command may hold anything.
  return stat !== null && /^\s*[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 1))
}

/**
 * Whether the process is the postmaster of this cluster, and not a later user of its pid. A sandbox
 * of systemd (ProtectProc, PrivateUsers) hides the processes of others: then the socket tells, and
 * the pid file of a server that listens is not taken for a leftover.
 * @param proc where the system shows its processes
 */
export function isPostmasterOf(pid: number, clusterDir: string, proc = '/proc'): boolean {
  if (!isAlive(pid)) return false
  if (hasProc && !existsSync(path.join(proc, String(pid)))) return listens(clusterDir)
  const { command, argumentsText } = describeProcess(pid)
  if (!/postgres/.test(command)) return false
  const real = realPath(clusterDir)
  if (argumentsText.includes(clusterDir) || argumentsText.includes(real)) return true
  if (!hasProc) return true
  const folder = workingFolder(pid)
  return folder === null || folder === real
}

/** Whether a process has the socket that the pid file of this cluster names. */
function listens(clusterDir: string): boolean {
  const found = readPostmasterFile(clusterDir)
  if (!found) return false
  const socket = path.join(found.socketDir, `.s.PGSQL.${serverPort}`)
  return readFileSync('/proc/net/unix', 'utf8')
    .split('\n')
    .some((line) => line.endsWith(` ${socket}`))
}

/** Server processes with their working directory in this cluster, including the postmaster. */
export function processesOf(clusterDir: string): number[] {
  if (!hasProc) return []
  const real = realPath(clusterDir)
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && workingFolder(pid) === real)
    .filter((pid) => readProc(pid, 'comm')?.startsWith('postgres') && isAlive(pid))
}

/** Processes whose program is below a folder; null where that cannot be known. */
export function findProgramsIn(folder: string): number[] | null {
  if (!hasProc) return null
  const below = `${realPath(folder)}${path.sep}`
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => linkOf(pid, 'exe')?.startsWith(below))
}

/** Signals a process that may already be gone. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!isSystemError(error, 'ESRCH')) throw error
  }
}

function describeProcess(pid: number): { command: string; argumentsText: string } {
  if (!hasProc) {
    const text = psCommand(pid)
    return { command: text, argumentsText: text }
  }
  const argumentsText = (readProc(pid, 'cmdline') ?? '').replaceAll('\0', ' ')
  return { command: readProc(pid, 'comm') ?? '', argumentsText }
}

/** Without /proc (macOS). */
function psCommand(pid: number): string {
  try {
    const options = { encoding: 'utf8', timeout: 5_000 } as const
    return execFileSync('/bin/ps', ['-o', 'command=', '-p', String(pid)], options)
  } catch {
    return ''
  }
}

function workingFolder(pid: number): string | null {
  return linkOf(pid, 'cwd')
}

function linkOf(pid: number, name: 'cwd' | 'exe'): string | null {
  try {
    return readlinkSync(`/proc/${pid}/${name}`)
  } catch {
    return null
  }
}

function readProc(pid: number, name: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return null
  }
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}
