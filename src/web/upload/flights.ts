// Requests in flight, each with one chunk, or with small files in an archive: chooses the next one,
// and settles files.
import type { Clock } from '../lib/clock.ts'
import type { ChunkSizes } from './chunk-size.ts'
import { ChunkRequests } from './chunks.ts'
import * as comparing from './comparing.ts'
import { changedProblem, restartedProblem } from './files.ts'
import type { Line } from './line.ts'
import type { Meter } from './meter.ts'
import { Queue, type Part, type QueuedFile } from './queue.ts'
import type { Sender } from './sender.ts'
import { companionsOf } from './tar-files.ts'
import { TarRequests } from './tars.ts'
import type { FileSource, PickedFile, Problem, TarSupport, UploadOptions } from './types.ts'
import type { Sending } from './watch.ts'

/** Lost requests above the largest successful size before their size is suspected. */
const suspicionsMax = 2

export interface Flight {
  /** One chunk; or several whole files, in an archive. */
  readonly parts: readonly Part[]
  sending: Sending | null
}

export interface FlightDeps extends Pick<UploadOptions, 'clock'> {
  /** Address of the upload's operations. */
  readonly path: string
  readonly line: Line
  readonly sizes: ChunkSizes
  readonly meter: Meter
  readonly tarSupport: TarSupport
  /** Called after visible changes. */
  readonly changed: () => void
  /** Called when the service has chunks of a file. */
  readonly stored: (file: QueuedFile) => void
  /** Called when a proxy refuses requests above this many bytes. */
  readonly learned: (chunkBytesMax: number) => void
}

export class Flights implements comparing.Reader {
  readonly clock: Clock
  /** Nothing that has been read is needed any more. */
  isOver = false
  readonly deps: FlightDeps
  readonly owner: Sender
  readonly #chunks = new ChunkRequests(this)
  readonly #tars = new TarRequests(this)
  readonly #queue = new Queue()
  readonly #flights = new Set<Flight>()
  readonly #comparisons: comparing.Comparisons
  #suspicions = 0
  /** Bytes of the largest request that has passed. */
  largestPassed = 0

  constructor(deps: FlightDeps, owner: Sender) {
    this.deps = deps
    this.owner = owner
    this.#comparisons = new comparing.Comparisons(() => owner.settled())
    this.clock = deps.clock
  }

  get count(): number {
    return this.#flights.size
  }

  /** Whether files are waiting, being sent or being compared. */
  get hasWork(): boolean {
    return this.#comparisons.isBusy || this.#queue.open.size > 0 || this.#queue.hasMore
  }

  get open(): ReadonlySet<QueuedFile> {
    return this.#queue.open
  }

  push(file: QueuedFile): void {
    if (!file.isUnchecked) return this.#queue.push(file)
    this.#compare(file, comparing.compareReceived, (found) => {
      file.isUnchecked = false
      if (found === 'unreadable') return this.unreadable(file)
      if (found === 'different') {
        file.restart()
        file.shown = 0
        file.note = restartedProblem
      }
      if (file.isComplete) file.set('done')
      else this.#queue.push(file)
    })
  }

  /** Tells whether another object is the same file. */
  meet(
    source: FileSource,
    { file: other }: PickedFile,
    found: (result: comparing.Comparison) => void,
  ): void {
    this.#comparisons.add(async () => {
      const result = await comparing.compareFiles(source, other, this)
      if (!this.isOver) found(result)
    })
  }

  #compare(
    file: QueuedFile,
    compare: typeof comparing.compareProbes,
    found: (result: comparing.Comparison) => void,
  ): void {
    const { key, source } = file
    this.#comparisons.add(async () => {
      const result = await compare(file, this)
      const isOver = this.isOver || file.key !== key || file.source !== source
      if (!isOver) found(result)
    })
  }

  /**
   * Removes a file that is complete, or must not be sent for now. An archive with it ends, unless
   * all of it was sent: the other files follow in another one.
   */
  drop(file: QueuedFile): void {
    this.#queue.close(file)
    this.abort(({ sentAll }, parts) => {
      const isAnswerDue = parts.length > 1 && sentAll
      return !isAnswerDue && parts.some((part) => part.file === file)
    })
  }

  abort(isMeant: (sending: Sending, parts: readonly Part[]) => boolean): void {
    for (const { sending, parts } of this.#flights) {
      if (sending && isMeant(sending, parts)) sending.abort()
    }
  }

  /** After a failure a single request goes first; the others follow once it has passed. */
  fill(): void {
    const { line } = this.deps
    while (line.backoff.failures === 0 || this.#flights.size === 0) {
      const parts = this.#next()
      if (parts.length === 0) return
      const flight = { parts, sending: null }
      this.#flights.add(flight)
      void this.#send(flight)
    }
  }

  async #send(flight: Flight): Promise<void> {
    const { parts } = flight
    const end = parts.length > 1 ? this.#tars.send(flight) : this.#chunks.send(flight, parts[0]!)
    const settle = await end
    this.#flights.delete(flight)
    settle()
    this.owner.settled()
  }

  /** The parts of the next request; none when nothing waits, or when enough are in flight. */
  #next(): readonly Part[] {
    for (const file of this.#queue.ahead()) {
      const part = this.#take(file)
      if (!part) continue
      const parts = [part, ...this.#companions(part)]
      const bytes = parts.length > 1 ? this.#chunkBytes(0) : part.end - part.start
      if (this.#flights.size < this.deps.line.lanes.limitFor(bytes)) return parts
      for (const { file: refunded, index } of parts) refunded.refund(index)
      break
    }
    return []
  }

  #take(file: QueuedFile): Part | null {
    this.#queue.activate(file)
    if (file.key === null) file.begin(this.#chunkBytes(file.size))
    return file.take()
  }

  /** Other files for the same request. */
  #companions({ file, start, end }: Part): Part[] {
    const isWhole = end - start === file.size
    if (!isWhole || this.deps.tarSupport.isRefused) return []
    const files = companionsOf(file, this.#queue.ahead(), this.#chunkBytes(0))
    return files.map((other) => this.#take(other)).filter((part) => part !== null)
  }

  #chunkBytes(fileBytes: number): number {
    const { sizes, meter, clock } = this.deps
    const speed = meter.speed(clock.now())
    return sizes.choose(fileBytes, speed === null ? null : speed / (this.#flights.size + 1))
  }

  /** The part has been sent up to here. */
  moved({ file, key, index }: Part, bytesSent: number): void {
    const { meter, clock } = this.deps
    if (file.key !== key || !file.inFlight.has(index)) return
    file.inFlight.set(index, bytesSent)
    meter.moved(file.show(), clock.now())
  }

  /** A request of this size has brought these parts. */
  landed(parts: readonly Part[], bytes: number): void {
    const { line, meter, clock } = this.deps
    line.succeeded()
    this.#suspicions = 0
    this.largestPassed = Math.max(this.largestPassed, bytes)
    for (const { file, index } of parts) {
      file.acknowledge(index)
      meter.moved(file.show(), clock.now())
      if (file.isComplete) this.settle(file)
      else this.deps.stored(file)
    }
  }

  /** The service has the whole file. What was read at different times is compared again. */
  settle(file: QueuedFile): void {
    this.#queue.close(file)
    this.deps.stored(file)
    if (file.isUnchecked) return
    if (file.chunks === 1 || !file.source) return file.set('done')
    this.#compare(file, comparing.compareProbes, (found) => {
      // What cannot be read any more was read before.
      if (found === 'different') file.set('changed', changedProblem)
      else file.set('done')
    })
  }

  fail(file: QueuedFile, problem: Problem): void {
    file.strikes = 0
    file.set('failed', problem)
    this.drop(file)
  }

  unreadable(file: QueuedFile): void {
    const problem = { code: 'unreadable', message: 'The file cannot be read.' }
    if (file.receivedBytes > 0) file.set('changed', changedProblem)
    // What was begun, and starts over, is not left out without a question.
    else file.set(file.turn > 0 ? 'failed' : 'skipped', problem)
    this.drop(file)
  }

  /** @returns whether it has been called often enough to do something about it */
  suspect(): boolean {
    this.#suspicions += 1
    if (this.#suspicions < suspicionsMax) return false
    this.#suspicions = 0
    return true
  }
}
