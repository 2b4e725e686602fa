// Which chunk is next: files in their order, each with what is still to be sent of it.
import { keyOf, type ArrivedFile, type ArrivedRange } from './manifest.ts'
import type { FileSource, FileState, FileStatus, PickedFile, Problem } from './types.ts'

/** Chunk indexes, both ends included. */
type Range = readonly [from: number, to: number]

/** One chunk to send: bytes `start` to `end` (excluded) of its file. */
export interface Part {
  readonly file: QueuedFile
  /** The file's key when it was taken: an answer for another one says nothing any more. */
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
  /** What it was called before, where the service cannot be asked any more. */
  readonly key?: string
}

/** One file, and which of its chunks are pending, in flight or acknowledged. */
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
  readonly formerKey: string | null
  /** Null until its chunk size is settled. */
  key: string | null = null
  turn = 0
  chunkBytes = 0
  /** Bytes shown: never falls while it is the same file. */
  shown = 0
  /** Tries of a damaged or refused chunk in a row. */
  strikes = 0
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
    if (init.size === 0) this.status = 'done'
  }

  get source(): FileSource | null {
    return this.picked?.file ?? null
  }

  get chunks(): number {
    return Math.ceil(this.size / this.chunkBytes)
  }

  /** The same object until something changed. */
  get state(): FileState {
    const { id, path, size, source, shown: sent, status: state, problem } = this
    return (this.#state ??= { id, path, size, source, sent, state, problem })
  }

  set(status: FileStatus, problem: Problem | null = null): void {
    if (this.status === status && this.problem === problem) return
    this.status = status
    this.problem = problem
    this.#state = null
  }

  /** Settles the chunk size; everything is pending. */
  begin(chunkBytes: number): void {
    this.chunkBytes = chunkBytes
    this.key = keyOf(this)
    this.#pending = [[0, this.chunks - 1]]
    this.#pendingBytes = this.size
    this.inFlight.clear()
  }

  /** Forgets what was sent: the next begin() gets a key of its own. */
  restart(): void {
    this.turn += 1
    this.key = null
    this.#pending = []
    this.#pendingBytes = 0
    this.inFlight.clear()
    this.#state = null
  }

  /** Takes on another content for the same place in the list. */
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
  }

  /**
   * Goes on from what the service has. Its list is believed only where lengths agree with the
   * chunk size that the key names.
   */
  adopt(arrived: ArrivedFile): void {
    this.turn = arrived.turn
    this.begin(arrived.chunkBytes)
    if (arrived.ranges.every((range) => this.#fits(range))) this.merge(arrived.ranges)
    else this.restart()
  }

  /** Takes out of the pending chunks what has arrived. */
  merge(ranges: readonly ArrivedRange[]): void {
    for (const { from, to } of ranges) {
      this.#pending = this.#pending.flatMap(([first, last]) => [
        ...(first < from ? [[first, Math.min(last, from - 1)] as const] : []),
        ...(last > to ? [[Math.max(first, to + 1), last] as const] : []),
      ])
    }
    this.#pendingBytes = this.#pending.reduce((sum, [from, to]) => sum + this.#bytes(from, to), 0)
    this.show()
  }

  /** The next chunk, or null. The first one goes alone: it meets every limit on the way. */
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

  /** Nothing is pending or in flight: the service has all of it. */
  get isComplete(): boolean {
    return this.key !== null && this.#pending.length === 0 && this.inFlight.size === 0
  }

  /** Bytes the service has. */
  get arrivedBytes(): number {
    if (this.key === null) return 0
    let flying = 0
    for (const index of this.inFlight.keys()) flying += this.#bytes(index, index)
    return this.size - this.#pendingBytes - flying
  }

  /** Raises what is shown to what is true. Returns by how many bytes. */
  show(): number {
    let bytes = this.arrivedBytes
    for (const sent of this.inFlight.values()) bytes += sent
    const gained = bytes - this.shown
    if (gained <= 0) return 0
    this.shown = bytes
    this.#state = null
    return gained
  }

  #fits({ from, to, bytes }: ArrivedRange): boolean {
    return from <= to && to < this.chunks && bytes === this.#bytes(from, to)
  }

  #bytes(from: number, to: number): number {
    return Math.min(this.size, (to + 1) * this.chunkBytes) - from * this.chunkBytes
  }
}

/** Files in line, and those that were begun. Finding the next chunk looks at a few files only. */
export class Queue {
  #line: QueuedFile[] = []
  #head = 0
  readonly #open = new Set<QueuedFile>()

  push(file: QueuedFile): void {
    this.#line.push(file)
  }

  /** Out of the files that are being sent: done, failed or removed. */
  close(file: QueuedFile): void {
    this.#open.delete(file)
  }

  get open(): ReadonlySet<QueuedFile> {
    return this.#open
  }

  /** A file waits in line. */
  get hasMore(): boolean {
    return this.#peek() !== null
  }

  /** @param begin gives a file its chunk size, anew after a restart */
  next(begin: (file: QueuedFile) => void): Part | null {
    for (const file of this.#open) {
      if (file.key === null) begin(file)
      const part = file.take()
      if (part) return part
    }
    for (let file = this.#peek(); file; file = this.#peek()) {
      this.#head += 1
      this.#open.add(file)
      if (file.key === null) begin(file)
      file.set('sending')
      const part = file.take()
      if (part) return part
    }
    return null
  }

  /** What was removed or settled while it stood in line is passed over. */
  #peek(): QueuedFile | null {
    while (this.#head < this.#line.length) {
      const file = this.#line[this.#head]!
      if (file.status === 'waiting' && !this.#open.has(file)) return file
      this.#head += 1
    }
    this.#line = []
    this.#head = 0
    return null
  }
}
