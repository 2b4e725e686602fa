import { hourMs } from '../../../lib/clock.ts'
import { findLosses, type CheckBasis } from './losses.ts'
import { findOrphans } from './orphans.ts'
import { findFinishedRun } from './runs-sql.ts'
import { pagesOfSegments } from './sql.ts'

/** Whether database and files match. */
export interface StorageCheck {
  readonly checkedAt: Date
  readonly segments: number
  /** Segments without a file, and files with fewer bytes than are needed. */
  readonly missing: number
  readonly short: number
  /**
   * Folders and segments on disk that the database does not know; it may be older than the files.
   */
  readonly orphaned: number
}

/**
 * Compares the rows of segments with their files by size, without reading them: a database that is
 * newer than the files misses bytes, an older one does not know some. Runs at start, after each
 * verification, and hourly while something is wrong.
 */
export class StartCheck {
  readonly #deps: CheckBasis
  readonly #stopped = new AbortController()
  #running: Promise<void> | null = null
  #last: StorageCheck | null = null
  /** Monotonic time; null before the first check. */
  #beganMs: number | null = null
  /** The verification that was finished last at that time. */
  #runId: number | null = null

  constructor(deps: CheckBasis) {
    this.#deps = deps
  }

  /** Null before the first check is finished. */
  get last(): StorageCheck | null {
    return this.#last
  }

  get isFine(): boolean {
    return this.#last === null || isFine(this.#last)
  }

  /** Runs a check, in the background for callers that do not wait. Never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#look().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  /** For the job. A verification in another process counts too. */
  async runIfDue(): Promise<void> {
    if (this.#beganMs === null) return
    const { clock, database } = this.#deps
    const isWrong = this.#last === null || !isFine(this.#last)
    const isLate = clock.monotonic() - this.#beganMs >= hourMs
    const isVerified = (await findFinishedRun(database.sql)) !== this.#runId
    if ((isWrong && isLate) || isVerified) await this.run()
  }

  stop(): void {
    this.#stopped.abort(new Error('the service stops'))
  }

  async close(): Promise<void> {
    this.stop()
    await this.#running
  }

  async #look(): Promise<void> {
    const { clock, database, log } = this.#deps
    this.#beganMs = clock.monotonic()
    try {
      this.#runId = await findFinishedRun(database.sql)
      const found = await this.#checkSegments()
      const orphaned = await this.#countOrphans()
      const check = { ...found, orphaned }
      this.#last = { checkedAt: new Date(clock.now()), ...check }
      if (isFine(this.#last)) log.info('database and files match', check)
      else log.error('database and files do not match', check)
    } catch (error) {
      if (!this.#stopped.signal.aborted) log.warn('start check failed', { cause: error })
    }
  }

  async #checkSegments(): Promise<Omit<StorageCheck, 'checkedAt' | 'orphaned'>> {
    const found = { segments: 0, missing: 0, short: 0 }
    for await (const segments of pagesOfSegments(this.#deps.database.sql, null)) {
      this.#stopped.signal.throwIfAborted()
      found.segments += segments.length
      for (const { isMissing } of await findLosses(this.#deps, segments)) {
        if (isMissing) found.missing += 1
        else found.short += 1
      }
    }
    return found
  }

  async #countOrphans(): Promise<number> {
    const deps = { ...this.#deps, signal: this.#stopped.signal }
    let count = 0
    for await (const orphans of findOrphans(deps)) count += orphans.length
    return count
  }
}

function isFine({ missing, short, orphaned }: StorageCheck): boolean {
  return missing + short + orphaned === 0
}
