// Writes tar archives of files (POSIX.1-2024, pax, "ustar Interchange Format").

const blockBytes = 512
/** An archive ends with two blocks of zeros. */
export const tarEndBytes = 2 * blockBytes

/** A file in an archive: its id, of at most 100 bytes, is the path of its entry. */
export interface Entry {
  readonly id: string
  readonly name: string
  readonly size: number
  /** In ms since 1970. */
  readonly lastModified: number
}

/** Bytes of a file in an archive, with its headers. */
export function entryBytes(entry: Entry): number {
  return headBytes(entry) + entry.size + paddingOf(entry.size)
}

/** Bytes before its content. */
export function headBytes({ name }: Entry): number {
  const { length } = nameRecord(name)
  return 2 * blockBytes + length + paddingOf(length)
}

/** The pieces of an entry, in order. */
export function entryOf(entry: Entry, content: ArrayBuffer): Uint8Array<ArrayBuffer>[] {
  const record = nameRecord(entry.name)
  return [
    headerOf({ ...entry, size: record.length }, 'x'),
    record,
    zeros(paddingOf(record.length)),
    headerOf(entry, '0'),
    new Uint8Array(content),
    zeros(paddingOf(entry.size)),
  ]
}

/** The record of an extended header; its length counts its own digits. */
function nameRecord(name: string): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder()
  const rest = ` TRANSFER.name=${name}\n`
  const bytes = encoder.encode(rest).length
  let length = bytes
  while (length < bytes + String(length).length) length += 1
  return encoder.encode(length + rest)
}

export function tarEnd(): Uint8Array<ArrayBuffer> {
  return zeros(tarEndBytes)
}

/**
 * The type is `x` for an extended header, `0` for a file.
 *
 *     name 100 | mode 8 | uid 8 | gid 8 | size 12 | mtime 12 | sum 8 | type 1 | … | "ustar\0" "00"
 *
 * Numbers are octal. Readers expect UTF-8 in names, although POSIX defines only ASCII there.
 */
function headerOf(
  { id, size, lastModified }: Omit<Entry, 'name'>,
  type: 'x' | '0',
): Uint8Array<ArrayBuffer> {
  const header = zeros(blockBytes)
  const put = (at: number, text: string) => header.set(new TextEncoder().encode(text), at)
  put(0, id)
  put(100, '0000644\0' + '0000000\0'.repeat(2))
  // Clocks may be wrong, and the field has 33 bits.
  const seconds = Math.min(Math.max(0, Math.floor(lastModified / 1000)), 8 ** 11 - 1)
  put(124, `${octal(size, 11)} ${octal(seconds, 11)} `)
  put(148, ' '.repeat(8) + type)
  put(257, 'ustar\0' + '00')
  const sum = header.reduce((total, byte) => total + byte, 0)
  put(148, `${octal(sum, 6)}\0`)
  return header
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}

function paddingOf(size: number): number {
  return -size & (blockBytes - 1)
}

function zeros(bytes: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes)
}
