/** One segment of an entry name: allowed characters, comparison, shortening. */
import { withoutDevice } from '../../lib/names.ts'

/**
 * Windows refuses these anywhere in a name. Control characters are refused too, and so are those
 * that would show `photo<RLO>gpj.exe` as `photoexe.jpg`.
 */
// oxlint-disable-next-line no-control-regex
const refusedCharacters = /[<>:"|?*\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** Replaces characters that Windows refuses with `_`. Adds at most one byte. */
export function makePortable(segment: string): string {
  let end = segment.length
  while (end > 0 && '. '.includes(segment.charAt(end - 1))) end--
  const tail = '_'.repeat(segment.length - end)
  const clean = segment.slice(0, end).replaceAll(refusedCharacters, '_') + tail
  return withoutDevice(clean)
}

const plainAscii = /^[ -~]*$/

/**
 * The form in which two segments are compared: equal forms would overwrite each other on some file
 * system. Lower, then upper case, so that ẞ, ß and ss are one (as on APFS), σ and ς are one, and
 * the result does not depend on neighbouring letters; then the dot of İ is dropped, so that İ, I, ı
 * and i are one. On less strict file systems this only adds a needless number.
 */
export function fold(segment: string): string {
  // The usual case; the general one takes more than twice as long.
  if (plainAscii.test(segment)) return segment.toUpperCase()
  const upper = segment.normalize('NFC').toLowerCase().toUpperCase()
  return upper.normalize('NFC').replaceAll('\u0130', 'I')
}

export interface SplitName {
  stem: string
  /** With its dot, or empty. */
  extension: string
}

const extensionLengthMax = 16

/**
 * `report.pdf` is `report` and `.pdf`; `archive.tar.gz` is `archive` and `.tar.gz`. An ending is no
 * extension if its only dot is the first character, if it contains a space after the dot, or if it
 * is over 16 characters.
 */
export function splitExtension(segment: string): SplitName {
  const dot = segment.lastIndexOf('.')
  const last = segment.slice(dot)
  if (dot <= 0 || last.length > 1 + extensionLengthMax || last.includes(' ')) {
    return { stem: segment, extension: '' }
  }
  const isTar = dot > 4 && segment.slice(dot - 4, dot).toLowerCase() === '.tar'
  const cut = isTar ? dot - 4 : dot
  return { stem: segment.slice(0, cut), extension: segment.slice(cut) }
}

const characters = new Intl.Segmenter('und', { granularity: 'grapheme' })

/**
 * At most `bytesMax` bytes of UTF-8 from the start of `text`. Never splits what a reader sees as
 * one character, unless the first one alone is longer: then it splits between code points.
 */
export function truncateToBytes(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= bytesMax) return text
  let end = bytesMax
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--
  const wholeCodePoints = bytes.toString('utf8', 0, end)
  // One more code point shows whether a character continues after the end.
  const next = String.fromCodePoint(text.codePointAt(wholeCodePoints.length)!)
  const characterStart = characters
    .segment(wholeCodePoints + next)
    .containing(wholeCodePoints.length)!.index
  return characterStart > 0 ? wholeCodePoints.slice(0, characterStart) : wholeCodePoints
}

/** The segment with a shortened stem, so that it has at most `bytesMax` bytes. */
export function shorten(segment: string, bytesMax: number): string {
  if (Buffer.byteLength(segment) <= bytesMax) return segment
  const { stem, extension } = splitExtension(segment)
  // Keeps one byte free: the shortened stem may be a device name, which then grows by one.
  const stemBytesMax = bytesMax - Buffer.byteLength(extension) - 1
  return makePortable(truncateToBytes(stem, stemBytesMax) + extension)
}
