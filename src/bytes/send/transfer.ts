import type { ByteWriter } from '../../http/answer.ts'
import { limiterKey } from '../../http/client-ip.ts'
import { boundsOf, type ByteRange } from '../../http/conditional-and-range.ts'
import type { RequestContext } from '../../http/request-context.ts'
import { CodedError } from '../../lib/errors.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Traffic } from '../traffic.ts'
import { ContentSender, type BufferBudget, type TransferPermit } from './send-content.ts'
import type { Content } from './content.ts'
import { type Damage, DamagedContent } from './damage.ts'
import type { OpenSegments, SegmentOpener } from './filler.ts'
import type { Progress, RunningTransfers, TransferSubject } from './running.ts'
import { compressedMemoryBytes, sendCompressed } from './send-compressed.ts'
import type { SentVersions } from './sent-versions.ts'

export interface TransferDeps {
  readonly budget: BufferBudget
  readonly running: RunningTransfers
  readonly opener: SegmentOpener
  readonly damage: Damage
  readonly versions: SentVersions
  readonly traffic: Traffic
  readonly clock: Clock
  readonly log: Log
}

/** The content for a client, and how it is counted. */
export interface TransferPlan extends TransferSubject {
  readonly content: Content
  /** Null for uncounted reads. */
  readonly counted: CountedDownload | null
  /** Names reader and content where nothing is counted, to recognize a resumed read. */
  readonly readingKey: string
  /** See `AskedPart`. */
  readonly isRestart: boolean
}

/** Resources of a transfer that may begin. */
interface Held {
  readonly permit: TransferPermit
  readonly segments: OpenSegments
  readonly sender: ContentSender
  readonly asked: AskedPart
  readonly granted: GrantedTransfer
  readonly progress: Progress
  /** Call with the end of what the client may have, and whether it has got everything. */
  readonly recordEnd: (sentTo: number, isFinished: boolean) => void
}

/**
 * Admits a transfer. Opens segments and reads the first bytes before it counts, because a counted
 * transfer must be able to deliver.
 * @throws CodedError unavailable when no permit came free in time; file_damaged, not_found
 *   or unavailable for bytes that cannot be read; errors of `CountedDownload`
 */
export async function beginTransfer(
  deps: TransferDeps,
  context: RequestContext,
  plan: TransferPlan,
  range: ByteRange | 'whole',
): Promise<Transfer> {
  const { budget, running, opener, damage } = deps
  const { content, counted } = plan
  await context.awaitWire()
  const { signal, ip } = context
  const permit = await budget.enter(limiterKey(ip), signal, content.layoutBytes)
  if (content.isCompressed) permit.hold(compressedMemoryBytes(content.entries!.layout))
  const bounds = boundsOf(range, content.size)
  const progress = { sentBytes: 0, totalBytes: bounds.end - bounds.start }
  // Register first, so that a concurrent delete aborts this transfer too.
  running.add(context, plan, content, progress)
  let segments: OpenSegments | null = null
  try {
    // From here on nothing of its plan is removed.
    opener.requirePresent(content)
    segments = await damage.orRefuse(opener.open(content, bounds))
    const reading = { segments, permit, takeTurn: () => context.takeTurn() }
    let sender = new ContentSender(content, bounds, reading)
    await damage.orRefuse(sender.readAhead())
    const { size: targetSize, firstFileSize, etag } = content
    const { isRestart } = plan
    const asked = { range, targetSize, firstFileSize, etag, isRestart }
    const granted = counted ? await counted.begin(asked) : { downloadId: '', range, newLease: null }
    if (granted.range !== range) {
      sender.release()
      const sent = boundsOf(granted.range, content.size)
      sender = new ContentSender(content, sent, reading)
      progress.totalBytes = sent.end - sent.start
    }
    const recordEnd = counted ? () => {} : recordStart(deps, plan, range)
    const held = { permit, segments, sender, asked, granted, progress, recordEnd }
    return new Transfer(deps, context, plan, held)
  } catch (error) {
    segments?.release()
    running.remove(context, plan)
    permit.leave()
    throw error
  }
}

/** Remembers an uncounted transfer, unless the client does not expect it. */
function recordStart(
  { versions }: TransferDeps,
  { content, readingKey, isRestart }: TransferPlan,
  range: ByteRange | 'whole',
): Held['recordEnd'] {
  if (isRestart) return () => {}
  return versions.begin(readingKey, content.etag, isStart({ range }))
}

/** A running transfer: end it with `send` or `discard`. */
export class Transfer {
  readonly #deps: TransferDeps
  readonly #context: RequestContext
  readonly #plan: TransferPlan
  readonly #held: Held
  /** Bytes on the wire; `progress` has the sent bytes of the target. */
  #sent = 0

  constructor(deps: TransferDeps, context: RequestContext, plan: TransferPlan, held: Held) {
    this.#deps = deps
    this.#context = context
    this.#plan = plan
    this.#held = held
  }

  /** The range to send, and its new lease: see `GrantedTransfer`. */
  get granted(): GrantedTransfer {
    return this.#held.granted
  }

  /** Call when the request ends before anything was sent. */
  async discard(): Promise<void> {
    await this.#end(0, false, this.#context.signal.reason instanceof CodedError)
  }

  /** @throws CodedError file_damaged; errors of reading and writing */
  async send(socket: ByteWriter): Promise<void> {
    const writer = new WatchedWriter(socket)
    let isSent = false
    let isAbortedByService = false
    try {
      if (this.#plan.content.isCompressed) await this.#sendCompressed(writer)
      else await this.#sendStored(writer)
      isSent = true
    } catch (error) {
      isAbortedByService = !writer.isClientGone
      // Marked before the count is given back, so that the next download is refused instead of
      // aborted.
      throw error instanceof DamagedContent ? await this.#deps.damage.explain(error) : error
    } finally {
      // What is compressed is covered once it is read.
      const taken = this.#plan.content.isCompressed
        ? this.#held.progress.sentBytes
        : writer.takenBytes
      await this.#end(taken, isSent, isAbortedByService)
    }
  }

  #sendStored(writer: ByteWriter): Promise<void> {
    const { clock } = this.#deps
    const onSent = (bytes: number) => {
      this.#held.progress.sentBytes += bytes
      this.#countSent(bytes)
    }
    return this.#held.sender.send({ writer, clock, onSent })
  }

  async #sendCompressed(writer: ByteWriter): Promise<void> {
    const { content } = this.#plan
    const { segments, sender, progress } = this.#held
    const context = this.#context
    // The first bytes were read only to check that they exist.
    sender.release()
    // The watchdog counts sent bytes, but a gigabyte of zeros deflates to little for a long time.
    context.paused = true
    const onRead = (bytes: number) => {
      progress.sentBytes = Math.min(progress.sentBytes + bytes, content.size - 1)
    }
    const onSent = (bytes: number) => this.#countSent(bytes)
    const onWaiting = (isWaiting: boolean) => {
      context.paused = !isWaiting
    }
    try {
      await sendCompressed(content.entries!, { writer, segments, onRead, onSent, onWaiting })
    } finally {
      context.paused = false
    }
    progress.sentBytes = content.size
  }

  #countSent(bytes: number): void {
    this.#sent += bytes
    this.#deps.traffic.count('sentBytes', bytes)
  }

  async #end(taken: number, isSent: boolean, isAbortedByService: boolean): Promise<void> {
    const { running, log, traffic } = this.#deps
    const { permit, segments, asked, granted, progress, recordEnd } = this.#held
    const { content, counted } = this.#plan
    const { start, end } = boundsOf(granted.range, content.size)
    const isFinished = isSent && end === content.size
    if (isFinished) traffic.count('downloads', 1)
    recordEnd(start + taken, isFinished)
    running.remove(this.#context, this.#plan)
    segments.release()
    permit.leave()
    if (!counted) return
    const covered = progress.sentBytes
    const ended = { covered, taken, sent: this.#sent, isFinished, isAbortedByService }
    try {
      await counted.settle(asked, granted, ended)
    } catch (error) {
      // The client has its bytes by now.
      log.warn('could not record end of download', { cause: error })
    }
  }
}

/**
 * Distinguishes a client that left from a service that failed: both end a transfer with an error.
 */
class WatchedWriter implements ByteWriter {
  readonly #writer: ByteWriter
  #hasFailed = false
  #takenBytes = 0

  constructor(writer: ByteWriter) {
    this.#writer = writer
  }

  get signal(): AbortSignal {
    return this.#writer.signal
  }

  flush(): boolean {
    return this.#writer.flush()
  }

  /** True also when the transfer was withdrawn, or aborted because its client was too slow. */
  get isClientGone(): boolean {
    return this.#hasFailed || this.signal.aborted
  }

  /** Bytes that the client may have got, also of a write that failed. */
  get takenBytes(): number {
    return this.#takenBytes
  }

  async write(data: Buffer): Promise<void> {
    if (!this.signal.aborted) this.#takenBytes += data.length
    try {
      await this.#writer.write(data)
    } catch (error) {
      // A reset is known here before it ends the request.
      this.#hasFailed = true
      throw error
    }
  }
}

/** Sent bytes may still be in a kernel when a client loses its connection: not much more. */
export const bufferedBytesMax = 8 * 1024 * 1024

/** The part of a content that a request asks for. */
export interface AskedPart {
  readonly range: ByteRange | 'whole'
  /** Bytes of the whole content. */
  readonly targetSize: number
  /** Bytes of the first file in it: see `Content`. */
  readonly firstFileSize: number
  readonly etag: string
  /** The client asked for the rest of another version, and gets everything. */
  readonly isRestart?: boolean
}

export interface GrantedTransfer {
  readonly downloadId: string
  /** What to send: a range that no lease covers is answered with the whole target. */
  readonly range: ByteRange | 'whole'
  /** Set when this request was counted: the token for the lease cookie. */
  readonly newLease: string | null
}

export interface TransferEnd {
  /** Requested bytes that were sent. */
  readonly covered: number
  /** The same, with the write that was cut off: the client may have got all of it. */
  readonly taken: number
  /** Bytes on the wire, which differ when they were compressed. */
  readonly sent: number
  /** All bytes up to the end of the content were sent. */
  readonly isFinished: boolean
  /** The service could not send the rest, while the client was still connected. */
  readonly isAbortedByService: boolean
}

/** Decides what the download of one request costs, and records it: `Counting` of shares. */
export interface CountedDownload {
  /** Admits a transfer whose first bytes are ready. */
  begin(asked: AskedPart): Promise<GrantedTransfer>
  /** For HEAD: refuses what `begin` would refuse at the limit, and counts nothing. */
  check(asked: AskedPart): Promise<void>
  /**
   * Whether a client that asks for the rest from `start` on, without If-Range, may have the bytes
   * before from another version: it would join both.
   */
  goesOnFromOther(etag: string, start: number): Promise<boolean>
  /** Call when a transfer has ended, in any way. */
  settle(asked: AskedPart, granted: GrantedTransfer, ended: TransferEnd): Promise<void>
  leaseCookie(): string
}

/** Whether a transfer begins with the first byte because the client wants it. */
export function isStart({
  range,
  isRestart = false,
}: Pick<AskedPart, 'range' | 'isRestart'>): boolean {
  return !isRestart && (range === 'whole' || range.start === 0)
}
