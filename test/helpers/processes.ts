// Child processes that a broken suite has left behind. Found on Linux only: without /proc there
// seem to be none.
import { existsSync, readdirSync, readFileSync } from 'node:fs'

export interface Process {
  readonly pid: number
  readonly parent: number
  /** At most 15 characters. */
  readonly name: string
}

function allProcesses(): Process[] {
  if (!existsSync('/proc/self/stat')) return []
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return []
    try {
      // proc(5): pid (name) state ppid …, and the name may contain spaces and brackets.
      const text = readFileSync(`/proc/${entry}/stat`, 'utf8')
      const end = text.lastIndexOf(')')
      const [state, parent] = text.slice(end + 2).split(' ')
      const name = text.slice(text.indexOf('(') + 1, end)
      return state === 'Z' ? [] : [{ pid: Number(entry), parent: Number(parent), name }]
    } catch {
      // It has ended in the meantime.
      return []
    }
  })
}

/** All descendants of a process, nearest first, without those to spare and their descendants. */
export function processesBelow(pid: number, spared: ReadonlySet<number> = new Set()): Process[] {
  const all = allProcesses()
  const below = (parent: number): Process[] => {
    const children = all.filter((one) => one.parent === parent && !spared.has(one.pid))
    return [...children, ...children.flatMap((one) => below(one.pid))]
  }
  return below(pid)
}

/** PostgreSQL frees its shared memory when asked to quit at once. */
export function killAll(processes: readonly Process[]): void {
  for (const { pid, name } of processes) {
    try {
      process.kill(pid, name === 'postgres' ? 'SIGQUIT' : 'SIGKILL')
    } catch {
      // It has ended in the meantime.
    }
  }
}
