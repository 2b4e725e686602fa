import { withoutDevice, withoutDirectionMarks } from '../lib/names.ts'

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
