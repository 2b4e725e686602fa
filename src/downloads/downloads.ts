import type { ByteAnswer } from '../http/answer.ts'
import { evaluateConditions, ifRangeMatches } from '../http/conditional.ts'
import { limiterKey } from '../http/client-ip.ts'
import type { Exchange } from '../http/exchange.ts'
import { contentRange, parseRange, type ByteRange } from '../http/range.ts'
import type { Database } from '../db/connect.ts'
import { ByteBudget, type Seat } from '../lib/byte-budget.ts'
import type { Clock } from '../lib/clock.ts'
import { CodedError, isSystemError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { SegmentWindow } from '../storage/segment-window.ts'
import type { Storage } from '../storage/storage.ts'
import { Archives } from './archives.ts'
import type { Content } from './content.ts'
import { Counting, type Admission, type TransferRequest } from './counting.ts'
import { ExtentTableBuilder } from './extent-table.ts'
import { fileContent } from './content.ts'
import { bufferBytesMax, bufferBytesMin, DamagedContent, sendContent } from './send-content.ts'
import type { SegmentSource } from './gather.ts'
import { findFile, listExtents, markDamaged, type FileRow } from './sql.ts'

export interface DownloadsParts {
  readonly database: Database
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
  /** This process, as other processes know it. */
  readonly processId: string
}

/** How an answer with a content looks, and who pays for it. */
export interface Delivery {
  readonly content: Content
  /** Null for a content that says itself where its segments are. */
  readonly parcelId: string | null
  readonly contentType: string
  readonly contentDisposition: string
  /** Group of transfers that can be cut together: a share's id. */
  readonly cutKey: string
  /** Null for reads that are not counted. */
  readonly counted: {
    readonly request: Omit<TransferRequest, 'range' | 'targetSize'>
    readonly takeToken: () => void
    readonly leaseCookie: (token: string) => string
  } | null
}

interface OpenSegments extends SegmentSource {
  release(): void
}

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
  })
  readonly #parts: DownloadsParts
  readonly #running = new Map<string, Set<Exchange>>()

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
    for (const extent of await listExtents(sql, fileId)) extents.add(extent)
    return { file, content: fileContent(parcelId, file, extents.build()) }
  }

  /**
   * The answer for a content: 200, 206, 304, 412 or 416 (RFC 9110 sections 13 and 14).
   * @throws CodedError precondition_failed, range_not_satisfiable, download_limit, rate_limited
   */
  async answer(exchange: Exchange, delivery: Delivery): Promise<ByteAnswer> {
    const { request } = exchange
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
    for (const exchange of this.#running.get(key) ?? []) {
      exchange.abort(new Error('the share was withdrawn'))
    }
  }

  /** Pins first: a counted transfer must be able to deliver, whatever is deleted meanwhile. */
  async #transfer(
    exchange: Exchange,
    delivery: Delivery,
    range: ByteRange | 'whole',
  ): Promise<ByteAnswer> {
    const seat = await this.budget.enter(limiterKey(exchange.ip), exchange.signal)
    let segments: OpenSegments | null = null
    // Known before anything is looked at: a deletion from here on cuts this transfer too.
    this.#remember(delivery.cutKey, exchange)
    try {
      segments = await this.#pin(delivery)
      const { admission, transfer } = await this.#admit(delivery, range)
      return this.#stream(exchange, delivery, { admission, transfer, seat, segments })
    } catch (error) {
      segments?.release()
      this.#forget(delivery.cutKey, exchange)
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

  #stream(
    exchange: Exchange,
    delivery: Delivery,
    begun: {
      admission: Admission
      transfer: TransferRequest | null
      seat: Seat
      segments: OpenSegments
    },
  ): ByteAnswer {
    const { admission, transfer, seat, segments } = begun
    const { content } = delivery
    const { range, newLease } = admission
    const bounds = range === 'whole' ? { start: 0, end: content.size } : range
    let sent = 0
    const end = async () => {
      this.#forget(delivery.cutKey, exchange)
      segments.release()
      seat.leave()
      if (transfer) await this.#settle(transfer, admission, sent)
    }
    return {
      kind: 'bytes',
      status: range === 'whole' ? 200 : 206,
      headers: this.#headers(delivery, range),
      cookies: newLease && delivery.counted ? [delivery.counted.leaseCookie(newLease)] : [],
      discard: () => void end(),
      send: async (writer) => {
        const bufferBytes = chooseBufferBytes(seat)
        seat.hold(2 * bufferBytes)
        try {
          await sendContent(writer, content, bounds, segments, bufferBytes, (bytes) => {
            sent += bytes
          })
        } catch (error) {
          await this.#reportDamage(error)
          throw error
        } finally {
          await end()
        }
      },
    }
  }

  async #pin({ content, parcelId }: Delivery): Promise<OpenSegments> {
    const { storage, log } = this.#parts
    const { segmentIds, parcelIds } = content
    if (parcelId === null) {
      const parcelOf = new Map(segmentIds.map((id, place) => [id, parcelIds?.[place] ?? '']))
      return new SegmentWindow(storage.files, parcelOf)
    }
    try {
      const pinned = await storage.files.pinAll(parcelId, segmentIds)
      const release = () => {
        for (const segment of pinned.values()) segment.release()
      }
      return { get: (segmentId) => pinned.get(segmentId), release }
    } catch (error) {
      if (!isSystemError(error, 'ENOENT')) throw error
      log.warn('the bytes of a parcel are gone', { parcel: parcelId, cause: error })
      throw new CodedError('not_found', { cause: error })
    }
  }

  /** The client has its bytes by now: what goes wrong here is for the log. */
  async #settle(transfer: TransferRequest, admission: Admission, sent: number): Promise<void> {
    try {
      await this.counting.settle(transfer, admission, sent)
    } catch (error) {
      this.#parts.log.warn('a download could not be recorded as ended', { cause: error })
    }
  }

  async #reportDamage(error: unknown): Promise<void> {
    if (!(error instanceof DamagedContent)) return
    const { log, database, clock } = this.#parts
    if (isSystemError(error.cause, 'ENOENT')) {
      log.warn('a file was deleted while it was sent', { file: error.fileId })
      return
    }
    log.error('a file is damaged on disk', { file: error.fileId, cause: error })
    await markDamaged(database.sql, error.fileId, new Date(clock.now())).catch(() => {})
  }

  #headers(delivery: Delivery, range: ByteRange | 'whole'): Record<string, string | number> {
    const { content } = delivery
    const length = range === 'whole' ? content.size : range.end - range.start
    return {
      ...validators(content),
      'Accept-Ranges': 'bytes',
      'Content-Type': delivery.contentType,
      'Content-Disposition': delivery.contentDisposition,
      'Content-Length': length,
      ...(range === 'whole' ? {} : { 'Content-Range': contentRange(range, content.size) }),
    }
  }

  #remember(key: string, exchange: Exchange): void {
    const running = this.#running.get(key) ?? new Set()
    running.add(exchange)
    this.#running.set(key, running)
  }

  #forget(key: string, exchange: Exchange): void {
    const running = this.#running.get(key)
    running?.delete(exchange)
    if (running?.size === 0) this.#running.delete(key)
  }
}

/** Two buffers of this size: large ones while the budget has room for them. */
function chooseBufferBytes(seat: Seat): number {
  return seat.roomBytes >= 2 * bufferBytesMax ? bufferBytesMax : bufferBytesMin
}

function requestedRange(exchange: Exchange, content: Content): ReturnType<typeof parseRange> {
  const header = exchange.header('range')
  if (header === undefined || !ifRangeMatches(exchange.header('if-range'), content.etag)) {
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
