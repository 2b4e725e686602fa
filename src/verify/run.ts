import type { Database } from '../db/connect.ts'
import type { Clock } from '../lib/clock.ts'
import * as findings from './findings-sql.ts'
import type { Place } from './place.ts'
import * as rows from './runs-sql.ts'

/** Beyond so many, findings are only counted. */
const findingsKeptMax = 10_000
/** What a kill may cost, and how often a run shows that it lives. */
const saveMsMin = 2_000

/** Another process has taken the run over: this one leaves it. */
class RunTaken extends Error {}

export interface RunParts {
  readonly database: Database
  readonly clock: Clock
  readonly workerId: string
  readonly onFinding: (finding: findings.Finding) => void
}

/** A run that this process is at: its place and its findings, kept in the database. */
export class Run {
  readonly id: number
  place: Place
  readonly #parts: RunParts
  #bytesChecked: number
  #keptCount: number
  #savedMs: number

  constructor(row: rows.RunRow, parts: RunParts) {
    this.#parts = parts
    this.id = row.id
    this.place = row.place
    this.#bytesChecked = row.bytesChecked
    this.#keptCount = Object.values(row.counts).reduce((sum, count) => sum + count, 0)
    this.#savedMs = parts.clock.monotonic()
  }

  /** Whether every finding was kept, so that they say all there is to know. */
  get keptAll(): boolean {
    return this.#keptCount < findingsKeptMax
  }

  /** These bytes lie before the place that is saved next. */
  count(bytes: number): void {
    this.#bytesChecked += bytes
  }

  /** Saves the place when that was some time ago. Throws RunTaken. */
  async saveSometimes(): Promise<void> {
    if (this.#parts.clock.monotonic() - this.#savedMs >= saveMsMin) await this.save()
  }

  async save(): Promise<void> {
    const { database, clock, workerId } = this.#parts
    const { id, place } = this
    const progress = { id, workerId, place, bytesChecked: this.#bytesChecked }
    if (!(await rows.saveProgress(database.sql, progress))) throw new RunTaken()
    this.#savedMs = clock.monotonic()
  }

  /** Keeps what was found, unless this run has found it before. */
  async find(finding: findings.NewFinding): Promise<void> {
    const { database, clock, onFinding } = this.#parts
    const options = { keptMax: findingsKeptMax, at: new Date(clock.now()) }
    const id = await database.begin((sql) => findings.insertFinding(sql, this.id, finding, options))
    if (id === null) return
    this.#keptCount += 1
    if (id === 0) return
    const page = { afterId: id - 1, limit: 1 }
    for (const found of await findings.listFindings(database.sql, this.id, page)) onFinding(found)
  }

  async leave(isFinished: boolean): Promise<void> {
    const { database, clock, workerId } = this.#parts
    const finishedAt = isFinished ? new Date(clock.now()) : null
    await rows.leaveRun(database.sql, { id: this.id, workerId, finishedAt })
  }
}
