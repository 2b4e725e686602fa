import { fork } from 'node:child_process'
import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Limit } from './child.ts'

const cgroupFolder = '/sys/fs/cgroup'
const periodUs = 100_000
const limiterFile = fileURLToPath(new URL('./limiter.js', import.meta.url))

export interface Quota {
  readonly limit: Limit
  /** How it is enforced, for people. */
  readonly means: string
}

/**
 * A CPU quota for each server with its children, in percent of one core: a control group (version
 * 2) if we may make one, else a process that stops and continues them.
 */
export function openQuota(percent: number): Quota {
  if (canMakeGroups()) return { limit: (pid) => limitByGroup(pid, percent), means: 'a cgroup' }
  return { limit: (pid) => limitBySignals(pid, percent), means: 'SIGSTOP and SIGCONT' }
}

function canMakeGroups(): boolean {
  const folder = path.join(cgroupFolder, `transfer-bench-${process.pid}`)
  try {
    mkdirSync(folder)
    try {
      writeQuota(folder, 100)
      return true
    } finally {
      rmdirSync(folder)
    }
  } catch {
    return false
  }
}

/** Children inherit the group, because they are started later. */
function limitByGroup(pid: number, percent: number): () => void {
  const folder = path.join(cgroupFolder, `transfer-bench-${pid}`)
  mkdirSync(folder)
  writeQuota(folder, percent)
  writeFileSync(path.join(folder, 'cgroup.procs'), String(pid))
  return () => {
    try {
      rmdirSync(folder)
    } catch (error) {
      console.error(`left behind: ${folder}: ${String(error)}`)
    }
  }
}

function writeQuota(folder: string, percent: number): void {
  const quotaUs = Math.round((periodUs * percent) / 100)
  // Not created if missing: on other file systems it is no control group.
  writeFileSync(path.join(folder, 'cpu.max'), `${quotaUs} ${periodUs}`, { flag: 'r+' })
}

function limitBySignals(pid: number, percent: number): () => void {
  const limiter = fork(limiterFile, [String(pid), String(percent)])
  return () => limiter.kill('SIGTERM')
}
