import * as v from 'valibot'
import type { ByteAnswer } from '../../http/answer.ts'
import type { Sql } from '../../database/connect.ts'
import type { Signals } from '../../database/signals.ts'
import { limiterKey } from '../../http/client-ip.ts'
import {
  evaluateConditions,
  ifRangeMatches,
  boundsOf,
  contentRange,
  parseRange,
  type ByteRange,
} from '../../http/conditional-and-range.ts'
import { refuseAsScript, archiveDisposition, contentDisposition } from '../../http/headers.ts'
import type { RequestContext } from '../../http/request-context.ts'
import { CodedError, type ErrorCode } from '../../lib/errors.ts'
import { fallbackMimeType, mediaTypeOf } from '../media-types.ts'
import type { Traffic } from '../traffic.ts'
import { Archives } from './archives.ts'
import { bufferBytesMin, ContentSender, BufferBudget } from './send-content.ts'
import { archiveFormats, compressed, type ArchiveFormat, type Content } from './content.ts'
import { beginTransfer, type TransferDeps, type TransferPlan } from './transfer.ts'
import { Damage, type DamageDeps } from './damage.ts'
import { SegmentOpener } from './filler.ts'
import { RunningTransfers } from './running.ts'
import { compressedEntriesMax, compressedMemoryBytes } from './send-compressed.ts'
import { SentVersions } from './sent-versions.ts'
import { noted, optional } from '../../http/schema.ts'
import { pdfPolicy } from '../../http/security-headers.ts'

export interface DownloadsDeps extends DamageDeps {
  readonly traffic: Traffic
  readonly settings: { readonly values: { readonly zipCompression: boolean } }
  /** Null where no other process sends the same files. */
  readonly signals: Signals | null
  /** Bounds of the memory that all downloads take together. */
  readonly memory: {
    readonly bytesMax: number
    readonly transfersMax: number
    readonly layoutBytesMax: number
    readonly archiveCacheBytesMax: number
  }
}

/** The content for a client, how it is counted, and the form of the answer. */
export interface WantedDownload extends Omit<TransferPlan, 'isRestart'>, Presentation {}

/** What one instance tells the others about transfers to abort. */
interface Withdrawal {
  readonly keys: readonly string[]
  readonly code: ErrorCode
  readonly version?: string
}

const keysPerSignal = 1000
const lookBytes = 4096
/** A client that has waited this long gets 503 with Retry-After. */
const waitMsMax = 3_000

/** Sends files and archives to clients: ranges, conditions, counting, running transfers. */
export class Downloads {
  readonly archives: Archives
  readonly damage: Damage
  readonly budget: BufferBudget
  readonly running = new RunningTransfers()
  readonly #deps: DownloadsDeps
  readonly #transferDeps: TransferDeps

  constructor(deps: DownloadsDeps) {
    const { bytesMax, transfersMax, layoutBytesMax, archiveCacheBytesMax } = deps.memory
    const budget = new BufferBudget({
      bytesMax,
      clientBytesMax: bytesMax / 2,
      layoutBytesMax,
      bufferBytesMin,
      transfersMax,
      waitMsMax,
      clock: deps.clock,
    })
    const { running } = this
    const damage = new Damage(deps)
    const opener = new SegmentOpener(deps.storage)
    const versions = new SentVersions()
    this.budget = budget
    this.damage = damage
    this.#deps = deps
    this.#transferDeps = { ...deps, budget, running, opener, damage, versions }
    const limits = { cacheBytesMax: archiveCacheBytesMax, clock: deps.clock }
    this.archives = new Archives(deps.database, damage, limits)
    if (deps.signals === null) return
    deps.signals.reading = () => running.containers()
    deps.signals.on('abort', (about) => this.#follow(about))
  }

  /**
   * The answer for a content: 200, 206, 304, 412 or 416 (RFC 9110 sections 13 and 14).
   * @throws CodedError not_a_script, not_found, precondition_failed, range_not_satisfiable,
   *   download_limit, rate_limited, file_damaged, unavailable
   */
  async answer(context: RequestContext, wanted: WantedDownload): Promise<ByteAnswer> {
    refuseAsScript(context)
    const content = this.#asSent(context, wanted.content)
    const { request } = context
    const condition = evaluateConditions(request.headers, content, request.method ?? 'GET')
    if (condition === 'precondition_failed') throw new CodedError('precondition_failed')
    if (condition === 'not_modified') return bodiless(304, validators(content, wanted))
    const shown = isShownText(wanted)
      ? withEncoding(wanted, await this.#encodingOf(content))
      : wanted
    let range = requestedRange(content, context)
    if (request.method === 'HEAD') {
      await this.#look(content)
      const asked = range === 'unsatisfiable' ? 'whole' : range
      const { size: targetSize, firstFileSize, etag } = content
      await wanted.counted?.check({ range: asked, targetSize, firstFileSize, etag })
      return bodiless(200, headersOf(shown, content, 'whole'))
    }
    const isRestart = await this.#goesOnFromOther(context, wanted, content, range)
    if (isRestart) range = 'whole'
    if (range === 'unsatisfiable') {
      throw new CodedError('range_not_satisfiable', {
        headers: { 'Content-Range': contentRange(range, content.size) },
      })
    }
    const plan = { ...wanted, content, isRestart }
    const transfer = await beginTransfer(this.#transferDeps, context, plan, range)
    const { range: sent, newLease } = transfer.granted
    return {
      kind: 'bytes',
      status: sent === 'whole' ? 200 : 206,
      headers: headersOf(shown, content, sent),
      cookies: newLease && wanted.counted ? [wanted.counted.leaseCookie()] : [],
      discard: () => void transfer.discard(),
      send: (socket) => transfer.send(socket),
    }
  }

  /** Whether a client is about to join two versions: see `CountedDownload.goesOnFromOther`. */
  async #goesOnFromOther(
    context: RequestContext,
    { counted, readingKey }: WantedDownload,
    { etag, size }: Content,
    range: ReturnType<typeof parseRange>,
  ): Promise<boolean> {
    const start = range === 'unsatisfiable' ? size : boundsOf(range, size).start
    if (start === 0 || context.header('if-range') !== undefined) return false
    if (counted) return counted.goesOnFromOther(etag, start)
    return this.#transferDeps.versions.hasOther(readingKey, etag, start)
  }

  /**
   * Reads the first block like GET, to find errors before the head, in a small buffer without a
   * permit. Returns its first bytes.
   */
  async #look(content: Content): Promise<Buffer> {
    const permit = { resize: (_held: number, wanted: number) => Math.min(wanted, lookBytes) }
    const whole = boundsOf('whole', content.size)
    const segments = await this.damage.orRefuse(this.#transferDeps.opener.open(content, whole))
    try {
      const takeTurn = () => Promise.resolve()
      const sender = new ContentSender(content, whole, { segments, permit, takeTurn })
      return Buffer.from(await this.damage.orRefuse(sender.readAhead()))
    } finally {
      segments.release()
    }
  }

  async #encodingOf(content: Content): Promise<TextEncoding> {
    const first = await this.#look(content)
    return encodingOf(first, first.length === content.size)
  }

  /** An archive of very many files is sent stored, and others while there is no memory for it. */
  #asSent(context: RequestContext, content: Content): Content {
    if (!content.entries || !this.#deps.settings.values.zipCompression) return content
    if (!context.showsBreaks) return content
    const { layout } = content.entries
    if (layout.count > compressedEntriesMax) return content
    const bytes = compressedMemoryBytes(layout)
    return this.budget.hasRoomFor(limiterKey(context.ip), bytes) ? compressed(content) : content
  }

  /**
   * Part of the transaction that withdraws shares or deliveries: aborts all their running transfers
   * in other instances once it has committed.
   * @param keys of the subjects
   * @param code answers transfers without a head yet
   * @param version only those of this `withdrawalVersion`
   * @returns aborts those of this process; call it after the commit
   */
  async abortAfter(
    sql: Sql,
    keys: readonly string[],
    code: ErrorCode = 'not_found',
    version?: string,
  ): Promise<() => void> {
    const { signals } = this.#deps
    for (let start = 0; signals !== null && start < keys.length; start += keysPerSignal) {
      const some = keys.slice(start, start + keysPerSignal)
      await signals.tell(sql, 'abort', JSON.stringify({ keys: some, code, version }))
    }
    return () => this.#abort(keys, code, version)
  }

  #abort(keys: readonly string[], code: ErrorCode, version?: string): void {
    for (const key of keys) this.running.abort(key, new CodedError(code), version)
  }

  #follow(about: string): void {
    const { keys, code, version } = JSON.parse(about) as Withdrawal
    this.#abort(keys, code, version)
  }
}

/** The range that a request asks for (RFC 9110 section 14); compressed contents come whole. */
function requestedRange(
  { isCompressed, etag, size }: Content,
  context: RequestContext,
): ReturnType<typeof parseRange> {
  const range = context.header('range')
  if (isCompressed || range === undefined) return 'whole'
  return ifRangeMatches(context.header('if-range'), etag) ? parseRange(range, size) : 'whole'
}

function headersOf(
  shown: Presentation,
  content: Content,
  range: ByteRange | 'whole',
): Record<string, string | number> {
  const length = range === 'whole' ? content.size : range.end - range.start
  return {
    ...validators(content, shown),
    'Accept-Ranges': content.isCompressed ? 'none' : 'bytes',
    'Content-Type': shown.contentType,
    'Content-Disposition': shown.contentDisposition,
    ...(content.isCompressed ? {} : { 'Content-Length': length }),
    ...(range === 'whole' ? {} : { 'Content-Range': contentRange(range, content.size) }),
  }
}

/** Headers of a 304, too. Browsers replace those that they keep with a cached file. */
function validators(content: Content, { contentPolicy }: Presentation): Record<string, string> {
  return {
    ...(contentPolicy && { 'Content-Security-Policy': contentPolicy }),
    ETag: content.etag,
    'Last-Modified': content.modifiedAt.toUTCString(),
    'Cache-Control': 'private, no-cache, no-transform',
  }
}

function bodiless(status: number, headers: Record<string, string | number>): ByteAnswer {
  return { kind: 'bytes', status, headers, cookies: [] }
}

const pdf = 'application/pdf'

/** Types that browsers may show on our origin; everything else is always an attachment. */
const inlineTypes = new Set([
  pdf,
  'audio/flac',
  'audio/mp4',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'audio/webm',
  'image/avif',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
  'text/plain',
  'video/mp4',
  'video/ogg',
  'video/webm',
])

export const inlineQuery = noted(
  optional(v.string()),
  '`1` lets browsers display images, audio, video, PDF and plain text',
  '1',
)

/** The headers that decide whether a browser shows a file, and as what. */
export interface Presentation {
  readonly contentType: string
  readonly contentDisposition: string
  /** In place of the policy for uploaded files. */
  readonly contentPolicy?: string
}

/** The type of a text with its encoding, without which browsers would guess one. */
function withEncoding(shown: Presentation, encoding: TextEncoding): Presentation {
  return { ...shown, contentType: `${shown.contentType}; charset=${encoding}` }
}

function isShownText({ contentType, contentDisposition }: Presentation): boolean {
  return contentType === 'text/plain' && contentDisposition.startsWith('inline')
}

/**
 * An attachment, unless showing the file was requested and is allowed. A file without a type is
 * shown as its name says.
 */
export function presentationOf(
  { mimeType, entryName }: { readonly mimeType: string; readonly entryName: string },
  isInline: boolean,
): Presentation {
  const isUnknown = mimeType.toLowerCase() === fallbackMimeType
  const named = isInline && isUnknown ? mediaTypeOf(entryName) : null
  const contentType = named ?? mimeType
  const known = contentType.toLowerCase()
  if (!isInline || !inlineTypes.has(known)) {
    return { contentType, contentDisposition: contentDisposition('attachment', entryName) }
  }
  return {
    contentType: known,
    contentDisposition: contentDisposition('inline', entryName),
    ...(known === pdf && { contentPolicy: pdfPolicy }),
  }
}

/** @param name of the share or delivery; may be empty */
export function archivePresentation(name: string, format: ArchiveFormat): Presentation {
  const { contentType } = archiveFormats[format]
  return { contentType, contentDisposition: archiveDisposition(name || 'files', format) }
}

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/**
 * The encoding of a text, by its byte order mark, and as far as it is known: what is not UTF-8 is
 * most likely Windows-1252. Labels as in the Encoding Standard of WHATWG.
 * @param isWhole false when the text goes on, perhaps in the middle of a character
 */
export function encodingOf(bytes: Uint8Array, isWhole: boolean): TextEncoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole })
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}
