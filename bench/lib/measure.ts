import {
  cpuSecondsOf,
  descendantsOf,
  forgetPeak,
  peakResidentBytes,
  sum,
  treeCpuSeconds,
} from './processes.ts'
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
  /** How long single answers took, in milliseconds, where that is the question. */
  readonly latencies: Float64Array | null
}

/** What a scenario has moved. */
export interface Moved {
  readonly bytes: number
  readonly items: number
  readonly latencies?: Float64Array
}

/** Measures time, CPU and peak memory of a target during a run. */
export async function measure(target: Target, run: () => Promise<Moved>): Promise<Sample> {
  const pids = serverPids(target)
  const readServer = () => sum(pids.map((pid) => cpuSecondsOf(pid) ?? Number.NaN))
  const [postmaster] = target.databasePids()
  const readDatabase = () => (postmaster === undefined ? 0 : treeCpuSeconds(postmaster))
  for (const pid of pids) forgetPeak(pid)
  const before = { server: readServer(), database: readDatabase(), client: process.cpuUsage() }
  const startedAt = process.hrtime.bigint()
  const { bytes, items, latencies = null } = await run()
  const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9
  const client = process.cpuUsage(before.client)
  return {
    seconds,
    bytes,
    items,
    serverCpuSeconds: readServer() - before.server,
    databaseCpuSeconds: readDatabase() - before.database,
    clientCpuSeconds: (client.user + client.system) / 1e6,
    peakBytes: sum(pids.map(peakResidentBytes)),
    latencies,
  }
}

/** The server and its children, without those of its database. */
function serverPids(target: Target): number[] {
  const database = new Set(target.databasePids())
  const { pid } = target.child
  return [pid, ...descendantsOf(pid).filter((child) => !database.has(child))]
}

export function median(values: readonly number[]): number {
  const sorted = [...values].toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** The value below which this share of them stays, by the nearest rank. */
export function percentile(values: Float64Array, share: number): number {
  const sorted = values.toSorted()
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/** A sample of each target, taken one after the other. */
export type Round = readonly Sample[]

/** Median of a ratio of two targets over all rounds, so that a slow minute cancels out. */
export function medianRatio(
  rounds: readonly Round[],
  [first, second]: readonly [number, number],
  value: (sample: Sample) => number,
): number {
  const valueAt = (round: Round, place: number) => {
    const sample = round[place]
    return sample ? value(sample) : Number.NaN
  }
  return median(rounds.map((round) => valueAt(round, first) / valueAt(round, second)))
}
