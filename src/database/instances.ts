import type { Log } from '../lib/log.ts'
import type { Database } from './connect.ts'
import { LastingConnection, type Connection, type ConnectionOptions } from './connection.ts'
import * as rows from './instances-sql.ts'
import { isProcessAlive, type ProcessLock } from './process-lock.ts'
import { createSql, type Sql } from './query.ts'
import type { Signals } from './signals.ts'

const renewMs = 5_000
const retryMs = 500
/** Less than others wait, but as long as a machine may need that is very busy. */
const answerMsMax = 15_000
/** Signals appear when their transaction commits, in any order. */
const commitSeconds = 60

/** The connection that other instances know this one by. */
interface JoinOptions {
  readonly signals: Signals
  readonly database: Database
  /** The server itself: LISTEN does not work through a pooler of transactions. */
  readonly address: Omit<ConnectionOptions, 'onLoss'>
  readonly log: Log
}

/**
 * Joins the instances on a database: renews a row every five seconds, by which the others know that
 * this one lives, and hears their signals. Both use one connection, which is opened again after a
 * loss; signals of that time are heard then. A pool that is busy makes no instance look dead.
 * @throws errors of the first attempt to connect
 */
export async function joinInstances(options: JoinOptions): Promise<ProcessLock> {
  const { signals, database } = options
  const { instanceId } = signals
  const presence = new Presence(options)
  await presence.start()
  return {
    isAlive: async (otherId) => otherId === instanceId || isProcessAlive(database, otherId),
    ask: () => presence.renew(),
    async takeJob(name) {
      // A failure may hide a lock that was taken, or was not released.
      const keep = () => void presence.unreleased.add(name)
      const isTaken = await rows.takeJobLock(database.sql, name, instanceId).catch((error) => {
        keep()
        throw error
      })
      if (!isTaken) return null
      // An earlier release has succeeded, then.
      presence.unreleased.delete(name)
      return () => rows.deleteJobLocks(database.sql, instanceId, [name]).catch(keep)
    },
    close: () => presence.close(),
  }
}

class Presence {
  /** Names of jobs that have ended, but may have left their lock: the next look removes it. */
  readonly unreleased = new Set<string>()
  readonly #signals: Signals
  readonly #log: Log
  readonly #connection: LastingConnection
  #listening: Connection | null = null
  /** Signals heard in the time that the next look covers. */
  #heard: ReadonlySet<number> | null = null
  #lookedMs = 0
  #renewing: Promise<void> | null = null
  #isDue = false
  #timer: NodeJS.Timeout | null = null
  #isClosed = false

  constructor({ signals, address, log }: JoinOptions) {
    this.#signals = signals
    this.#log = log
    this.#connection = new LastingConnection({
      answerMsMax,
      ...address,
      onNotify: () => void this.renew().catch(() => {}),
      onLoss: () => this.#wait(retryMs),
    })
  }

  async start(): Promise<void> {
    try {
      await this.renew()
    } catch (error) {
      this.#isClosed = true
      await this.#connection.close(1)
      throw error
    }
  }

  /** Resolves once a look that began after the call is done. @throws errors of the connection */
  renew(): Promise<void> {
    // Its row must not come back.
    if (this.#isClosed) return Promise.resolve()
    if (this.#renewing) this.#isDue = true
    let waitMs = retryMs
    this.#renewing ??= this.#repeat()
      .then(() => void (waitMs = renewMs))
      .finally(() => {
        this.#renewing = null
        this.#wait(waitMs)
      })
    return this.#renewing
  }

  async #repeat(): Promise<void> {
    do {
      this.#isDue = false
      await this.#look()
    } while (this.#isDue)
  }

  async #look(): Promise<void> {
    const connection = await this.#connection.open(performance.now() + answerMsMax)
    const sql = createSql((send) => connection.run(send))
    const { instanceId } = this.#signals
    if (connection !== this.#listening) {
      await sql.unsafe(`listen ${rows.signalChannel}`)
      this.#listening = connection
    }
    await rows.renewInstance(sql, instanceId, this.#signals.reading())
    await this.#releaseJobs(sql)
    const nowMs = performance.now()
    const seconds = commitSeconds + (nowMs - this.#lookedMs) / 1000
    const found = await rows.listSignals(sql, instanceId, this.#heard ? seconds : commitSeconds)
    const heard = this.#heard
    this.#heard = new Set(found.map(({ id }) => id))
    this.#lookedMs = nowMs
    // What was told before the start is in the rows that it has led to.
    for (const signal of heard ? found : []) if (!heard?.has(signal.id)) this.#hear(signal)
  }

  async #releaseJobs(sql: Sql): Promise<void> {
    const names = [...this.unreleased]
    if (names.length === 0) return
    await rows.deleteJobLocks(sql, this.#signals.instanceId, names)
    for (const name of names) this.unreleased.delete(name)
  }

  #hear(signal: rows.Signal): void {
    this.#signals.hear(signal).catch((cause: unknown) => {
      this.#log.warn('could not follow another instance', { topic: signal.topic, cause })
    })
  }

  #wait(ms: number): void {
    if (this.#timer) clearTimeout(this.#timer)
    if (this.#isClosed) return
    this.#timer = setTimeout(() => {
      // `ask` reports a database that does not answer.
      this.renew().catch(() => {})
    }, ms).unref()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer) clearTimeout(this.#timer)
    await this.#renewing?.catch(() => {})
    try {
      const connection = await this.#connection.open(performance.now() + answerMsMax)
      await rows.deleteInstance(
        createSql((send) => connection.run(send)),
        this.#signals.instanceId,
      )
    } catch {
      // The others notice within half a minute.
    } finally {
      await this.#connection.close(1)
    }
  }
}
