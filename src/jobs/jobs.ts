import type { Log } from '../lib/log.ts'

export interface Job {
  readonly name: string
  /** At most an hour: no timer of ours is longer. */
  readonly everyMs: number
  readonly run: () => Promise<unknown>
}

/** Runs jobs at their intervals, each one at a time; a failure is logged and tried again. */
export class Jobs {
  readonly #log: Log
  readonly #jobs: readonly Job[]
  readonly #timers: NodeJS.Timeout[] = []
  readonly #running = new Map<Job, Promise<void>>()

  constructor(log: Log, jobs: readonly Job[]) {
    this.#log = log
    this.#jobs = jobs
  }

  start(): void {
    for (const job of this.#jobs) {
      const timer = setInterval(() => void this.#runOnce(job), job.everyMs)
      timer.unref()
      this.#timers.push(timer)
    }
  }

  /** Runs every job once, now: for tests, and for `transfer sweep`. */
  async runAll(): Promise<void> {
    for (const job of this.#jobs) await this.#runOnce(job)
  }

  /** Starts nothing more and waits for what runs. */
  async stop(): Promise<void> {
    for (const timer of this.#timers.splice(0)) clearInterval(timer)
    await Promise.all(this.#running.values())
  }

  #runOnce(job: Job): Promise<void> {
    const running = this.#running.get(job) ?? this.#start(job)
    this.#running.set(job, running)
    return running
  }

  async #start(job: Job): Promise<void> {
    try {
      await job.run()
    } catch (error) {
      this.#log.warn('a job failed and will be tried again', { job: job.name, cause: error })
    } finally {
      this.#running.delete(job)
    }
  }
}
