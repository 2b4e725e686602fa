import type { ByteAnswer } from '../../http/answer.ts'
import { ifRangeMatches } from '../../http/conditional.ts'
import { contentRange, parseRange, type ByteRange } from '../../http/range.ts'
import type { Content } from './content.ts'
import type { TransferRequest } from './counting.ts'
import type { TransferSubject } from './running.ts'

/** How an answer with a content looks, and who pays for it. */
export interface Delivery extends TransferSubject {
  readonly content: Content
  /** Makes the content anew, where its bytes may move before they are pinned. */
  readonly renew?: () => Promise<Content>
  readonly contentType: string
  readonly contentDisposition: string
  /** Null for reads that are not counted. */
  readonly counted: {
    readonly request: Omit<TransferRequest, 'range' | 'targetSize'>
    readonly takeToken: () => void
    readonly leaseCookie: (token: string) => string
  } | null
}

export function headersOf(
  delivery: Delivery,
  range: ByteRange | 'whole',
): Record<string, string | number> {
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

/** What a request asks for of a content (RFC 9110 section 14); compressed ones come whole. */
export function requestedRange(
  { isCompressed, etag, size }: Content,
  request: { header(name: string): string | undefined },
): ReturnType<typeof parseRange> {
  const range = request.header('range')
  if (isCompressed || range === undefined) return 'whole'
  return ifRangeMatches(request.header('if-range'), etag) ? parseRange(range, size) : 'whole'
}

export function validators(content: Content): Record<string, string> {
  return {
    ETag: content.etag,
    'Last-Modified': content.modifiedAt.toUTCString(),
    'Cache-Control': 'private, no-cache, no-transform',
  }
}

export function bodiless(status: number, headers: Record<string, string | number>): ByteAnswer {
  return { kind: 'bytes', status, headers, cookies: [] }
}
