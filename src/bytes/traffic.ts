import type { Database } from '../database/connect.ts'
import { type Clock, dayMs, minuteMs } from '../lib/clock.ts'
import { inOrder, Permits } from '../lib/permits.ts'
import * as rows from './traffic-sql.ts'

export const trafficDaysMax = 400
/** Days that may wait for a database that does not answer. */
const pendingDaysMax = 32

export interface TrafficDeps {
  readonly database: Database
  readonly clock: Clock
}

export interface ReportedDay extends Readonly<rows.DayCounts> {
  /** `2030-12-31`, in UTC. */
  readonly day: string
  /** Bytes on disk at its end; null before the first recorded day. */
  readonly storedBytes: number | null
}

export interface TrafficReport {
  /** The first recorded day. */
  readonly since: string
  /** Oldest first, today last. */
  readonly days: readonly ReportedDay[]
}

/**
 * Counts the bytes of files that are received and sent on each day (UTC). Counts are kept in memory
 * and added to the database within five seconds and at a clean stop, because a statement for each
 * chunk would slow down uploads. A crash loses the counts of these seconds.
 */
export class Traffic {
  readonly #deps: TrafficDeps
  /** Counts since the start of this process. */
  readonly #totals = sumOf()
  /** By the number of the day since 1970. */
  #pending = new Map<number, rows.DayCounts>()
  #flushedAt = 0
  /** Counts are never read between their row and their removal from `#pending`. */
  readonly #turn = new Permits(inOrder(1))

  constructor(deps: TrafficDeps) {
    this.#deps = deps
  }

  get totals(): Readonly<rows.DayCounts> {
    return this.#totals
  }

  count(what: keyof rows.DayCounts, count: number): void {
    this.#today()[what] += count
    this.#totals[what] += count
  }

  /** Records new counts; without any, only notes once a minute how many bytes are stored. */
  async flushIfDue(): Promise<void> {
    // The clock may have been set back.
    const isDue = Math.abs(this.#deps.clock.now() - this.#flushedAt) >= minuteMs
    if (isDue || this.#pending.size > 0) await this.flush()
  }

  /**
   * Adds the counts to the database, and notes how many bytes are stored. After a failure they are
   * added with the next call; if only the answer was lost, that counts them twice.
   */
  async flush(): Promise<void> {
    await this.#turn.run(async () => {
      this.#today()
      const counted = this.#pending
      this.#pending = new Map()
      const days = [...counted].map(([day, counts]) => [nameOf(day), counts] as const)
      try {
        await rows.addTraffic(this.#deps.database.sql, days, nameOf(this.#dayNumber()))
      } catch (error) {
        this.#putBack(counted)
        throw error
      }
      this.#flushedAt = this.#deps.clock.now()
    })
  }

  /** Call at a clean stop. */
  async close(): Promise<void> {
    if (this.#pending.size > 0) await this.flush()
  }

  /** The last days, today included: missing ones without traffic, and with the storage before. */
  async report(count: number): Promise<TrafficReport> {
    const { sql } = this.#deps.database
    const today = this.#dayNumber()
    const first = today - count + 1
    const { recorded, frame, pending } = await this.#turn.run(async () => {
      const [recorded, frame] = await Promise.all([
        rows.listTraffic(sql, nameOf(first), nameOf(today)),
        rows.findTrafficFrame(sql),
      ])
      return { recorded, frame, pending: new Map(this.#pending) }
    })
    const known = new Map(recorded.map((one) => [one.day, one]))
    const [before] = recorded
    let storedBytes = before && before.day < nameOf(first) ? before.storedBytes : null
    const days: ReportedDay[] = []
    for (let number = first; number <= today; number++) {
      const day = nameOf(number)
      const counts = sumOf(known.get(day), pending.get(number))
      storedBytes =
        number === today ? frame.storedBytes : (known.get(day)?.storedBytes ?? storedBytes)
      days.push({ day, ...counts, storedBytes })
    }
    const { since } = frame
    return { since: since !== null && since < nameOf(today) ? since : nameOf(today), days }
  }

  /** Removes days that are older than `trafficDaysMax`. Returns their number. */
  removeOld(): Promise<number> {
    const first = nameOf(this.#dayNumber() - trafficDaysMax + 1)
    return rows.removeTrafficBefore(this.#deps.database.sql, first)
  }

  #dayNumber(): number {
    return Math.floor(this.#deps.clock.now() / dayMs)
  }

  #today(): rows.DayCounts {
    const day = this.#dayNumber()
    const known = this.#pending.get(day)
    if (known) return known
    const [oldest] = this.#pending.keys()
    if (this.#pending.size >= pendingDaysMax) this.#pending.delete(oldest!)
    const counts = sumOf()
    this.#pending.set(day, counts)
    return counts
  }

  /** Counts of a failed flush, and those of the meantime. */
  #putBack(counted: Map<number, rows.DayCounts>): void {
    for (const [day, counts] of this.#pending) counted.set(day, sumOf(counted.get(day), counts))
    this.#pending = counted
  }
}

function sumOf(...all: readonly (Readonly<rows.DayCounts> | undefined)[]): rows.DayCounts {
  const sum = { receivedBytes: 0, sentBytes: 0, uploads: 0, downloads: 0 }
  for (const one of all) {
    sum.receivedBytes += one?.receivedBytes ?? 0
    sum.sentBytes += one?.sentBytes ?? 0
    sum.uploads += one?.uploads ?? 0
    sum.downloads += one?.downloads ?? 0
  }
  return sum
}

function nameOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}
