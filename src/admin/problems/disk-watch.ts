import type { DiskName } from '../../bytes/upkeep/free-space.ts'
import type { Storage } from '../../bytes/storage.ts'
import type { Log } from '../../lib/log.ts'

/** Space above the floor before a full disk counts as free again, so that the log is not filled. */
const roomShareMin = 0.05

export interface DiskState {
  readonly disk: DiskName
  readonly isFull: boolean
  /** Bytes. */
  readonly free: number
  readonly floor: number
}

/** Logs once when a disk reaches its floor, and once when it has space again. */
export class DiskWatch {
  readonly #storage: Storage
  readonly #log: Log
  readonly #full = new Set<DiskName>()

  constructor({ storage, log }: { readonly storage: Storage; readonly log: Log }) {
    this.#storage = storage
    this.#log = log
  }

  /** The disks that are there. */
  async look(): Promise<DiskState[]> {
    const { space, databaseSpace } = this.#storage
    const [files, database] = await Promise.all([
      space.describe().catch(() => null),
      databaseSpace.describe(),
    ])
    return Object.entries({ files, database }).flatMap(([name, found]) => {
      return found ? [this.#note(name as DiskName, found)] : []
    })
  }

  #note(disk: DiskName, { free, floor }: { free: number; floor: number }): DiskState {
    const wasFull = this.#full.has(disk)
    const isFull = free < (wasFull ? floor * (1 + roomShareMin) : floor)
    const fields = { disk, freeBytes: free, floorBytes: floor }
    if (isFull && !wasFull) {
      this.#full.add(disk)
      this.#log.warn('disk is full: uploads refused', fields)
    }
    if (!isFull && wasFull) {
      this.#full.delete(disk)
      this.#log.info('disk has space again: uploads accepted', fields)
    }
    return { disk, isFull: free < floor, free, floor }
  }
}
