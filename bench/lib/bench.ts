import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus } from 'node:os'
import path from 'node:path'
import type { Limit } from './child.ts'
import { answerOf, type Answer, type Figures } from './figures.ts'
import { measure, type Moved, type Round, type Sample } from './measure.ts'
import { readOptions, usage, type BenchOptions } from './options.ts'
import { drawResults, writeResults } from './output.ts'
import { Payload } from './payload.ts'
import { installPeers } from './peers.ts'
import { forgetPeak } from './processes.ts'
import { openQuota } from './quota.ts'
import { compileSyncDelay } from './sync-delay.ts'
import type { Target } from './target.ts'
import { sidesOf, startAll, stopAll, type Side } from './targets.ts'

/** What a scenario runs on one target. `prepare` and `clean` are not measured. */
export interface Scenario<Prepared> {
  readonly name: string
  /** What the results are about: megabytes, or numbers of files or answers. */
  readonly unit: 'bytes' | 'items'
  /** Leaves targets out. */
  suits?(target: Target): boolean
  prepare(target: Target): Promise<Prepared>
  run(target: Target, prepared: Prepared): Promise<{ moved: Moved; made: Prepared }>
  clean(target: Target, made: Prepared): Promise<void>
}

type Mode = 'direct' | 'delayed'

/** What stays the same for all parts of a run. */
interface Setting {
  readonly options: BenchOptions
  readonly sides: readonly Side[]
  readonly limit: Limit | null
  readonly answers: Answer[]
}

/** Keeps the servers and runs scenarios on them in turns: A B C A B C. */
export class Bench {
  readonly options: BenchOptions
  readonly limit: Limit | null
  readonly folder: string
  readonly payload = new Payload()
  readonly #mode: Mode
  readonly #targets: readonly Target[]
  readonly #answers: Answer[]

  constructor(setting: Setting, folder: string, mode: Mode, targets: readonly Target[]) {
    this.options = setting.options
    this.limit = setting.limit
    this.folder = folder
    this.#mode = mode
    this.#targets = targets
    this.#answers = setting.answers
  }

  get isDelayed(): boolean {
    return this.#mode === 'delayed'
  }

  /** One warm-up run, then the counted ones; prints the medians. */
  async compare<Prepared>(scenario: Scenario<Prepared>): Promise<void> {
    const name = this.isDelayed
      ? `${scenario.name}, syncs +${this.options.delayMs} ms`
      : scenario.name
    if (!name.includes(this.options.only)) return
    const targets = this.#targets.filter((target) => scenario.suits?.(target) ?? true)
    const sides: { target: Target; prepared: Prepared }[] = []
    for (const target of targets) {
      sides.push({ target, prepared: await scenario.prepare(target) })
    }
    // Peers leave it to the kernel, which would write beside the first runs.
    spawnSync('sync', ['-f', this.folder])
    const rounds: Round[] = []
    for (let run = 0; run <= this.options.runs; run++) {
      const round: Sample[] = []
      for (const { target, prepared } of sides) {
        round.push(await this.#runOnce(scenario, target, prepared))
      }
      if (run > 0) rounds.push(round)
    }
    for (const { target, prepared } of sides) await scenario.clean(target, prepared)
    const answer = answerOf({ name, unit: scenario.unit, syncs: this.#mode, targets, rounds })
    this.#answers.push(answer)
    printAnswer(answer)
  }

  async #runOnce<Prepared>(
    scenario: Scenario<Prepared>,
    target: Target,
    prepared: Prepared,
  ): Promise<Sample> {
    let made: Prepared | null = null
    const sample = await measure(target, async () => {
      const result = await scenario.run(target, prepared)
      made = result.made
      return result.moved
    }).catch((cause: unknown) => {
      throw new Error(`${target.label} failed in “${scenario.name}”`, { cause })
    })
    if (made !== null && made !== prepared) await scenario.clean(target, made)
    return sample
  }
}

/** A part of the bench, which runs its scenarios on the given servers. */
export type Part = (bench: Bench) => Promise<void>

/** A whole bench program: reads the command line, starts servers, runs, cleans up. */
export async function runBench(parts: readonly Part[], args: string[]): Promise<void> {
  const options = parseCommandLine(args, parts.length > 1)
  if (!options) return
  if (options.draw !== null) return drawResults(options.draw, options.chartFile)
  if (options.peers) installPeers()
  const setting = prepareRun(options)
  const folder = mkdtempSync(path.join(options.folder, 'transfer-bench-'))
  chmodSync(folder, 0o711)
  const stopped = interruption()
  try {
    for (const mode of options.scenarios) {
      // New servers for each part, because memory once taken would show in later peaks.
      for (const [place, part] of parts.entries()) {
        const own = path.join(folder, `${mode}-${place}`)
        await runPart(setting, own, mode, part, stopped).catch((error: unknown) => {
          // What the other parts have measured is not lost.
          if (error instanceof Interruption) throw error
          console.error(error)
          process.exitCode = 1
        })
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  }
  writeResults(options, setting.answers)
}

class Interruption extends Error {}

/** Rejects at the first signal, so that no server outlives the bench. */
function interruption(): Promise<never> {
  const stopped = new Promise<never>((_resolve, reject) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      process.once(name, () => reject(new Interruption(`stopped by ${name}`)))
    }
  })
  // Avoids an unhandled rejection when nothing races against it.
  stopped.catch(() => {})
  return stopped
}

function parseCommandLine(args: string[], hasAllParts: boolean): BenchOptions | null {
  try {
    return readOptions(args, hasAllParts)
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`)
    process.exitCode = 2
    return null
  }
}

/** Chooses what is compared, and prints how. */
function prepareRun(options: BenchOptions): Setting {
  const processors = cpus()
  console.log(`Node ${process.version}, ${processors.length} × ${processors[0]?.model ?? '?'}`)
  console.log(`${options.runs} runs after one to warm up, ${options.bytes / 1e6} MB each, in turns`)
  const quota = options.quotaPercent === null ? null : openQuota(options.quotaPercent)
  if (quota) console.log(`each server has ${options.quotaPercent} % of one core, by ${quota.means}`)
  if (!forgetPeak(process.pid)) console.log('peaks are since the start: the kernel keeps them')
  const sides = sidesOf(options)
  printHead()
  return { options, sides, limit: quota?.limit ?? null, answers: [] }
}

async function runPart(
  setting: Setting,
  folder: string,
  mode: Mode,
  part: Part,
  stopped: Promise<never>,
): Promise<void> {
  const { options, sides, limit } = setting
  mkdirSync(folder)
  chmodSync(folder, 0o711)
  const env = mode === 'delayed' ? compileSyncDelay(folder, options.delayMs) : {}
  const payload = new Payload()
  const targets = await startAll(sides, folder, { payload, limit, env })
  try {
    await Promise.race([part(new Bench(setting, folder, mode, targets)), stopped])
  } finally {
    await stopAll(targets)
  }
}

const columns = [
  ['scenario', 46],
  ['side', 10],
  ['MB/s', 7],
  ['min–max', 11],
  ['items/s', 9],
  ['CPU-s/GB', 9],
  ['+database', 10],
  ['peak MB', 8],
  ['client', 7],
] as const

function printHead(): void {
  printLine(columns.map(([name]) => name))
  printLine(columns.map(([, width]) => '-'.repeat(width)))
}

/** A line for each side, and one for each that the first is divided by. */
function printAnswer({ name, unit, sides }: Answer): void {
  for (const [place, side] of sides.entries()) printSide(place === 0 ? name : '', unit, side)
  for (const { label, ratio } of sides) {
    if (!ratio) continue
    const [speed, cpu, peak] = [ratio.speed, ratio.cpu, ratio.peak].map(factor)
    printLine(['', `÷ ${label}`, speed ?? '', '', '', cpu ?? '', '', peak ?? '', ''])
  }
}

function printSide(name: string, unit: Answer['unit'], side: Figures): void {
  const { megabytesPerSecond: speed, itemsPerSecond } = side
  const costs =
    unit === 'bytes'
      ? [side.cpuSecondsPerGigabyte, side.cpuSecondsPerGigabyteWithDatabase].map((cost) =>
          cost.median.toFixed(2),
        )
      : [side.cpuMsPerItem, side.cpuMsPerItemWithDatabase].map(
          (cost) => `${cost?.median.toFixed(2)} ms`,
        )
  printLine([
    name,
    side.label,
    shortened(speed.median),
    `${shortened(speed.min)}–${shortened(speed.max)}`,
    itemsPerSecond ? itemsPerSecond.median.toFixed(0) : '',
    ...costs,
    side.peakMegabytes.median.toFixed(0),
    side.clientCpuSecondsPerGigabyte.median.toFixed(2),
  ])
  if (!side.latencyMs) return
  const { p50, p99, max } = side.latencyMs
  const [half, most, all] = [p50, p99, max].map((spread) => spread.median.toFixed(1))
  printLine([`  ${side.label}: half in ${half} ms, 99 % in ${most} ms, all in ${all} ms`])
}

function printLine(cells: readonly string[]): void {
  const padded = columns.map(([, width], index) =>
    index < 2 ? (cells[index] ?? '').padEnd(width) : (cells[index] ?? '').padStart(width),
  )
  console.log(`| ${padded.join(' | ')} |`)
}

/** A server whose CPU time stays below a tick has no ratio. */
function factor(ratio: number): string {
  return Number.isFinite(ratio) ? `${ratio.toFixed(2)}x` : '–'
}

function shortened(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0)
}
