import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'

const firstDelayMs = 60_000
const delayMsMax = 60 * 60_000
const keptMax = 1000

interface Setback {
  readonly attempts: number
  readonly dueMs: number
}

/**
 * Objects that a clean-up could not remove. Each waits longer after each failure and delays no
 * other. In memory only: after a restart each is tried once.
 */
export class Setbacks {
  readonly #clock: Clock
  readonly #log: Log
  readonly #byId = new Map<string, Setback>()

  constructor(deps: { readonly clock: Clock; readonly log: Log }) {
    this.#clock = deps.clock
    this.#log = deps.log
  }

  get count(): number {
    return this.#byId.size
  }

  /**
   * Removes each listed object, page after page, until a page has no failures.
   * @param list the next page, without the named objects
   * @param remove returns whether the object existed
   * @returns number of removed objects
   */
  async each(
    list: (without: readonly string[]) => Promise<readonly string[]>,
    remove: (id: string) => Promise<boolean>,
  ): Promise<number> {
    this.#forgetOld()
    let removed = 0
    let isFailing: boolean
    do {
      isFailing = false
      for (const id of await list(this.#waiting())) {
        try {
          if (await remove(id)) removed += 1
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
