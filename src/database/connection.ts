import postgres from 'postgres'
import { createClient, type Address } from './client.ts'
import { connectionLost, DatabaseUnavailable } from './failures.ts'
import type { Client, QueryConnection, Send } from './query.ts'

/** More than the server's own limits allow; a network that drops packets reports nothing. */
const answerMsMaxDefault = 20_000

export interface ConnectionOptions extends Address {
  /** Milliseconds that a query may wait for the next answer of the server. */
  answerMsMax?: number
  /** Called when an open connection was lost. */
  onLoss?: () => void
}

/**
 * One connection. Its queries never reach another one: they go through a reserved client of the
 * library, with a queue that ends with the connection. Once it is lost, no query runs.
 */
export class Connection implements QueryConnection {
  readonly #client: postgres.Sql
  readonly #onEnd: (wasOpen: boolean) => void
  readonly #running = new Set<(error: Error) => void>()
  readonly #answerMsMax: number
  #reserved: postgres.ReservedSql | null = null
  #opening: Promise<void> | null = null
  #openedAt = 0
  #usedAt = 0
  #isLost = false
  #isClosing = false
  /** Answers that the server owes, and the longest wait for the next of them. */
  #owed = 0
  #owedMsMax: number
  #silenceCheck: NodeJS.Timeout | null = null

  /** @param onEnd called once, in any case of its end */
  constructor(options: ConnectionOptions, onEnd: (wasOpen: boolean) => void) {
    this.#onEnd = onEnd
    this.#answerMsMax = this.#owedMsMax = options.answerMsMax ?? answerMsMaxDefault
    this.#client = createClient(options, () => this.drop())
  }

  get client(): Client {
    return (this.#reserved ?? this.#client) as unknown as Client
  }

  get isOpen(): boolean {
    return this.#reserved !== null && !this.#isLost
  }

  get isLost(): boolean {
    return this.#isLost
  }

  get ageMs(): number {
    return performance.now() - this.#openedAt
  }

  /** Since the last question or answer. */
  get idleMs(): number {
    return performance.now() - this.#usedAt
  }

  /**
   * Connects, once.
   * @param deadlineMs monotonic; later it fails with `unavailable`
   */
  open(deadlineMs: number): Promise<void> {
    this.#opening ??= this.#connect(deadlineMs)
    return this.#opening
  }

  async #connect(deadlineMs: number): Promise<void> {
    const timer = setTimeout(
      () => this.drop(new DatabaseUnavailable('the database did not accept a connection in time')),
      Math.max(1, deadlineMs - performance.now()),
    )
    try {
      // A client that has not connected yet would never reserve its connection (fetch_types).
      await this.#track(({ client }) => client.unsafe(''))
      // A client that has ended would connect again for this, and nothing would end it then.
      if (this.#isLost || this.#isClosing) throw connectionLost()
      this.#reserved = await this.#track(() => this.#client.reserve())
      this.#openedAt = this.#usedAt = performance.now()
    } catch (error) {
      this.drop()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /**
   * Sends a query after earlier ones. Must be called in a microtask.
   * @param answerMsMax milliseconds until the connection is dropped as silent
   */
  run<T>(send: Send<T>, answerMsMax = this.#answerMsMax): Promise<T> {
    if (this.#isLost || this.#reserved === null) return Promise.reject(connectionLost())
    this.#owedMsMax = answerMsMax
    return this.#track(send)
  }

  asked(): void {
    this.#owed += 1
    this.#usedAt = performance.now()
    if (this.#silenceCheck === null) this.#awaitSilence(this.#owedMsMax)
  }

  answered(): void {
    this.#owed -= 1
    this.#usedAt = performance.now()
  }

  /** One timer for many queries: it runs on while there are some, and drops a silent connection. */
  #checkSilence(): void {
    this.#silenceCheck = null
    if (this.#isLost || this.#owed === 0) return
    const leftMs = this.#owedMsMax - this.idleMs
    if (leftMs <= 0) return this.drop(new DatabaseUnavailable('the database does not answer'))
    this.#awaitSilence(leftMs)
  }

  #awaitSilence(ms: number): void {
    // The socket keeps the process running while an answer is owed.
    this.#silenceCheck = setTimeout(() => this.#checkSilence(), ms).unref()
  }

  /** Ends the connection at once, with its running queries. */
  drop(reason: Error = connectionLost()): void {
    if (this.#isLost) return
    this.#isLost = true
    if (this.#silenceCheck) clearTimeout(this.#silenceCheck)
    // The library forgets queries that were sent between the socket's error and its close.
    for (const reject of this.#running) reject(reason)
    this.#client.end({ timeout: 0 }).catch(() => {})
    this.#onEnd(this.#reserved !== null)
  }

  /** @param timeoutSeconds time for running queries to end */
  async close(timeoutSeconds: number): Promise<void> {
    this.#isClosing = true
    if (this.#reserved === null) return this.drop()
    try {
      // The library waits for the user of a reserved connection.
      this.#reserved.release()
      await this.#client.end({ timeout: timeoutSeconds })
    } finally {
      this.drop()
    }
  }

  /** Settles with the query, or when the connection is lost. */
  #track<T>(send: Send<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const settled = () => {
        this.#running.delete(reject)
        this.answered()
      }
      this.asked()
      send(this).then(
        (value) => {
          settled()
          resolve(value)
        },
        (error: unknown) => {
          settled()
          reject(error)
          // A value that the library cannot write, or a row that it cannot read, leaves it waiting
          // for answers that belong to other queries.
          if (!(error instanceof postgres.PostgresError)) this.drop()
        },
      )
      this.#running.add(reject)
    })
  }
}

/** A connection that is opened on demand, and again after a loss. */
export class LastingConnection {
  readonly #options: ConnectionOptions
  #connection: Connection | null = null
  #isClosed = false

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  get ageMs(): number {
    return this.#connection?.ageMs ?? 0
  }

  get isOpen(): boolean {
    return this.#connection?.isOpen ?? false
  }

  /** Time since the last answer; 0 without a connection. */
  get idleMs(): number {
    return this.#connection?.isOpen ? this.#connection.idleMs : 0
  }

  /** @param deadlineMs monotonic; a connection that is not open by then is `unavailable` */
  async open(deadlineMs: number): Promise<Connection> {
    if (this.#isClosed) throw new DatabaseUnavailable('the database is closed')
    const connection = (this.#connection ??= this.#create())
    if (!connection.isOpen) await connection.open(deadlineMs)
    return connection
  }

  run<T>(send: Send<T>, connectDeadlineMs: number): Promise<T> {
    const connection = this.#connection
    if (connection?.isOpen) return connection.run(send)
    return this.open(connectDeadlineMs).then((opened) => opened.run(send))
  }

  /** Ends the connection; the next query opens another. */
  renew(): void {
    const old = this.#connection
    this.#connection = null
    old?.drop()
  }

  /** @param timeoutSeconds time for running queries to end */
  async close(timeoutSeconds: number): Promise<void> {
    const connection = this.#connection
    this.#isClosed = true
    this.#connection = null
    await connection?.close(timeoutSeconds)
  }

  #create(): Connection {
    const connection = new Connection(this.#options, (wasOpen) => {
      if (this.#connection !== connection) return
      this.#connection = null
      if (wasOpen) this.#options.onLoss?.()
    })
    return connection
  }
}
