/** Who asks for a turn. */
export interface Requester {
  /** One client or account. */
  readonly key: string
  /** What many keys may belong to that are one person's; the key itself when absent. */
  readonly network?: string
  /** Goes before others, but for every fourth turn. */
  readonly isFirst?: boolean
}

interface Queued {
  readonly for: Requester
}

interface Network<T> {
  readonly name: string
  /** The key whose turn is next comes first, and of each key the item that came first. */
  readonly keys: Map<string, Set<T>>
  size: number
}

/** Networks with items; the one whose turn is next comes first. */
type Rank<T> = Map<string, Network<T>>

/** So often one of the others goes before those that are first. */
const othersEvery = 4

/**
 * Items that wait, each of an requester: networks take turns, and in each network its keys do. One
 * key with hundreds of items delays others by an item each time. Every step costs the same, however
 * many wait; only `latestOfHeaviest` looks at all networks.
 */
export class FairQueue<T extends Queued> {
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
    const network = rank.get(name) ?? { name, keys: new Map<string, Set<T>>(), size: 0 }
    const items = network.keys.get(key) ?? new Set()
    items.add(item)
    network.keys.set(key, items)
    network.size += 1
    rank.set(name, network)
    this.#size += 1
  }

  /** Takes an item out that waits no longer; nothing happens when it is out already. */
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

  /** Takes out the item whose turn it is; null when none waits. */
  take(): T | null {
    const wantsFirst = this.#turns % othersEvery !== othersEvery - 1
    this.#turns += 1
    const ranks = wantsFirst ? [this.#first, this.#others] : [this.#others, this.#first]
    for (const rank of ranks) {
      for (const network of rank.values()) return this.#takeFrom(rank, network)
    }
    return null
  }

  /**
   * Whom to refuse so that a newcomer fits in: the latest item of the key with most items in the
   * network with most; null when that is the newcomer.
   */
  latestOfHeaviest(newcomer: Requester): T | null {
    const own = this.#rankOf(newcomer).get(networkOf(newcomer))
    let network = own
    let most = (own?.size ?? 0) + 1
    for (const other of this.#networks()) {
      if (other.size <= most) continue
      network = other
      most = other.size
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
    yield* this.#first.values()
    yield* this.#others.values()
  }

  #rankOf({ isFirst }: Requester): Rank<T> {
    return isFirst ? this.#first : this.#others
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
