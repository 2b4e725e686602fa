import { realpath, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { Manifests } from '../manifests.ts'
import type { TakeJob } from '../../../jobs/jobs.ts'
import { dayMs } from '../../../lib/clock.ts'
import { CodedError } from '../../../lib/errors.ts'
import { randomRowId } from '../../../lib/random-id.ts'
import type { StorageRoot } from '../../store/store.ts'
import { ContainerCheck } from './container-check.ts'
import type { Finding } from './findings-sql.ts'
import { diskAway, type CheckBasis } from './losses.ts'
import { findOrphans } from './orphans.ts'
import { Pace } from './pace.ts'
import { Run } from './run.ts'
import * as runRows from './runs-sql.ts'
import { listContainers } from './sql.ts'

const jobName = 'verify'
const pageRows = 100
const reasonLengthMax = 500
/** While the service is working, so that other work can use the disk. */
const backgroundBytesPerSecond = 20_000_000

export interface VerifyDeps extends CheckBasis {
  readonly takeJob: TakeJob
  readonly manifests: Manifests
  /** Days between runs; 0 for never. */
  readonly settings: { readonly values: { readonly verifyDays: number } }
  readonly onFinished: () => void
}

export interface VerifyOptions {
  /** Null for no limit. */
  readonly bytesPerSecond: number | null
  /** Starts over instead of resuming a run. */
  readonly isRestart: boolean
  readonly onFinding: (finding: Finding) => void
  /** Called before an interrupted run is resumed. */
  readonly onResume?: (run: runRows.RunRow) => void
}

export interface VerifyReport {
  /** The unfinished run; null when there is none. */
  readonly current: runRows.RunRow | null
  /** The last finished run. */
  readonly last: runRows.RunRow | null
}

/**
 * Reads everything on disk and checks it against the checksums in the database: in pages, through
 * one buffer, without a lock. Because the service goes on working, a suspected error is checked
 * again before it is reported. One process at a time. An interrupted run is resumed within a day on
 * the host where it began.
 */
export class Verify {
  readonly #deps: VerifyDeps
  readonly #stopped = new AbortController()
  #running: Promise<unknown> | null = null

  constructor(deps: VerifyDeps) {
    this.#deps = deps
  }

  /**
   * Runs to the end.
   * @returns null when a run is under way, here or in another process
   * @throws the reason of `stop`; CodedError unavailable
   */
  async run(options: VerifyOptions): Promise<runRows.RunRow | null> {
    const refund = await this.#take()
    if (!refund) return null
    const work = async () => this.#finish(await this.#open(options), options)
    return this.#track(work(), refund)
  }

  /**
   * Begins or resumes a run in the background; `report` includes it as soon as this resolves.
   * @throws CodedError conflict when a run is under way, unavailable
   */
  async start(): Promise<void> {
    const refund = await this.#take()
    if (!refund) {
      throw new CodedError('conflict', { message: 'A verification is already running.' })
    }
    const options = this.#inBackground()
    const opening = this.#open(options)
    const work = async () => this.#finish(await opening, options)
    this.#track(work(), refund).catch((error: unknown) => {
      if (this.#stopped.signal.aborted) return
      this.#deps.log.warn('verification failed', { cause: error })
    })
    await opening
  }

  /** For the job: begins a run when one is due, and resumes an interrupted one. */
  async runIfDue(): Promise<void> {
    const { clock, settings } = this.#deps
    const days = settings.values.verifyDays
    if (days === 0) return
    const { current, last } = await this.report()
    if (current?.isActive) return
    const { sql } = this.#deps.database
    const before = last?.startedAt ?? (await runRows.findStorageAge(sql))
    // A clock that was ahead does not put it off for long.
    const isDue = before !== null && Math.abs(clock.now() - before.getTime()) >= days * dayMs
    if (!current && !isDue) return
    try {
      await this.run(this.#inBackground())
    } catch (error) {
      if (!this.#stopped.signal.aborted) throw error
    }
  }

  async report(): Promise<VerifyReport> {
    const [newest, ...older] = await runRows.listRuns(this.#deps.database.sql)
    if (!newest) return { current: null, last: null }
    if (newest.finishedAt) return { current: null, last: newest }
    return { current: newest, last: older.find(({ finishedAt }) => finishedAt !== null) ?? null }
  }

  /**
   * Removes everything that the database does not know.
   * @returns number of removed folders and segments
   */
  async removeOrphans(): Promise<number> {
    const { database, storage } = this.#deps
    const { signal } = this.#stopped
    let removed = 0
    for await (const orphans of findOrphans({ database, storage, signal })) {
      for (const { containerId, segmentId } of orphans) {
        signal.throwIfAborted()
        if (segmentId === null) await storage.freeing.removeFolder(containerId)
        else if ((await storage.removeSegments(containerId, [segmentId])) === 0) continue
        removed += 1
      }
    }
    return removed
  }

  /** Ends a running check, so that a shutdown need not wait for it. */
  stop(): void {
    this.#stopped.abort(new CodedError('unavailable', { message: 'The verification was stopped.' }))
  }

  async close(): Promise<void> {
    this.stop()
    await this.#running?.catch(() => {})
  }

  /** At the pace of the service, with a line in its log for each finding. */
  #inBackground(): VerifyOptions {
    const onFinding = (finding: Finding) => {
      const { kind, containerId: container, segmentId: segment, fileId: file, files } = finding
      this.#deps.log.warn('verification found damage', { kind, container, segment, file, files })
    }
    return { bytesPerSecond: backgroundBytesPerSecond, isRestart: false, onFinding }
  }

  /** Null while a run is under way, here or elsewhere. */
  async #take(): Promise<(() => Promise<void>) | null> {
    if (this.#running) return null
    const taking = this.#deps.takeJob(jobName)
    this.#running = taking
    const refund = await taking.catch((error: unknown) => {
      this.#running = null
      throw error
    })
    if (!refund) this.#running = null
    return refund
  }

  #track<T>(work: Promise<T>, refund: () => Promise<void>): Promise<T> {
    const untilGivenBack = async () => {
      try {
        return await work
      } finally {
        await refund()
        this.#running = null
      }
    }
    const tracked = untilGivenBack()
    this.#running = tracked
    return tracked
  }

  async #finish(run: Run, options: VerifyOptions): Promise<runRows.RunRow> {
    const { log } = this.#deps
    try {
      await this.#checkAll(run, options)
    } catch (error) {
      await this.#leave(run, error)
      throw error
    }
    await run.save()
    await run.leave(true)
    const { last } = await this.report()
    const { counts, bytesChecked } = last!
    const isFine = Object.values(counts).every((count) => count === 0)
    log[isFine ? 'info' : 'warn']('verified storage', { bytes: bytesChecked, ...counts })
    this.#deps.onFinished()
    return last!
  }

  /** Takes the interrupted run, or a new one. */
  async #open({ isRestart, onFinding, onResume }: VerifyOptions): Promise<Run> {
    const { database, storage, clock } = this.#deps
    const { sql } = database
    if (!(await storage.root.isPresent())) throw diskAway()
    const workerId = randomRowId()
    const deps = { database, clock, workerId, onFinding }
    const storagePlace = await placeOf(storage.root)
    const { current } = await this.report()
    const mayResume = current?.isRecent && current.storagePlace === storagePlace && !isRestart
    const taken = mayResume ? await runRows.takeRun(sql, current.id, workerId) : null
    if (taken) {
      onResume?.(taken)
      return new Run(taken, deps)
    }
    const fresh = { workerId, startedAt: new Date(clock.now()), storagePlace }
    return new Run(await database.begin((begun) => runRows.insertRun(begun, fresh)), deps)
  }

  async #checkAll(run: Run, { bytesPerSecond }: VerifyOptions): Promise<void> {
    const { database, clock, manifests } = this.#deps
    const { signal } = this.#stopped
    const pace = new Pace({ bytesPerSecond, clock, signal })
    const check = new ContainerCheck({ ...this.#deps, run, pace, signal })
    for (;;) {
      const ids = await listContainers(database.sql, run.place.containerId, pageRows)
      for (const id of ids) {
        signal.throwIfAborted()
        const { inside } = run.place
        await check.check(id, inside?.containerId === id ? inside.at : null)
        await manifests.mend(id)
        run.place = { containerId: id, inside: null }
        if (run.isSaveDue) await run.save()
      }
      if (ids.length < pageRows) break
    }
    await this.#checkOrphans(run)
  }

  /** Starts over after an interruption: only names are read. */
  async #checkOrphans(run: Run): Promise<void> {
    const { database, storage } = this.#deps
    const { signal } = this.#stopped
    run.forgetOrphans()
    for await (const orphans of findOrphans({ database, storage, signal })) {
      for (const orphan of orphans) await run.find({ kind: 'orphaned', ...orphan, files: 0 })
      if (run.isSaveDue) await run.save()
    }
    // A disk that was removed meanwhile has not been checked.
    if (!(await storage.root.isPresent())) throw diskAway()
  }

  /** Stores where and why a run ended early. */
  async #leave(run: Run, cause: unknown): Promise<void> {
    const reason = this.#stopped.signal.aborted ? null : String(cause).slice(0, reasonLengthMax)
    try {
      await run.save()
      await run.leave(false, reason)
    } catch {
      // The original cause is reported.
    }
  }
}

/** Distinguishes the storage of this host from a copy on another host. */
async function placeOf({ folder, name }: StorageRoot): Promise<string> {
  if (folder === null) return name
  const { ino } = await stat(folder, { bigint: true })
  return `${hostname()} ${await realpath(folder)} ${ino}`
}
