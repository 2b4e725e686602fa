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

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

// The three forms that every recipient must accept (RFC 9110, section 5.6.7).
const httpDateForms = [
  // IMF-fixdate: Sun, 06 Nov 1994 08:49:37 GMT
  /^[A-Z][a-z]{2}, (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>[\d:]{8}) GMT$/,
  // rfc850-date: Sunday, 06-Nov-94 08:49:37 GMT
  /^[A-Z][a-z]{5,8}, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>[\d:]{8}) GMT$/,
  // asctime-date: Sun Nov  6 08:49:37 1994
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
]

/** Seconds since 1970 UTC, or null when `text` is absent or not an HTTP date. */
function parseHttpDate(text: string | undefined): number | null {
  for (const form of httpDateForms) {
    const parts = form.exec(text ?? '')?.groups
    if (parts !== undefined) return secondsOf(parts)
  }
  return null
}

function secondsOf(parts: Record<string, string>): number | null {
  const { day = '', month = '', year = '', time = '' } = parts
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  const monthIndex = months.indexOf(month)
  const date = new Date(0)
  date.setUTCFullYear(fullYear(year), monthIndex, Number(day))
  const isRealDay = date.getUTCMonth() === monthIndex && date.getUTCDate() === Number(day)
  // 60 is a leap second (RFC 9110, 5.6.7).
  if (!isRealDay || hours > 23 || minutes > 59 || seconds > 60) return null
  return date.getTime() / 1000 + hours * 3600 + minutes * 60 + seconds
}

/** Two digits mean 1970 to 2069. No client has sent them for decades, so the clock is not asked. */
function fullYear(digits: string): number {
  const year = Number(digits)
  if (digits.length === 4) return year
  return year < 70 ? 2000 + year : 1900 + year
}
