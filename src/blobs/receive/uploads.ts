import type { Database, Sql } from '../../database/connect.ts'
import { ByteBudget, type Transfer } from '../../lib/byte-budget.ts'
import { readBootId } from '../../lib/boot-id.ts'
import type { Clock } from '../../lib/clock.ts'
import { CodedError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { Pages } from '../../lib/pages.ts'
import { Semaphore } from '../../lib/semaphore.ts'
import type { Storage } from '../storage.ts'
import { writeFailure } from '../storage.ts'
import { arrivedRanges, type ArrivedRange } from './arrived-sql.ts'
import { commitChunks, type UploadTarget } from './commit.ts'
import { FileSizes } from './file-sizes.ts'
import { GroupCommit } from './group-commit.ts'
import { IncomingChunk, type Received } from './incoming-chunk.ts'
import { dropLostChunks } from './lost-chunks.ts'
import { settleUncovered, syncContainer } from './os-durability.ts'

export const chunkIndexMax = 99_999
// A client that waits is not read: it loses nothing, and most have sent nothing yet.
const waitMsMax = 30_000
/** Requests with up to 1 MiB in a field: a chunk without a file name is one. */
const longFieldsMax = 16

export interface UploadsOptions {
  readonly database: Database
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
  /** Largest chunk in bytes, as the settings have it now. */
  readonly chunkBytesMax: () => number
  /** Null when chunks are synced before they are acknowledged; else the id of this boot. */
  readonly bootId: string | null
}

/** What identifies a chunk among those of its container. */
export interface ChunkName {
  readonly fileKey: string
  readonly index: number
}

/** Receives chunks into containers, and tells what has arrived. Used by shares/ and reverse/. */
export class Uploads {
  readonly budget: ByteBudget
  readonly #options: UploadsOptions
  readonly #thisBoot: string
  readonly #fileSizes = new FileSizes()
  readonly #groups: GroupCommit
  readonly #longFields = new Semaphore(longFieldsMax, 2000)

  constructor(options: UploadsOptions) {
    this.#options = options
    this.#thisBoot = options.bootId ?? readBootId()
    this.budget = new ByteBudget({
      bytesMax: 32 * 1024 * 1024,
      shareBytesMin: 256 * 1024,
      shareBytesMax: 2 * 1024 * 1024,
      permitsPerClientMax: 16,
      permitsPerNetworkMax: 48,
      permitsKept: 32,
      waitersMax: 2000,
      waitMsMax,
    })
    this.#groups = new GroupCommit({ ...options, fileSizes: this.#fileSizes })
  }

  get chunkBytesMax(): number {
    return this.#options.chunkBytesMax()
  }

  /**
   * Admits one chunk before its body is read: a place in the memory budget, and room on the disk.
   * @param declaredBytes length of the request, 0 when unknown
   * @throws CodedError disk_full, unavailable; the signal's reason
   */
  async admit(
    target: UploadTarget,
    options: { declaredBytes: number; transfer: Transfer },
  ): Promise<AdmittedChunk> {
    const { storage, bootId } = this.#options
    const bytes = options.declaredBytes > 0 ? options.declaredBytes : this.chunkBytesMax
    const { signal } = options.transfer
    const permit = await this.budget.enter(options.transfer)
    try {
      await storage.databaseSpace.require()
      const disk = await storage.space.reserve(bytes)
      const incoming = new IncomingChunk({
        containerId: target.containerId,
        declaredBytes: options.declaredBytes,
        writers: storage.writers,
        permit,
        disk,
        signal,
        syncs: bootId === null,
      })
      let leaveLong = () => {}
      let hasLeft = false
      return new AdmittedChunk({
        incoming,
        leave: () => {
          disk.settle()
          permit.leave()
          leaveLong()
          hasLeft = true
        },
        admitLongField: async () => {
          leaveLong = await this.#longFields.take({ signal, waitMsMax })
          if (hasLeft) leaveLong()
        },
        store: (name, received) => this.#commit(target, name, received),
      })
    } catch (error) {
      permit.leave()
      throw error
    }
  }

  /**
   * Makes acknowledged chunks of a container durable that are not yet, inside the transaction that
   * finalizes it: nothing to do unless DURABILITY=os.
   */
  async syncContainer(containerId: string, sql: Sql): Promise<void> {
    const { storage, bootId } = this.#options
    if (bootId !== null) await syncContainer(sql, storage, bootId, containerId)
  }

  /**
   * Before finalize: makes received chunks durable, and drops those whose bytes are gone.
   * @throws CodedError unavailable when the disk is missing
   */
  async checkReceived(containerId: string): Promise<void> {
    // Without DURABILITY=os too: a process that had it may have left some that could not be synced.
    await settleUncovered(this.#options, this.#thisBoot, containerId)
    await dropLostChunks(this.#options, containerId)
  }

  listArrived(containerId: string): Pages<ArrivedRange> {
    return arrivedRanges(this.#options.database.sql, containerId)
  }

  async #commit(target: UploadTarget, name: ChunkName, received: Received): Promise<void> {
    if (received.kind === 'small') return this.#groups.add(target, { ...name, ...received })
    const { writer, offset, length, crc, blocks } = received
    if (this.#options.bootId === null) await writer.sync()
    const landed = { ...name, segmentOffset: offset, length, crc, blocks }
    const parts = { ...this.#options, fileSizes: this.#fileSizes }
    await commitChunks(parts, target, writer, [landed])
  }
}

interface AdmittedParts {
  readonly incoming: IncomingChunk
  readonly leave: () => void
  readonly admitLongField: () => Promise<void>
  readonly store: (name: ChunkName, received: Received) => Promise<void>
}

/** One chunk that was admitted. `close` it on every way out. */
export class AdmittedChunk {
  readonly #parts: AdmittedParts

  constructor(parts: AdmittedParts) {
    this.#parts = parts
  }

  get length(): number {
    return this.#parts.incoming.length
  }

  /** @throws CodedError unavailable when too many others send long fields; the signal's reason */
  admitLongField(): Promise<void> {
    return this.#parts.admitLongField()
  }

  /** @throws CodedError disk_full, unavailable */
  write(data: Buffer): void | Promise<void> {
    return this.#parts.incoming.write(data)
  }

  /**
   * Stores what was received under its name. When this resolves the chunk survives a power cut.
   * @param sha256 what the sender says the bytes hash to, or null
   * @throws CodedError hash_mismatch and then nothing is stored; disk_full; unavailable; what the
   *   target's recheck throws
   */
  async commit(name: ChunkName, sha256: Buffer | null): Promise<void> {
    try {
      const received = await this.#parts.incoming.finish()
      if (sha256 && !(await this.#parts.incoming.matches(received, sha256))) {
        throw new CodedError('hash_mismatch')
      }
      await this.#parts.store(name, received)
    } catch (error) {
      throw databaseOrWriteFailure(error)
    }
  }

  async close(): Promise<void> {
    try {
      await this.#parts.incoming.release()
    } finally {
      this.#parts.leave()
    }
  }
}

function databaseOrWriteFailure(error: unknown): unknown {
  const isSystem = error instanceof Error && 'syscall' in error
  return isSystem ? writeFailure(error) : error
}
