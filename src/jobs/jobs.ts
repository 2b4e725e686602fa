import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'

const errorCharactersMax = 300

export interface Job {
  readonly name: string
  /** At most an hour: no timer of ours is longer. */
  readonly everyMs: number
  readonly run: () => Promise<unknown>
  /** As of `CleanUpJob`. */
  readonly stop?: () => void
}

export interface CleanUpOptions {
  /** An administrator vouches for the clock: a doubt ends. */
  readonly isClockRight: boolean
}

/** What clean-ups ask of the clock; see ClockTrust. */
export interface CleanUpClock {
  isTrusted(): Promise<boolean>
  /** An administrator says that the clock is right now. */
  vouch(): Promise<void>
  /** Records that a clean-up by the wall clock has done its work. */
  ran(jobName: string): Promise<void>
}

/** A job that removes what is over; in one process at a time, of all on this database. */
export interface CleanUpJob {
  readonly name: string
  readonly everyMs: number
  /** In the plural, for people. */
  readonly removes: string
  /** Whether the wall clock decides what goes: runs only while the clock is trusted. */
  readonly byWallClock: boolean
  /** How many are gone, some of those that may go. */
  readonly cleanUp: () => Promise<number>
  /** Things that it could not remove and will try again. */
  readonly failing?: () => number
  /** Ends a run that would take long, so that a stop need not wait for it. */
  readonly stop?: () => void
}

/** What a clean-up removed. */
export interface CleanUpResult {
  readonly name: string
  readonly removes: string
  readonly removed: number
  /** Why nothing was removed: a doubtful clock, or another process that is at it. */
  readonly skipped: 'clock' | 'elsewhere' | null
}

/** Takes a job for this process; null when another one has it. Returns what gives it back. */
export type TakeJob = (name: string) => Promise<(() => Promise<void>) | null>

/** How a job has gone in this process. */
export interface JobReport {
  readonly name: string
  /** Begin of the last run; null before the first. */
  readonly lastRunAt: Date | null
  readonly lastDurationMs: number | null
  /** Why the last run failed; null when it did not. */
  readonly lastError: string | null
  /** Things that it could not remove and will try again. */
  readonly failing: number
}

/** Runs jobs at their intervals, each one at a time; a failure is logged and tried again. */
export class Jobs {
  readonly #log: Log
  readonly #clock: Clock
  readonly #takeJob: TakeJob
  readonly #cleanUpClock: CleanUpClock
  readonly #jobs: (Job | CleanUpJob)[] = []
  readonly #reports = new Map<string, JobReport>()
  readonly #timers: NodeJS.Timeout[] = []
  readonly #running = new Map<Job | CleanUpJob, Promise<void>>()

  constructor(log: Log, clock: Clock, takeJob: TakeJob, cleanUpClock: CleanUpClock) {
    this.#log = log
    this.#clock = clock
    this.#takeJob = takeJob
    this.#cleanUpClock = cleanUpClock
  }

  /** To be called before `start`. */
  add(jobs: readonly (Job | CleanUpJob)[]): void {
    this.#jobs.push(...jobs)
  }

  /** In the order in which they were added. */
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

  /** Runs every job once, now: for tests. */
  async runAll(): Promise<void> {
    for (const job of this.#jobs) await this.#runOnce(job)
  }

  /**
   * Runs every clean-up until nothing is left to remove: for `transfer clean-up`.
   * @throws what the first that failed has thrown
   */
  async cleanUp(options: CleanUpOptions): Promise<CleanUpResult[]> {
    if (options.isClockRight) await this.#cleanUpClock.vouch()
    const removed: CleanUpResult[] = []
    for (const job of this.#jobs) if ('cleanUp' in job) removed.push(await this.#cleanUpAll(job))
    return removed
  }

  /** Starts nothing more and waits for what runs. */
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
      if ('cleanUp' in job) await this.#alone(job, () => this.#cleanUpOnce(job))
      else await job.run()
    } catch (error) {
      lastError = String(error).slice(0, errorCharactersMax)
      this.#log.warn('job failed: will retry', { job: job.name, cause: error })
    } finally {
      this.#running.delete(job)
      const lastDurationMs = Math.round(this.#clock.monotonic() - startedMs)
      const failing = 'cleanUp' in job ? (job.failing?.() ?? 0) : 0
      this.#reports.set(job.name, { name: job.name, lastRunAt, lastDurationMs, lastError, failing })
    }
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

  /** Null when another process is at it. */
  async #alone<T>(job: CleanUpJob, work: () => Promise<T>): Promise<T | null> {
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
  return { name, lastRunAt: null, lastDurationMs: null, lastError: null, failing: 0 }
}
