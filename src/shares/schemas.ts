import * as v from 'valibot'
import { nonNegative, optional, text, timestamp, wholeNumber } from '../http/schema.ts'
import { expirationUnits } from '../settings/table.ts'
import type { ShareWithFiles } from './shares.ts'
import type { ListedFileRow } from './sql.ts'

const nameMax = 200
const messageMax = 10_000
const recipientsMax = 16 * 1024
const maxDownloadsMax = 2 ** 31 - 1

export const newShareSchema = v.object({
  name: optional(text(0, nameMax)),
  password: optional(text(0, 256)),
  expirationVal: optional(wholeNumber(0, Number.MAX_SAFE_INTEGER)),
  expirationUnit: optional(v.picklist(expirationUnits)),
  recipients: optional(text(0, recipientsMax)),
  message: optional(text(0, messageMax)),
  maxDownloads: optional(wholeNumber(0, maxDownloadsMax)),
})

/** ShareFile of the contract's part 2. */
export const shareFileSchema = v.object({
  id: v.pipe(v.number(), v.integer()),
  original_name: v.string(),
  size: nonNegative,
  mime_type: v.string(),
  created_at: timestamp,
})

/** Share of the contract's part 2, with the state it is in. */
export const shareSchema = v.object({
  id: v.string(),
  name: v.string(),
  status: v.picklist(['draft', 'complete', 'expired']),
  created_at: timestamp,
  expires_at: v.nullable(timestamp),
  protected: v.boolean(),
  url: v.pipe(v.string(), v.url()),
  max_downloads: nonNegative,
  download_count: nonNegative,
  files: v.array(shareFileSchema),
  total_size: nonNegative,
})

export const publicShareSchema = v.object({
  name: v.string(),
  message: v.string(),
  protected: v.boolean(),
  files: v.array(shareFileSchema),
})

export const successSchema = v.object({ success: v.boolean() })

export function presentFile(
  file: Omit<ListedFileRow, 'parcelId'>,
): v.InferOutput<typeof shareFileSchema> {
  return {
    id: file.id,
    original_name: file.originalName,
    size: file.size,
    mime_type: file.mimeType,
    created_at: file.createdAt.toISOString(),
  }
}

export function presentShare(
  { share, files }: ShareWithFiles,
  shareUrl: string,
): v.InferOutput<typeof shareSchema> {
  return {
    id: share.id,
    name: share.name,
    status: share.state,
    created_at: share.createdAt.toISOString(),
    expires_at: share.expiresAt?.toISOString() ?? null,
    protected: share.passwordHash !== null,
    url: shareUrl,
    max_downloads: share.maxDownloads,
    download_count: share.downloadCount,
    files: files.map(presentFile),
    total_size: share.totalSize,
  }
}
