import type { Database } from '../../../database/connect.ts'
import type { Clock } from '../../../lib/clock.ts'
import { CodedError } from '../../../lib/errors.ts'
import * as findings from './findings-sql.ts'
import type { Place } from './place.ts'
import * as rows from './runs-sql.ts'

/** Further findings are only counted. */
const findingsKeptMax = 10_000
/** How much work a kill may cost, and how often a run shows that it is alive. */
const saveMsMin = 2_000

export interface RunDeps {
  readonly database: Database
  readonly clock: Clock
  readonly workerId: string
  readonly onFinding: (finding: findings.Finding) => void
}

/** A run of this process: its place and its findings, stored in the database. */
export class Run {
  readonly id: number
  /** What was found and checked before the run was resumed; null for a new run. */
  readonly resumed: { readonly lastFindingId: number; readonly lastContainerId: string } | null
  place: Place
  readonly #deps: RunDeps
  #bytesChecked: number
  #savedMs: number
  /** Subjects found again in the container of the second check; null in the first pass. */
  #confirmed: Set<string> | null = null

  /** @param lastFindingId the newest finding of a resumed run; null for a new one */
  constructor(row: rows.RunRow, lastFindingId: number | null, deps: RunDeps) {
    const { inside, containerId } = row.place
    const lastContainerId = inside?.containerId ?? containerId
    this.#deps = deps
    this.id = row.id
    this.resumed = lastFindingId === null ? null : { lastFindingId, lastContainerId }
    this.place = row.place
    this.#bytesChecked = row.bytesChecked
    this.#savedMs = deps.clock.monotonic()
  }

  /** @param bytes bytes between the last place and this one */
  advance(place: Place, bytes: number): void {
    if (this.#confirmed) return
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
    const progress = { id, workerId, place, bytesChecked: this.#bytesChecked }
    if (!(await rows.saveProgress(database.sql, progress))) {
      const message = 'Another process took over the verification.'
      throw new CodedError('conflict', { message })
    }
    this.#savedMs = clock.monotonic()
  }

  /** Stores a finding, unless this run has it already. */
  async find(finding: findings.NewFinding): Promise<void> {
    const { database, clock } = this.#deps
    const options = { keptMax: findingsKeptMax, at: new Date(clock.now()) }
    const id = await database.begin((sql) => findings.insertFinding(sql, this.id, finding, options))
    if (id === null) return this.#confirm(finding.subject)
    if (id > 0) await this.#tell(id)
  }

  /** Begins the second check of a container in a resumed run: `advance` counts nothing then. */
  beginAgain(): void {
    this.#confirmed = new Set()
  }

  /** Ends the second check: removes earlier findings that it has not confirmed. */
  async settleAgain(containerId: string): Promise<void> {
    if (!this.#confirmed || !this.resumed) return
    const { lastFindingId } = this.resumed
    const container = { id: containerId, lastFindingId, confirmed: [...this.#confirmed] }
    await findings.withdrawFindings(this.#deps.database.sql, this.id, container)
  }

  async #confirm(subject: string): Promise<void> {
    if (!this.#confirmed || !this.resumed || this.#confirmed.has(subject)) return
    this.#confirmed.add(subject)
    const id = await findings.findBySubject(this.#deps.database.sql, this.id, subject)
    if (id !== null && id <= this.resumed.lastFindingId) await this.#tell(id)
  }

  async #tell(findingId: number): Promise<void> {
    const { database, onFinding } = this.#deps
    const page = { afterId: findingId - 1, limit: 1 }
    for (const found of await findings.listFindings(database.sql, this.id, page)) onFinding(found)
  }

  /** @param error why it ends early; null when it is finished or was stopped */
  async leave(isFinished: boolean, error: string | null = null): Promise<void> {
    const { database, clock, workerId } = this.#deps
    const finishedAt = isFinished ? new Date(clock.now()) : null
    await rows.leaveRun(database.sql, { id: this.id, workerId, finishedAt, error })
  }
}
