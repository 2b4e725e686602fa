import * as v from 'valibot'
import { contentDisposition } from '../../http/content-disposition.ts'
import { noted, optional } from '../../http/schema.ts'

/** Types that browsers may show on our origin; everything else is always an attachment. */
const inlineTypes = new Set([
  'application/pdf',
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

/** Content-Disposition of a file: an attachment, unless showing it was requested and is allowed. */
export function fileDisposition(
  { mimeType, entryName }: { readonly mimeType: string; readonly entryName: string },
  isInline: boolean,
): string {
  const mayShow = isInline && inlineTypes.has(mimeType.toLowerCase())
  return contentDisposition(mayShow ? 'inline' : 'attachment', entryName)
}
