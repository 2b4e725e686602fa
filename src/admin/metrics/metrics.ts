import type { DiskSpace } from '../../bytes/upkeep/free-space.ts'
import { readdir } from 'node:fs/promises'
import { performance, monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks'
import { descriptorsMax } from '../../http/connections.ts'
import type { RequestCounts } from '../../http/ended-requests.ts'
import { Exposition, type Metric, type Sample } from '../../lib/metrics.ts'
import { inTime, type Clock, minuteMs } from '../../lib/clock.ts'
import { metrics } from './table.ts'
import type { AdminDeps } from '../deps.ts'
import type { Database } from '../../database/connect.ts'
import { succeeds } from '../../lib/shared-work.ts'
import { readFigures, type DatabaseFigures } from '../sql.ts'

/** A bounded resource, and who has it. */
export interface Bounded {
  readonly permits: number
  readonly waiting: number
}

type Deps = Pick<
  AdminDeps,
  'database' | 'storage' | 'uploads' | 'downloads' | 'traffic' | 'jobs' | 'startCheck' | 'clock'
> & {
  readonly requests: RequestCounts
  /** Bounded resources of requests, by name. */
  readonly permits: Readonly<Record<string, Bounded>>
  readonly signIns: { readonly succeeded: number; readonly failed: number }
  readonly version: string
}

/** Describes the service for monitoring. Costs nothing without scrapes. */
export class Metrics {
  readonly #deps: Deps
  readonly #database: DatabaseReader
  readonly #eventLoop: EventLoop

  constructor(deps: Deps) {
    this.#deps = deps
    this.#database = new DatabaseReader(deps)
    this.#eventLoop = new EventLoop(deps.clock)
  }

  /** The text of a scrape. Never rejects because of the database or a disk. */
  async collect(): Promise<string> {
    const { version, database } = this.#deps
    const text = new Exposition()
    const state = await this.#database.read()
    text.samples(metrics.build, [[[version, process.version], 1]])
    this.#addRequests(text)
    this.#addTransfers(text)
    this.#addEventLoop(text)
    await addProcess(text)
    this.#addJobs(text)
    await this.#addDisks(text)
    const { open, inUse, waiting } = database.usage()
    text.value(metrics.databaseUp, state.isUp ? 1 : 0)
    const connections = { in_use: inUse, idle: Math.max(0, open - inUse) }
    text.samples(metrics.databaseConnections, samplesOf(connections))
    text.value(metrics.databaseWaiting, waiting)
    addFigures(text, state)
    this.#addMismatches(text)
    return text.toString()
  }

  close(): void {
    this.#eventLoop.stop()
  }

  #addRequests(text: Exposition): void {
    const { requests } = this.#deps
    text.samples(
      metrics.requests,
      requests
        .listStatuses()
        .map(([operation, status, count]) => [
          [operation, status === 0 ? 'aborted' : String(status)],
          count,
        ]),
    )
    text.histograms(
      metrics.times,
      requests.listTimes().map(([operation, times]) => [[operation], times]),
    )
    text.value(metrics.requestsRunning, requests.running)
    text.value(metrics.connections, requests.connections)
  }

  #addTransfers(text: Exposition): void {
    const { traffic, uploads, downloads, storage, permits, signIns } = this.#deps
    const { totals } = traffic
    text.value(metrics.receivedBytes, totals.receivedBytes)
    text.value(metrics.sentBytes, totals.sentBytes)
    text.value(metrics.uploads, totals.uploads)
    text.value(metrics.downloads, totals.downloads)
    const bounded = Object.entries({
      upload: uploads.budget,
      download: { permits: downloads.budget.transfers, waiting: downloads.budget.waiting },
      ...permits,
    })
    for (const key of ['permits', 'waiting'] as const) {
      text.samples(
        metrics[key],
        bounded.map(([name, one]) => [[name], one[key]]),
      )
    }
    const held = { received: uploads.budget.heldBytes, sent: downloads.budget.heldBytes }
    text.samples(metrics.heldBytes, samplesOf(held))
    const { count, idleCount } = storage.writers
    text.samples(metrics.writers, samplesOf({ writing: count - idleCount, idle: idleCount }))
    text.samples(
      metrics.storeRequests,
      [...(storage.root.requestCounts ?? [])].map(([name, requests]) => [
        name.split(' '),
        requests,
      ]),
    )
    text.samples(metrics.signIns, samplesOf(signIns))
  }

  #addEventLoop(text: Exposition): void {
    const delay = this.#eventLoop.readDelay()
    if (delay) text.samples(metrics.delay, samplesOf({ ...delay }))
    text.value(metrics.loopActive, this.#eventLoop.activeSeconds)
  }

  #addJobs(text: Exposition): void {
    const jobs = this.#deps.jobs.report()
    const each = (metric: Metric, valueOf: (job: (typeof jobs)[number]) => number | null) => {
      text.samples(
        metric,
        samplesOf(Object.fromEntries(jobs.map((job) => [job.name, valueOf(job)]))),
      )
    }
    each(metrics.jobRuns, ({ runs }) => runs)
    each(metrics.jobFailures, ({ failures }) => failures)
    each(metrics.jobSuccess, ({ lastSuccessAt }) => secondsOf(lastSuccessAt))
    each(metrics.jobFailing, ({ lastError, failing }) => Number(lastError !== null || failing > 0))
    each(metrics.jobDuration, ({ lastDurationMs: ms }) => (ms === null ? null : ms / 1000))
  }

  /** A disk that is not mounted, or hangs, has no samples. */
  async #addDisks(text: Exposition): Promise<void> {
    const { clock, storage } = this.#deps
    const [files = null, database = null] = await Promise.all(
      [storage.space, storage.databaseSpace].map((disk) =>
        inTime<DiskSpace | null>(clock, disk.describe(), null, scrapeMsMax).catch(() => null),
      ),
    )
    const each = (metric: Metric, key: keyof DiskSpace) => {
      const values = { files: files?.[key] ?? null, database: database?.[key] ?? null }
      text.samples(metric, samplesOf(values))
    }
    each(metrics.diskFree, 'free')
    each(metrics.diskSize, 'total')
    each(metrics.diskFloor, 'floor')
  }

  #addMismatches(text: Exposition): void {
    const { last } = this.#deps.startCheck
    if (!last) return
    const { missing, short, orphaned } = last
    text.samples(metrics.mismatches, samplesOf({ missing, short, orphaned }))
  }
}

async function addProcess(text: Exposition): Promise<void> {
  const { user, system } = process.cpuUsage()
  text.value(metrics.cpu, (user + system) / 1_000_000)
  text.value(metrics.residentBytes, process.memoryUsage.rss())
  text.value(metrics.startTime, performance.timeOrigin / 1000)
  text.value(metrics.openFiles, await countOpenFiles())
  text.value(metrics.openFilesMax, descriptorsMax())
  text.value(metrics.heapBytes, process.memoryUsage().heapUsed)
}

/** Null on systems without /proc. */
async function countOpenFiles(): Promise<number | null> {
  return readdir('/proc/self/fd').then(
    (names) => names.length,
    () => null,
  )
}

function addFigures(text: Exposition, { figures }: DatabaseState): void {
  if (!figures) return
  text.value(metrics.databaseBytes, figures.databaseBytes)
  text.value(metrics.accounts, figures.users)
  text.value(metrics.sessions, figures.sessions)
  const { drafts: draft, complete, expired } = figures
  text.samples(metrics.shares, samplesOf({ draft, complete, expired }))
  text.value(metrics.reverseShares, figures.reverseShares)
  text.value(metrics.usedBytes, figures.usedBytes)
  text.value(metrics.liveBytes, figures.liveBytes)
  text.value(metrics.tombstones, figures.tombstones)
  const emails = { queued: figures.queuedEmails, dead: figures.deadEmails }
  text.samples(metrics.emails, samplesOf(emails))
  text.value(metrics.damagedFiles, figures.damagedFiles)
  const { missing, short, rotten, orphaned } = figures
  text.value(metrics.verifiedAt, secondsOf(figures.verifiedAt))
  if (figures.verifiedAt === null) return
  text.samples(metrics.verifyFindings, samplesOf({ missing, short, rotten, orphaned }))
}

/** Samples by the values of their only label; null for none. */
function samplesOf(values: Readonly<Record<string, number | null>>): Sample[] {
  return Object.entries(values).flatMap(([label, value]): Sample[] =>
    value === null ? [] : [[[label], value]],
  )
}

function secondsOf(moment: Date | null): number | null {
  return moment === null ? null : moment.getTime() / 1000
}

const resolutionMs = 20

/** Delays of the event loop within the last minute, in seconds. */
export interface LoopDelay {
  readonly mean: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Measures the event loop from the first scrape on: it costs 0.4 % of a processor. */
export class EventLoop {
  readonly #clock: Clock
  #histogram: IntervalHistogram | null = null
  #resetAtMs = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Seconds in which the event loop was busy, since the start. */
  get activeSeconds(): number {
    return performance.eventLoopUtilization().active / 1000
  }

  /** The delay since the last reset, at most a minute ago; null at the first call. */
  readDelay(): LoopDelay | null {
    if (!this.#histogram) {
      this.#histogram = monitorEventLoopDelay({ resolution: resolutionMs })
      this.#histogram.enable()
      this.#resetAtMs = this.#clock.monotonic()
      return null
    }
    const histogram = this.#histogram
    if (histogram.count === 0) return null
    const delay = {
      mean: delaySecondsOf(histogram.mean),
      p50: delaySecondsOf(histogram.percentile(50)),
      p99: delaySecondsOf(histogram.percentile(99)),
      max: delaySecondsOf(histogram.max),
    }
    if (this.#clock.monotonic() - this.#resetAtMs >= minuteMs) {
      histogram.reset()
      this.#resetAtMs = this.#clock.monotonic()
    }
    return delay
  }

  stop(): void {
    this.#histogram?.disable()
    this.#histogram = null
  }
}

/** Recorded nanoseconds include the interval of the timer that measures. */
function delaySecondsOf(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000)
}

/**
 * Scrapers wait ten seconds by default. What a hanging database or disk does not answer by then is
 * left out of their answer.
 */
const scrapeMsMax = 4_000
/** However often it is scraped, the database is asked at most once in this time. */
const ageMsMax = 10_000
const statementMsMax = 2_000

export interface DatabaseState {
  readonly isUp: boolean
  /** Null while unknown. */
  readonly figures: DatabaseFigures | null
}

/** Reads the figures of the database for scrapes, in one statement. */
export class DatabaseReader {
  readonly #database: Database
  readonly #clock: Clock
  #last: DatabaseState | null = null
  #readAtMs = -Infinity
  #reading: Promise<DatabaseState> | null = null

  constructor({ database, clock }: { readonly database: Database; readonly clock: Clock }) {
    this.#database = database
    this.#clock = clock
  }

  /** Never rejects, and never waits long. */
  async read(): Promise<DatabaseState> {
    const isFresh = this.#clock.monotonic() - this.#readAtMs < ageMsMax
    if (isFresh && this.#last) return this.#last
    this.#reading ??= this.#read().finally(() => (this.#reading = null))
    return inTime(this.#clock, this.#reading, { isUp: false, figures: null }, scrapeMsMax)
  }

  async #read(): Promise<DatabaseState> {
    const figures = await this.#database
      .begin((sql) => readFigures(sql, new Date(this.#clock.now())), { statementMsMax })
      .catch(() => null)
    // The statement may also take too long on a busy database that responds.
    const isUp = figures !== null || (await succeeds(this.#database.sql`select 1`))
    this.#readAtMs = this.#clock.monotonic()
    this.#last = { isUp, figures }
    return this.#last
  }
}
