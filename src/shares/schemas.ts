import * as v from 'valibot'
import { presentFile, shareFileSchema } from '../files/schemas.ts'
import { nonNegative, optional, text, timestamp, wholeNumber } from '../http/schema.ts'
import { expirationUnits } from '../settings/table.ts'
import type { ShareWithFiles } from './shares.ts'
import { shareStates, type OwnedShare } from './sql.ts'

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

/** Share of the contract's part 2, with the state it is in. */
export const shareSchema = v.object({
  id: v.string(),
  name: v.string(),
  status: v.picklist(shareStates),
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
  /** `uploading`: a draft that its owner has published. */
  status: v.picklist(['uploading', 'complete']),
})

export const successSchema = v.object({ success: v.boolean() })

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

/** A share in the list of all accounts' shares: no files, but whose it is. */
export function presentOwnedShare({ share, ownerEmail }: OwnedShare, shareUrl: string) {
  const { files: _files, ...shown } = presentShare({ share, files: [] }, shareUrl)
  return { ...shown, owner: { id: share.ownerId, email: ownerEmail } }
}
