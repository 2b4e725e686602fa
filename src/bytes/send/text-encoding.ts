export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/**
 * The encoding of a text, by its byte order mark, and as far as it is known: what is not UTF-8 is
 * most likely Windows-1252. Labels as in the Encoding Standard of WHATWG.
 * @param isWhole false when the text goes on, perhaps in the middle of a character
 */
export function encodingOf(bytes: Uint8Array, isWhole: boolean): TextEncoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole })
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}
