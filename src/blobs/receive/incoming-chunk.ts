import { createHash } from 'node:crypto'
import type { Seat } from '../../lib/byte-budget.ts'
import { GatheredBytes } from '../../lib/gathered-bytes.ts'
import { Checksums, type Checksummed } from '../segments/block-checksums.ts'
import type { Lane } from '../segments/segment-writer.ts'
import type { LanePool } from '../segments/segment-writers.ts'
import type { Reservation } from '../disk-floor.ts'
import { writeFailure } from '../storage.ts'

/** Chunks up to this size are held whole and committed in groups: see group-commit.ts. */
const smallChunkBytesMax = 256 * 1024
const writeBytes = 1024 * 1024
const syncEveryBytes = 8 * 1024 * 1024
const recheckDiskBytes = 64 * 1024 * 1024

export interface IncomingOptions {
  readonly parcelId: string
  /** What may come at most, by the length that the request declared; 0 when it declared none. */
  readonly declaredBytes: number
  readonly lanes: LanePool
  readonly seat: Seat
  readonly disk: Reservation
  readonly signal: AbortSignal
  /** Whether to sync while receiving; off under DURABILITY=os. */
  readonly syncs: boolean
}

/** A whole chunk: in memory when small, else at the end of a lane. */
export type Received = Checksummed &
  (
    | { readonly kind: 'small'; readonly data: Buffer[] }
    | { readonly kind: 'landed'; readonly lane: Lane; readonly offset: number }
  )

/**
 * The bytes of one chunk on their way to disk. Its place in the file need not be known: they go to
 * whatever lane is free, in the order in which they come, and a row says later what they are.
 */
export class IncomingChunk {
  readonly #options: IncomingOptions
  readonly #checksums = new Checksums()
  readonly #collected = new GatheredBytes()
  #checkDiskAt = recheckDiskBytes
  #lane: Lane | null = null
  #offset = 0
  #pump: Promise<void> | null = null
  #failure: unknown = null
  #wakes: (() => void)[] = []

  constructor(options: IncomingOptions) {
    this.#options = options
  }

  get length(): number {
    return this.#checksums.length
  }

  /** Takes the next bytes; a promise means: no more until it settles. Throws what went wrong. */
  write(data: Buffer): void | Promise<void> {
    if (this.#failure) throw this.#failure
    this.#checksums.take(data)
    const memoryBefore = this.#collected.memoryBytes
    this.#collected.add(data)
    this.#options.seat.hold(this.#collected.memoryBytes - memoryBefore)
    const isLarge = this.#lane !== null || this.length > smallChunkBytesMax
    if (isLarge && this.#isWorthWriting()) this.#startPump()
    if (!this.#options.seat.hasRoom) return this.#untilDrained()
  }

  /** Call after the last byte: everything is appended (not yet synced) or still in memory. */
  async finish(): Promise<Received> {
    if (!this.#lane && !this.#pump && this.length <= smallChunkBytesMax) {
      return { kind: 'small', data: this.#collected.take(), ...this.#checksummed() }
    }
    while (this.#collected.length > 0 || this.#pump) {
      this.#startPump()
      await this.#pump
      if (this.#failure) throw this.#failure
    }
    const lane = this.#lane as Lane
    return { kind: 'landed', lane, offset: this.#offset, ...this.#checksummed() }
  }

  #checksummed(): Checksummed {
    const { length, crc, blocks } = this.#checksums
    return { length, crc, blocks }
  }

  /**
   * Whether the received bytes hash to this. They are read back for it: the digest may be in a
   * part that comes after the bytes, and hashing always would cost those who send none.
   */
  async matches(received: Received, sha256: Buffer): Promise<boolean> {
    const hash = createHash('sha256')
    if (received.kind === 'small') for (const data of received.data) hash.update(data)
    else
      await received.lane.readBack(
        received.offset,
        received.length,
        (data) => void hash.update(data),
      )
    return hash.digest().equals(sha256)
  }

  /** Ends a chunk, however it went: waits for the last write, then gives the lane back. */
  async release(): Promise<void> {
    this.#failure ??= new Error('the chunk was given up')
    await this.#pump
    this.#collected.take()
    if (this.#lane) await this.#options.lanes.release(this.#lane)
    this.#lane = null
  }

  #isWorthWriting(): boolean {
    const enough = Math.min(writeBytes, this.#options.seat.shareBytes / 2)
    return this.#collected.length >= enough
  }

  /** Starts writing what is collected; one write at a time. Never rejects: see #failure. */
  #startPump(): void {
    if (this.#pump) return
    this.#pump = this.#writeCollected()
      .catch((error: unknown) => {
        this.#failure ??= writeFailure(error)
      })
      .finally(() => {
        this.#pump = null
        if (!this.#failure && this.#lane && this.#isWorthWriting()) this.#startPump()
        this.#wakeAll()
      })
  }

  async #writeCollected(): Promise<void> {
    const lane = await this.#openLane()
    const bytes = this.#collected.memoryBytes
    const buffers = this.#collected.take()
    try {
      if (this.length >= this.#checkDiskAt) {
        this.#checkDiskAt += recheckDiskBytes
        await this.#options.disk.recheck()
      }
      await lane.append(buffers)
    } finally {
      this.#options.seat.free(bytes)
    }
    if (this.#options.syncs && lane.unsyncedBytes >= syncEveryBytes) lane.requestSync()
  }

  async #openLane(): Promise<Lane> {
    if (this.#lane) return this.#lane
    const { lanes, parcelId, declaredBytes, signal } = this.#options
    const lane = await lanes.acquire(parcelId, declaredBytes, signal)
    this.#offset = lane.end
    this.#lane = lane
    return lane
  }

  async #untilDrained(): Promise<void> {
    const { seat } = this.#options
    while (!this.#failure && !seat.hasRoom) {
      if (this.#collected.length > 0) this.#startPump()
      await new Promise<void>((resolve) => {
        this.#wakes.push(resolve)
        seat.onFreed(resolve)
      })
    }
    if (this.#failure) throw this.#failure
  }

  #wakeAll(): void {
    for (const wake of this.#wakes.splice(0)) wake()
  }
}
