// Loaded into a service process before its own code (`node --import`). It configures the machine
// of the process: its boot, its time, the frequency of jobs, and whether calls that
// change files are recorded.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { recordCalls } from './recorder.ts'

/** The environment variable FAULT_MACHINE, as JSON. */
export interface MachineState {
  /** The kernel's id of this boot. */
  readonly bootId: string
  /** How far the wall clock is ahead of the real one. */
  readonly aheadMs: number
  /** Intervals of 5 seconds and more are divided by this. */
  readonly jobsFaster: number
  /** Null records nothing. */
  readonly recorder: { readonly folder: string; readonly logFile: string } | null
}

const intervalMsMin = 5_000
const bootFile = '/proc/sys/kernel/random/boot_id'
const { bootId, aheadMs, jobsFaster, recorder } = JSON.parse(
  process.env['FAULT_MACHINE']!,
) as MachineState

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

if (recorder) recordCalls(recorder.folder, recorder.logFile)
syncBuiltinESMExports()
