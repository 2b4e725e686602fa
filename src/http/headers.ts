import { basePathOf, parseUrl } from '../lib/base-path.ts'
import { withoutDevice, withoutDirectionMarks } from '../lib/names.ts'
import { CodedError } from '../lib/errors.ts'
import type { RequestContext } from './request-context.ts'

/** `cookie-octet` of RFC 6265, section 4.1.1: no space, quote, comma, semicolon or backslash. */
const valuePattern = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/

/** Values of a name that are tried: one program of the host sets few with different paths. */
const valuesMax = 4

/** The cookies of this service. Others on the same host, at any port, may set any number. */
export type CookiePurpose =
  | 'session'
  | 'device'
  | 'provider'
  | 'downloader'
  | 'unlocked'
  | 'deliveries'

/**
 * Sets and finds our own cookies. Browsers send a cookie to every port of its host (RFC 6265,
 * section 8.5), so the names end with a tag of this instance: two services on one host, or another
 * program with a `session`, would otherwise sign each other's users out. Below a path, cookies
 * stay out of other applications on the same host.
 */
export class Cookies {
  readonly isSecure: boolean
  readonly #path: string
  readonly #tag: string

  /** @param tag differs between instances; characters of a `token` (RFC 9110, section 5.6.2) */
  constructor({ baseUrl, tag }: { baseUrl: string; tag: string }) {
    this.isSecure = baseUrl.startsWith('https:')
    this.#path = `${basePathOf(baseUrl)}/`
    this.#tag = tag
  }

  /**
   * The value of a `Set-Cookie` header.
   * @param value cookie characters alone: base64url, hex, a JWT
   */
  set(
    purpose: CookiePurpose,
    value: string,
    options: { readonly lifeMs: number; readonly sameSite?: 'Strict' | 'Lax' },
  ): string {
    const { lifeMs, sameSite = 'Lax' } = options
    return [
      `${this.#nameOf(purpose)}=${value}`,
      `Path=${this.#path}`,
      `Max-Age=${lifeMs / 1000}`,
      ...(lifeMs === 0 ? ['Expires=Thu, 01 Jan 1970 00:00:00 GMT'] : []),
      'HttpOnly',
      `SameSite=${sameSite}`,
      ...(this.isSecure ? ['Secure'] : []),
    ].join('; ')
  }

  clear(purpose: CookiePurpose): string {
    return this.set(purpose, '', { lifeMs: 0 })
  }

  /** Values that may be ours, the likeliest first: at most four. */
  find(header: string | undefined, purpose: CookiePurpose): string[] {
    return findCookies(header, this.#nameOf(purpose))
  }

  /**
   * With the prefix, browsers refuse the cookie unless it is Secure and, for the path `/`, from
   * this very host (RFC 6265bis, section 4.1.3).
   */
  #nameOf(purpose: CookiePurpose): string {
    const name = `transfer_${purpose}_${this.#tag}`
    if (!this.isSecure) return name
    return this.#path === '/' ? `__Host-${name}` : `__Secure-${name}`
  }
}

/**
 * The values of a cookie in a `Cookie` header with any number of others, at most four. The one with
 * the longest path comes first (RFC 6265, section 5.4). Malformed ones are ignored; quotes around a
 * value are removed; values are not percent-decoded.
 */
export function findCookies(header: string | undefined, name: string): string[] {
  const values: string[] = []
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals < 0 || pair.slice(0, equals).trim() !== name) continue
    const value = unquote(pair.slice(equals + 1).trim())
    if (valuePattern.test(value)) values.push(value)
    if (values.length === valuesMax) break
  }
  return values
}

function unquote(value: string): string {
  const isQuoted = value.length >= 2 && value.startsWith('"') && value.endsWith('"')
  return isQuoted ? value.slice(1, -1) : value
}

/** Limit of most file systems for a name, so that clients do not shorten it in different ways. */
const nameBytesMax = 255
const extensionBytesMax = 32
const nameWhenNothingIsLeft = 'download'
const archiveWhenNothingIsLeft = 'files'

/** Controls (Cc), line and paragraph separators (Zl, Zp), and the byte order mark. */
const unsafeCharacters = /[\p{Cc}\p{Zl}\p{Zp}\uFEFF]/gu
const loneSurrogates = /\p{Surrogate}/gu

/**
 * The value of `Content-Disposition` (RFC 6266): one line of printable ASCII for any `fileName`.
 * Only its last path segment is used, in at most 255 bytes of UTF-8 that keep the extension. Sent
 * twice: `filename` in ASCII for old clients, `filename*` in UTF-8 (RFC 8187) for all others, which
 * prefer it.
 */
export function contentDisposition(type: 'attachment' | 'inline', fileName: string): string {
  const name = safeName(fileName)
  return `${type}; filename="${asciiFallback(name)}"; filename*=UTF-8''${encodeExtended(name)}`
}

/** The same for an archive named after a share, where a slash does not separate folders. */
export function archiveDisposition(name: string, extension: string): string {
  const whole = cleaned(name.replaceAll(/[/\\]/g, '_'))
  const hasExtension = whole.toLowerCase().endsWith(`.${extension}`)
  const stem = hasExtension ? whole.slice(0, -extension.length - 1) : whole
  const named = /^[. ]*$/.test(stem) ? archiveWhenNothingIsLeft : stem
  return contentDisposition('attachment', `${named}.${extension}`)
}

function safeName(fileName: string): string {
  const lastSegment = fileName.split(/[/\\]/).findLast((segment) => segment !== '') ?? ''
  const name = cleaned(lastSegment)
  const isDotsOnly = /^\.*$/.test(name)
  return isDotsOnly ? nameWhenNothingIsLeft : shorten(withoutDevice(name))
}

function cleaned(name: string): string {
  const whole = withoutDirectionMarks(name).replace(loneSurrogates, '\uFFFD')
  return whole.replace(unsafeCharacters, '').trim()
}

/** Shortens a long name before its extension, never inside a character. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= nameBytesMax) return name
  const dot = name.lastIndexOf('.')
  const hasExtension = dot > 0 && Buffer.byteLength(name.slice(dot)) <= extensionBytesMax
  const ending = hasExtension ? name.slice(dot) : ''
  const room = nameBytesMax - Buffer.byteLength(ending)
  let length = 0
  let bytes = 0
  for (const character of name) {
    bytes += Buffer.byteLength(character)
    if (bytes > room) break
    length += character.length
  }
  return name.slice(0, length) + ending
}

/**
 * `ä` becomes `a`; other non-ASCII characters become `_`. So do quotes and backslashes, which
 * clients unescape in different ways, percent signs, which some decode (RFC 6266, appendix D), and
 * characters that Windows refuses. Only canonical decomposition (NFD) is used: the compatibility
 * forms would turn a fullwidth slash or quote into the real one.
 */
function asciiFallback(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%/:*?<>|]/gu, '_')
}

/** `value-chars` of RFC 8187, section 3.2.1: the output of encodeURIComponent without `'()*`. */
function encodeExtended(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Destinations in which a file takes control of a page (Fetch, section 2.2.5, "destination"). */
const executingUses = new Set([
  'audioworklet',
  'json',
  'manifest',
  'paintworklet',
  'script',
  'serviceworker',
  'sharedworker',
  'style',
  'worker',
  'xslt',
])

/**
 * For uploaded files: they share the origin of our pages, and must not run in one. Browsers declare
 * what they need a file for; other programs do not, and run nothing.
 * @throws CodedError not_a_script
 */
export function refuseAsScript(context: RequestContext): void {
  const use = context.header('sec-fetch-dest')?.toLowerCase() ?? ''
  // Sent only for the script of a service worker, also by browsers without Sec-Fetch-Dest.
  const isServiceWorker = context.header('service-worker') !== undefined
  if (executingUses.has(use) || isServiceWorker) throw new CodedError('not_a_script')
}

/** More than any host name; `URL` takes long for thousands of combining marks. */
const charactersMax = 512
const hostForm = /^[^\s/?#@\\]+$/

/**
 * Whether an `Origin` (RFC 6454 section 7) is the one that a request was sent to: the `Host` as the
 * client or a proxy wrote it, or that of BASE_URL, where a proxy replaces the host or adds its own
 * port. Compares URLs, so that case and the default port of the scheme make no difference.
 */
export function isOwnOrigin(origin: string, host: string | undefined, ownOrigin: string): boolean {
  if (origin.length > charactersMax) return false
  const page = parseUrl(origin)
  if (!page || !/^https?:$/.test(page.protocol)) return false
  if (page.origin === ownOrigin) return true
  if (host === undefined || host.length > charactersMax || !hostForm.test(host)) return false
  return parseUrl(`${page.protocol}//${host}`)?.host === page.host
}
