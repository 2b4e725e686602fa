// The end of a child process, within a bound.
import type { ChildProcess } from 'node:child_process'
import { patient } from './patience.ts'
import { killAll, processesBelow } from './processes.ts'

const patienceMs = patient(30_000)

export interface End {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/**
 * Waits until a process has ended and its output is read. One that takes too long is killed, with
 * its children.
 */
export function endOf(child: ChildProcess, limitMs = patienceMs): Promise<End> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      killAll(processesBelow(child.pid!))
      child.kill('SIGKILL')
      const what = child.spawnargs.join(' ').slice(0, 200)
      reject(new Error(`did not end within ${limitMs / 1000} s: ${what}`))
    }, limitMs)
    child.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      resolve({ code, signal })
    })
  })
}
