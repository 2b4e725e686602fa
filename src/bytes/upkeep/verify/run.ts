import type { Database } from '../../../database/connect.ts'
import type { Clock } from '../../../lib/clock.ts'
import { CodedError } from '../../../lib/errors.ts'
import { nameFinding, type Finding, type NewFinding } from './findings-sql.ts'
import type { Place } from './place.ts'
import * as rows from './runs-sql.ts'

/** How much work a kill may cost, and how often a run shows that it is alive. */
const saveMsMin = 2_000

export interface RunDeps {
  readonly database: Database
  readonly clock: Clock
  readonly workerId: string
  readonly onFinding: (finding: Finding) => void
}

/** A run of this process. Its place and its counts are stored together. */
export class Run {
  readonly id: number
  place: Place
  readonly #deps: RunDeps
  readonly #counts: Record<rows.FindingKind, number>
  #bytesChecked: number
  #savedMs: number

  constructor(row: rows.RunRow, deps: RunDeps) {
    this.#deps = deps
    this.id = row.id
    this.place = row.place
    this.#counts = { ...row.counts }
    this.#bytesChecked = row.bytesChecked
    this.#savedMs = deps.clock.monotonic()
  }

  /** @param bytes bytes between the last place and this one */
  advance(place: Place, bytes: number): void {
    this.place = place
    this.#bytesChecked += bytes
  }

  /** Whether the place was last saved some time ago. */
  get isSaveDue(): boolean {
    return this.#deps.clock.monotonic() - this.#savedMs >= saveMsMin
  }

  /** @throws CodedError conflict when another process has taken the run over */
  async save(): Promise<void> {
    const { database, clock, workerId } = this.#deps
    const { id, place } = this
    const progress = {
      id,
      workerId,
      place,
      bytesChecked: this.#bytesChecked,
      counts: this.#counts,
    }
    if (!(await rows.saveProgress(database.sql, progress))) {
      const message = 'Another process took over the verification.'
      throw new CodedError('conflict', { message })
    }
    this.#savedMs = clock.monotonic()
  }

  async find(finding: NewFinding): Promise<void> {
    const { database, onFinding } = this.#deps
    const names = await nameFinding(database.sql, finding)
    this.#counts[finding.kind] += 1
    onFinding({ ...finding, ...names })
  }

  /** Before orphans are searched: that search begins at the start again after an interruption. */
  forgetOrphans(): void {
    this.#counts.orphaned = 0
  }

  /** @param error why it ends early; null when it is finished or was stopped */
  async leave(isFinished: boolean, error: string | null = null): Promise<void> {
    const { database, clock, workerId } = this.#deps
    const finishedAt = isFinished ? new Date(clock.now()) : null
    await rows.leaveRun(database.sql, { id: this.id, workerId, finishedAt, error })
  }
}
