import { CodedError } from '../../lib/errors.ts'
import { inOrder, Permits, type PermitsOptions } from '../../lib/permits.ts'

export interface BufferBudgetOptions extends PermitsOptions {
  /** Bytes in buffers of all transfers together, beside the smallest ones. */
  readonly bytesMax: number
  /** Bytes in buffers of one client: a fair share, not a hard limit. */
  readonly clientBytesMax: number
  /** Layouts of selections: a client can request any number of them, and read them slowly. */
  readonly layoutBytesMax: number
  /** Always granted, so that every transfer makes progress. */
  readonly bufferBytesMin: number
  /** Transfers at once; more wait, and are refused when the wait gets too long. */
  readonly transfersMax: number
}

/** Leave to send bytes to a client. Release it when the last buffer has left memory. */
export interface TransferPermit {
  /**
   * Requests another size for one of the transfer's buffers.
   * @param heldBytes its present size, 0 for a new one
   * @param wantedBytes 0 gives it back
   * @returns the granted size: at most `wantedBytes`, but never below the minimum
   */
  resize(heldBytes: number, wantedBytes: number): number
  /** Counts memory that the transfer holds beside its buffers until it ends: see `hasRoomFor`. */
  hold(bytes: number): void
  leave(): void
}

/**
 * Bounds the memory of everything that is being sent: connections cost little, but the bytes read
 * ahead for them do. Buffers grow with the speed of the client, while the total and the client's
 * share allow it; other transfers use a small buffer. So any number of slow readers leaves memory
 * for others.
 */
export class BufferBudget {
  readonly #options: BufferBudgetOptions
  readonly #buffers = new ClientBytes()
  readonly #layouts = new ClientBytes()
  readonly #permits: Permits
  #transfers = 0

  constructor(options: BufferBudgetOptions) {
    this.#options = options
    this.#permits = new Permits(inOrder(options.transfersMax), options)
  }

  /** Transfers that wait for a permit. */
  get waiting(): number {
    return this.#permits.waiting
  }

  get transfers(): number {
    return this.#transfers
  }

  /** Bytes in buffers of all transfers. */
  get heldBytes(): number {
    return this.#buffers.total
  }

  /**
   * Admits a transfer.
   * @param layoutBytes that it keeps in memory until it ends, and shares with no other one
   * @throws CodedError unavailable with Retry-After when no permit came free in time, or when the
   *   client has too many such layouts; the signal's reason
   */
  async enter(client: string, signal: AbortSignal, layoutBytes = 0): Promise<TransferPermit> {
    const release = await this.#permits.take(undefined, signal)
    const { layoutBytesMax } = this.#options
    const layoutsLeft = this.#layouts.leftFor(client, layoutBytesMax, layoutBytesMax / 4)
    if (layoutBytes > layoutsLeft && this.#layouts.total > 0) {
      release()
      throw new CodedError('unavailable', { headers: { 'Retry-After': '5' } })
    }
    this.#layouts.add(client, layoutBytes)
    this.#transfers += 1
    let held = 0
    let left = false
    const hold = (bytes: number) => {
      held += bytes
      this.#buffers.add(client, bytes)
    }
    return {
      resize: (heldBytes, wantedBytes) => {
        const granted = this.#grant(client, heldBytes, wantedBytes)
        hold(granted - heldBytes)
        return granted
      },
      hold,
      leave: () => {
        if (left) return
        left = true
        this.#transfers -= 1
        this.#buffers.add(client, -held)
        this.#layouts.add(client, -layoutBytes)
        release()
      },
    }
  }

  /** Whether a client may hold this much beside its buffers. A little is always granted. */
  hasRoomFor(client: string, bytes: number): boolean {
    return bytes <= Math.max(this.#options.bufferBytesMin, this.#leftFor(client))
  }

  #leftFor(client: string): number {
    const { bytesMax, clientBytesMax } = this.#options
    return this.#buffers.leftFor(client, bytesMax, clientBytesMax)
  }

  #grant(client: string, heldBytes: number, wantedBytes: number): number {
    const { bufferBytesMin } = this.#options
    const left = this.#leftFor(client)
    if (wantedBytes <= Math.max(bufferBytesMin, left + heldBytes)) return wantedBytes
    let granted = bufferBytesMin
    while (granted * 2 <= Math.min(wantedBytes, left + heldBytes)) granted *= 2
    return granted
  }
}

/** Bytes in total and by client. */
class ClientBytes {
  readonly #byClient = new Map<string, number>()
  #total = 0

  get total(): number {
    return this.#total
  }

  add(client: string, bytes: number): void {
    this.#total += bytes
    const held = (this.#byClient.get(client) ?? 0) + bytes
    if (held > 0) this.#byClient.set(client, held)
    else this.#byClient.delete(client)
  }

  leftFor(client: string, bytesMax: number, clientBytesMax: number): number {
    const ofClient = clientBytesMax - (this.#byClient.get(client) ?? 0)
    return Math.min(bytesMax - this.#total, ofClient)
  }
}
