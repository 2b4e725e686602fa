import type { IncomingHttpHeaders } from 'node:http'

export interface Validators {
  /** An entity tag with its quotes, as in `ETag`; with a leading `W/` when it is weak. */
  etag: string
  /** As in `Last-Modified`, compared in whole seconds. */
  modifiedAt: Date
}

export type ConditionResult = 'proceed' | 'not_modified' | 'precondition_failed'

/**
 * Evaluates the request's preconditions for an existing resource, in the order of RFC 9110, section
 * 13.2.2. `'not_modified'` means 304, `'precondition_failed'` 412. `If-Range` is handled by
 * `ifRangeMatches`.
 *
 * A malformed list of tags matches nothing, a malformed date counts as absent.
 */
export function evaluateConditions(
  headers: IncomingHttpHeaders,
  resource: Validators,
  method: string,
): ConditionResult {
  const isRead = method === 'GET' || method === 'HEAD'
  const modifiedAtSeconds = Math.floor(resource.modifiedAt.getTime() / 1000)

  const ifMatch = headers['if-match']
  if (ifMatch !== undefined) {
    if (!listMatches(ifMatch, resource.etag, strongMatch)) return 'precondition_failed'
  } else {
    const unmodifiedSince = parseHttpDate(headers['if-unmodified-since'])
    if (unmodifiedSince !== null && modifiedAtSeconds > unmodifiedSince) {
      return 'precondition_failed'
    }
  }

  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch !== undefined) {
    if (!namesTag(ifNoneMatch, resource.etag)) return 'proceed'
    return isRead ? 'not_modified' : 'precondition_failed'
  }
  const modifiedSince = isRead ? parseHttpDate(headers['if-modified-since']) : null
  if (modifiedSince !== null && modifiedAtSeconds <= modifiedSince) return 'not_modified'
  return 'proceed'
}

/**
 * Whether a `Range` with this `If-Range` may be honoured (RFC 9110, section 13.1.5): true without
 * the header, otherwise only for the same strong tag. A date never matches: two versions made
 * within one second would share it, and a resumed download would mix both.
 */
export function ifRangeMatches(header: string | undefined, etag: string): boolean {
  return header === undefined || strongMatch(header.trim(), etag)
}

/** Whether an `If-None-Match` names the tag of the answer (RFC 9110, section 13.1.2). */
export function namesTag(header: string | undefined, etag: string): boolean {
  return header !== undefined && listMatches(header, etag, weakMatch)
}

type Comparison = (given: string, etag: string) => boolean

/** RFC 9110, 8.8.3.2: both strong, same characters. */
const strongMatch: Comparison = (given, etag) => given === etag && given.startsWith('"')

/** RFC 9110, 8.8.3.2: same characters, weak or not. */
const weakMatch: Comparison = (given, etag) => opaqueTag(given) === opaqueTag(etag)

function opaqueTag(tag: string): string {
  return tag.replace(/^W\//, '')
}

function listMatches(header: string, etag: string, matches: Comparison): boolean {
  return header.trim() === '*' || entityTags(header).some((given) => matches(given, etag))
}

/**
 * The tags of a list, up to the first malformed one (RFC 9110, 8.8.3):
 *
 *     entity-tag = [ "W/" ] DQUOTE *( %x21 / %x23-7E / obs-text ) DQUOTE
 *
 * The list cannot be split at commas, because quoted tags may contain them.
 */
function entityTags(header: string): string[] {
  const member = /[ \t,]*((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?=,|$)/y
  const tags: string[] = []
  for (let match = member.exec(header); match !== null; match = member.exec(header)) {
    tags.push(match[1] ?? '')
  }
  return tags
}

/**
 * The fixed form of a date (RFC 9110, section 5.6.7). No client has sent the two obsolete ones for
 * decades: they count as absent, like dates that do not exist.
 */
const httpDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/

/** Seconds since 1970 UTC, or null when `text` is absent or no HTTP date. */
function parseHttpDate(text: string | undefined): number | null {
  if (text === undefined || !httpDate.test(text)) return null
  const date = new Date(text)
  // `31 Feb` would be read as a day of March.
  return date.toUTCString() === text ? date.getTime() / 1000 : null
}

/** Far more than one range needs. */
const charactersMax = 1024

/** Bytes from `start` up to, and not including, `end`. */
export interface ByteRange {
  start: number
  end: number
}

/** The bounds of an answer within a representation of `size` bytes. */
export function boundsOf(range: Readonly<ByteRange> | 'whole', size: number): ByteRange {
  return range === 'whole' ? { start: 0, end: size } : range
}

/**
 * The range that a `Range` header asks for in a representation of `size` bytes (RFC 9110, section
 * 14).
 *
 * Only one range is served. Several ranges, other units and malformed values are `'whole'`: a
 * server may ignore the header (14.2), and several ranges make a small request cost many reads.
 * `'unsatisfiable'` means 416. A suffix of an empty representation is `'whole'`: it is satisfiable
 * (14.1.2), but no `Content-Range` can name zero bytes.
 */
export function parseRange(
  header: string | undefined,
  size: number,
): ByteRange | 'whole' | 'unsatisfiable' {
  const rangeSet = /^[ \t]*bytes=(.*)$/i.exec((header ?? '').slice(0, charactersMax))?.[1]
  if (rangeSet === undefined) return 'whole'
  // Empty list members are ignored (RFC 9110, 5.6.1.2).
  const members = rangeSet
    .split(',')
    .map((member) => member.trim())
    .filter(Boolean)
  const match = members.length === 1 ? /^(\d*)-(\d*)$/.exec(members[0] ?? '') : null
  if (match === null) return 'whole'
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return 'whole'
  return first === '' ? suffixRange(toPosition(last), size) : intRange(first, last, size)
}

/**
 * The value of `Content-Range` for a 206 (a range) or a 416 (`'unsatisfiable'`): RFC 9110, 14.4.
 */
export function contentRange(range: ByteRange | 'unsatisfiable', size: number): string {
  if (range === 'unsatisfiable') return `bytes */${size}`
  return `bytes ${range.start}-${range.end - 1}/${size}`
}

function intRange(
  first: string,
  last: string,
  size: number,
): ByteRange | 'whole' | 'unsatisfiable' {
  const start = toPosition(first)
  const lastPosition = last === '' ? Number.MAX_SAFE_INTEGER : toPosition(last)
  if (lastPosition < start) return 'whole'
  if (start >= size) return 'unsatisfiable'
  return { start, end: Math.min(lastPosition, size - 1) + 1 }
}

function suffixRange(length: number, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  if (length === 0) return 'unsatisfiable'
  if (size === 0) return 'whole'
  return { start: Math.max(0, size - length), end: size }
}

/** Digits as a number. No representation reaches 2^53, so larger values are clamped. */
function toPosition(digits: string): number {
  return Math.min(Number(digits), Number.MAX_SAFE_INTEGER)
}
