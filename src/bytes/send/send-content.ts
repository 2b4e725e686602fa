import type { ByteWriter } from '../../http/answer.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Content } from './content.ts'
import { Filler, type SegmentSource } from './filler.ts'
import { unavailable } from '../../lib/errors.ts'
import { inOrder, Permits, type PermitsOptions } from '../../lib/permits.ts'

/** Small, so that it is soon known whether the client wants more: see counting.ts. */
const firstBytes = 64 * 1024
/** After this many bytes a transfer asks for a larger buffer again. */
const handOverBytesMax = 512 * 1024

export interface ReadingDeps {
  readonly segments: SegmentSource
  readonly permit: Pick<TransferPermit, 'resize'>
  /** Waits before each buffer is filled: see `RequestContext.takeTurn`. */
  readonly takeTurn: () => Promise<void>
}

export interface WritingDeps {
  readonly writer: ByteWriter
  readonly clock: Pick<Clock, 'monotonic'>
  /** Called after each write with the bytes that the kernel has taken. */
  readonly onSent: (bytes: number) => void
}

/**
 * Sends bytes [start, end) of a content, once. For a fast client two buffers take turns: one is
 * filled from disk while the other drains into the socket. A slow client gets one small buffer,
 * which is refilled only when the socket has taken it: its read-ahead is in the kernel.
 */
export class ContentSender {
  readonly #filler: Filler
  readonly #buffers: BufferPair
  readonly #takeTurn: () => Promise<void>
  readonly #pace = new Pace()
  /** Bytes still to be read. */
  #left: number
  #readAhead: Buffer | null = null

  constructor(
    content: Content,
    { start, end }: { start: number; end: number },
    { segments, permit, takeTurn }: ReadingDeps,
  ) {
    this.#filler = new Filler(content.pieces(start, end), segments)
    this.#buffers = new BufferPair(permit)
    this.#takeTurn = takeTurn
    this.#left = end - start
  }

  /**
   * Reads and checks the first buffer, before the client is promised anything. Returns it.
   * @throws DamagedContent; errors of reading
   */
  async readAhead(): Promise<Buffer> {
    if (this.#left > 0) this.#readAhead = await this.#fill(false)
    return this.#readAhead ?? Buffer.alloc(0)
  }

  /** @throws DamagedContent; errors of reading and writing */
  async send({ writer, clock, onSent }: WritingDeps): Promise<void> {
    let writing: Promise<void> = Promise.resolve()
    const write = (data: Buffer) => {
      const beganMs = clock.monotonic()
      writing = writer.write(data).then(() => {
        this.#pace.drained(data.length, clock.monotonic() - beganMs)
        onSent(data.length)
      })
      // Handled at the next turn; until then the rejection must not count as unhandled.
      writing.catch(() => {})
    }
    const writeNow = (data: Buffer) => {
      write(data)
      return writer.flush()
    }
    try {
      if (this.#readAhead) write(this.#readAhead)
      this.#readAhead = null
      while (this.#left > 0) {
        const takesTurns = this.#pace.readsAhead && this.#buffers.mayTakeTurns
        if (!takesTurns) await writing
        const filling = this.#fill(takesTurns, takesTurns ? undefined : writeNow)
        const data = await bothSettled(filling, writing)
        if (data.length > 0) write(data)
      }
      await writing
    } finally {
      this.release()
    }
  }

  release(): void {
    this.#buffers.release()
  }

  /** Returns the bytes still to be written; empty when everything read was written. */
  async #fill(takesTurns: boolean, writeNow?: (data: Buffer) => boolean): Promise<Buffer> {
    await this.#takeTurn()
    const left = this.#left
    const buffer = this.#buffers.next(this.#pace.bufferBytes, left, takesTurns)
    const handOver =
      writeNow &&
      ((filled: number) => {
        this.#left -= filled
        const isTaken = writeNow(buffer.subarray(0, filled))
        return isTaken && left - this.#left < handOverBytesMax
      })
    const filled = await this.#filler.fill(buffer, handOver)
    this.#left -= filled
    if (this.#left === left) throw new Error('a content is shorter than its size')
    return buffer.subarray(0, filled)
  }
}

/** Waits for both even when one fails: a running read must not lose its segment. */
async function bothSettled<T>(reading: Promise<T>, writing: Promise<void>): Promise<T> {
  const [read, written] = await Promise.allSettled([reading, writing])
  if (written.status === 'rejected') throw written.reason
  if (read.status === 'rejected') throw read.reason
  return read.value
}

const bufferBytesMax = 512 * 1024
export const bufferBytesMin = 16 * 1024
/** From this size on two buffers take turns. */
const pairedBytesMin = 128 * 1024
/** A buffer holds what the client drains in this time. */
const drainMs = 250

/** The buffer size that suits a client, by how fast it drained the last one. */
class Pace {
  bufferBytes = firstBytes

  get readsAhead(): boolean {
    return this.bufferBytes >= pairedBytesMin
  }

  drained(bytes: number, ms: number): void {
    const target = (bytes / Math.max(ms, 1)) * drainMs
    const most = Math.min(bufferBytesMax, this.bufferBytes * 4)
    let next = bufferBytesMin
    while (next * 2 <= Math.min(target, most)) next *= 2
    this.bufferBytes = next
  }
}

/** Two buffers of any size, counted by the transfer's permit. */
export class BufferPair {
  readonly #permit: Pick<TransferPermit, 'resize'>
  #current: Buffer = Buffer.alloc(0)
  #other: Buffer = Buffer.alloc(0)

  constructor(permit: Pick<TransferPermit, 'resize'>) {
    this.#permit = permit
  }

  /** A transfer that was granted only a small buffer does with one. */
  get mayTakeTurns(): boolean {
    return this.#current.length >= pairedBytesMin / 2
  }

  /**
   * The buffer to fill next.
   * @param bytesMax its size limit; it must hold `bytesWanted`
   * @param takesTurns whether the last returned buffer still drains; otherwise that one is reused
   */
  next(bytesMax: number, bytesWanted: number, takesTurns: boolean): Buffer {
    const last = this.#current
    if (takesTurns) {
      this.#current = this.#other
      this.#other = last
    } else {
      this.#other = this.#resize(this.#other, 0)
    }
    const bytes = Math.min(bytesMax, bytesWanted)
    const isFitting = this.#current.length >= bytes && this.#current.length <= bytesMax
    if (!isFitting) this.#current = this.#resize(this.#current, bytes)
    return this.#current.subarray(0, bytes)
  }

  release(): void {
    this.#current = this.#resize(this.#current, 0)
    this.#other = this.#resize(this.#other, 0)
  }

  #resize(buffer: Buffer, bytes: number): Buffer {
    const granted = this.#permit.resize(buffer.length, bytes)
    return granted === buffer.length ? buffer : Buffer.allocUnsafeSlow(granted)
  }
}

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

  get waiting(): number {
    return this.#permits.waiting
  }

  get transfers(): number {
    return this.#transfers
  }

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
      throw unavailable(5)
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
