import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { ClockTrust } from './clock-trust.ts'

const errorCharactersMax = 300

export interface Job {
  readonly name: string
  readonly everyMs: number
  readonly run: () => Promise<unknown>
  /** Whether it runs in one process at a time, where several serve the same database. */
  readonly isAlone?: boolean
  /** Ends a long run, so that a shutdown need not wait for it. */
  readonly stop?: () => void
}

export interface CleanUpOptions {
  /** An administrator confirms the clock, which ends a doubt. */
  readonly isClockRight: boolean
}

/** The part of ClockTrust that clean-ups need. */
export type CleanUpClock = Pick<ClockTrust, 'isTrusted' | 'confirmIsRight' | 'ran'>

/** A job that removes what is over; runs in one process at a time per database. */
export interface CleanUpJob extends Pick<Job, 'name' | 'everyMs' | 'stop'> {
  /** In the plural, for people. */
  readonly removes: string
  /** Whether it decides by the wall clock: runs only while the clock is trusted. */
  readonly byWallClock: boolean
  /** Removes a part of what is due; returns how much. */
  readonly cleanUp: () => Promise<number>
  /** Number of objects that could not be removed and will be tried again. */
  readonly failing?: () => number
}

export interface CleanUpResult {
  readonly name: string
  readonly removes: string
  readonly removed: number
  /** Why it did not run: a doubtful clock, or another process runs it. */
  readonly skipped: 'clock' | 'elsewhere' | null
}

/**
 * Takes a job for this process; null when another one has it. Returns a function that releases it.
 */
export type TakeJob = (name: string) => Promise<(() => Promise<void>) | null>

/** State of a job in this process. */
export interface JobReport {
  readonly name: string
  /** Start of the last run; null before the first. */
  readonly lastRunAt: Date | null
  readonly lastDurationMs: number | null
  /** Why the last run failed; null when it did not. */
  readonly lastError: string | null
  /** Number of objects that could not be removed and will be tried again. */
  readonly failing: number
  /** Start of the last run that did not fail; null before the first. */
  readonly lastSuccessAt: Date | null
  /** Start of the first failure since then; null while the last run did not fail. */
  readonly failingSince: Date | null
  readonly runs: number
  readonly failures: number
}

/** Runs jobs at their intervals, each one at a time; a failure is logged and tried again. */
export class Jobs {
  readonly #log: Log
  readonly #clock: Clock
  readonly #takeJob: TakeJob
  readonly #cleanUpClock: CleanUpClock
  readonly #isShared: boolean
  readonly #jobs: (Job | CleanUpJob)[] = []
  readonly #reports = new Map<string, JobReport>()
  readonly #timers: NodeJS.Timeout[] = []
  readonly #running = new Map<Job | CleanUpJob, Promise<void>>()

  /** @param isShared whether other processes serve the same database */
  constructor(
    log: Log,
    clock: Clock,
    takeJob: TakeJob,
    cleanUpClock: CleanUpClock,
    isShared = false,
  ) {
    this.#log = log
    this.#clock = clock
    this.#takeJob = takeJob
    this.#cleanUpClock = cleanUpClock
    this.#isShared = isShared
  }

  /** Call before `start`. */
  add(jobs: readonly (Job | CleanUpJob)[]): void {
    this.#jobs.push(...jobs)
  }

  /** In the order of `add`. */
  report(): JobReport[] {
    return this.#jobs.map((job) => this.#reports.get(job.name) ?? notYetRun(job))
  }

  start(): void {
    for (const job of this.#jobs) {
      const timer = setInterval(() => void this.#runOnce(job), job.everyMs)
      timer.unref()
      this.#timers.push(timer)
    }
  }

  /** Runs every job once now, for tests. */
  async runAll(): Promise<void> {
    for (const job of this.#jobs) await this.#runOnce(job)
  }

  /**
   * Runs every clean-up until nothing is left to remove, for `transfer clean-up`.
   * @throws the error of the first that failed
   */
  async cleanUp(options: CleanUpOptions): Promise<CleanUpResult[]> {
    if (options.isClockRight) await this.#cleanUpClock.confirmIsRight()
    const removed: CleanUpResult[] = []
    for (const job of this.#jobs) if ('cleanUp' in job) removed.push(await this.#cleanUpAll(job))
    return removed
  }

  /** Starts no more jobs, and waits for running ones. */
  async stop(): Promise<void> {
    for (const timer of this.#timers.splice(0)) clearInterval(timer)
    for (const job of this.#jobs) if ('stop' in job) job.stop?.()
    await Promise.all(this.#running.values())
  }

  #runOnce(job: Job | CleanUpJob): Promise<void> {
    const running = this.#running.get(job) ?? this.#start(job)
    this.#running.set(job, running)
    return running
  }

  async #start(job: Job | CleanUpJob): Promise<void> {
    const lastRunAt = new Date(this.#clock.now())
    const startedMs = this.#clock.monotonic()
    let lastError: string | null = null
    try {
      // A skipped turn says nothing about the job: failures before it go on.
      if (await this.#isSkipped(job)) return
    } catch (error) {
      lastError = String(error).slice(0, errorCharactersMax)
      this.#log.warn('job failed: will retry', { job: job.name, cause: error })
    } finally {
      this.#running.delete(job)
    }
    const before = this.#reports.get(job.name) ?? notYetRun(job)
    const hasFailed = lastError !== null
    this.#reports.set(job.name, {
      name: job.name,
      lastRunAt,
      lastDurationMs: Math.round(this.#clock.monotonic() - startedMs),
      lastError,
      failing: 'cleanUp' in job ? (job.failing?.() ?? 0) : 0,
      lastSuccessAt: hasFailed ? before.lastSuccessAt : lastRunAt,
      failingSince: hasFailed ? (before.failingSince ?? lastRunAt) : null,
      runs: before.runs + 1,
      failures: before.failures + (hasFailed ? 1 : 0),
    })
  }

  /** Runs it, unless another process does or the clock is not trusted. */
  async #isSkipped(job: Job | CleanUpJob): Promise<boolean> {
    if ('cleanUp' in job) return (await this.#alone(job, () => this.#cleanUpOnce(job))) === null
    const run = () => job.run().then(() => true)
    return (await (job.isAlone && this.#isShared ? this.#alone(job, run) : run())) === null
  }

  /** Null when the clock is not trusted. */
  async #cleanUpOnce(job: CleanUpJob): Promise<number | null> {
    if (!job.byWallClock) return job.cleanUp()
    if (!(await this.#cleanUpClock.isTrusted())) return null
    const removed = await job.cleanUp()
    await this.#cleanUpClock.ran(job.name)
    return removed
  }

  async #cleanUpAll(job: CleanUpJob): Promise<CleanUpResult> {
    const { name, removes } = job
    let removed = 0
    const outcome = await this.#alone(job, async () => {
      for (;;) {
        const count = await this.#cleanUpOnce(job)
        if (count === null) return 'clock'
        if (count === 0) return 'done'
        removed += count
      }
    })
    return { name, removes, removed, skipped: outcome === 'done' ? null : (outcome ?? 'elsewhere') }
  }

  /** Null when another process runs it. */
  async #alone<T>(job: Job | CleanUpJob, work: () => Promise<T>): Promise<T | null> {
    const refund = await this.#takeJob(job.name)
    if (!refund) return null
    try {
      return await work()
    } finally {
      await refund()
    }
  }
}

function notYetRun({ name }: { readonly name: string }): JobReport {
  return {
    name,
    lastRunAt: null,
    lastDurationMs: null,
    lastError: null,
    failing: 0,
    lastSuccessAt: null,
    failingSince: null,
    runs: 0,
    failures: 0,
  }
}
