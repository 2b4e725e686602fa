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
