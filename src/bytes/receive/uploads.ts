import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import type { Database, Sql, TransactionOptions, Work } from '../../database/connect.ts'
import { ByteBudget, type ByteBudgetOptions, type Transfer } from '../../lib/byte-budget.ts'
import type { Clock } from '../../lib/clock.ts'
import { CodedError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { PackedList } from '../../lib/packed-list.ts'
import type { Pages } from '../../lib/pages.ts'
import { oneOfEachKey, Permits } from '../../lib/permits.ts'
import type { Storage } from '../storage.ts'
import type { Traffic } from '../traffic.ts'
import { dropThumbnails } from '../thumbnails-sql.ts'
import { receivedRanges, type ReceivedRange, type TakesChunks } from './received-ranges-sql.ts'
import type { CommitDeps, UploadTarget } from './commit.ts'
import { prepareFileList, listReceivedFiles } from './finalize-body.ts'
import type { FileList, ListedFileInput } from './finalize-body.ts'
import type { FileRules } from './file-rules.ts'
import { IncomingChunk, waitMsMax, GroupCommit } from './incoming-chunk.ts'
import type { IncomingOptions, HeldChunk } from './incoming-chunk.ts'
import { IncomingTar } from './incoming-tar.ts'
import { dropLostChunks } from './finalize.ts'
import { accountBytes, deleteLaterChunks, lockContainer } from './sql.ts'

/** The time that a statement waits for a lock. */
const turnMsMax = 5_000

export interface FinalizeInput {
  /** Null for all received files. */
  readonly files: PackedList<ListedFileInput> | null
  readonly discardUnlisted: boolean
}

interface UploadsOptions {
  readonly database: Database
  readonly storage: Storage
  readonly traffic: Traffic
  readonly clock: Clock
  readonly log: Log
  readonly settings: {
    /** As they are now: the largest chunk in bytes, and whether archives lose system files. */
    readonly values: { readonly maxChunkSize: number; readonly skipSystemFiles: boolean }
  }
  readonly memory: {
    /** For all uploads together. */
    readonly bytesMax: number
    /** Growth of the heap between full collections while bodies arrive: see `setHeapGrowth`. */
    readonly heapGrowthBytes: number
  }
}

/** With 32 MiB, 128 uploads at once: 16 of an address, and 32 kept for account holders. */
function uploadBudget(bytesMax: number): ByteBudgetOptions {
  const shareBytesMin = 256 * 1024
  const permits = Math.floor(bytesMax / shareBytesMin)
  const permitsKept = Math.floor(permits / 4)
  return {
    bytesMax,
    shareBytesMin,
    shareBytesMax: 2 * 1024 * 1024,
    permitsPerClientMax: 16,
    permitsPerNetworkMax: Math.min(48, permits - permitsKept),
    permitsKept,
    waitersMax: 2000,
    waitMsMax,
  }
}

/** Receives chunks into containers, and lists received ones. For shares/ and requests/. */
export class Uploads {
  readonly budget: ByteBudget
  readonly open = new OpenRequests()
  readonly #options: UploadsOptions
  readonly #committing: CommitDeps
  readonly #groups: GroupCommit
  readonly #turns: Permits<string>
  #growsHeap = false

  constructor(options: UploadsOptions) {
    this.#options = options
    const { storage, clock } = options
    this.budget = new ByteBudget({ ...uploadBudget(options.memory.bytesMax), clock })
    this.#turns = new Permits(oneOfEachKey(), { waitMsMax: turnMsMax, clock })
    this.#committing = {
      begin: (...args) => this.begin(...args),
      storage,
      clock,
      besides: new Map(),
    }
    this.#groups = new GroupCommit(this.#committing)
  }

  get chunkBytesMax(): number {
    return this.#options.settings.values.maxChunkSize
  }

  /**
   * Admits one chunk before its body is read: takes a memory permit, and checks that the disk has
   * space for it now. Each write checks again.
   * @param declaredBytes length of the request, 0 when unknown
   * @throws CodedError disk_full, unavailable; the signal's reason
   */
  async admit(
    target: UploadTarget,
    options: { declaredBytes: number; transfer: Transfer },
  ): Promise<IncomingChunk> {
    const { declaredBytes, transfer } = options
    const { permit, open, release } = await this.#enter(target, options)
    const { signal } = transfer
    const onReceived = (bytes: number) => open.received(bytes)
    return this.#newChunk({ target, declaredBytes, permit, signal, release, onReceived })
  }

  /**
   * Admits an archive before its body is read; all its files share one memory permit.
   * @param declaredBytes length of the request, 0 when unknown
   * @throws CodedError disk_full, unavailable; the signal's reason
   */
  async admitTar(
    target: UploadTarget,
    options: { declaredBytes: number; transfer: Transfer },
  ): Promise<IncomingTar> {
    const { signal } = options.transfer
    // Its length may be anything: the disk is looked at again every 64 MiB.
    const declaredBytes = Math.min(options.declaredBytes, this.chunkBytesMax)
    const { permit, release } = await this.#enter(target, { ...options, declaredBytes })
    const { space } = this.#options.storage
    const recheckDisk = async () => {
      await space.require(0)
      // An archive of many files brings as many rows.
      await this.#options.storage.databaseSpace.require()
    }
    const newChunk = (declaredBytes: number) =>
      this.#newChunk({
        target,
        declaredBytes,
        permit,
        signal,
        release: () => {},
        // Stored long before the request ends.
        onReceived: () => {},
      })
    const storeHeld = (chunk: HeldChunk) => {
      this.#options.traffic.count('receivedBytes', chunk.length)
      space.written(chunk.length)
      return this.#groups.add(target, chunk)
    }
    const skipsSystemFiles = this.#options.settings.values.skipSystemFiles
    const given = { target, permit, release, committing: this.#committing, skipsSystemFiles }
    return new IncomingTar({ ...given, recheckDisk, newChunk, storeHeld })
  }

  async #enter(
    { containerId }: UploadTarget,
    options: { declaredBytes: number; transfer: Transfer },
  ) {
    const { declaredBytes, transfer } = options
    const { storage } = this.#options
    const permit = await this.budget.enter(transfer)
    const open = this.open.add(containerId)
    this.#growHeap(true)
    const release = () => {
      open.end()
      permit.leave()
      if (this.budget.permits === 0) this.#growHeap(false)
    }
    try {
      await storage.databaseSpace.require()
      await storage.space.require(declaredBytes)
      return { permit, open, release }
    } catch (error) {
      release()
      throw error
    }
  }

  #growHeap(isReceiving: boolean): void {
    if (this.#growsHeap === isReceiving) return
    this.#growsHeap = isReceiving
    setHeapGrowth(isReceiving ? this.#options.memory.heapGrowthBytes : 0)
  }

  #newChunk(options: Omit<IncomingOptions, 'committing' | 'groups'>): IncomingChunk {
    return new IncomingChunk({
      ...options,
      committing: this.#committing,
      groups: this.#groups,
      onReceived: (bytes) => {
        this.#options.traffic.count('receivedBytes', bytes)
        options.onReceived(bytes)
      },
    })
  }

  /**
   * A transaction that locks a container first. Those of one container take turns here: at its lock
   * each would wait with a connection, and few senders would take them all.
   * @throws CodedError unavailable after 5 s; errors of `work`
   */
  begin<T>(containerId: string, work: Work<T>, options?: TransactionOptions): Promise<T> {
    const transact = () => this.#options.database.begin(work, options)
    return this.#turns.run(transact, containerId)
  }

  /**
   * Prepares the list of an upload's files, drops chunks whose bytes are gone, and completes the
   * upload in a transaction that locks the container.
   * @param files null for all received files
   * @throws CodedError unavailable when the disk is missing; errors of prepareFileList() and of
   *   `complete`
   */
  async finalize<T>(
    containerId: string,
    { files, discardUnlisted }: FinalizeInput,
    rules: FileRules,
    complete: (sql: Sql, list: FileList) => Promise<T>,
  ): Promise<{ readonly list: FileList; readonly completed: T }> {
    const { database } = this.#options
    const input = files ?? (await listReceivedFiles(database, containerId, discardUnlisted))
    const list = await prepareFileList(input, rules)
    await dropLostChunks(this.#options, containerId)
    const completed = await this.begin(containerId, async (sql) => {
      await lockContainer(sql, containerId)
      return complete(sql, list)
    })
    return { list, completed }
  }

  /**
   * Discards received chunks of files that are not finalized; unknown ids are ignored.
   * @throws CodedError not_found, unavailable; what the target's checks throw
   */
  discard(target: UploadTarget, fileKeys: readonly string[]): Promise<void> {
    const { containerId } = target
    return this.begin(containerId, async (sql) => {
      if (!(await lockContainer(sql, containerId))) throw new CodedError('not_found')
      await target.recheck(sql)
      const everything = fileKeys.map((fileKey) => ({ fileKey, index: -1 }))
      const bytes = await deleteLaterChunks(sql, containerId, everything)
      await accountBytes(sql, containerId, 0, -bytes)
      await dropThumbnails(sql, containerId, fileKeys)
    })
  }

  /** Call when a share or a delivery has got all its files. */
  countFinished(): void {
    this.#options.traffic.count('uploads', 1)
  }

  /**
   * @param more 'true' adds the CRC-32 of some chunks of each range, or names of files
   * @throws CodedError already_complete, from the first page on
   */
  listReceivedRanges(
    containerId: string,
    takesChunks: TakesChunks,
    more: Partial<Record<'samples' | 'names', 'true' | null | undefined>> = {},
  ): Pages<ReceivedRange> {
    const hasSamples = more.samples === 'true'
    const hasNames = more.names === 'true'
    const wanted = { containerId, takesChunks, hasSamples, hasNames }
    return receivedRanges(this.#options.database.sql, wanted)
  }
}

/**
 * Lets V8's heap grow by `growthBytes` between two full collections while this process receives
 * bodies; 0 leaves it to V8.
 *
 * Node makes a buffer of every 64 KiB that arrive. Young collections free them, 32 MiB at a time,
 * for next to nothing. But V8 counts them against the limit of the heap too, and a heap as small as
 * ours may grow by about 20 MiB only: it would mark the whole heap for every 30 MB that arrive, a
 * third of the CPU time of an upload. See docs/decisions/0014-full-collections.md.
 */
function setHeapGrowth(growthBytes: number): void {
  const { used_heap_size: usedBytes } = getHeapStatistics()
  const percent = Math.ceil((100 * growthBytes) / usedBytes)
  // 0 leaves it to V8, which is as generous for a large heap.
  setFlagsFromString(`--heap-growing-percent=${percent > 100 ? percent : 0}`)
}

/**
 * The requests that bring bytes now, by container. They are those of this process: bytes that
 * another process receives are known once they are committed.
 */
export class OpenRequests {
  readonly #containers = new Map<string, { requests: number; bytes: number }>()

  /** @returns `received` takes bytes of a chunk that is not stored yet; call `end` once */
  add(containerId: string) {
    const all = this.#containers.get(containerId) ?? { requests: 0, bytes: 0 }
    this.#containers.set(containerId, all)
    all.requests += 1
    let own = 0
    return {
      received(bytes: number) {
        own += bytes
        all.bytes += bytes
      },
      end: () => {
        all.requests -= 1
        all.bytes -= own
        if (all.requests === 0) this.#containers.delete(containerId)
      },
    }
  }

  has(containerId: string): boolean {
    return this.#containers.has(containerId)
  }

  /** Received bytes of chunks that are not stored yet. */
  bytesOf(containerId: string): number {
    return this.#containers.get(containerId)?.bytes ?? 0
  }
}
