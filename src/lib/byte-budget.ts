import { busy } from './semaphore.ts'

export interface ByteBudgetOptions {
  /** What all transfers together may hold in memory. */
  readonly bytesMax: number
  readonly shareBytesMin: number
  readonly shareBytesMax: number
  readonly seatsPerClientMax: number
  /** Transfers that may wait for a seat; more are refused. */
  readonly waitersMax: number
  /** How long a transfer may wait for a seat. */
  readonly waitMsMax: number
}

/** A transfer's place in the budget. Give it back exactly when its last byte has left memory. */
export interface Seat {
  /** How much the transfer may hold right now: shrinks while others come, grows when they go. */
  readonly shareBytes: number
  /** What all transfers together may still take. */
  readonly roomBytes: number
  /**
   * Whether the transfer may take more: it is below its share and the budget is not used up. Others
   * may hold more than their share has become, so the share alone bounds nothing.
   */
  readonly hasRoom: boolean
  /** Counts bytes that were taken into memory, and those that have left it. */
  hold(bytes: number): void
  free(bytes: number): void
  /** Calls back once, when any transfer has freed some. */
  onFreed(wake: () => void): void
  /** Gives the place back, with all that is still held. */
  leave(): void
}

interface Waiter {
  readonly client: string
  readonly admit: () => void
}

/**
 * Bounds the memory of all transfers of one direction: each gets an equal share between two
 * bounds, and those for whom even the smallest is not there wait without being read.
 */
export class ByteBudget {
  readonly #options: ByteBudgetOptions
  readonly #seatsOfClient = new Map<string, number>()
  readonly #waiters = new Set<Waiter>()
  readonly #wakes: (() => void)[] = []
  #seats = 0
  #heldBytes = 0

  constructor(options: ByteBudgetOptions) {
    this.#options = options
  }

  get seats(): number {
    return this.#seats
  }

  /** What all transfers hold in memory. */
  get heldBytes(): number {
    return this.#heldBytes
  }

  /**
   * Waits for a seat, first come first served among clients below their own bound.
   * @throws CodedError unavailable when too many wait, or when it waited too long; the signal's
   *   reason when it aborts
   */
  async enter(client: string, signal: AbortSignal): Promise<Seat> {
    if (signal.aborted) throw signal.reason
    if (!this.#fits(client)) await this.#wait(client, signal)
    else this.#take(client)
    return this.#seat(client)
  }

  #seat(client: string): Seat {
    let left = false
    let held = 0
    const shareBytes = () => {
      const { bytesMax, shareBytesMin, shareBytesMax } = this.#options
      const equal = Math.floor(bytesMax / Math.max(1, this.#seats))
      return Math.max(shareBytesMin, Math.min(shareBytesMax, equal))
    }
    const roomBytes = () => this.#options.bytesMax - this.#heldBytes
    const free = (bytes: number) => {
      held -= bytes
      this.#free(bytes)
    }
    return {
      get shareBytes() {
        return shareBytes()
      },
      get roomBytes() {
        return roomBytes()
      },
      get hasRoom() {
        return held === 0 || (held < shareBytes() && roomBytes() > 0)
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
        this.#giveBack(client)
      },
    }
  }

  #free(bytes: number): void {
    this.#heldBytes -= bytes
    for (const wake of this.#wakes.splice(0)) wake()
  }

  #wait(client: string, signal: AbortSignal): Promise<void> {
    if (this.#waiters.size >= this.#options.waitersMax) throw busy()
    return new Promise((resolve, reject) => {
      const end = () => {
        this.#waiters.delete(waiter)
        signal.removeEventListener('abort', onAbort)
        clearTimeout(timer)
      }
      const onAbort = () => {
        end()
        reject(signal.reason as Error)
      }
      const onTimeout = () => {
        end()
        reject(busy())
      }
      const waiter: Waiter = {
        client,
        admit: () => {
          end()
          resolve()
        },
      }
      const timer = setTimeout(onTimeout, this.#options.waitMsMax)
      this.#waiters.add(waiter)
      signal.addEventListener('abort', onAbort, { once: true })
    })
  }

  #giveBack(client: string): void {
    this.#seats -= 1
    const seats = (this.#seatsOfClient.get(client) ?? 1) - 1
    if (seats > 0) this.#seatsOfClient.set(client, seats)
    else this.#seatsOfClient.delete(client)
    for (const waiter of this.#waiters) {
      if (!this.#fits(waiter.client)) continue
      this.#take(waiter.client)
      waiter.admit()
      return
    }
  }

  #take(client: string): void {
    this.#seats += 1
    this.#seatsOfClient.set(client, (this.#seatsOfClient.get(client) ?? 0) + 1)
  }

  #fits(client: string): boolean {
    const { bytesMax, shareBytesMin, seatsPerClientMax } = this.#options
    const seatsMax = Math.floor(bytesMax / shareBytesMin)
    return this.#seats < seatsMax && (this.#seatsOfClient.get(client) ?? 0) < seatsPerClientMax
  }
}
