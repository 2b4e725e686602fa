import type { Database, Sql } from '../database/connect.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'

const firstDelayMs = 60_000
const delayMsMax = 60 * 60_000
const keptMax = 1000

/** Frees the bytes of containers whose rows say so. */
interface Containers {
  removeNow(containerIds: readonly string[]): Promise<unknown>
}

interface Setback {
  readonly attempts: number
  readonly dueMs: number
}

/**
 * Objects that a clean-up could not remove. Each waits longer after each failure and delays no
 * other. In memory only: after a restart each is tried once.
 */
export class Setbacks {
  readonly #database: Database
  readonly #storage: Containers
  readonly #clock: Clock
  readonly #log: Log
  readonly #byId = new Map<string, Setback>()

  constructor(deps: {
    readonly database: Database
    readonly storage: Containers
    readonly clock: Clock
    readonly log: Log
  }) {
    this.#database = deps.database
    this.#storage = deps.storage
    this.#clock = deps.clock
    this.#log = deps.log
  }

  get count(): number {
    return this.#byId.size
  }

  /**
   * Removes each listed object, page after page, until a page has no failures. Each is hidden in a
   * small transaction, and its bytes are freed then (bytes/upkeep/freeing.ts).
   * @param list the next page, without the named objects
   * @param hide returns the container to free; null for an object that must stay, or is gone
   * @returns number of removed objects
   */
  async each(
    list: (without: readonly string[]) => Promise<readonly string[]>,
    hide: (sql: Sql, id: string) => Promise<string | null>,
  ): Promise<number> {
    this.#forgetOld()
    let removed = 0
    let isFailing: boolean
    do {
      isFailing = false
      for (const id of await list(this.#waiting())) {
        try {
          const containerId = await this.#database.begin((sql) => hide(sql, id))
          if (containerId !== null) {
            await this.#storage.removeNow([containerId])
            removed += 1
          }
          this.#byId.delete(id)
        } catch (error) {
          isFailing = true
          this.#postpone(id, error)
        }
      }
    } while (isFailing && this.#byId.size < keptMax)
    return removed
  }

  #waiting(): string[] {
    const now = this.#clock.monotonic()
    return [...this.#byId].filter(([, { dueMs }]) => dueMs > now).map(([id]) => id)
  }

  /** Objects that were due long ago have been removed by others. */
  #forgetOld(): void {
    const before = this.#clock.monotonic() - delayMsMax
    for (const [id, { dueMs }] of this.#byId) if (dueMs < before) this.#byId.delete(id)
  }

  #postpone(id: string, cause: unknown): void {
    const attempts = (this.#byId.get(id)?.attempts ?? 0) + 1
    const delayMs = Math.min(delayMsMax, firstDelayMs * 2 ** Math.min(20, attempts - 1))
    this.#byId.set(id, { attempts, dueMs: this.#clock.monotonic() + delayMs })
    this.#log.warn('removal failed: will retry', { attempts, cause })
  }
}
