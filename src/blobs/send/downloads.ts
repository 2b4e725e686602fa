import type { ByteAnswer, ByteWriter } from '../../http/answer.ts'
import { evaluateConditions } from '../../http/conditional.ts'
import { limiterKey } from '../../http/client-ip.ts'
import type { Exchange } from '../../http/exchange.ts'
import { refuseAsScript } from '../../http/fetch-metadata.ts'
import { boundsOf, contentRange, type ByteRange } from '../../http/range.ts'
import { CodedError, type ErrorCode } from '../../lib/errors.ts'
import { directoryMemoryBytes } from '../zip/compressed-directory.ts'
import { Archives } from './archives.ts'
import { BufferBudget, type TransferPermit } from './buffer-budget.ts'
import { compressed, StaleContent, type Content } from './content.ts'
import { Counting, type Admission, type TransferEnd, type TransferRequest } from './counting.ts'
import { bodiless, headersOf, requestedRange, validators, type Delivery } from './delivery.ts'
import { Damage, type DamageParts } from './damage.ts'
import { DamagedContent } from './damaged-content.ts'
import { findFileContent } from './file.ts'
import { MissingBlocks } from './missing-blocks.ts'
import { SegmentOpener, type OpenSegments } from './open-segments.ts'
import { orRefuse } from './refusals.ts'
import { listCutVersions } from './running-sql.ts'
import { RunningTransfers } from './running.ts'
import { bufferBytesMin } from './paced-buffers.ts'
import { Compressor } from './send-compressed.ts'
import { ContentSender } from './send-content.ts'
import type { FileRow } from './files-sql.ts'
import { WatchedWriter } from './watched-writer.ts'

export interface DownloadsParts extends DamageParts {
  /** This process, as other processes know it. */
  readonly processId: string
  /** Whether archives are sent compressed, as the settings have it now. */
  readonly compressesArchives: () => boolean
}

/** A transfer that may begin, with what it holds. */
interface Begun {
  readonly admission: Admission
  readonly transfer: TransferRequest | null
  readonly permit: TransferPermit
  readonly segments: OpenSegments
  readonly sender: ContentSender
}

/** Bytes of the target that have left, and bytes that it took. */
interface Progress {
  covered: number
  sent: number
}

const lookBytes = 4096
/** A client that cannot begin within this time is told to come back. */
const waitMsMax = 3_000

/** Sends files and archives to clients: ranges, conditions, counting, running transfers. */
export class Downloads {
  readonly archives: Archives
  readonly counting: Counting
  readonly damage: Damage
  readonly budget = new BufferBudget({
    bytesMax: 32 * 1024 * 1024,
    clientBytesMax: 16 * 1024 * 1024,
    bufferBytesMin,
    transfersMax: 4096,
    waitMsMax,
  })
  readonly #parts: DownloadsParts
  readonly running = new RunningTransfers()
  readonly #opener: SegmentOpener
  readonly #compressor = new Compressor()

  constructor(parts: DownloadsParts) {
    this.#parts = parts
    this.damage = new Damage(parts)
    this.archives = new Archives(parts.database, this.damage)
    this.#opener = new SegmentOpener(parts.storage, new MissingBlocks(parts))
    this.counting = new Counting(parts)
  }

  /** Null when the parcel has no such file. Throws CodedError file_damaged. */
  async findFile(
    parcelId: string,
    fileId: number,
  ): Promise<{ file: FileRow; content: Content } | null> {
    return findFileContent(this.#parts.database.sql, parcelId, fileId)
  }

  /**
   * The answer for a content: 200, 206, 304, 412 or 416 (RFC 9110 sections 13 and 14).
   * @throws CodedError not_a_script, not_found, precondition_failed, range_not_satisfiable,
   *   download_limit, rate_limited, file_damaged, unavailable
   */
  async answer(exchange: Exchange, delivery: Delivery): Promise<ByteAnswer> {
    refuseAsScript(exchange)
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
    const content = this.#mayCompress(exchange, asked) ? compressed(asked.content) : asked.content
    const delivery = { ...asked, content }
    const isHead = request.method === 'HEAD'
    const condition = evaluateConditions(request.headers, content, request.method ?? 'GET')
    if (condition === 'precondition_failed') throw new CodedError('precondition_failed')
    if (condition === 'not_modified') return bodiless(304, validators(content))
    const range = isHead ? 'whole' : requestedRange(content, exchange)
    if (range === 'unsatisfiable') {
      throw new CodedError('range_not_satisfiable', {
        headers: { 'Content-Range': contentRange(range, content.size) },
      })
    }
    if (isHead) {
      await this.#look(exchange, delivery)
      return bodiless(200, headersOf(delivery, 'whole'))
    }
    return this.#transfer(exchange, delivery, range)
  }

  /** Finds what GET would find before its head, with a small buffer: no permit bounds these. */
  async #look(exchange: Exchange, delivery: Delivery): Promise<void> {
    const { content } = delivery
    const permit = { resize: (_held: number, wanted: number) => Math.min(wanted, lookBytes) }
    const segments = await this.#open(exchange, delivery, 'whole')
    try {
      const sender = new ContentSender(content, boundsOf('whole', content.size), {
        segments,
        permit,
      })
      await orRefuse(this.damage, sender.readAhead())
    } finally {
      segments.release()
    }
  }

  /**
   * Cuts every running transfer of a share at once: it was deleted, or its password changed.
   * @param code what those are answered whose answer has not begun
   */
  cut(key: string, code: ErrorCode = 'not_found'): void {
    this.running.cut(key, new CodedError(code))
  }

  /**
   * The same for what another process, or the command line, has withdrawn. What has expired is
   * still there, and goes on.
   */
  async cutWithdrawn(): Promise<void> {
    const { sql } = this.#parts.database
    await this.running.cutWithdrawn((keys) => listCutVersions(sql, keys))
  }

  /** Reports damage that was found outside a download. */
  async reportDamage(fileId: number, cause: unknown): Promise<void> {
    await this.damage.report(new DamagedContent(fileId, null, cause))
  }

  /** Opens first, and reads the first bytes: a counted transfer must be able to deliver. */
  async #transfer(
    exchange: Exchange,
    delivery: Delivery,
    range: ByteRange | 'whole',
  ): Promise<ByteAnswer> {
    const { content } = delivery
    await exchange.awaitWire()
    const permit = await this.#enter(exchange, delivery)
    let segments: OpenSegments | null = null
    // Known before anything is looked at: a deletion from here on cuts this transfer too.
    this.running.add(exchange, delivery)
    try {
      segments = await this.#open(exchange, delivery, range)
      const reading = { segments, permit }
      let sender = new ContentSender(content, boundsOf(range, content.size), reading)
      await orRefuse(this.damage, sender.readAhead())
      const { admission, transfer } = await this.#admit(delivery, range)
      if (admission.range !== range) {
        sender.release()
        sender = new ContentSender(content, boundsOf(admission.range, content.size), reading)
      }
      return this.#stream(exchange, delivery, { admission, transfer, permit, segments, sender })
    } catch (error) {
      segments?.release()
      this.running.remove(exchange, delivery)
      permit.leave()
      throw error
    }
  }

  /** An archive of very many files is sent stored while there is no room for its directory. */
  #mayCompress(exchange: Exchange, { content }: Delivery): boolean {
    if (!content.entries || !this.#parts.compressesArchives()) return false
    const bytes = directoryMemoryBytes(content.entries.layout.count)
    return this.budget.hasRoomFor(limiterKey(exchange.ip), bytes)
  }

  /** @throws CodedError unavailable when too many transfers run all the while */
  async #enter(exchange: Exchange, { content }: Delivery): Promise<TransferPermit> {
    const permit = await this.budget.enter(limiterKey(exchange.ip), exchange.signal)
    if (content.isCompressed) permit.hold(directoryMemoryBytes(content.entries!.layout.count))
    return permit
  }

  /**
   * @throws CodedError file_damaged when the bytes are gone, and the file is there; not_found when
   *   both are; unavailable when they cannot be read now; StaleContent
   */
  #open(
    { signal }: Exchange,
    delivery: Delivery,
    range: ByteRange | 'whole',
  ): Promise<OpenSegments> {
    const bounds = boundsOf(range, delivery.content.size)
    return orRefuse(this.damage, this.#opener.open(delivery, bounds, signal))
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
    const { admission, transfer, permit, segments } = begun
    const { range, newLease } = admission
    const progress: Progress = { covered: 0, sent: 0 }
    const end = async (isCutByService: boolean) => {
      this.running.remove(exchange, delivery)
      segments.release()
      permit.leave()
      if (transfer) await this.#settle(transfer, admission, { ...progress, isCutByService })
    }
    return {
      kind: 'bytes',
      status: range === 'whole' ? 200 : 206,
      headers: headersOf(delivery, range),
      cookies: newLease && delivery.counted ? [delivery.counted.leaseCookie(newLease)] : [],
      discard: () => void end(exchange.signal.reason instanceof CodedError),
      send: async (socket) => {
        const { content } = delivery
        const writer = new WatchedWriter(socket)
        let isCutByService = false
        try {
          if (content.isCompressed) {
            await this.#sendCompressed(exchange, writer, content, begun, progress)
          } else {
            await this.#sendStored(writer, begun, progress)
          }
        } catch (error) {
          isCutByService = !writer.isClientGone
          // Marked before the count is given back: the next download is refused, not cut as well.
          throw error instanceof DamagedContent ? await this.damage.explain(error) : error
        } finally {
          await end(isCutByService)
        }
      },
    }
  }

  #sendStored(writer: ByteWriter, { sender }: Begun, progress: Progress): Promise<void> {
    const { clock } = this.#parts
    const onSent = (bytes: number) => {
      progress.covered += bytes
      progress.sent += bytes
    }
    return sender.send({ writer, clock, onSent })
  }

  async #sendCompressed(
    exchange: Exchange,
    writer: ByteWriter,
    content: Content,
    { permit, segments, sender }: Begun,
    progress: Progress,
  ): Promise<void> {
    const { clock } = this.#parts
    // The first bytes were read only to see whether they are there.
    sender.release()
    // The watchdog looks at what leaves: a gigabyte of nothing may deflate for long to little.
    exchange.paused = true
    const onRead = (bytes: number) => {
      progress.covered = Math.min(progress.covered + bytes, content.size - 1)
    }
    const onSent = (bytes: number) => {
      progress.sent += bytes
    }
    const onWaiting = (isWaiting: boolean) => {
      exchange.paused = !isWaiting
    }
    const parts = { writer, segments, permit, clock }
    try {
      await this.#compressor.send(content.entries!, parts, { onRead, onSent, onWaiting })
    } finally {
      exchange.paused = false
    }
    progress.covered = content.size
  }

  /** The client has its bytes by now: what goes wrong here is for the log. */
  async #settle(
    transfer: TransferRequest,
    admission: Admission,
    ended: TransferEnd,
  ): Promise<void> {
    try {
      await this.counting.settle(transfer, admission, ended)
    } catch (error) {
      this.#parts.log.warn('a download could not be recorded as ended', { cause: error })
    }
  }
}
