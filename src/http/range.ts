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
