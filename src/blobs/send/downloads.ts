import type { ByteAnswer, ByteWriter } from '../../http/answer.ts'
import { evaluateConditions } from '../../http/conditional.ts'
import { limiterKey } from '../../http/client-ip.ts'
import type { RequestContext } from '../../http/request-context.ts'
import { refuseAsScript } from '../../http/fetch-metadata.ts'
import { boundsOf, contentRange, type ByteRange } from '../../http/range.ts'
import { CodedError, type ErrorCode } from '../../lib/errors.ts'
import { directoryMemoryBytes } from '../zip/compressed-directory.ts'
import { Archives } from './archives.ts'
import { BufferBudget, type TransferPermit } from './buffer-budget.ts'
import { compressed, StaleContent, type Content } from './content.ts'
import { Counting, type Admission, type TransferEnd, type TransferRequest } from './counting.ts'
import { bodiless, headersOf, requestedRange, validators, type Delivery } from './delivery.ts'
import { Damage, type DamageDeps } from './damage.ts'
import { DamagedContent } from './damaged-content.ts'
import { findFileContent } from './file.ts'
import { MissingBlocks } from './missing-blocks.ts'
import { SegmentOpener, type OpenSegments } from './open-segments.ts'
import { orRefuse } from './refusals.ts'
import { listWithdrawalVersions } from './running-sql.ts'
import { RunningTransfers } from './running.ts'
import { bufferBytesMin } from './paced-buffers.ts'
import { Compressor } from './send-compressed.ts'
import { ContentSender } from './send-content.ts'
import type { FileRow } from './files-sql.ts'
import { WatchedWriter } from './watched-writer.ts'

export interface DownloadsDeps extends DamageDeps {
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
  readonly #deps: DownloadsDeps
  readonly running = new RunningTransfers()
  readonly #opener: SegmentOpener
  readonly #compressor = new Compressor()

  constructor(deps: DownloadsDeps) {
    this.#deps = deps
    this.damage = new Damage(deps)
    this.archives = new Archives(deps.database, this.damage)
    this.#opener = new SegmentOpener(deps.storage, new MissingBlocks(deps))
    this.counting = new Counting(deps)
  }

  /** Null when the container has no such file. Throws CodedError file_damaged. */
  async findFile(
    containerId: string,
    fileId: number,
  ): Promise<{ file: FileRow; content: Content } | null> {
    return findFileContent(this.#deps.database.sql, containerId, fileId)
  }

  /**
   * The answer for a content: 200, 206, 304, 412 or 416 (RFC 9110 sections 13 and 14).
   * @throws CodedError not_a_script, not_found, precondition_failed, range_not_satisfiable,
   *   download_limit, rate_limited, file_damaged, unavailable
   */
  async answer(context: RequestContext, delivery: Delivery): Promise<ByteAnswer> {
    refuseAsScript(context)
    const { renew, ...fixed } = delivery
    try {
      return await this.#answer(context, delivery)
    } catch (error) {
      if (!renew || !(error instanceof StaleContent)) throw error
      return this.#answer(context, { ...fixed, content: await renew() })
    }
  }

  async #answer(context: RequestContext, asked: Delivery): Promise<ByteAnswer> {
    const { request } = context
    const content = this.#mayCompress(context, asked) ? compressed(asked.content) : asked.content
    const delivery = { ...asked, content }
    const isHead = request.method === 'HEAD'
    const condition = evaluateConditions(request.headers, content, request.method ?? 'GET')
    if (condition === 'precondition_failed') throw new CodedError('precondition_failed')
    if (condition === 'not_modified') return bodiless(304, validators(content))
    const range = isHead ? 'whole' : requestedRange(content, context)
    if (range === 'unsatisfiable') {
      throw new CodedError('range_not_satisfiable', {
        headers: { 'Content-Range': contentRange(range, content.size) },
      })
    }
    if (isHead) {
      await this.#look(context, delivery)
      return bodiless(200, headersOf(delivery, 'whole'))
    }
    return this.#transfer(context, delivery, range)
  }

  /** Finds what GET would find before its head, with a small buffer: no permit bounds these. */
  async #look(context: RequestContext, delivery: Delivery): Promise<void> {
    const { content } = delivery
    const permit = { resize: (_held: number, wanted: number) => Math.min(wanted, lookBytes) }
    const segments = await this.#open(context, delivery, 'whole')
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
  abort(key: string, code: ErrorCode = 'not_found'): void {
    this.running.abort(key, new CodedError(code))
  }

  /**
   * The same for what another process, or the command line, has withdrawn. What has expired is
   * still there, and goes on.
   */
  async abortWithdrawn(): Promise<void> {
    const { sql } = this.#deps.database
    await this.running.abortWithdrawn((keys) => listWithdrawalVersions(sql, keys))
  }

  /** Reports damage that was found outside a download. */
  async reportDamage(fileId: number, cause: unknown): Promise<void> {
    await this.damage.report(new DamagedContent(fileId, null, cause))
  }

  /** Opens first, and reads the first bytes: a counted transfer must be able to deliver. */
  async #transfer(
    context: RequestContext,
    delivery: Delivery,
    range: ByteRange | 'whole',
  ): Promise<ByteAnswer> {
    const { content } = delivery
    await context.awaitWire()
    const permit = await this.#enter(context, delivery)
    let segments: OpenSegments | null = null
    // Known before anything is looked at: a deletion from here on cuts this transfer too.
    this.running.add(context, delivery)
    try {
      segments = await this.#open(context, delivery, range)
      const reading = { segments, permit }
      let sender = new ContentSender(content, boundsOf(range, content.size), reading)
      await orRefuse(this.damage, sender.readAhead())
      const { admission, transfer } = await this.#admit(delivery, range)
      if (admission.range !== range) {
        sender.release()
        sender = new ContentSender(content, boundsOf(admission.range, content.size), reading)
      }
      return this.#stream(context, delivery, { admission, transfer, permit, segments, sender })
    } catch (error) {
      segments?.release()
      this.running.remove(context, delivery)
      permit.leave()
      throw error
    }
  }

  /** An archive of very many files is sent stored while there is no room for its directory. */
  #mayCompress(context: RequestContext, { content }: Delivery): boolean {
    if (!content.entries || !this.#deps.compressesArchives()) return false
    const bytes = directoryMemoryBytes(content.entries.layout.count)
    return this.budget.hasRoomFor(limiterKey(context.ip), bytes)
  }

  /** @throws CodedError unavailable when too many transfers run all the while */
  async #enter(context: RequestContext, { content }: Delivery): Promise<TransferPermit> {
    const permit = await this.budget.enter(limiterKey(context.ip), context.signal)
    if (content.isCompressed) permit.hold(directoryMemoryBytes(content.entries!.layout.count))
    return permit
  }

  /**
   * @throws CodedError file_damaged when the bytes are gone, and the file is there; not_found when
   *   both are; unavailable when they cannot be read now; StaleContent
   */
  #open(
    { signal }: RequestContext,
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

  #stream(context: RequestContext, delivery: Delivery, begun: Begun): ByteAnswer {
    const { admission, transfer, permit, segments } = begun
    const { range, newLease } = admission
    const progress: Progress = { covered: 0, sent: 0 }
    const end = async (isAbortedByService: boolean) => {
      this.running.remove(context, delivery)
      segments.release()
      permit.leave()
      if (transfer) await this.#settle(transfer, admission, { ...progress, isAbortedByService })
    }
    return {
      kind: 'bytes',
      status: range === 'whole' ? 200 : 206,
      headers: headersOf(delivery, range),
      cookies: newLease && delivery.counted ? [delivery.counted.leaseCookie(newLease)] : [],
      discard: () => void end(context.signal.reason instanceof CodedError),
      send: async (socket) => {
        const { content } = delivery
        const writer = new WatchedWriter(socket)
        let isAbortedByService = false
        try {
          if (content.isCompressed) {
            await this.#sendCompressed(context, writer, content, begun, progress)
          } else {
            await this.#sendStored(writer, begun, progress)
          }
        } catch (error) {
          isAbortedByService = !writer.isClientGone
          // Marked before the count is given back: the next download is refused, not cut as well.
          throw error instanceof DamagedContent ? await this.damage.explain(error) : error
        } finally {
          await end(isAbortedByService)
        }
      },
    }
  }

  #sendStored(writer: ByteWriter, { sender }: Begun, progress: Progress): Promise<void> {
    const { clock } = this.#deps
    const onSent = (bytes: number) => {
      progress.covered += bytes
      progress.sent += bytes
    }
    return sender.send({ writer, clock, onSent })
  }

  async #sendCompressed(
    context: RequestContext,
    writer: ByteWriter,
    content: Content,
    { permit, segments, sender }: Begun,
    progress: Progress,
  ): Promise<void> {
    const { clock } = this.#deps
    // The first bytes were read only to see whether they are there.
    sender.release()
    // The watchdog looks at what leaves: a gigabyte of nothing may deflate for long to little.
    context.paused = true
    const onRead = (bytes: number) => {
      progress.covered = Math.min(progress.covered + bytes, content.size - 1)
    }
    const onSent = (bytes: number) => {
      progress.sent += bytes
    }
    const onWaiting = (isWaiting: boolean) => {
      context.paused = !isWaiting
    }
    const deps = { writer, segments, permit, clock }
    try {
      await this.#compressor.send(content.entries!, deps, { onRead, onSent, onWaiting })
    } finally {
      context.paused = false
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
      this.#deps.log.warn('could not record end of download', { cause: error })
    }
  }
}
