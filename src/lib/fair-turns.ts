import { Waiters, type Waiter } from './waiters.ts'

/** Who asks for a turn. */
export interface Asker {
  /** One client or account: those that ask most often wait longest. */
  readonly key: string
  /** Goes before others, but for every fourth turn. */
  readonly isFirst?: boolean
}

export interface FairTurnsOptions {
  /** Tasks at once. */
  readonly atOnceMax: number
  readonly waitersMax: number
  readonly waitMsMax: number
}

/** So often one of the others goes before those that are first. */
const othersEvery = 4

/**
 * Runs tasks, a few at once, and lets those that wait go in turns by their key: one key with
 * hundreds of tasks delays others by a task each time. When too many wait, the latest of the key
 * that waits most often is refused.
 */
export class FairTurns {
  readonly #options: FairTurnsOptions
  readonly #waiters = new Waiters<Asker>()
  /** The turn that each key had last; those that neither wait nor run are forgotten. */
  readonly #lastTurns = new Map<string, number>()
  #running = 0
  #turns = 0

  constructor(options: FairTurnsOptions) {
    this.#options = options
  }

  /**
   * @throws CodedError unavailable when too many wait, or for too long; what the task throws
   */
  async run<T>(asker: Asker, task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#options.atOnceMax) await this.#wait(asker)
    else this.#running += 1
    this.#note(asker)
    try {
      return await task()
    } finally {
      this.#giveBack()
    }
  }

  async #wait(asker: Asker): Promise<void> {
    const { waitersMax, waitMsMax } = this.#options
    if (this.#waiters.size >= waitersMax) this.#waiters.refuseOne(({ key }) => key, asker.key)
    await this.#waiters.wait(asker, { waitMsMax })
  }

  #note({ key }: Asker): void {
    this.#turns += 1
    this.#lastTurns.set(key, this.#turns)
    if (this.#lastTurns.size <= 2 * this.#options.waitersMax) return
    const known = new Set([...this.#waiters].map((waiter) => waiter.for.key))
    for (const old of this.#lastTurns.keys()) if (!known.has(old)) this.#lastTurns.delete(old)
  }

  #giveBack(): void {
    const next = this.#next()
    if (next) next.admit()
    else this.#running -= 1
  }

  /** The one whose key has waited for the longest time since its last turn. */
  #next(): Waiter<Asker> | null {
    const wantsFirst = this.#turns % othersEvery !== othersEvery - 1
    let next: Waiter<Asker> | null = null
    let isPreferred = false
    let oldest = Infinity
    for (const waiter of this.#waiters) {
      const matches = (waiter.for.isFirst ?? false) === wantsFirst
      const turn = this.#lastTurns.get(waiter.for.key) ?? 0
      if (isPreferred && !matches) continue
      if (isPreferred === matches && turn >= oldest) continue
      next = waiter
      isPreferred = matches
      oldest = turn
    }
    return next
  }
}
