import type { Clock } from '../lib/clock.ts'
import { CodedError } from '../lib/errors.ts'
import { diskSpace } from './storage-root.ts'

const floorBytesMin = 512 * 1024 * 1024
const floorShare = 0.03
const measuredForMs = 1_000

/** Bytes promised to a transfer that runs; `settle` gives the promise back. */
export interface Reservation {
  /** Promises more, as a body grows. @throws CodedError disk_full */
  extend(bytes: number): Promise<void>
  settle(): void
}

/**
 * Keeps a part of the disk free, always: a full disk stops the database, and with it deleting.
 * Counts what is free less what running transfers were promised.
 */
export class DiskFloor {
  readonly #folder: string
  readonly #floorBytes: () => number
  readonly #clock: Clock
  #promisedBytes = 0
  #measured: { free: number; total: number } | null = null
  #measuredAtMs = 0

  /** @param floorBytes the floor as the settings have it; never less than 512 MiB and 3 % */
  constructor(folder: string, clock: Clock, floorBytes: () => number) {
    this.#floorBytes = floorBytes
    this.#folder = folder
    this.#clock = clock
  }

  /** @throws CodedError disk_full with the numbers */
  async reserve(bytes: number): Promise<Reservation> {
    let held = 0
    const extend = async (more: number) => {
      const { free, total } = await this.#measure()
      const floor = Math.max(floorBytesMin, Math.floor(total * floorShare), this.#floorBytes())
      const room = free - floor - this.#promisedBytes
      if (more > room) {
        const left = Math.max(0, room)
        throw new CodedError('disk_full', {
          message: `The disk of the service has no room for ${more} more bytes (${left} left).`,
          details: { needed: more, available: left },
        })
      }
      held += more
      this.#promisedBytes += more
    }
    await extend(bytes)
    return {
      extend,
      settle: () => {
        this.#promisedBytes -= held
        held = 0
      },
    }
  }

  async #measure(): Promise<{ free: number; total: number }> {
    const now = this.#clock.monotonic()
    if (!this.#measured || now - this.#measuredAtMs >= measuredForMs) {
      this.#measured = await diskSpace(this.#folder)
      this.#measuredAtMs = now
    }
    return this.#measured
  }
}
