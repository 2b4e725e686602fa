import type { Log } from '../lib/log.ts'

export interface Job {
  readonly name: string
  /** At most an hour: no timer of ours is longer. */
  readonly everyMs: number
  readonly run: () => Promise<unknown>
}

export interface SweepOptions {
  /** Whether somebody vouches for the clock: then it is not doubted. */
  readonly isClockRight: boolean
}

/** A job that removes what is over; in one process at a time, of all on this database. */
export interface SweepJob {
  readonly name: string
  readonly everyMs: number
  /** In the plural, for people. */
  readonly removes: string
  /** How many are gone, some of those that may go; null when the clock was not trusted. */
  readonly sweep: (options: SweepOptions) => Promise<number | null>
}

/** What a sweep came to. */
export interface Swept {
  readonly name: string
  readonly removes: string
  readonly removed: number
  /** Why nothing was removed: a doubtful clock, or another process that is at it. */
  readonly skipped: 'clock' | 'elsewhere' | null
}

/** Takes a job for this process; null when another one has it. Returns what gives it back. */
export type TakeJob = (name: string) => Promise<(() => Promise<void>) | null>

/** Runs jobs at their intervals, each one at a time; a failure is logged and tried again. */
export class Jobs {
  readonly #log: Log
  readonly #takeJob: TakeJob
  readonly #jobs: readonly (Job | SweepJob)[]
  readonly #timers: NodeJS.Timeout[] = []
  readonly #running = new Map<Job | SweepJob, Promise<void>>()

  constructor(log: Log, takeJob: TakeJob, jobs: readonly (Job | SweepJob)[]) {
    this.#log = log
    this.#takeJob = takeJob
    this.#jobs = jobs
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
   * Runs every sweep until nothing is left to remove: for `transfer sweep`.
   * @throws what the first that failed has thrown
   */
  async sweep(options: SweepOptions): Promise<Swept[]> {
    const swept: Swept[] = []
    for (const job of this.#jobs) if ('sweep' in job) swept.push(await this.#sweepAll(job, options))
    return swept
  }

  /** Starts nothing more and waits for what runs. */
  async stop(): Promise<void> {
    for (const timer of this.#timers.splice(0)) clearInterval(timer)
    await Promise.all(this.#running.values())
  }

  #runOnce(job: Job | SweepJob): Promise<void> {
    const running = this.#running.get(job) ?? this.#start(job)
    this.#running.set(job, running)
    return running
  }

  async #start(job: Job | SweepJob): Promise<void> {
    try {
      if ('sweep' in job) await this.#alone(job, () => job.sweep({ isClockRight: false }))
      else await job.run()
    } catch (error) {
      this.#log.warn('a job failed and will be tried again', { job: job.name, cause: error })
    } finally {
      this.#running.delete(job)
    }
  }

  async #sweepAll(job: SweepJob, options: SweepOptions): Promise<Swept> {
    const { name, removes } = job
    let removed = 0
    const outcome = await this.#alone(job, async () => {
      for (;;) {
        const count = await job.sweep(options)
        if (count === null) return 'clock'
        if (count === 0) return 'done'
        removed += count
      }
    })
    return { name, removes, removed, skipped: outcome === 'done' ? null : (outcome ?? 'elsewhere') }
  }

  /** Null when another process is at it. */
  async #alone<T>(job: SweepJob, work: () => Promise<T>): Promise<T | null> {
    const giveBack = await this.#takeJob(job.name)
    if (!giveBack) return null
    try {
      return await work()
    } finally {
      await giveBack()
    }
  }
}
