import type { Log } from '../lib/log.ts'
import { inOrder, Permits } from '../lib/permits.ts'
import type { Database, Sql } from './connect.ts'
import * as rows from './limiter-exchange-sql.ts'

const everyMs = 1_000
/** Keys that wait for a database that does not answer. */
const pendingMax = 100_000

type Follow = (key: string, change: number) => void

interface ExchangeDeps {
  readonly instanceId: string
  readonly database: Database
  readonly log: Log
}

/**
 * Lets the limiters of all instances count together. Each decides by itself, and tells the others
 * once a second how many tokens each key got; so a key gets at most its limit from each instance
 * within a second. Decisions that must be exact take turns: each reads what the others have told,
 * decides, and tells it in one transaction. A new instance knows nothing of the time before.
 */
export class LimiterExchange {
  readonly #deps: ExchangeDeps
  readonly #limiters = new Map<string, Follow>()
  /** Changes of keys that were not told yet, by limiter. */
  readonly #pending = new Map<string, Map<string, number>>()
  #pendingCount = 0
  /** The number of the last takes of each other instance; null before the first look. */
  #heard: Map<string, number> | null = null
  #seq = 0
  readonly #turns = new Permits(inOrder(1))
  #timer: NodeJS.Timeout | null = null
  #isExchanging = false

  constructor(deps: ExchangeDeps) {
    this.#deps = deps
  }

  /** See http/rate-limit.ts. */
  add(name: string, follow: Follow): Follow {
    this.#limiters.set(name, follow)
    return (key, change) => this.#note(name, key, change)
  }

  decide<T>(decision: () => T): Promise<T> {
    return this.#turns.run(async () => {
      let told: Told = []
      const decided = await this.#deps.database.begin(async (sql) => {
        await rows.lockLimits(sql)
        await this.#hear(sql)
        const decided = decision()
        told = await this.#tell(sql)
        return decided
      })
      this.#forget(told)
      return decided
    })
  }

  /** Tells and hears once a second. */
  start(): void {
    this.#timer = setInterval(() => {
      if (this.#isExchanging) return
      this.#isExchanging = true
      this.exchange()
        .catch((cause: unknown) => this.#deps.log.debug('limits not exchanged', { cause }))
        .finally(() => (this.#isExchanging = false))
    }, everyMs).unref()
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer)
  }

  /** Tells what is new, and hears what others have told. */
  exchange(): Promise<void> {
    const { sql } = this.#deps.database
    return this.#turns.run(async () => {
      await this.#hear(sql)
      this.#forget(await this.#tell(sql))
    })
  }

  async #tell(sql: Sql): Promise<Told> {
    const told = [...this.#pending].flatMap(([limiter, keys]) =>
      [...keys].map(([key, change]) => ({ limiter, key, change })),
    )
    this.#seq += 1
    if (told.length > 0) await rows.insertTakes(sql, this.#deps.instanceId, this.#seq, told)
    return told
  }

  async #hear(sql: Sql): Promise<void> {
    if (this.#heard === null) {
      const last = await rows.listLastTakes(sql)
      this.#heard = new Map(last.map(({ instanceId, seq }) => [instanceId, seq]))
      return
    }
    for (const heard of await rows.listTakes(sql, this.#deps.instanceId, this.#heard)) {
      this.#heard.set(heard.instanceId, heard.seq)
      this.#limiters.get(heard.limiter)?.(heard.key, heard.change)
    }
  }

  #note(limiter: string, key: string, change: number): void {
    const keys = this.#pending.get(limiter) ?? new Map<string, number>()
    this.#pending.set(limiter, keys)
    const sum = (keys.get(key) ?? 0) + change
    const others = this.#pendingCount - keys.size
    if (sum === 0) keys.delete(key)
    else if (keys.has(key) || this.#pendingCount < pendingMax) keys.set(key, sum)
    this.#pendingCount = others + keys.size
  }

  /** What was noted meanwhile stays. */
  #forget(told: Told): void {
    for (const { limiter, key, change } of told) this.#note(limiter, key, -change)
  }
}

type Told = readonly rows.Takes[]
