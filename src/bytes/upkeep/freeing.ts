import type { Database, Sql } from '../../database/connect.ts'
import { type Clock, hourMs, minuteMs } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { SegmentWriters } from '../segments/segment-writers.ts'
import type { DatabaseSpace } from './free-space.ts'
import * as rows from './freeing-sql.ts'
import type { RemovedBytes } from '../send/running.ts'
import type { StorageRoot } from '../store/store.ts'
import { markShrunk } from './unused-segments-sql.ts'

/** Unlinking a segment takes about as long as deleting this many rows. */
const segmentRows = 500
/** Rows that a request frees before it answers. The job does the rest. */
const inlineRows = 50_000
const inlineMs = 1_000
/** Rows that the job frees of one container before it turns to the next. */
const turnRows = 100_000
const firstDelayMs = minuteMs
const delayMsMax = 6 * hourMs
/** Downloads that began earlier count as broken; equals the life of a lease. */
export const readingMsMax = 24 * hourMs
const errorCharactersMax = 300
const reportedMax = 20

export interface FreeingDeps {
  readonly root: StorageRoot
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly writers: SegmentWriters
  readonly databaseSpace: DatabaseSpace
  /** Whether a transfer of this process reads the bytes of a share now, counted or not. */
  readonly isRead: (shareId: string) => boolean
  readonly removed: RemovedBytes
}

/** The work that may still be done before others get their turn. */
class Allowance {
  /** Whether to wait for other transactions that free the same container. */
  readonly waits: boolean
  #rowsLeft: number
  readonly #isLate: () => boolean

  constructor(options: { waits: boolean; rowsMax: number; isLate: () => boolean }) {
    this.waits = options.waits
    this.#rowsLeft = options.rowsMax
    this.#isLate = options.isLate
  }

  get isUsedUp(): boolean {
    return this.#rowsLeft <= 0 || this.#isLate()
  }

  use(count: number): void {
    this.#rowsLeft -= count
  }

  /** Whether another segment may be removed, which is then. */
  takesSegment(): boolean {
    if (this.isUsedUp) return false
    this.use(segmentRows)
    return true
  }
}

/**
 * Frees the rows and bytes of containers without an owner, in pages. The transaction that hides an
 * owner leaves a tombstone; from then on nothing leads to the container, so that it can be freed
 * slowly: first the rows of segments, because new segments check theirs again (segment-writers.ts),
 * then the folder, then chunks, files and downloads, then the container's row with the tombstone.
 * Each step can be repeated after a crash. A container that cannot be freed waits longer after each
 * attempt and delays no other.
 */
export class Freeing {
  readonly #deps: FreeingDeps
  #isStopped = false

  constructor(deps: FreeingDeps) {
    this.#deps = deps
  }

  /** Ends a run at its next page, so that a shutdown need not wait for it. */
  stop(): void {
    this.#isStopped = true
  }

  /** Frees everything that is due. Returns the number of finished containers. */
  async run(): Promise<number> {
    const { root, database } = this.#deps
    let done = 0
    let isUnfinished = true
    while (isUnfinished && !this.#isStopped && (await root.isPresent())) {
      isUnfinished = false
      let last: rows.DueTombstone | null = null
      const due = this.#dueNow()
      do {
        const page: rows.DueTombstone[] = await rows.listDueTombstones(database.sql, due, last)
        for (const tombstone of page) {
          const turn = { waits: false, rowsMax: turnRows, isLate: () => this.#isStopped }
          const outcome = await this.#try(tombstone, new Allowance(turn))
          if (outcome === 'done') done += 1
          if (outcome === 'unfinished') isUnfinished = true
        }
        last = page.at(-1) ?? null
      } while (last !== null && !this.#isStopped)
    }
    return done
  }

  /**
   * Frees as much of these containers as a request has time for; the job does the rest. Failures
   * are left to the job too, because the deletion itself has succeeded. Returns the number of
   * finished containers.
   */
  async runInline(containerIds: readonly string[]): Promise<number> {
    const { root, database, clock, log } = this.#deps
    const deadlineMs = clock.monotonic() + inlineMs
    const isLate = () => clock.monotonic() > deadlineMs
    const allowance = new Allowance({ waits: true, rowsMax: inlineRows, isLate })
    let done = 0
    try {
      if (!(await root.isPresent())) return 0
      for (const containerId of containerIds) {
        if (allowance.isUsedUp) break
        const tombstone = await rows.findTombstone(database.sql, containerId, this.#readers())
        if (tombstone && (await this.#try(tombstone, allowance)) === 'done') done += 1
      }
    } catch (error) {
      log.warn('deleted bytes still on disk: next clean-up removes them', { cause: error })
    }
    return done
  }

  /** Call at start: continues where the last process ended, for a limited time. */
  async resume(): Promise<void> {
    const due = await rows.listDueTombstones(this.#deps.database.sql, this.#dueNow(), null)
    await this.runInline(due.map(({ containerId }) => containerId))
  }

  /** Containers that could not be freed: their number and the worst of them. */
  report(): Promise<{ count: number; first: rows.FailedTombstone[] }> {
    return rows.listFailedTombstones(this.#deps.database.sql, reportedMax)
  }

  async #try(
    tombstone: rows.DueTombstone,
    allowance: Allowance,
  ): Promise<'done' | 'unfinished' | 'later'> {
    try {
      // Deleting rows needs space at first.
      await this.#deps.databaseSpace.makeForDeletion()
      return await this.#free(tombstone, allowance)
    } catch (error) {
      const { clock, log, database } = this.#deps
      const { containerId } = tombstone
      const attempts = tombstone.attempts + 1
      // A minute, doubled with each attempt up to six hours.
      const delayMs = Math.min(delayMsMax, firstDelayMs * 2 ** Math.min(20, attempts - 1))
      const nextTryAt = new Date(clock.now() + delayMs)
      log.warn('container removal failed: will retry', {
        container: containerId,
        attempts,
        nextTryAt: nextTryAt.toISOString(),
        cause: error,
      })
      await rows.postponeTombstone(database.sql, containerId, {
        attempts,
        nextTryAt,
        error: String(error).slice(0, errorCharactersMax),
      })
      return 'later'
    }
  }

  /** `later`: another process frees it, finalize holds it, or a download or a backup reads it. */
  async #free(
    { containerId, shareId, frees }: rows.DueTombstone,
    allowance: Allowance,
  ): Promise<'done' | 'unfinished' | 'later'> {
    const isRead = () => frees === 'contents' && shareId !== null && this.#deps.isRead(shareId)
    if (isRead()) return 'later'
    if (frees !== 'chunks') {
      // The tombstone is committed, so a backup that begins after this question leaves it out.
      if (await rows.isRemovalHeld(this.#deps.database.sql)) return 'later'
      const closed = await this.#inPages(containerId, frees, allowance, closeContainer(containerId))
      if (closed !== 'done') return closed
      // One may have begun meanwhile; from here on none does.
      if (isRead()) return 'later'
      this.#deps.removed.add(containerId)
      const mayGoOn = () => allowance.takesSegment()
      if (!(await this.removeFolder(containerId, mayGoOn))) return 'unfinished'
    }
    const step = freeAll(stagesOf({ containerId, shareId, frees }))
    return this.#inPages(containerId, frees, allowance, step, async (sql) => {
      if (frees === 'container') await rows.deleteContainer(sql, containerId)
      if (frees === 'chunks') await markShrunk(sql, containerId)
      await rows.deleteTombstone(sql, containerId)
    })
  }

  /** Repeats a step, each time in a transaction, until nothing is left to do. */
  async #inPages(
    containerId: string,
    frees: rows.Frees,
    allowance: Allowance,
    step: Step,
    finish: (sql: Sql) => Promise<void> = async () => {},
  ): Promise<'done' | 'unfinished' | 'later'> {
    for (;;) {
      const outcome = await this.#deps.database.begin(async (sql) => {
        // The tombstone frees something else than before, for example because an expired share was
        // deleted: start over, so that no step is left out.
        const locked = await rows.lockTombstone(sql, containerId, allowance.waits)
        if (locked !== frees) return 'later'
        const freed = await step(sql)
        if (freed === null) return 'later'
        allowance.use(freed)
        if (freed >= pageRows) return 'unfinished'
        await finish(sql)
        return 'done'
      })
      if (outcome !== 'unfinished' || allowance.isUsedUp) return outcome
    }
  }

  /** Removes everything of a container, with or without a tombstone. False: see StorageRoot. */
  async removeFolder(containerId: string, mayGoOn = () => true): Promise<boolean> {
    await this.#deps.writers.closeContainer(containerId)
    return this.#deps.root.removeContainer(containerId, mayGoOn)
  }

  #dueNow(): rows.DueOptions {
    const now = new Date(this.#deps.clock.now())
    const dueBefore = new Date(now.getTime() + delayMsMax)
    return { now, dueBefore, readers: this.#readers() }
  }

  #readers(): rows.Readers {
    const { clock, writers } = this.#deps
    return { since: new Date(clock.now() - readingMsMax), processId: writers.ownerId }
  }
}

/** Rows of one transaction. Keeps each statement well below statement_timeout. */
const pageRows = 5_000

/**
 * Frees at most a page of rows. Returns their number, or null while another transaction blocks it.
 */
export type Step = (sql: Sql) => Promise<number | null>

/** Frees at most `limit` rows. Returns their number. */
type Stage = (sql: Sql, limit: number) => Promise<number>

/** Closes a container for new bytes, and frees the rows of its segments. */
function closeContainer(containerId: string): Step {
  const free = freeAll([
    tableOf('segments', containerId),
    tableOf('segment_tombstones', containerId),
  ])
  return async (sql) => ((await rows.closeContainer(sql, containerId)) ? free(sql) : null)
}

function stagesOf({
  containerId,
  shareId,
  frees,
}: Pick<rows.DueTombstone, 'containerId' | 'shareId' | 'frees'>): Stage[] {
  const which = frees === 'chunks' ? 'pending' : 'all'
  const stages = [
    tableOf('thumbnails', containerId, which),
    tableOf('folders', containerId, which),
    freeChunks(containerId),
  ]
  if (frees !== 'chunks') stages.push(freeFiles(containerId))
  if (frees === 'container' && shareId !== null) {
    // Downloads first: they refer to their lease.
    stages.push((sql, limit) => rows.freeDownloads(sql, shareId, limit), tableOf('leases', shareId))
  }
  return stages
}

function freeFiles(containerId: string): Stage {
  let afterId = 0
  return async (sql, limit) => {
    const { freed, lastId } = await rows.freeFiles(sql, containerId, afterId, limit)
    afterId = lastId
    return freed
  }
}

function tableOf(
  table: Parameters<typeof rows.freeTable>[1],
  ownerId: string,
  which: 'all' | 'pending' = 'all',
): Stage {
  return (sql, limit) => rows.freeTable(sql, table, ownerId, limit, which)
}

function freeChunks(containerId: string): Stage {
  let after: rows.ChunkPlace = { fileKey: '', index: -1 }
  return async (sql, limit) => {
    const { freed, last } = await rows.freeChunks(sql, containerId, after, limit)
    after = last
    return freed
  }
}

/** Runs one page of the first stages that have rows left. */
function freeAll(stages: readonly Stage[]): Step {
  return async (sql) => {
    let freed = 0
    for (const stage of stages) {
      while (freed < pageRows) {
        const count = await stage(sql, pageRows - freed)
        if (count === 0) break
        freed += count
      }
    }
    return freed
  }
}
