import type postgres from 'postgres'
import { createClient, type Address } from './client.ts'
import { connectionLost, unavailable } from './failures.ts'
import type { Client, QueryConnection, Send } from './query.ts'

export interface SessionOptions extends Address {
  /** Called when a connection that was made has gone. */
  onLoss?: () => void
}

/**
 * One connection. What is sent on it never reaches another: its queries go through a reserved
 * client of the library, whose queue ends with the connection. Once it is lost, nothing runs.
 */
export class Connection implements QueryConnection {
  readonly #client: postgres.Sql
  readonly #onEnd: (wasOpen: boolean) => void
  readonly #running = new Set<(error: Error) => void>()
  #reserved: postgres.ReservedSql | null = null
  #opening: Promise<void> | null = null
  #openedAt = 0
  #usedAt = 0
  #isLost = false

  /** @param onEnd called once, however it ends */
  constructor(address: Address, onEnd: (wasOpen: boolean) => void) {
    this.#onEnd = onEnd
    this.#client = createClient(address, () => this.drop())
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

  /** Since the last answer. */
  get idleMs(): number {
    return performance.now() - this.#usedAt
  }

  /**
   * Connects, once.
   * @param deadlineMs monotonic; when it has passed, this is `unavailable`
   */
  open(deadlineMs: number): Promise<void> {
    this.#opening ??= this.#connect(deadlineMs)
    return this.#opening
  }

  async #connect(deadlineMs: number): Promise<void> {
    const timer = setTimeout(
      () => this.drop(unavailable(new Error('the database did not accept a connection in time'))),
      Math.max(1, deadlineMs - performance.now()),
    )
    try {
      // A client that has not connected yet would never reserve its connection (fetch_types).
      await this.#track(({ client }) => client.unsafe(''))
      this.#reserved = await this.#track(() => this.#client.reserve())
      this.#openedAt = this.#usedAt = performance.now()
    } catch (error) {
      this.drop()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /** Sends a query, behind those that were sent before. Must be called in a microtask. */
  run<T>(send: Send<T>): Promise<T> {
    if (this.#isLost || this.#reserved === null) return Promise.reject(connectionLost())
    return this.#track(send)
  }

  /** Ends the connection at once, and what runs on it. */
  drop(reason: Error = connectionLost()): void {
    if (this.#isLost) return
    this.#isLost = true
    // The library forgets queries that were sent between the socket's error and its close.
    for (const reject of this.#running) reject(reason)
    this.#client.end({ timeout: 0 }).catch(() => {})
    this.#onEnd(this.#reserved !== null)
  }

  /** @param timeoutSeconds how long what runs may take to end */
  async close(timeoutSeconds: number): Promise<void> {
    // The library waits for the user of a reserved connection.
    this.#reserved?.release()
    await this.#client.end({ timeout: timeoutSeconds })
  }

  /** Settles with the query, or with the loss of the connection. */
  #track<T>(send: Send<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const settled = () => {
        this.#running.delete(reject)
        this.#usedAt = performance.now()
      }
      send(this).then(
        (value) => {
          settled()
          resolve(value)
        },
        (error: unknown) => {
          settled()
          reject(error)
        },
      )
      this.#running.add(reject)
    })
  }
}

/** A connection that is made when it is first needed, and made again after a loss. */
export class Session {
  readonly #options: SessionOptions
  #connection: Connection | null = null

  constructor(options: SessionOptions) {
    this.#options = options
  }

  get ageMs(): number {
    return this.#connection?.ageMs ?? 0
  }

  /** Since the last answer; 0 when there is no connection to be idle. */
  get idleMs(): number {
    return this.#connection?.isOpen ? this.#connection.idleMs : 0
  }

  /**
   * @param deadlineMs monotonic; a connection that has not come by then is `unavailable`
   */
  async open(deadlineMs: number): Promise<Connection> {
    const connection = (this.#connection ??= this.#create())
    if (!connection.isOpen) await connection.open(deadlineMs)
    return connection
  }

  run<T>(send: Send<T>, connectDeadlineMs: number): Promise<T> {
    const connection = this.#connection
    if (connection?.isOpen) return connection.run(send)
    return this.open(connectDeadlineMs).then((opened) => opened.run(send))
  }

  /** Ends the connection; the next query makes another. */
  renew(): void {
    const old = this.#connection
    this.#connection = null
    old?.drop()
  }

  /** @param timeoutSeconds how long running queries may take to end. */
  async close(timeoutSeconds: number): Promise<void> {
    await this.#connection?.close(timeoutSeconds)
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
