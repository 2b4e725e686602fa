// Writes tar archives of files (POSIX.1-2024, pax, "ustar Interchange Format").

const blockBytes = 512
/** An archive ends with two blocks of zeros. */
export const tarEndBytes = 2 * blockBytes

/** Bytes of a file in an archive, with its header. */
export function entryBytes(size: number): number {
  return blockBytes + size + paddingOf(size)
}

/** The pieces of an entry, in order. */
export function entryOf(path: string, content: ArrayBuffer): Uint8Array<ArrayBuffer>[] {
  const { byteLength } = content
  return [headerOf(path, byteLength), new Uint8Array(content), zeros(paddingOf(byteLength))]
}

export function tarEnd(): Uint8Array<ArrayBuffer> {
  return zeros(tarEndBytes)
}

/**
 *     name 100 | mode 8 | uid 8 | gid 8 | size 12 | mtime 12 | sum 8 | type 1 | … | "ustar\0" "00"
 *
 * Numbers are octal. Readers expect UTF-8 in names, although POSIX defines only ASCII there.
 * @param path of at most 100 bytes
 */
function headerOf(path: string, size: number): Uint8Array<ArrayBuffer> {
  const header = zeros(blockBytes)
  const put = (at: number, text: string) => header.set(new TextEncoder().encode(text), at)
  put(0, path)
  put(100, '0000644\0' + '0000000\0'.repeat(2))
  put(124, `${octal(size, 11)} ${octal(0, 11)} `)
  put(148, ' '.repeat(8) + '0')
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
