import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus } from 'node:os'
import path from 'node:path'
import { measure, type Moved, type Sample } from './measure.ts'
import { startNative } from './native-target.ts'
import { readOptions, usage, type BenchOptions } from './options.ts'
import { Payload } from './payload.ts'
import { forgetPeak } from './processes.ts'
import { printHead, printPairs } from './report.ts'
import { startService } from './service-target.ts'
import { compileSyncDelay, type SyncDelay } from './sync-delay.ts'
import type { Target } from './target.ts'

/** What a scenario runs on one target. `prepare` and `clean` are not measured. */
export interface Scenario<Prepared> {
  readonly name: string
  prepare(target: Target): Promise<Prepared>
  run(target: Target, prepared: Prepared): Promise<{ moved: Moved; made: Prepared }>
  clean(target: Target, made: Prepared): Promise<void>
}

/** Keeps both servers and runs scenarios on them in turns: A B A B. */
export class Bench {
  readonly options: BenchOptions
  readonly folder: string
  readonly payload = new Payload()
  readonly #mode: 'direct' | 'delayed'
  readonly #targets: readonly [Target, Target]

  constructor(
    options: BenchOptions,
    folder: string,
    mode: 'direct' | 'delayed',
    targets: readonly [Target, Target],
  ) {
    this.options = options
    this.folder = folder
    this.#mode = mode
    this.#targets = targets
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
    const [first, second] = this.#targets
    const prepared = [await scenario.prepare(first), await scenario.prepare(second)] as const
    const pairs: [Sample, Sample][] = []
    for (let run = 0; run <= this.options.runs; run++) {
      const pair: [Sample, Sample] = [
        await this.#runOnce(scenario, first, prepared[0]),
        await this.#runOnce(scenario, second, prepared[1]),
      ]
      if (run > 0) pairs.push(pair)
    }
    await scenario.clean(first, prepared[0])
    await scenario.clean(second, prepared[1])
    printPairs(name, [first.label, second.label], pairs)
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
    })
    if (made !== null && made !== prepared) await scenario.clean(target, made)
    return sample
  }
}

/** A part of the bench, which runs its scenarios on the given servers. */
export type Part = (bench: Bench) => Promise<void>

/** A whole bench program: reads the command line, starts servers, runs, cleans up. */
export async function runBench(parts: readonly Part[]): Promise<void> {
  const options = parseCommandLine()
  if (!options) return
  const folder = mkdtempSync(path.join(options.folder, 'transfer-bench-'))
  chmodSync(folder, 0o711)
  printSetting(options)
  const stopped = interruption()
  try {
    for (const mode of options.scenarios) {
      // New servers for each part, because memory once taken would show in later peaks.
      for (const [place, part] of parts.entries()) {
        const partFolder = path.join(folder, `${mode}-${place}`)
        await runPart(options, partFolder, mode, part, stopped)
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  }
}

/** Rejects at the first signal, so that no server outlives the bench. */
function interruption(): Promise<never> {
  const stopped = new Promise<never>((_resolve, reject) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      process.once(name, () => reject(new Error(`stopped by ${name}`)))
    }
  })
  // Avoids an unhandled rejection when nothing races against it.
  stopped.catch(() => {})
  return stopped
}

function parseCommandLine(): BenchOptions | null {
  try {
    return readOptions(process.argv.slice(2))
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`)
    process.exitCode = 2
    return null
  }
}

function printSetting(options: BenchOptions): void {
  const processors = cpus()
  console.log(`Node ${process.version}, ${processors.length} × ${processors[0]?.model ?? '?'}`)
  console.log(`${options.runs} runs after one to warm up, ${options.bytes / 1e6} MB each, in turns`)
  if (!forgetPeak(process.pid)) console.log('peaks are since the start: the kernel keeps them')
  printHead()
}

async function runPart(
  options: BenchOptions,
  folder: string,
  mode: 'direct' | 'delayed',
  part: Part,
  stopped: Promise<never>,
): Promise<void> {
  mkdirSync(folder)
  chmodSync(folder, 0o711)
  const delay = mode === 'delayed' ? compileSyncDelay(folder, options.delayMs) : null
  const payload = new Payload()
  const first = await startService({
    label: 'service',
    file: options.service,
    folder: path.join(folder, 'service'),
    payload,
    env: serviceEnvironment(options, delay),
    nodeArgs: options.nodeArgs,
  })
  try {
    const second = await startSecond(options, path.join(folder, 'other'), payload, delay)
    try {
      const bench = new Bench(options, folder, mode, [first, second])
      await Promise.race([part(bench), stopped])
    } finally {
      await second.stop()
    }
  } finally {
    await first.stop()
  }
}

function startSecond(
  options: BenchOptions,
  folder: string,
  payload: Payload,
  delay: SyncDelay | null,
): Promise<Target> {
  if (options.against === null) return startNative(folder, payload, delay?.env ?? {})
  const env = serviceEnvironment(options, delay)
  return startService({ label: 'against', file: options.against, folder, payload, env })
}

function serviceEnvironment(
  options: BenchOptions,
  delay: SyncDelay | null,
): Readonly<Record<string, string>> {
  if (!delay) return {}
  return options.delaysDatabase ? delay.databaseEnv : delay.env
}
