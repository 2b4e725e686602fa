import { Permits, type PermitsOptions, type Waiter } from './permits.ts'

export interface ByteBudgetOptions extends PermitsOptions {
  /** Memory for all transfers together. */
  readonly bytesMax: number
  readonly shareBytesMin: number
  readonly shareBytesMax: number
  readonly permitsPerClientMax: number
  /** Permits for clients of one network. */
  readonly permitsPerNetworkMax: number
  /** Permits reserved for account holders. */
  readonly permitsKept: number
  /** Whether idle transfers are ended for any waiter, also for one of the same client. */
  readonly endsIdle?: boolean
}

export interface Transfer {
  /** Address of its client, and its network. */
  readonly client: string
  readonly network: string
  /** Whether its client has an account. */
  readonly isOwner: boolean
  readonly signal: AbortSignal
  /** The client's latest bytes per second; null while unknown. */
  readonly pace: () => number | null
  /** Ends it, so that it releases its permit. */
  readonly end: () => void
}

/** A transfer's place in the budget. Release it exactly when its last byte has left memory. */
export interface Permit {
  /** Bytes that the transfer may hold now: fewer while others come, more when they leave. */
  readonly shareBytes: number
  /**
   * Whether the transfer may take more: it is below its share and the budget is not used up. Others
   * may hold more than their reduced share, so the share alone is no bound.
   */
  readonly hasRoom: boolean
  /** Counts bytes taken into memory, and (negative) bytes that have left it. */
  hold(bytes: number): void
  free(bytes: number): void
  /** Calls back once, when any transfer has freed bytes. */
  onFreed(wake: () => void): void
  /** Releases the permit with all bytes still held. */
  leave(): void
}

/** How often to look for slow transfers while others wait. */
const searchPauseMs = 500
/** Below this pace a transfer is ended for others at once; below the next one, after a wait. */
const slowBytesPerSecond = 16 * 1024
const modestBytesPerSecond = 512 * 1024
const modestTurns = 6

/**
 * Bounds the memory of all transfers in one direction: each gets an equal share between two bounds,
 * and further ones wait unread while even the smallest share is unavailable.
 *
 * A client without permits goes before one with some. While it waits, slow transfers of the clients
 * with most permits are ended, one for each waiter.
 */
export class ByteBudget {
  readonly #options: ByteBudgetOptions
  readonly #permitsOf = new Map<string, number>()
  readonly #admitted = new Set<Transfer>()
  readonly #waiters = new Set<Waiter<Transfer>>()
  readonly #permits: Permits<Transfer>
  readonly #ended = new WeakSet<Transfer>()
  /** How often a waiter was passed over. */
  readonly #turnsOf = new WeakMap<Transfer, number>()
  readonly #wakes: (() => void)[] = []
  #heldBytes = 0
  #timer: NodeJS.Timeout | null = null

  constructor(options: ByteBudgetOptions) {
    this.#options = options
    const policy = {
      waiting: this.#waiters,
      fits: (transfer: Transfer) => this.#fits(transfer),
      take: (transfer: Transfer) => this.#take(transfer),
      giveBack: (transfer: Transfer) => this.#giveBack(transfer),
      next: () => this.#next(),
      refusedFor: (newcomer: Transfer) => this.#refusedFor(newcomer),
    }
    this.#permits = new Permits(policy, options)
  }

  get permits(): number {
    return this.#admitted.size
  }

  get waiting(): number {
    return this.#waiters.size
  }

  get heldBytes(): number {
    return this.#heldBytes
  }

  /**
   * Waits for a permit.
   * @throws CodedError unavailable when too many wait, or after too long a wait; the signal's
   * reason
   */
  async enter(transfer: Transfer): Promise<Permit> {
    const taking = this.#permits.take(transfer, transfer.signal)
    if (this.waiting > 0 && !this.#timer) {
      this.#timer = setInterval(() => this.#endSlow(), searchPauseMs)
      this.#endSlow()
    }
    try {
      return this.#admit(await taking)
    } finally {
      if (this.waiting === 0 && this.#timer) {
        clearInterval(this.#timer)
        this.#timer = null
      }
    }
  }

  #admit(giveBack: () => void): Permit {
    let left = false
    let held = 0
    const shareBytes = () => {
      const { bytesMax, shareBytesMin, shareBytesMax } = this.#options
      const equal = Math.floor(bytesMax / Math.max(1, this.permits))
      return Math.max(shareBytesMin, Math.min(shareBytesMax, equal))
    }
    const isUnderMax = () => this.#heldBytes < this.#options.bytesMax
    const free = (bytes: number) => {
      held -= bytes
      this.#free(bytes)
    }
    return {
      get shareBytes() {
        return shareBytes()
      },
      get hasRoom() {
        return held === 0 || (held < shareBytes() && isUnderMax())
      },
      hold: (bytes) => {
        held += bytes
        this.#heldBytes += bytes
      },
      free,
      onFreed: (wake) => {
        this.#wakes.push(wake)
      },
      leave: () => {
        if (left) return
        left = true
        free(held)
        giveBack()
      },
    }
  }

  #free(bytes: number): void {
    this.#heldBytes -= bytes
    for (const wake of this.#wakes.splice(0)) wake()
  }

  /**
   * The latest waiter of the network, and in it of the client, with most permits and waiters; null
   * for the newcomer, which is never refused while its network has no permit.
   */
  #refusedFor(newcomer: Transfer): Waiter<Transfer> | null {
    const loads = new Map(this.#permitsOf)
    const all = [...this.#waiters]
    for (const transfer of [newcomer, ...all.map((waiter) => waiter.for)]) {
      for (const key of keysOf(transfer)) add(loads, key, 1)
    }
    const load = ({ client, network }: Transfer) =>
      [loads.get(network)!, loads.get(client)!] as const
    const isNew = !this.#permitsOf.has(newcomer.network)
    let heaviest: Waiter<Transfer> | null = null
    let [ofNetwork, ofClient] = isNew ? [0, 0] : load(newcomer)
    for (const waiter of all.toReversed()) {
      const [network, client] = load(waiter.for)
      if (network < ofNetwork || (network === ofNetwork && client <= ofClient)) continue
      heaviest = waiter
      ofNetwork = network
      ofClient = client
    }
    return heaviest
  }

  /**
   * Ends slow transfers for waiters, if the transfer's client has more permits than the waiter's.
   */
  #endSlow(): void {
    const heaviest = Math.max(...[...this.#admitted].map((transfer) => this.#weight(transfer)))
    const slow = [...this.#admitted]
      .map((transfer) => ({ transfer, pace: transfer.pace() ?? Infinity }))
      .filter(({ transfer, pace }) => pace < modestBytesPerSecond && !this.#ended.has(transfer))
      // The only transfer of a client is spared while others have several.
      .filter(({ transfer, pace }) => this.#isIdle(pace) || this.#weight(transfer) >= heaviest / 2)
      .toSorted((one, other) => one.pace - other.pace)
    for (const { for: waiting } of this.#waiters) {
      const turns = (this.#turnsOf.get(waiting) ?? 0) + 1
      this.#turnsOf.set(waiting, turns)
      const paceMax = turns > modestTurns ? modestBytesPerSecond : slowBytesPerSecond
      const least = this.#weight(waiting)
      const place = slow.findIndex(
        ({ transfer, pace }) =>
          pace < paceMax &&
          (this.#isIdle(pace) || this.#weight(transfer) > least) &&
          this.#fits(waiting, transfer),
      )
      const [found] = place < 0 ? [] : slow.splice(place, 1)
      if (!found) continue
      this.#ended.add(found.transfer)
      found.transfer.end()
    }
  }

  #isIdle(pace: number): boolean {
    return pace === 0 && this.#options.endsIdle === true
  }

  #weight({ client, network }: Transfer): number {
    return Math.max(this.#permitsOf.get(client) ?? 0, (this.#permitsOf.get(network) ?? 0) / 4)
  }

  #giveBack(transfer: Transfer): void {
    this.#admitted.delete(transfer)
    for (const key of keysOf(transfer)) add(this.#permitsOf, key, -1)
  }

  /** The next waiter to admit: of those that fit, the first one with the fewest permits. */
  #next(): Waiter<Transfer> | null {
    let next: Waiter<Transfer> | null = null
    let least = Infinity
    for (const waiter of this.#waiters) {
      const weight = this.#weight(waiter.for)
      if (weight >= least || !this.#fits(waiter.for)) continue
      next = waiter
      least = weight
    }
    return next
  }

  #take(transfer: Transfer): void {
    this.#admitted.add(transfer)
    for (const key of keysOf(transfer)) add(this.#permitsOf, key, 1)
  }

  /** @param leaver a transfer that counts as gone */
  #fits({ client, network, isOwner }: Transfer, leaver?: Transfer): boolean {
    const { bytesMax, shareBytesMin, permitsPerClientMax, permitsPerNetworkMax } = this.#options
    const permitsMax =
      Math.floor(bytesMax / shareBytesMin) - (isOwner ? 0 : this.#options.permitsKept)
    const permitsOf = (key: string) =>
      (this.#permitsOf.get(key) ?? 0) - (leaver && keysOf(leaver).includes(key) ? 1 : 0)
    return (
      this.permits - (leaver ? 1 : 0) < permitsMax &&
      permitsOf(client) < permitsPerClientMax &&
      permitsOf(network) < permitsPerNetworkMax
    )
  }
}

/** Keys of clients and networks never collide: see limiterKey and networkOf. */
function keysOf({ client, network }: Transfer): string[] {
  return [client, network]
}

function add(counts: Map<string, number>, key: string, count: number): void {
  const sum = (counts.get(key) ?? 0) + count
  if (sum > 0) counts.set(key, sum)
  else counts.delete(key)
}
