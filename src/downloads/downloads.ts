import { availableParallelism } from 'node:os'
import type { ByteAnswer, ByteWriter } from '../http/answer.ts'
import { evaluateConditions, ifRangeMatches } from '../http/conditional.ts'
import { limiterKey } from '../http/client-ip.ts'
import type { Exchange } from '../http/exchange.ts'
import { contentRange, parseRange, type ByteRange } from '../http/range.ts'
import { ByteBudget, type Seat } from '../lib/byte-budget.ts'
import { CodedError } from '../lib/errors.ts'
import { Semaphore } from '../lib/semaphore.ts'
import type { Storage } from '../storage/storage.ts'
import { Archives } from './archives.ts'
import { compressed, fileContent, StaleContent, type Content } from './content.ts'
import { Counting, type Admission, type TransferRequest } from './counting.ts'
import { ExtentTableBuilder } from './extent-table.ts'
import { reportDamage, type DamageParts } from './damage.ts'
import { openSegments, type OpenSegments } from './open-segments.ts'
import { listCutVersions } from './running-sql.ts'
import { DamagedContent } from './filler.ts'
import { RunningTransfers, type TransferSubject } from './running.ts'
import { compressedMemoryBytes, sendCompressed } from './send-compressed.ts'
import { bufferBytesMax, bufferBytesMin, sendContent } from './send-content.ts'
import { findFile, listExtents, type FileRow } from './sql.ts'

export interface DownloadsParts extends DamageParts {
  readonly storage: Storage
  /** This process, as other processes know it. */
  readonly processId: string
  /** Whether archives are sent compressed, as the settings have it now. */
  readonly compressesArchives: () => boolean
}

/** How an answer with a content looks, and who pays for it. */
export interface Delivery extends TransferSubject {
  readonly content: Content
  /** Makes the content anew, where its bytes may move before they are pinned. */
  readonly renew?: () => Promise<Content>
  /** Null for a content that says itself where its segments are. */
  readonly parcelId: string | null
  readonly contentType: string
  readonly contentDisposition: string
  /** Null for reads that are not counted. */
  readonly counted: {
    readonly request: Omit<TransferRequest, 'range' | 'targetSize'>
    readonly takeToken: () => void
    readonly leaseCookie: (token: string) => string
  } | null
}

/** A transfer that may begin, with what it holds. */
interface Begun {
  readonly admission: Admission
  readonly transfer: TransferRequest | null
  readonly seat: Seat
  readonly segments: OpenSegments
}

/** Bytes of the target that have left, and bytes that it took. */
interface Progress {
  covered: number
  sent: number
}

/** Archives that deflate at one instant: half of the thread pool at most is theirs. */
const deflatingMax = Math.max(2, Math.min(8, availableParallelism()))

/** Sends files and archives to clients: ranges, conditions, counting, running transfers. */
export class Downloads {
  readonly archives: Archives
  readonly counting: Counting
  readonly budget = new ByteBudget({
    bytesMax: 64 * 1024 * 1024,
    shareBytesMin: 256 * 1024,
    shareBytesMax: 4 * 1024 * 1024,
    seatsPerClientMax: 16,
    waitersMax: 2000,
    waitMsMax: 3_000,
  })
  readonly #parts: DownloadsParts
  readonly running = new RunningTransfers()
  readonly #deflating = new Semaphore(deflatingMax)

  constructor(parts: DownloadsParts) {
    this.#parts = parts
    this.archives = new Archives(parts.database)
    this.counting = new Counting(parts)
  }

  /** Null when the parcel has no such file. */
  async findFile(
    parcelId: string,
    fileId: number,
  ): Promise<{ file: FileRow; content: Content } | null> {
    const { sql } = this.#parts.database
    const file = await findFile(sql, parcelId, fileId)
    if (!file) return null
    const extents = new ExtentTableBuilder()
    extents.startFile()
    let bytes = 0
    for (const extent of await listExtents(sql, fileId)) {
      extents.add(extent)
      bytes += extent.length
    }
    // Deleted between the two looks.
    if (bytes !== file.size) return null
    return { file, content: fileContent(parcelId, file, extents.build()) }
  }

  /**
   * The answer for a content: 200, 206, 304, 412 or 416 (RFC 9110 sections 13 and 14).
   * @throws CodedError not_found, precondition_failed, range_not_satisfiable, download_limit,
   *   rate_limited
   */
  async answer(exchange: Exchange, delivery: Delivery): Promise<ByteAnswer> {
    const { renew, ...fixed } = delivery
    try {
      return await this.#answer(exchange, delivery)
    } catch (error) {
      if (!renew || !(error instanceof StaleContent)) throw error
      return this.#answer(exchange, { ...fixed, content: await renew() })
    }
  }

  async #answer(exchange: Exchange, asked: Delivery): Promise<ByteAnswer> {
    const { request } = exchange
    const delivery = this.#parts.compressesArchives()
      ? { ...asked, content: compressed(asked.content) }
      : asked
    const { content } = delivery
    const isHead = request.method === 'HEAD'
    const condition = evaluateConditions(request.headers, content, request.method ?? 'GET')
    if (condition === 'precondition_failed') throw new CodedError('precondition_failed')
    if (condition === 'not_modified') return bodiless(304, validators(content))
    const range = isHead ? 'whole' : requestedRange(exchange, content)
    if (range === 'unsatisfiable') {
      throw new CodedError('range_not_satisfiable', {
        headers: { 'Content-Range': contentRange(range, content.size) },
      })
    }
    if (isHead) return bodiless(200, this.#headers(delivery, 'whole'))
    return this.#transfer(exchange, delivery, range)
  }

  /** Cuts every running transfer of a share at once: it was deleted, or its password changed. */
  cut(key: string): void {
    this.running.cut(key)
  }

  /**
   * The same for what another process, or the command line, has withdrawn. What has expired is
   * still there, and goes on.
   */
  async cutWithdrawn(): Promise<void> {
    const { sql } = this.#parts.database
    await this.running.cutWithdrawn((keys) => listCutVersions(sql, keys))
  }

  /** Somebody else has found that a file's bytes are not what was received. */
  async reportDamage(fileId: number, cause: unknown): Promise<void> {
    await reportDamage(this.#parts, new DamagedContent(fileId, cause))
  }

  /** Pins first: a counted transfer must be able to deliver, whatever is deleted meanwhile. */
  async #transfer(
    exchange: Exchange,
    delivery: Delivery,
    range: ByteRange | 'whole',
  ): Promise<ByteAnswer> {
    const { storage, log } = this.#parts
    const seat = await this.budget.enter(limiterKey(exchange.ip), exchange.signal)
    let segments: OpenSegments | null = null
    // Known before anything is looked at: a deletion from here on cuts this transfer too.
    this.running.add(exchange, delivery)
    try {
      segments = await openSegments(storage, log, delivery)
      const { admission, transfer } = await this.#admit(delivery, range)
      return this.#stream(exchange, delivery, { admission, transfer, seat, segments })
    } catch (error) {
      segments?.release()
      this.running.remove(exchange, delivery)
      seat.leave()
      throw error
    }
  }

  async #admit(
    delivery: Delivery,
    range: ByteRange | 'whole',
  ): Promise<{ admission: Admission; transfer: TransferRequest | null }> {
    const { counted, content } = delivery
    if (!counted) return { admission: { downloadId: '', range, newLease: null }, transfer: null }
    const transfer = { ...counted.request, range, targetSize: content.size }
    return { admission: await this.counting.admit(transfer, counted.takeToken), transfer }
  }

  #stream(exchange: Exchange, delivery: Delivery, begun: Begun): ByteAnswer {
    const { admission, transfer, seat, segments } = begun
    const { range, newLease } = admission
    const progress: Progress = { covered: 0, sent: 0 }
    const end = async () => {
      this.running.remove(exchange, delivery)
      segments.release()
      seat.leave()
      if (transfer) await this.#settle(transfer, admission, progress)
    }
    return {
      kind: 'bytes',
      status: range === 'whole' ? 200 : 206,
      headers: this.#headers(delivery, range),
      cookies: newLease && delivery.counted ? [delivery.counted.leaseCookie(newLease)] : [],
      discard: () => void end(),
      send: async (writer) => {
        const { content } = delivery
        try {
          if (content.isCompressed) {
            await this.#sendCompressed(exchange, writer, content, begun, progress)
          } else {
            await this.#sendStored(writer, content, begun, progress)
          }
        } catch (error) {
          await reportDamage(this.#parts, error)
          throw error
        } finally {
          await end()
        }
      },
    }
  }

  #sendStored(
    writer: ByteWriter,
    content: Content,
    { admission: { range }, seat, segments }: Begun,
    progress: Progress,
  ): Promise<void> {
    const bounds = range === 'whole' ? { start: 0, end: content.size } : range
    const bufferBytes = chooseBufferBytes(seat)
    seat.hold(2 * bufferBytes)
    return sendContent(writer, content, bounds, segments, bufferBytes, (bytes) => {
      progress.covered += bytes
      progress.sent += bytes
    })
  }

  async #sendCompressed(
    exchange: Exchange,
    writer: ByteWriter,
    content: Content,
    { seat, segments }: Begun,
    progress: Progress,
  ): Promise<void> {
    seat.hold(compressedMemoryBytes)
    // The watchdog looks at what leaves: a gigabyte of nothing may deflate for long to little.
    exchange.paused = true
    await sendCompressed(writer, content.entries!, segments, this.#deflating, {
      onRead: (bytes) => {
        progress.covered = Math.min(progress.covered + bytes, content.size - 1)
      },
      onSent: (bytes) => {
        progress.sent += bytes
      },
      onWaiting: (isWaiting) => {
        exchange.paused = !isWaiting
      },
    })
    progress.covered = content.size
  }

  /** The client has its bytes by now: what goes wrong here is for the log. */
  async #settle(
    transfer: TransferRequest,
    admission: Admission,
    { covered, sent }: Progress,
  ): Promise<void> {
    try {
      await this.counting.settle(transfer, admission, covered, sent)
    } catch (error) {
      this.#parts.log.warn('a download could not be recorded as ended', { cause: error })
    }
  }

  #headers(delivery: Delivery, range: ByteRange | 'whole'): Record<string, string | number> {
    const { content } = delivery
    const length = range === 'whole' ? content.size : range.end - range.start
    return {
      ...validators(content),
      'Accept-Ranges': content.isCompressed ? 'none' : 'bytes',
      'Content-Type': delivery.contentType,
      'Content-Disposition': delivery.contentDisposition,
      ...(content.isCompressed ? {} : { 'Content-Length': length }),
      ...(range === 'whole' ? {} : { 'Content-Range': contentRange(range, content.size) }),
    }
  }
}

/** Two buffers of this size: large ones while the budget has room for them. */
function chooseBufferBytes(seat: Seat): number {
  return seat.roomBytes >= 2 * bufferBytesMax ? bufferBytesMax : bufferBytesMin
}

function requestedRange(exchange: Exchange, content: Content): ReturnType<typeof parseRange> {
  const header = exchange.header('range')
  if (
    content.isCompressed ||
    header === undefined ||
    !ifRangeMatches(exchange.header('if-range'), content.etag)
  ) {
    return 'whole'
  }
  return parseRange(header, content.size)
}

function validators(content: Content): Record<string, string> {
  return {
    ETag: content.etag,
    'Last-Modified': content.modifiedAt.toUTCString(),
    'Cache-Control': 'private, no-cache, no-transform',
  }
}

function bodiless(status: number, headers: Record<string, string | number>): ByteAnswer {
  return { kind: 'bytes', status, headers, cookies: [] }
}
