// Statistics of processes on Linux: CPU time, memory, peak memory. See proc(5).
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** USER_HZ is 100 on every Linux that Node runs on. */
const ticksPerSecond = 100

/** CPU seconds of the process itself, user and system, all threads; null when it has ended. */
export function cpuSecondsOf(pid: number): number | null {
  const stat = tryStat(pid)
  return stat && stat.ownTicks / ticksPerSecond
}

/** CPU seconds of a tree of processes, including ended ones that the root has reaped. */
export function treeCpuSeconds(rootPid: number): number {
  const { ownTicks, reapedTicks } = readStat(rootPid)
  const others = descendantsOf(rootPid).map((pid) => tryStat(pid)?.ownTicks ?? 0)
  return (ownTicks + reapedTicks + sum(others)) / ticksPerSecond
}

/** Pids of the children, their children and so on. */
export function descendantsOf(rootPid: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const pid = Number(name)
    const parent = tryStat(pid)?.parentPid
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid])
  }
  const found: number[] = []
  const visit = (pid: number) => {
    for (const child of children.get(pid) ?? []) {
      found.push(child)
      visit(child)
    }
  }
  visit(rootPid)
  return found
}

export function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
}

/** Resident bytes now. */
export function residentBytes(pid: number): number {
  return statusBytes(pid, 'VmRSS')
}

/** The most resident bytes since the start, or since `forgetPeak`. */
export function peakResidentBytes(pid: number): number {
  return statusBytes(pid, 'VmHWM')
}

/** Resets the peak; false where the kernel cannot, and the peak covers all runs. */
export function forgetPeak(pid: number): boolean {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
    return true
  } catch {
    return false
  }
}

/**
 * Resident bytes, with shared pages divided by the number of their users. Requires the same user or
 * root.
 */
export function proportionalBytes(pids: readonly number[]): number {
  return sum(
    pids.map((pid) => bytesOfLine(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'), 'Pss')),
  )
}

interface Stat {
  readonly parentPid: number
  readonly ownTicks: number
  /** For children that have ended and were waited for. */
  readonly reapedTicks: number
}

/** `<pid> (<command>) <state> <ppid> …`, where the command may hold anything. */
function readStat(pid: number): Stat {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  // Field numbers of proc(5), which counts from 1; the state is field 3.
  const field = (number: number) => Number(fields[number - 3])
  return {
    parentPid: field(4),
    ownTicks: field(14) + field(15),
    reapedTicks: field(16) + field(17),
  }
}

/** Null when the process has ended meanwhile. */
function tryStat(pid: number): Stat | null {
  try {
    return readStat(pid)
  } catch {
    return null
  }
}

function statusBytes(pid: number, name: string): number {
  return bytesOfLine(readFileSync(`/proc/${pid}/status`, 'utf8'), name)
}

function bytesOfLine(text: string, name: string): number {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]
  if (kilobytes === undefined) throw new Error(`the kernel does not tell ${name}`)
  return Number(kilobytes) * 1024
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
