import { systemClock, type Clock } from './clock.ts'
import { CodedError } from './errors.ts'

export interface WaitOptions {
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined
  /** Maximum time of the wait; unlimited when absent. */
  readonly waitMsMax?: number | undefined
  readonly clock?: Pick<Clock, 'setTimer'> | undefined
}

export interface Waiter<For = void> {
  readonly for: For
  /** Ends the wait successfully; call it once the waiter has its permit. */
  readonly admit: () => void
  /** Ends the wait with the error for too long a wait. */
  readonly refuse: () => void
}

export interface Waiting<For> extends Iterable<Waiter<For>> {
  readonly size: number
  add(waiter: Waiter<For>): void
  delete(waiter: Waiter<For>): void
}

/** Decides who has permits, who goes first, and who is refused when too many wait. */
export interface Policy<For> {
  readonly waiting: Waiting<For>
  fits(wanted: For): boolean
  take(wanted: For): void
  giveBack(wanted: For): void
  /** The waiter that gets a permit next; null when none fits. */
  next(): Waiter<For> | null
  /** The waiter to refuse so that a newcomer can wait; null refuses the newcomer. */
  refusedFor(newcomer: For): Waiter<For> | null
}

export interface PermitsOptions extends Omit<WaitOptions, 'signal'> {
  /** More are refused. */
  readonly waitersMax?: number
}

/** Permits for a bounded resource. Its policy lets others wait in a bounded queue. */
export class Permits<For = void> {
  readonly #policy: Policy<For>
  readonly #options: PermitsOptions
  readonly #waitersMax: number
  #taken = 0

  constructor(policy: Policy<For>, options: PermitsOptions = {}) {
    this.#policy = policy
    this.#options = options
    this.#waitersMax = options.waitersMax ?? 10_000
  }

  get permits(): number {
    return this.#taken
  }

  get waiting(): number {
    return this.#policy.waiting.size
  }

  /**
   * Runs a task with a permit.
   * @param signal ends the wait for the permit, not the task
   * @throws errors of `take`; errors of the task
   */
  async run<T>(task: () => Promise<T>, wanted: For, signal?: AbortSignal): Promise<T> {
    const giveBack = await this.take(wanted, signal)
    try {
      return await task()
    } finally {
      giveBack()
    }
  }

  /** Takes a permit if that is possible at once; otherwise returns null. See `take`. */
  tryTake(wanted: For): (() => void) | null {
    if (!this.#policy.fits(wanted)) return null
    this.#count(wanted)
    return this.#returning(wanted)
  }

  /**
   * Takes a permit, and returns a function that gives it back (once).
   * @throws CodedError unavailable when too many wait, or after too long a wait; the signal's
   *   reason
   */
  async take(wanted: For, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted()
    if (this.#policy.fits(wanted)) {
      this.#count(wanted)
    } else {
      if (this.waiting >= this.#waitersMax) {
        const refused = this.#policy.refusedFor(wanted)
        if (!refused) throw busy()
        refused.refuse()
      }
      await wait(this.#policy.waiting, wanted, { ...this.#options, signal })
    }
    return this.#returning(wanted)
  }

  refuseAll(): void {
    for (const waiter of this.#policy.waiting) waiter.refuse()
  }

  #count(wanted: For): void {
    this.#policy.take(wanted)
    this.#taken += 1
  }

  #returning(wanted: For): () => void {
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      this.#policy.giveBack(wanted)
      this.#taken -= 1
      // Counted before the waiter runs, so that no newcomer comes between.
      const next = this.#policy.next()
      if (!next) return
      this.#count(next.for)
      next.admit()
    }
  }
}

/** So many at once, in order of arrival. */
export function inOrder(atOnceMax: number): Policy<void> {
  const waiting = new Set<Waiter>()
  return { ...countUpTo(atOnceMax), waiting, next: () => firstOf(waiting), refusedFor: () => null }
}

/** So many at once, in fair turns of requesters: see FairQueue. */
export function inTurns(atOnceMax: number): Policy<Requester> {
  const waiting = new FairQueue<Waiter<Requester>>()
  return {
    ...countUpTo(atOnceMax),
    waiting,
    next: () => waiting.take(),
    refusedFor: (newcomer) => waiting.latestOfHeaviest(newcomer),
  }
}

/** One at a time of each key, in order of arrival. */
export function oneOfEachKey(): Policy<string> {
  const waiting = new Set<Waiter<string>>()
  const taken = new Set<string>()
  return {
    waiting,
    fits: (key) => !taken.has(key),
    take: (key) => void taken.add(key),
    giveBack: (key) => void taken.delete(key),
    next: () => firstOf(waiting, (key) => !taken.has(key)),
    refusedFor: () => null,
  }
}

function countUpTo(max: number) {
  let count = 0
  return {
    fits: () => count < max,
    take() {
      count += 1
    },
    giveBack() {
      count -= 1
    },
  }
}

function firstOf<For>(
  waiters: Iterable<Waiter<For>>,
  fits: (wanted: For) => boolean = () => true,
): Waiter<For> | null {
  for (const waiter of waiters) if (fits(waiter.for)) return waiter
  return null
}

/**
 * Waits to be admitted.
 * @throws CodedError unavailable when refused, or not admitted in time; the signal's reason
 */
export function wait<For>(
  waiting: Waiting<For>,
  wanted: For,
  { signal, waitMsMax, clock = systemClock }: WaitOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let stopTimer = () => {}
    const end = () => {
      waiting.delete(waiter)
      signal?.removeEventListener('abort', onAbort)
      stopTimer()
    }
    const onAbort = () => {
      end()
      reject(signal!.reason as Error)
    }
    const waiter: Waiter<For> = {
      for: wanted,
      admit: () => {
        end()
        resolve()
      },
      refuse: () => {
        end()
        reject(busy())
      },
    }
    waiting.add(waiter)
    signal?.addEventListener('abort', onAbort)
    if (waitMsMax !== undefined) stopTimer = clock.setTimer(waitMsMax, waiter.refuse)
  })
}

/** The error for too long a wait. */
export function busy(): CodedError {
  return new CodedError('unavailable', {
    message: 'The service is busy. Try again in a few seconds.',
    headers: { 'Retry-After': '5' },
  })
}

export interface Requester {
  /** One client or account. */
  readonly key: string
  /** Groups keys that may belong to the same person; the key itself when absent. */
  readonly network?: string
  /** Goes before others, except for every fourth turn. */
  readonly isFirst?: boolean
  /**
   * Known from before: an account, or a client that has signed in to it. Goes before strangers of
   * the same rank, and is never refused for one of them.
   */
  readonly isKnown?: boolean
}

interface Queued {
  readonly for: Requester
}

interface Network<T> {
  readonly name: string
  readonly isKnown: boolean
  /** Ordered by turn; the items of each key are ordered by arrival. */
  readonly keys: Map<string, Set<T>>
  size: number
}

/** Networks with items, ordered by turn. */
type Rank<T> = Map<string, Network<T>>

/** How often another item goes before those that are first. */
const othersEvery = 4

/**
 * Waiting items of requesters: networks take turns, and in each network its keys do. A key with
 * hundreds of items delays others by one item each time. Every step has constant cost; only
 * `latestOfHeaviest` examines all networks.
 */
export class FairQueue<T extends Queued> {
  readonly #knownFirst: Rank<T> = new Map()
  readonly #first: Rank<T> = new Map()
  readonly #others: Rank<T> = new Map()
  #size = 0
  #turns = 0

  get size(): number {
    return this.#size
  }

  *[Symbol.iterator](): Generator<T> {
    for (const network of this.#networks()) {
      for (const items of network.keys.values()) yield* items
    }
  }

  add(item: T): void {
    const { key } = item.for
    const name = networkOf(item.for)
    const rank = this.#rankOf(item.for)
    const isKnown = item.for.isKnown ?? false
    const network = rank.get(name) ?? { name, isKnown, keys: new Map<string, Set<T>>(), size: 0 }
    const items = network.keys.get(key) ?? new Set()
    items.add(item)
    network.keys.set(key, items)
    network.size += 1
    rank.set(name, network)
    this.#size += 1
  }

  /** Removes an item that no longer waits; no-op if it is already out. */
  delete(item: T): void {
    const rank = this.#rankOf(item.for)
    const network = rank.get(networkOf(item.for))
    const items = network?.keys.get(item.for.key)
    if (!network || !items?.delete(item)) return
    this.#size -= 1
    network.size -= 1
    if (items.size === 0) network.keys.delete(item.for.key)
    if (network.size === 0) rank.delete(network.name)
  }

  /** Removes and returns the next item; null when none waits. */
  take(): T | null {
    const wantsFirst = this.#turns % othersEvery !== othersEvery - 1
    this.#turns += 1
    const first = [this.#knownFirst, this.#first]
    const ranks = wantsFirst ? [...first, this.#others] : [this.#others, ...first]
    for (const rank of ranks) {
      for (const network of rank.values()) return this.#takeFrom(rank, network)
    }
    return null
  }

  /**
   * The item to refuse so that a newcomer fits: the latest item of the key with most items in the
   * network with most; null when that is the newcomer. Strangers are refused before known ones.
   */
  latestOfHeaviest(newcomer: Requester): T | null {
    const isKnown = newcomer.isKnown ?? false
    const own = this.#rankOf(newcomer).get(networkOf(newcomer))
    let network = own
    let most = (own?.size ?? 0) + 1
    let isStranger = !isKnown
    for (const other of this.#networks()) {
      if (other.isKnown && isStranger) continue
      if (other.isKnown === !isStranger && other.size <= most) continue
      network = other
      most = other.size
      isStranger = !other.isKnown
    }
    const isOwn = network === own
    let heaviest = isOwn ? (own?.keys.get(newcomer.key)?.size ?? 0) + 1 : 0
    let latest: T | null = null
    for (const items of network?.keys.values() ?? []) {
      if (items.size <= heaviest) continue
      heaviest = items.size
      latest = [...items].at(-1) ?? null
    }
    return latest
  }

  #takeFrom(rank: Rank<T>, network: Network<T>): T | null {
    for (const [key, items] of network.keys) {
      for (const item of items) {
        this.delete(item)
        moveToEnd(network.keys, key)
        moveToEnd(rank, network.name)
        return item
      }
    }
    return null
  }

  *#networks(): Generator<Network<T>> {
    yield* this.#knownFirst.values()
    yield* this.#first.values()
    yield* this.#others.values()
  }

  #rankOf({ isFirst, isKnown }: Requester): Rank<T> {
    if (!isFirst) return this.#others
    return isKnown ? this.#knownFirst : this.#first
  }
}

function networkOf({ key, network }: Requester): string {
  return network ?? key
}

function moveToEnd<Value>(map: Map<string, Value>, key: string): void {
  const value = map.get(key)
  if (value === undefined) return
  map.delete(key)
  map.set(key, value)
}
