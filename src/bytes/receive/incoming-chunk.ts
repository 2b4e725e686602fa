import { createHash, type Hash } from 'node:crypto'
import type { Permit } from '../../lib/byte-budget.ts'
import { CodedError } from '../../lib/errors.ts'
import { GatheredBytes } from '../../http/body.ts'
import { Checksums, type Checksummed } from '../segments/block-checksums.ts'
import type { SegmentWriter } from '../store/store.ts'
import { writeFailure, type Storage } from '../storage.ts'
import { commitChunks } from './commit.ts'
import type { ChunkName, CommitDeps, StoredPlace, UploadTarget, LandedChunk } from './commit.ts'

/** Chunks up to this size are held in memory and committed in groups: see GroupCommit. */
export const smallChunkBytesMax = 256 * 1024
/** Long, because waiting clients lose nothing: most have not sent their body yet. */
export const waitMsMax = 30_000

export interface IncomingOptions {
  readonly target: UploadTarget
  /** Declared length of the request, an upper bound; 0 when it declares none. */
  readonly declaredBytes: number
  readonly permit: Permit
  readonly signal: AbortSignal
  /** Releases the permit and the reservation of the chunk. */
  readonly release: () => void
  /** Called with the bytes of each write. */
  readonly onReceived: (bytes: number) => void
  readonly committing: CommitDeps
  readonly groups: GroupCommit
}

/**
 * One admitted chunk on its way to disk. Its place in the file need not be known: its bytes go to
 * any free segment writer, in the order in which they arrive, and the row names them later. Call
 * `close` on every way out.
 */
export class IncomingChunk {
  readonly #options: IncomingOptions
  readonly #checksums = new Checksums()
  readonly #collected = new GatheredBytes()
  #writer: SegmentWriter | null = null
  #offset = 0
  #pump: Promise<void> | null = null
  #failure: unknown = null
  #wakes: (() => void)[] = []
  #hash: Hash | null = null

  constructor(options: IncomingOptions) {
    this.#options = options
  }

  get length(): number {
    return this.#checksums.length
  }

  get #storage(): Storage {
    return this.#options.committing.storage
  }

  /** Hashes the bytes as they arrive. Otherwise `commit` reads them again for a hash. */
  hashEarly(): void {
    if (this.length === 0) this.#hash = createHash('sha256')
  }

  /**
   * Takes the next bytes. When it returns a promise, wait for it before you write more.
   * @throws CodedError disk_full, unavailable
   */
  write(data: Buffer): void | Promise<void> {
    if (this.#failure) throw this.#failure
    this.#checksums.take(data)
    this.#options.onReceived(data.length)
    this.#hash?.update(data)
    const memoryBefore = this.#collected.memoryBytes
    this.#collected.add(data)
    this.#options.permit.hold(this.#collected.memoryBytes - memoryBefore)
    const isLarge = this.#writer !== null || this.length > smallChunkBytesMax
    if (isLarge && this.#isWorthWriting()) this.#startPump()
    if (!this.#options.permit.hasRoom) return this.#untilDrained()
  }

  /**
   * Stores the received bytes under a name. When this resolves the chunk survives a power cut.
   * @param sha256 hash that the client declared, or null
   * @throws CodedError hash_mismatch and then nothing is stored; disk_full; unavailable; what the
   *   target's recheck throws
   * @returns where it is; null for a small one
   */
  commit(name: ChunkName, sha256: Buffer | null): Promise<StoredPlace | null> {
    const isSmall = !this.#writer && !this.#pump && this.length <= smallChunkBytesMax
    if (isSmall) return this.#commitHeld(name, sha256)
    return this.#commitLanded(name, sha256).catch(refuseSystemError)
  }

  async #commitHeld(name: ChunkName, sha256: Buffer | null): Promise<null> {
    const bytes = this.#collected.memoryBytes
    const data = this.#collected.take()
    if (sha256 && !this.#hash) {
      this.#hash = createHash('sha256')
      for (const buffer of data) this.#hash.update(buffer)
    }
    this.#requireMatch(sha256)
    try {
      const chunk = { ...name, ...this.#checksummed(), data }
      const { target, groups } = this.#options
      await this.#storage.space.during(chunk.length, () => groups.add(target, chunk))
    } finally {
      this.#options.permit.free(bytes)
    }
    return null
  }

  async #commitLanded(name: ChunkName, sha256: Buffer | null): Promise<StoredPlace> {
    while (this.#collected.length > 0 || this.#pump) {
      this.#startPump()
      await this.#pump
      if (this.#failure) throw this.#failure
    }
    const writer = this.#writer as SegmentWriter
    if (sha256 && !this.#hash) {
      // Reads back: the hash came after the bytes.
      const hash = (this.#hash = createHash('sha256'))
      await writer.readBack(this.#offset, this.length, (data) => void hash.update(data))
    }
    this.#requireMatch(sha256)
    await writer.sync()
    const landed = { ...name, ...this.#checksummed(), segmentOffset: this.#offset }
    const { committing, target } = this.#options
    return await commitChunks(committing, target, writer, [landed])
  }

  /** @throws CodedError hash_mismatch */
  #requireMatch(sha256: Buffer | null): void {
    if (sha256 && !this.#hash!.digest().equals(sha256)) throw new CodedError('hash_mismatch')
  }

  #checksummed(): Checksummed {
    const { length, crc, blocks } = this.#checksums
    return { length, crc, blocks }
  }

  /** Ends the chunk: waits for the last write, then gives back what it holds. */
  async close(): Promise<void> {
    const { permit, release } = this.#options
    this.#failure ??= new Error('the chunk was given up')
    try {
      await this.#pump
      permit.free(this.#collected.memoryBytes)
      this.#collected.take()
      if (this.#writer) await this.#storage.writers.release(this.#writer)
      this.#writer = null
    } finally {
      release()
    }
  }

  #isWorthWriting(): boolean {
    const { writeBytes } = this.#storage.writers
    const enough = Math.min(writeBytes, this.#options.permit.shareBytes / 2)
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
        if (!this.#failure && this.#writer && this.#isWorthWriting()) this.#startPump()
        this.#wakeAll()
      })
  }

  async #writeCollected(): Promise<void> {
    const writer = await this.#openWriter()
    const bytes = this.#collected.memoryBytes
    const length = this.#collected.length
    const buffers = this.#collected.take()
    try {
      await this.#storage.space.during(length, () => writer.append(buffers))
    } finally {
      this.#options.permit.free(bytes)
    }
  }

  async #openWriter(): Promise<SegmentWriter> {
    if (this.#writer) return this.#writer
    const { target, declaredBytes, signal } = this.#options
    const { writers } = this.#storage
    const writer = await writers.acquire(target.containerId, declaredBytes, signal)
    this.#offset = writer.end
    this.#writer = writer
    return writer
  }

  async #untilDrained(): Promise<void> {
    const { permit } = this.#options
    while (!this.#failure && !permit.hasRoom) {
      if (this.#collected.length > 0) this.#startPump()
      await new Promise<void>((resolve) => {
        this.#wakes.push(resolve)
        permit.onFreed(resolve)
      })
    }
    if (this.#failure) throw this.#failure
  }

  #wakeAll(): void {
    for (const wake of this.#wakes.splice(0)) wake()
  }
}

function refuseSystemError(error: unknown): never {
  throw error instanceof Error && 'syscall' in error ? writeFailure(error) : error
}

const batchBytesMax = 8 * 1024 * 1024
const batchChunksMax = 500

/** A small chunk, whole in memory. */
export interface HeldChunk extends ChunkName, Checksummed {
  readonly data: readonly Buffer[]
}

interface Waiting {
  readonly chunk: HeldChunk
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Commits the small chunks of a container in groups: while one group is written, synced and
 * inserted, the next one gathers. A folder of small files then needs one sync for many files, and a
 * single small chunk does not wait. The byte budget of transfers bounds how many gather.
 */
export class GroupCommit {
  readonly #deps: CommitDeps
  readonly #waiting = new Map<string, Waiting[]>()

  constructor(deps: CommitDeps) {
    this.#deps = deps
  }

  /**
   * Resolves once the chunk is on disk and its row committed.
   * @throws CodedError disk_full, unavailable; what the target's checks throw
   */
  add(target: UploadTarget, chunk: HeldChunk): Promise<void> {
    const stored = new Promise<void>((resolve, reject) => {
      const key = keyOf(target)
      const gathering = this.#waiting.get(key)
      if (gathering) {
        gathering.push({ chunk, resolve, reject })
        return
      }
      this.#waiting.set(key, [{ chunk, resolve, reject }])
      void this.#run(target)
    })
    return stored.catch(refuseSystemError)
  }

  /** One loop a round of a container, while chunks wait. Never rejects. */
  async #run(target: UploadTarget): Promise<void> {
    const queue = this.#waiting.get(keyOf(target)) as Waiting[]
    while (queue.length > 0) {
      const group = takeGroup(queue)
      try {
        await this.#commit(target, group)
        for (const waiting of group) waiting.resolve()
      } catch (error) {
        await this.#settleFailed(target, group, error)
      }
    }
    this.#waiting.delete(keyOf(target))
  }

  /** What is wrong may be wrong with one chunk only, so each is tried alone, in order. */
  async #settleFailed(target: UploadTarget, group: readonly Waiting[], error: unknown) {
    const isRefusal = error instanceof CodedError && error.status < 500
    for (const waiting of group) {
      if (!isRefusal || group.length === 1) {
        waiting.reject(error)
        continue
      }
      await this.#commit(target, [waiting]).then(waiting.resolve, waiting.reject)
    }
  }

  async #commit(target: UploadTarget, group: readonly Waiting[]): Promise<void> {
    const { writers } = this.#deps.storage
    const bytes = group.reduce((sum, { chunk }) => sum + chunk.length, 0)
    const { signal } = new AbortController()
    const writer = await writers.acquire(target.containerId, bytes, signal)
    try {
      const landed = await append(writer, group)
      await writer.sync()
      await commitChunks(this.#deps, target, writer, landed)
    } finally {
      await writers.release(writer)
    }
  }
}

function keyOf({ containerId, round, sender }: UploadTarget): string {
  return `${containerId} ${round ?? ''} ${sender}`
}

async function append(writer: SegmentWriter, group: readonly Waiting[]): Promise<LandedChunk[]> {
  const buffers: Buffer[] = []
  const landed: LandedChunk[] = []
  let offset = writer.position
  for (const { chunk } of group) {
    for (const data of chunk.data) buffers.push(data)
    landed.push({ ...chunk, segmentOffset: offset })
    offset += chunk.length
  }
  if (buffers.length > 0) await writer.append(buffers)
  return landed
}

function takeGroup(queue: Waiting[]): Waiting[] {
  let bytes = 0
  let count = 0
  while (count < queue.length && count < batchChunksMax) {
    const { length } = (queue[count] as Waiting).chunk
    if (count > 0 && bytes + length > batchBytesMax) break
    bytes += length
    count += 1
  }
  return queue.splice(0, count)
}
