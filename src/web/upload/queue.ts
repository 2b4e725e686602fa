// Chooses the next chunk: files in order, each with its pending chunks.
import { keyOf, type ReceivedFile, type ReceivedRange } from './manifest.ts'
import type { FileSource, FileState, FileStatus, PickedFile, Problem } from './types.ts'

/** Chunk indexes, inclusive. */
type Range = readonly [from: number, to: number]

/** One chunk to send: bytes `start` to `end` (exclusive) of its file. */
export interface Part {
  readonly file: QueuedFile
  /** The file's key at that time: answers for another key are ignored. */
  readonly key: string
  readonly index: number
  readonly start: number
  readonly end: number
}

export interface FileInit {
  /** Names it in snapshots, for the whole life of the upload. */
  readonly id: string
  readonly path: string
  readonly identity: string
  readonly size: number
  readonly lastModified: number
  readonly type: string
  /** Its former key, for when the service cannot be asked any more. */
  readonly key?: string
  /** Takes the keys under which the service has chunks that are not needed. */
  readonly unneeded: Set<string>
}

/** One file, with its pending, running and acknowledged chunks. */
export class QueuedFile {
  readonly id: string
  readonly path: string
  identity: string
  size: number
  lastModified: number
  type: string
  picked: PickedFile | null = null
  status: FileStatus = 'missing'
  problem: Problem | null = null
  /** Stays when the status changes. */
  note: Problem | null = null
  /** CRC-32 of some received chunks, by their indexes. */
  readonly samples = new Map<number, number>()
  /** CRC-32 of the first bytes of chunks when they were read. */
  readonly probes = new Map<number, number>()
  /** Its source is being compared with what was received, and nothing of it is sent. */
  isUnchecked = false
  readonly formerKey: string | null
  readonly #unneeded: Set<string>
  /** Null until its chunk size is fixed. */
  key: string | null = null
  turn = 0
  chunkBytes = 0
  /** Displayed bytes: never fall while the content is the same. */
  shown = 0
  /** Consecutive attempts of a damaged or refused chunk. */
  strikes = 0
  /** Not in an archive, because one with it was refused. */
  isAlone = false
  readonly inFlight = new Map<number, number>()
  #pending: Range[] = []
  #pendingBytes = 0
  #state: FileState | null = null

  constructor(init: FileInit) {
    this.id = init.id
    this.path = init.path
    this.identity = init.identity
    this.size = init.size
    this.lastModified = init.lastModified
    this.type = init.type
    this.formerKey = init.key ?? null
    this.#unneeded = init.unneeded
    // Finalize needs no chunk of it.
    if (init.size === 0) this.status = 'done'
  }

  get source(): FileSource | null {
    return this.picked?.file ?? null
  }

  get chunks(): number {
    // An empty file is one empty chunk.
    return Math.max(1, Math.ceil(this.size / this.chunkBytes))
  }

  /** The same object until it changes. */
  get state(): FileState {
    const { id, path, size, source, shown: sent, status: state } = this
    const problem = this.problem ?? this.note
    return (this.#state ??= { id, path, size, source, sent, state, problem })
  }

  set(status: FileStatus, problem: Problem | null = null): void {
    if (this.status === status && this.problem === problem) return
    this.status = status
    this.problem = problem
    this.#state = null
  }

  /** Fixes the chunk size; all chunks are pending. */
  begin(chunkBytes: number): void {
    this.chunkBytes = chunkBytes
    this.key ??= keyOf(this, this.path)
    this.#unneeded.delete(this.key)
    this.#pending = [[0, this.chunks - 1]]
    this.#pendingBytes = this.size
    this.inFlight.clear()
  }

  /** Discards progress: the next begin() gets a new key. */
  restart(): void {
    const hasChunks = this.isComplete || this.receivedBytes > 0 || this.inFlight.size > 0
    if (this.key !== null && hasChunks) this.#unneeded.add(this.key)
    this.turn += 1
    this.key = null
    this.isUnchecked = false
    this.samples.clear()
    this.probes.clear()
    this.#pending = []
    this.#pendingBytes = 0
    this.inFlight.clear()
    this.#state = null
  }

  /** Replaces the content at the same place in the list. */
  become(picked: PickedFile, identity: string): void {
    this.restart()
    this.turn = 0
    this.identity = identity
    this.picked = picked
    this.size = picked.size
    this.lastModified = picked.lastModified
    this.type = picked.type
    this.shown = 0
    this.strikes = 0
    this.note = null
  }

  /** Continues from the service's list, as far as its lengths match the chunk size in the key. */
  adopt(received: ReceivedFile): void {
    this.turn = received.turn
    this.key = received.key
    this.begin(received.chunkBytes)
    if (received.ranges.every((range) => this.#fits(range))) this.merge(received.ranges)
    else this.restart()
  }

  /** Removes received chunks from the pending ones. */
  merge(ranges: readonly ReceivedRange[]): void {
    for (const { from, to, samples } of ranges) {
      for (const { index, crc32 } of samples ?? []) this.samples.set(index, crc32)
      this.#pending = this.#pending.flatMap(([first, last]) => [
        ...(first < from ? [[first, Math.min(last, from - 1)] as const] : []),
        ...(last > to ? [[Math.max(first, to + 1), last] as const] : []),
      ])
    }
    this.#pendingBytes = this.#pending.reduce((sum, [from, to]) => sum + this.#bytes(from, to), 0)
    this.show()
  }

  /** The next chunk, or null. The first one goes alone, because it meets every limit on the way. */
  take(): Part | null {
    const [range] = this.#pending
    if (!range || this.key === null || this.inFlight.has(0)) return null
    const [index, last] = range
    if (index === last) this.#pending.shift()
    else this.#pending[0] = [index + 1, last]
    this.#pendingBytes -= this.#bytes(index, index)
    this.inFlight.set(index, 0)
    const start = index * this.chunkBytes
    const end = Math.min(this.size, start + this.chunkBytes)
    return { file: this, key: this.key, index, start, end }
  }

  refund(index: number): void {
    if (!this.inFlight.delete(index)) return
    this.#pending = [...this.#pending, [index, index] as const].toSorted((a, b) => a[0] - b[0])
    this.#pendingBytes += this.#bytes(index, index)
  }

  acknowledge(index: number): void {
    this.inFlight.delete(index)
    this.strikes = 0
  }

  /** Nothing of it was sent, and one request can hold it. */
  get isUntouched(): boolean {
    if (this.key === null) return true
    return this.chunks === 1 && this.#pending.length === 1 && this.inFlight.size === 0
  }

  /** No chunk is pending or running, so the service has the whole file. */
  get isComplete(): boolean {
    return this.key !== null && this.#pending.length === 0 && this.inFlight.size === 0
  }

  /** Bytes at the service. */
  get receivedBytes(): number {
    if (this.key === null) return 0
    let flying = 0
    for (const index of this.inFlight.keys()) flying += this.#bytes(index, index)
    return this.size - this.#pendingBytes - flying
  }

  /** Raises the displayed bytes to the real ones. Returns the difference. */
  show(): number {
    let bytes = this.receivedBytes
    for (const sent of this.inFlight.values()) bytes += sent
    const gained = bytes - this.shown
    if (gained <= 0) return 0
    this.shown = bytes
    this.#state = null
    return gained
  }

  #fits({ from, to, bytes }: ReceivedRange): boolean {
    return from <= to && to < this.chunks && bytes === this.#bytes(from, to)
  }

  #bytes(from: number, to: number): number {
    return Math.min(this.size, (to + 1) * this.chunkBytes) - from * this.chunkBytes
  }
}

/** Waiting and active files. Finding the next chunk examines only a few files. */
export class Queue {
  #line: QueuedFile[] = []
  #head = 0
  readonly #open = new Set<QueuedFile>()

  push(file: QueuedFile): void {
    this.#line.push(file)
  }

  /** Removes an active file: done, failed or removed. */
  close(file: QueuedFile): void {
    this.#open.delete(file)
  }

  get open(): ReadonlySet<QueuedFile> {
    return this.#open
  }

  /** Whether a file is waiting. */
  get hasMore(): boolean {
    return this.#peek() !== null
  }

  /** All files in the order in which they go: active ones first. */
  *ahead(): Generator<QueuedFile> {
    yield* this.#open
    this.#peek()
    for (let place = this.#head; place < this.#line.length; place++) {
      const file = this.#line[place]!
      if (this.#isWaiting(file)) yield file
    }
  }

  activate(file: QueuedFile): void {
    this.#open.add(file)
  }

  #isWaiting(file: QueuedFile): boolean {
    return file.status === 'waiting' && !file.isUnchecked && !this.#open.has(file)
  }

  /** Skips files that were removed or settled while they waited. */
  #peek(): QueuedFile | null {
    while (this.#head < this.#line.length) {
      const file = this.#line[this.#head]!
      if (this.#isWaiting(file)) return file
      this.#head += 1
    }
    this.#line = []
    this.#head = 0
    return null
  }
}
