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

/** Objects of one kind that are removed by a clean-up. */
export interface Removal {
  /** The next page, without the named objects. */
  readonly list: (without: readonly string[]) => Promise<readonly string[]>
  /** Returns the container to free; null for an object that must stay, or is gone. */
  readonly hide: (sql: Sql, id: string) => Promise<string | null>
}

interface Deps {
  readonly database: Database
  readonly storage: Containers
  readonly clock: Clock
  readonly log: Log
}

/**
 * Removes objects that are over. Each is hidden in a small transaction, and its bytes are freed
 * then (bytes/upkeep/freeing.ts). One that fails waits longer after each failure and delays no
 * other. Failures are in memory only: after a restart each object is tried once.
 */
export class CleanUp {
  readonly #deps: Deps
  readonly #removalsAt: (now: Date) => readonly Removal[]
  readonly #byId = new Map<string, Setback>()

  constructor(deps: Deps, removalsAt: (now: Date) => readonly Removal[]) {
    this.#deps = deps
    this.#removalsAt = removalsAt
  }

  /** Number of objects that could not be removed and will be tried again. */
  get failing(): number {
    return this.#byId.size
  }

  /** Returns the number of removed objects. */
  async run(): Promise<number> {
    let removed = 0
    for (const removal of this.#removalsAt(new Date(this.#deps.clock.now()))) {
      removed += await this.#runEach(removal)
    }
    return removed
  }

  /** Page after page, until a page has no failures. */
  async #runEach(removal: Removal): Promise<number> {
    const { database, storage } = this.#deps
    this.#forgetOld()
    let removed = 0
    let isFailing: boolean
    do {
      isFailing = false
      for (const id of await removal.list(this.#waiting())) {
        try {
          const containerId = await database.begin((sql) => removal.hide(sql, id))
          if (containerId !== null) {
            await storage.removeNow([containerId])
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
    const now = this.#deps.clock.monotonic()
    return [...this.#byId].filter(([, { dueMs }]) => dueMs > now).map(([id]) => id)
  }

  /** Objects that were due long ago have been removed by others. */
  #forgetOld(): void {
    const before = this.#deps.clock.monotonic() - delayMsMax
    for (const [id, { dueMs }] of this.#byId) if (dueMs < before) this.#byId.delete(id)
  }

  #postpone(id: string, cause: unknown): void {
    const attempts = (this.#byId.get(id)?.attempts ?? 0) + 1
    const delayMs = Math.min(delayMsMax, firstDelayMs * 2 ** Math.min(20, attempts - 1))
    this.#byId.set(id, { attempts, dueMs: this.#deps.clock.monotonic() + delayMs })
    this.#deps.log.warn('removal failed: will retry', { attempts, cause })
  }
}
