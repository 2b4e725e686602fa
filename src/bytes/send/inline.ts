import * as v from 'valibot'
import { contentDisposition } from '../../http/content-disposition.ts'
import { noted, optional } from '../../http/schema.ts'
import { pdfPolicy } from '../../http/security-headers.ts'

const pdf = 'application/pdf'

/** Types that browsers may show on our origin; everything else is always an attachment. */
const inlineTypes = new Set([
  pdf,
  'audio/flac',
  'audio/mp4',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'audio/webm',
  'image/avif',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
  'text/plain',
  'video/mp4',
  'video/ogg',
  'video/webm',
])

/** Query field: whether to show a file in the browser. */
export const inlineQuery = noted(
  optional(v.string()),
  '`1` lets browsers display images, audio, video, PDF and plain text',
  '1',
)

/** The headers that decide whether a browser shows a file, and as what. */
export interface Presentation {
  readonly contentType: string
  readonly contentDisposition: string
  /** In place of the policy for uploaded files. */
  readonly contentPolicy?: string
}

/** The type of a text with its encoding, without which browsers would guess one. */
export function withEncoding(shown: Presentation, encoding: TextEncoding): Presentation {
  return { ...shown, contentType: `${shown.contentType}; charset=${encoding}` }
}

/** Whether a browser shows it as a text. */
export function isShownText({ contentType, contentDisposition }: Presentation): boolean {
  return contentType === 'text/plain' && contentDisposition.startsWith('inline')
}

/** An attachment, unless showing the file was requested and is allowed. */
export function presentationOf(
  { mimeType, entryName }: { readonly mimeType: string; readonly entryName: string },
  isInline: boolean,
): Presentation {
  const known = mimeType.toLowerCase()
  if (!isInline || !inlineTypes.has(known)) {
    return {
      contentType: mimeType,
      contentDisposition: contentDisposition('attachment', entryName),
    }
  }
  return {
    contentType: known,
    contentDisposition: contentDisposition('inline', entryName),
    ...(known === pdf && { contentPolicy: pdfPolicy }),
  }
}

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
