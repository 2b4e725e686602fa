// Loaded into a service process before its own code (`node --import`). It configures the machine
// of the process: its boot, its time, and the frequency of jobs.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** The environment variable FAULT_MACHINE, as JSON. */
export interface MachineState {
  /** The kernel's id of this boot. */
  readonly bootId: string
  /** How far the wall clock is ahead of the real one. */
  readonly aheadMs: number
  /** Intervals of 5 seconds and more are divided by this. */
  readonly jobsFaster: number
}

const intervalMsMin = 5_000
const bootFile = '/proc/sys/kernel/random/boot_id'
const { bootId, aheadMs, jobsFaster } = JSON.parse(process.env['FAULT_MACHINE']!) as MachineState

const { readFileSync } = fs
fs.readFileSync = ((file: string, ...rest: never[]) =>
  file === bootFile ? `${bootId}\n` : readFileSync(file, ...rest)) as typeof readFileSync

const { now } = Date
Date.now = () => now() + aheadMs

const { setInterval } = globalThis
globalThis.setInterval = ((call: () => void, delayMs: number) =>
  setInterval(
    call,
    delayMs >= intervalMsMin ? delayMs / jobsFaster : delayMs,
  )) as typeof setInterval

syncBuiltinESMExports()
