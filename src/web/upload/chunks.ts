// Chunks in flight: reads and sends them, and applies the answers to their files.
import type { ChunkSizes } from './chunk-size.ts'
import { changedProblem } from './files.ts'
import type { Asked, Line } from './line.ts'
import type { Meter } from './meter.ts'
import { baseName } from './names.ts'
import { Queue, type Part, type QueuedFile } from './queue.ts'
import type { Problem, UploadOptions } from './types.ts'
import type { Sending } from './watch.ts'

/** How often a chunk that arrives damaged is sent again. */
const strikesMax = 3
/** Lost chunks above the largest successful size before their size is suspected. */
const suspicionsMax = 2
const readMsMax = 20_000

interface Flight {
  readonly part: Part
  sending: Sending | null
}

export interface ChunksDeps extends Pick<UploadOptions, 'clock' | 'digest'> {
  /** Address of chunk requests. */
  readonly path: string
  readonly line: Line
  readonly sizes: ChunkSizes
  readonly meter: Meter
  /** Called after visible changes. */
  readonly changed: () => void
  /** Called when a proxy refuses chunks above this many bytes. */
  readonly learned: (chunkBytesMax: number) => void
}

/** Decides over the whole upload. */
export interface ChunksOwner {
  readonly maySend: boolean
  /** A chunk has ended, with any result. */
  settled(): void
  /** An answer concerns more than one file. */
  trouble(asked: Asked): void
  /** Even the smallest chunk is too large. */
  tooLarge(problem: Problem): void
  /** The service may have chunks without an acknowledgement. */
  doubt(): void
}

export class Chunks {
  readonly #deps: ChunksDeps
  readonly #owner: ChunksOwner
  readonly #queue = new Queue()
  readonly #flights = new Set<Flight>()
  #suspicions = 0
  #largestPassed = 0

  constructor(deps: ChunksDeps, owner: ChunksOwner) {
    this.#deps = deps
    this.#owner = owner
  }

  get inFlight(): number {
    return this.#flights.size
  }

  /** Whether files are waiting or being sent. */
  get hasWork(): boolean {
    return this.#queue.open.size > 0 || this.#queue.hasMore
  }

  get open(): ReadonlySet<QueuedFile> {
    return this.#queue.open
  }

  push(file: QueuedFile): void {
    this.#queue.push(file)
  }

  /** Removes a file that is complete, or must not be sent for now. */
  drop(file: QueuedFile): void {
    this.#queue.close(file)
    this.abort((_sending, part) => part.file === file)
  }

  abort(isMeant: (sending: Sending, part: Part) => boolean): void {
    for (const { sending, part } of this.#flights) {
      if (sending && isMeant(sending, part)) sending.abort()
    }
  }

  /** After a failure a single chunk goes first; the others follow once it has passed. */
  fill(): void {
    const { line } = this.#deps
    while (line.backoff.failures === 0 || this.#flights.size === 0) {
      const part = this.#queue.next((file) => this.#begin(file))
      if (!part) return
      if (this.#flights.size >= line.lanes.limitFor(part.end - part.start)) {
        part.file.refund(part.index)
        return
      }
      void this.#send(part)
    }
  }

  #begin(file: QueuedFile): void {
    const { sizes, meter, clock } = this.#deps
    const speed = meter.speed(clock.now())
    file.begin(sizes.choose(file.size, speed === null ? null : speed / (this.#flights.size + 1)))
  }

  async #send(part: Part): Promise<void> {
    const { file, index, key } = part
    const flight: Flight = { part, sending: null }
    this.#flights.add(flight)
    const bytes = sliceOf(part)
    const asked = bytes && (await this.#ask(flight, bytes))
    const isUnreadable = !bytes || (asked && (await this.#isLost(bytes, asked)))
    this.#flights.delete(flight)
    if (file.key === key) {
      if (asked?.verdict.kind === 'ok') this.#landed(part)
      else {
        file.refund(index)
        if (isUnreadable) this.#unreadable(file)
        else if (asked && !asked.outcome.isAborted) this.#refused(part, asked)
      }
    }
    this.#owner.settled()
  }

  /** @returns null when it was not sent after all */
  async #ask(flight: Flight, bytes: Blob): Promise<Asked | null> {
    const { file, index, key } = flight.part
    const { line, meter, clock, digest, path } = this.#deps
    const chunkHash = digest && (await this.#within(digest(bytes).catch(() => null)))
    if (file.key !== key || !this.#owner.maySend) return null
    const fields = { ...fieldsOf(flight.part), ...(chunkHash ? { chunkHash } : {}) }
    const onProgress = (sent: number) => {
      if (file.key !== key || !file.inFlight.has(index)) return
      file.inFlight.set(index, sent)
      meter.moved(file.show(), clock.now())
      this.#deps.changed()
    }
    const { sending, asked } = line.ask(
      { method: 'POST', path, chunk: { fields, bytes }, onProgress },
      isSuccess,
    )
    flight.sending = sending
    return asked
  }

  #landed({ file, index, start, end }: Part): void {
    const { line, meter, clock } = this.#deps
    file.acknowledge(index)
    meter.moved(file.show(), clock.now())
    line.succeeded()
    this.#suspicions = 0
    this.#largestPassed = Math.max(this.#largestPassed, end - start)
    if (file.isComplete) this.settle(file)
  }

  /** The service has the whole file. */
  settle(file: QueuedFile): void {
    file.set('done')
    this.#queue.close(file)
  }

  #refused(part: Part, asked: Asked): void {
    const { file } = part
    const { verdict, problem, outcome } = asked
    switch (verdict.kind) {
      case 'shrink':
        return this.#shrink(part, verdict.limit, problem)
      case 'resend':
        file.strikes += 1
        if (file.strikes > strikesMax) this.fail(file, problem)
        return
      case 'refused':
        return this.fail(file, problem)
      case 'again':
        if (outcome.sentAll && outcome.reply.status !== 429) this.#owner.doubt()
        this.#suspect(part, asked)
        break
      case 'relist':
        this.#owner.doubt()
    }
    this.#owner.trouble(asked)
  }

  fail(file: QueuedFile, problem: Problem): void {
    file.strikes = 0
    file.set('failed', problem)
    this.drop(file)
  }

  #shrink(part: Part, limit: number | null, problem: Problem): void {
    const { sizes } = this.#deps
    const bytes = part.end - part.start
    if (!sizes.shrink(bytes, limit)) return this.#owner.tooLarge(problem)
    if (limit === null) this.#deps.learned(sizes.max)
    this.#restart(part.file)
  }

  /**
   * A browser that reads no answer while it sends reports a refused size as a broken connection. If
   * the service answers small requests, and only chunks above the largest successful size are lost,
   * tries a smaller size. As this is a guess, it is not remembered, and no received chunk is given
   * up for it.
   */
  #suspect(part: Part, { outcome }: Asked): void {
    const { line, sizes } = this.#deps
    const bytes = part.end - part.start
    if (outcome.reply.status !== 0 || outcome.isStalled || !line.backoff.isProbed) return
    if (bytes <= this.#largestPassed || part.file.arrivedBytes > 0) return
    this.#suspicions += 1
    if (this.#suspicions < suspicionsMax) return
    this.#suspicions = 0
    if (sizes.shrink(bytes, null)) this.#restart(part.file)
  }

  /** The chunk size is fixed per file, so a file with too large chunks starts over. */
  #restart(refused: QueuedFile): void {
    this.abort((_sending, part) => part.file === refused)
    refused.restart()
  }

  #unreadable(file: QueuedFile): void {
    if (file.arrivedBytes > 0) file.set('changed', changedProblem)
    else file.set('skipped', { code: 'unreadable', message: 'The file cannot be read.' })
    this.drop(file)
  }

  /**
   * A changed or removed file fails like a broken connection; reading one byte tells which it was.
   */
  async #isLost(bytes: Blob, { outcome }: Asked): Promise<boolean> {
    if (outcome.reply.status !== 0 || outcome.isAborted || outcome.isStalled) return false
    const byte = bytes.slice(0, 1).arrayBuffer()
    return (await this.#within(byte.then(() => 'read' as const).catch(() => 'lost'))) === 'lost'
  }

  /** Null when reading does not finish in time. */
  async #within<Value>(value: Promise<Value>): Promise<Value | null> {
    let disarm = () => {}
    const late = new Promise<null>((resolve) => {
      disarm = this.#deps.clock.setTimer(readMsMax, () => resolve(null))
    })
    try {
      return await Promise.race([value, late])
    } finally {
      disarm()
    }
  }
}

export function isSuccess(json: unknown): boolean {
  return (json as { success?: unknown } | undefined)?.success === true
}

/** Null when the file is unreadable or has changed. */
function sliceOf({ file, start, end }: Part): Blob | null {
  const source = file.source
  if (!source || source.size !== file.size || source.lastModified !== file.lastModified) return null
  try {
    return source.slice(start, end)
  } catch {
    return null
  }
}

function fieldsOf({ file, key, index }: Part): Record<string, string> {
  return {
    chunkIndex: String(index),
    totalChunks: String(file.chunks),
    fileName: baseName(file.path),
    fileId: key,
    totalFileSize: String(file.size),
  }
}
