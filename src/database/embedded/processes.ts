import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { isSystemError, unlessError } from '../../lib/errors.ts'
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
  const text = unlessError(['ENOENT', 'ENOTDIR', 'EACCES'], () => readFileSync(file, 'utf8'))
  const lines = (text ?? '').split('\n')
  const pid = Number(lines[0])
  if (!Number.isSafeInteger(pid) || pid <= 0) return null
  return { pid, socketDir: (lines[4] ?? '').trim() }
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
  const folder = linkOf(pid, 'cwd')
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

function allProcesses(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

/** Server processes with their working directory in this cluster, including the postmaster. */
export function processesOf(clusterDir: string): number[] {
  if (!hasProc) return []
  const real = realPath(clusterDir)
  return allProcesses()
    .filter((pid) => pid !== process.pid && linkOf(pid, 'cwd') === real)
    .filter((pid) => readProc(pid, 'comm')?.startsWith('postgres') && isAlive(pid))
}

/** Processes whose program is below a folder; null where that cannot be known. */
export function findProgramsIn(folder: string): number[] | null {
  if (!hasProc) return null
  const below = `${realPath(folder)}${path.sep}`
  return allProcesses().filter((pid) => linkOf(pid, 'exe')?.startsWith(below))
}

/** Signals a process that may already be gone. */
export function signal(pid: number, name: NodeJS.Signals): void {
  unlessError(['ESRCH'], () => process.kill(pid, name))
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
  const options = { encoding: 'utf8', timeout: 5_000 } as const
  const args = ['-o', 'command=', '-p', String(pid)]
  return orNull(() => execFileSync('/bin/ps', args, options)) ?? ''
}

const linkOf = (pid: number, name: 'cwd' | 'exe') =>
  orNull(() => readlinkSync(`/proc/${pid}/${name}`))
const readProc = (pid: number, name: string) =>
  orNull(() => readFileSync(`/proc/${pid}/${name}`, 'utf8'))
const realPath = (folder: string) => orNull(() => realpathSync(folder)) ?? folder

function orNull(read: () => string): string | null {
  try {
    return read()
  } catch {
    return null
  }
}
