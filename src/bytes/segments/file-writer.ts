import { CodedError, unavailable } from '../../lib/errors.ts'
import type { OpenFile } from './files-on-disk.ts'
import type { SegmentWriter, WriterDeps } from '../store/store.ts'

const readBackBytes = 256 * 1024
/** So that little is left to sync at the end of a large chunk. */
const syncEveryBytes = 8 * 1024 * 1024

export interface SegmentPlace {
  readonly containerId: string
  readonly segmentId: string
  /** Inode of the new file; null when its file system has no lasting ones. */
  readonly inode: number | null
  /** Resolves once its name is durable; rejects when that failed. */
  readonly named: Promise<void>
}

/**
 * Appends to a file. A failed write or sync seals it for good, because the kernel may have dropped
 * the pages of a failed sync and marked them clean.
 */
export class FileWriter implements SegmentWriter, Unsynced {
  readonly containerId: string
  readonly segmentId: string
  readonly #inode: number | null
  readonly #named: Promise<void>
  readonly #file: OpenFile
  readonly #deps: WriterDeps
  #end = 0
  #position = 0
  #unsyncedBytes = 0
  #syncing: Promise<void> | null = null
  #isWriting = false
  #syncWanted = false
  /** A truncation without a later sync: a power cut would undo it. */
  #isTruncated = false
  #sealed = false
  /** The first error that sealed the writer. */
  #failure: unknown = null
  #closed = false

  constructor(
    { containerId, segmentId, inode, named }: SegmentPlace,
    file: OpenFile,
    deps: WriterDeps,
  ) {
    this.containerId = containerId
    this.segmentId = segmentId
    this.#inode = inode
    this.#file = file
    this.#deps = deps
    this.#named = this.#sealOnError(named)
    this.#named.catch(() => {})
  }

  get end(): number {
    return this.#end
  }

  get position(): number {
    return this.#position
  }

  get sealed(): boolean {
    return this.#sealed
  }

  get unsyncedBytes(): number {
    return this.#unsyncedBytes
  }

  async append(buffers: Buffer[]): Promise<void> {
    const bytes = buffers.reduce((sum, buffer) => sum + buffer.length, 0)
    // A sync may be requested from the moment in which the bytes are counted.
    await this.#deps.unsynced.add(this, bytes, () => {
      this.#isWriting = true
    })
    let written = 0
    try {
      this.#checkSealed()
      const position = this.#position
      this.#position += bytes
      await this.#sealOnError(this.#file.write(buffers, position))
      written = bytes
    } finally {
      this.#isWriting = false
      // Counted only now: a sync that began before the write settled does not cover it.
      this.#unsyncedBytes += written
      if (written === 0) this.#deps.unsynced.remove(this, bytes)
      const isDue = this.#syncWanted || this.#unsyncedBytes >= syncEveryBytes
      if (isDue) this.requestSync()
    }
  }

  /** Afterwards a power cut takes neither the bytes nor the name of the segment. */
  async sync(): Promise<void> {
    await this.#syncBytes()
    await this.#named
    this.#checkSealed()
  }

  async #syncBytes(): Promise<void> {
    while (this.#unsyncedBytes > 0 || this.#syncing) {
      await (this.#syncing ?? this.#startSync())
    }
  }

  requestSync(): void {
    // A request in the middle of a write is remembered, because the requester waits for those
    // bytes.
    this.#syncWanted = this.#isWriting
    // Bytes that nobody will refer to must not hold up others.
    if (this.#sealed && !this.#syncing) this.#forgetUnsynced(this.#unsyncedBytes)
    if (this.#syncing || this.#unsyncedBytes === 0 || this.#closed) return
    // The holder of the writer meets the error in its next call, because the writer is sealed by
    // then.
    this.#startSync().catch(() => {})
  }

  advance(): void {
    this.#end = this.#position
  }

  seal(): void {
    this.#sealed = true
  }

  /**
   * A segment that was removed, replaced, truncated or extended from outside seals the writer:
   * backups and tidy scripts do not ask before they change it, and appended bytes would be lost.
   */
  async isIntact(): Promise<boolean> {
    if (this.#sealed) return false
    const isInPlace = await this.#file.isInPlace(this.#position, this.#inode)
    if (!isInPlace) this.#sealed = true
    return isInPlace
  }

  async requireIntact(): Promise<void> {
    if (await this.isIntact()) return
    this.reportChange()
    throw changedOutside()
  }

  reportChange(): void {
    const { containerId: container, segmentId: segment } = this
    const text = 'sealed segment that changed on disk'
    this.#deps.log.error(text, { container, segment, bytes: this.#position })
  }

  async rollBack(): Promise<void> {
    while (this.#syncing) await this.#syncing.catch(() => {})
    const bytes = this.#position - this.#end
    if (bytes === 0) return
    this.#isTruncated = true
    // First: a sync of them that others request now would count for the bytes that come next.
    this.#forgetUnsynced(bytes)
    await this.#sealOnError(this.#file.truncate(this.#end)).catch(() => {})
    this.#position = this.#end
  }

  async readBack(position: number, length: number, take: (data: Buffer) => void | Promise<void>) {
    const buffer = Buffer.allocUnsafeSlow(Math.min(length, readBackBytes))
    for (let done = 0; done < length;) {
      const wanted = Math.min(buffer.length, length - done)
      const count = await this.#readOwn(buffer, wanted, position + done)
      await take(buffer.subarray(0, count))
      done += count
    }
  }

  /** @throws CodedError unavailable when the bytes are gone, which also seals the writer */
  async #readOwn(buffer: Buffer, length: number, position: number): Promise<number> {
    let cause: unknown
    const count = await this.#file.read(buffer, 0, length, position).catch((error: unknown) => {
      cause = error
      return 0
    })
    if (count > 0) return count
    this.#sealed = true
    throw changedOutside(cause)
  }

  async close(): Promise<boolean> {
    if (this.#closed) return true
    this.#closed = true
    try {
      await this.rollBack()
      if (!this.#sealed && this.#isTruncated) await this.#startSync()
    } finally {
      this.#forgetUnsynced(this.#unsyncedBytes)
      await this.#file.close()
    }
    return true
  }

  #startSync(): Promise<void> {
    const bytes = this.#unsyncedBytes
    const run = async () => {
      this.#checkSealed()
      await this.#sealOnError(this.#file.sync())
      this.#isTruncated = false
    }
    this.#syncing = this.#deps.syncs.run(run).finally(() => {
      this.#syncing = null
      this.#forgetUnsynced(bytes)
    })
    return this.#syncing
  }

  #forgetUnsynced(bytes: number): void {
    const count = Math.min(bytes, this.#unsyncedBytes)
    if (count === 0) return
    this.#unsyncedBytes -= count
    this.#deps.unsynced.remove(this, count)
  }

  /** A sync in the background may have failed: its bytes must not count as safe. */
  #checkSealed(): void {
    if (this.#sealed) throw this.#failure ?? new Error('the segment failed before')
  }

  async #sealOnError(call: Promise<void>): Promise<void> {
    try {
      await call
    } catch (error) {
      this.#sealed = true
      this.#failure ??= error
      throw error
    }
  }
}

function changedOutside(cause?: unknown): CodedError {
  return unavailable(1, cause ?? new Error('a segment is not as it was written'))
}

/** A holder of written bytes that no sync has covered yet. */
export interface Unsynced {
  /** Starts a sync of these bytes, or remembers to do so after a running write. */
  requestSync(): void
}

interface Waiting {
  readonly holder: Unsynced
  readonly bytes: number
  readonly admit: () => void
}

/**
 * Bounds the written but unsynced bytes of the process, so that no sync waits for gigabytes of
 * other requests' pages.
 *
 * From half of the bound on, the holders with most bytes are asked to sync, only as many as needed:
 * a sync costs the same for a few bytes as for many. A slow client that keeps its bytes is asked
 * in its turn. Writes above the bound wait in order of arrival.
 */
export class UnsyncedBytes {
  readonly #bytesMax: number
  readonly #holders = new Map<Unsynced, number>()
  /** Holders whose sync is under way. */
  readonly #asked = new Set<Unsynced>()
  /** One write of a segment writer at most: their number bounds it. */
  readonly #waiting = new Set<Waiting>()
  #bytes = 0
  #askedBytes = 0
  #waitingBytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get bytes(): number {
    return this.#bytes
  }

  /**
   * Waits until `bytes` more may be written, then counts them for the holder.
   * @param onCounted called in the same moment
   */
  async add(holder: Unsynced, bytes: number, onCounted: () => void = () => {}): Promise<void> {
    if (this.#waiting.size === 0 && this.#fits(bytes)) {
      this.#count(holder, bytes)
      onCounted()
      this.#ask()
      return
    }
    await new Promise<void>((resolve) => {
      const admit = () => {
        this.#count(holder, bytes)
        onCounted()
        resolve()
      }
      this.#waiting.add({ holder, bytes, admit })
      this.#waitingBytes += bytes
      this.#ask()
    })
  }

  /** Call when a sync or truncation has settled for this many of the holder's bytes. */
  remove(holder: Unsynced, bytes: number): void {
    const before = this.#holders.get(holder) ?? 0
    if (this.#asked.delete(holder)) this.#askedBytes -= before
    if (before > bytes) this.#holders.set(holder, before - bytes)
    else this.#holders.delete(holder)
    this.#bytes -= bytes
    this.#admitWaiting()
    this.#ask()
  }

  #fits(bytes: number): boolean {
    return this.#bytes === 0 || this.#bytes + bytes <= this.#bytesMax
  }

  #count(holder: Unsynced, bytes: number): void {
    this.#bytes += bytes
    if (this.#asked.has(holder)) this.#askedBytes += bytes
    this.#holders.set(holder, (this.#holders.get(holder) ?? 0) + bytes)
  }

  #admitWaiting(): void {
    for (const waiting of this.#waiting) {
      if (!this.#fits(waiting.bytes)) return
      this.#waiting.delete(waiting)
      this.#waitingBytes -= waiting.bytes
      waiting.admit()
    }
  }

  /** Leaves as many bytes unasked as fit beside the waiting ones, and at most half of the bound. */
  #ask(): void {
    const left = Math.max(0, Math.min(this.#bytesMax / 2, this.#bytesMax - this.#waitingBytes))
    while (this.#bytes - this.#askedBytes > left) {
      const holder = this.#largestUnasked()
      if (!holder) return
      this.#asked.add(holder)
      this.#askedBytes += this.#holders.get(holder) ?? 0
      holder.requestSync()
    }
  }

  #largestUnasked(): Unsynced | null {
    let largest: Unsynced | null = null
    let most = 0
    for (const [holder, bytes] of this.#holders) {
      if (bytes <= most || this.#asked.has(holder)) continue
      largest = holder
      most = bytes
    }
    return largest
  }
}
