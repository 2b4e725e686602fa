import { cpuSeconds, forgetPeak, peakResidentBytes, treeCpuSeconds } from './processes.ts'
import type { Target } from './target.ts'

/** Cost of one run of a scenario. */
export interface Sample {
  readonly seconds: number
  readonly bytes: number
  /** Number of files or answers, where they matter more than bytes. */
  readonly items: number
  readonly serverCpuSeconds: number
  readonly databaseCpuSeconds: number
  readonly clientCpuSeconds: number
  readonly peakBytes: number
}

/** What a scenario has moved. */
export interface Moved {
  readonly bytes: number
  readonly items: number
}

/** Measures time, CPU and peak memory of a target during a run. */
export async function measure(target: Target, run: () => Promise<Moved>): Promise<Sample> {
  const { pid } = target.child
  const [postmaster] = target.databasePids()
  const readDatabase = () => (postmaster === undefined ? 0 : treeCpuSeconds(postmaster))
  forgetPeak(pid)
  const before = { server: cpuSeconds(pid), database: readDatabase(), client: process.cpuUsage() }
  const startedAt = process.hrtime.bigint()
  const { bytes, items } = await run()
  const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9
  const client = process.cpuUsage(before.client)
  return {
    seconds,
    bytes,
    items,
    serverCpuSeconds: cpuSeconds(pid) - before.server,
    databaseCpuSeconds: readDatabase() - before.database,
    clientCpuSeconds: (client.user + client.system) / 1e6,
    peakBytes: peakResidentBytes(pid),
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** Samples of two targets, taken in turns: `pairs[i]` are neighbours in time. */
export type Pairs = readonly (readonly [Sample, Sample])[]

/** Median of a ratio over all pairs, so that a slow minute of the machine cancels out. */
export function medianRatio(pairs: Pairs, value: (sample: Sample) => number): number {
  return median(pairs.map(([first, second]) => value(first) / value(second)))
}
