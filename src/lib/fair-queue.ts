/** Identifies a client or account that waits for turns. */
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
