import type { Database } from '../database/connect.ts'
import type { Clock } from '../lib/clock.ts'
import { minuteMs } from '../lib/durations.ts'
import { randomRowId } from '../lib/random-id.ts'
import { BackupProblem } from './problem.ts'
import * as rows from './sql.ts'

/** How long removals stay held without a sign of life: the bound of a killed backup. */
const holdSeconds = 5 * 60
const extendEveryMs = minuteMs / 2
/** A backup that moves no byte for this long counts as hung, and holds nothing any longer. */
const idleMsMax = 10 * minuteMs

/**
 * Keeps the bytes on disk that a snapshot of the database refers to. While it is held, neither
 * freeing nor unused-segments.ts removes a segment (bytes/upkeep/freeing-sql.ts). Only the
 * clock of the database counts.
 */
export class RemovalHold {
  readonly id = randomRowId()
  readonly #database: Database
  readonly #clock: Clock
  #timer: NodeJS.Timeout | null = null
  #movedAtMs: number
  #isLost = false

  private constructor(database: Database, clock: Clock) {
    this.#database = database
    this.#clock = clock
    this.#movedAtMs = clock.monotonic()
  }

  /** Take it before the snapshot. @param place for administrators */
  static async take(database: Database, clock: Clock, place: string): Promise<RemovalHold> {
    const hold = new RemovalHold(database, clock)
    await rows.insertRun(database.sql, { id: hold.id, place, holdSeconds })
    hold.#timer = setInterval(() => void hold.#extend(), extendEveryMs).unref()
    return hold
  }

  /** Call after each step of progress. @throws BackupProblem when the hold has ended */
  moved(): void {
    this.#movedAtMs = this.#clock.monotonic()
    if (this.#isLost) throw lost()
  }

  /** @throws BackupProblem when the hold has ended at any time since it was taken */
  async require(): Promise<void> {
    if (this.#isLost || !(await rows.extendHold(this.#database.sql, this.id, holdSeconds))) {
      throw lost()
    }
  }

  /** Lets removals go on. */
  async release(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
    await rows.endHold(this.#database.sql, this.id)
    await rows.deleteOldRuns(this.#database.sql)
  }

  async #extend(): Promise<void> {
    if (this.#clock.monotonic() - this.#movedAtMs > idleMsMax) return
    try {
      if (await rows.extendHold(this.#database.sql, this.id, holdSeconds)) return
      this.#isLost = true
    } catch {
      // Without its database, nothing is removed either; the next attempt tells.
    }
  }
}

function lost(): BackupProblem {
  return new BackupProblem(
    'the backup stood still for minutes, so stored files may have been removed. Run it again.',
  )
}
