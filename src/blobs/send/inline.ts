import * as v from 'valibot'
import { contentDisposition } from '../../http/content-disposition.ts'
import { noted, optional } from '../../http/schema.ts'

/** Types a browser may show on our own address; everything else is always an attachment. */
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

/** Of a query: whether a file is to be shown. */
export const inlineQuery = noted(
  optional(v.string()),
  '`1` lets browsers display images, audio, video, PDF and plain text',
  '1',
)

/** Content-Disposition of a file: to be saved, unless it was asked for and may be shown. */
export function fileDisposition(
  { mimeType, originalName }: { readonly mimeType: string; readonly originalName: string },
  isInline: boolean,
): string {
  const mayShow = isInline && inlineTypes.has(mimeType.toLowerCase())
  return contentDisposition(mayShow ? 'inline' : 'attachment', originalName)
}
