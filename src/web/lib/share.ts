import type { ExpiryChange } from './expiry.ts'
import type { ExpiryUnit } from './limits.ts'

/** `GET /api/shares/{shareId}`, as far as views use it. */
export interface Share {
  readonly id: string
  readonly name: string
  readonly status: 'draft' | 'complete' | 'expired'
  readonly expires_at: string | null
  readonly protected: boolean
  readonly url: string
  readonly max_downloads: number
  readonly files: readonly unknown[]
  readonly total_size: number
  readonly message: string
  readonly recipients: string
  readonly audience: 'anyone' | 'named'
  /** What named people need besides their link. */
  readonly recipientProof: 'none' | 'code' | 'account'
  readonly slug: string
  readonly published: boolean
  readonly notifyDownloads: boolean
  /** Announced size of a draft; 0 if unknown. */
  readonly expectedBytes: number
  /** Received percent of a draft; null when unknown. */
  readonly progress: number | null
  /** Whether a draft has just received bytes, from any client. */
  readonly receiving: boolean
  readonly last_received_at: string | null
  readonly expirationVal: number
  readonly expirationUnit: ExpiryUnit
  /** Whether it expires at a chosen moment. */
  readonly fixedExpiry: boolean
}

/** A file of a share or a delivery. */
export interface ListedFile {
  readonly id: number
  readonly original_name: string
  /** Present only if archives have another name. */
  readonly archive_name?: string
  readonly size: number
  readonly mime_type: string
  /** Absent if unknown. */
  readonly modified_at?: string
  readonly damaged?: true
  readonly thumbnail?: true
}

/** The path of a file in lists, which is that in archives. */
export const listedPath = (file: Pick<ListedFile, 'original_name' | 'archive_name'>) =>
  file.archive_name ?? file.original_name

/** Body of `PATCH /api/shares/{shareId}`; absent fields stay as they are. */
export interface ShareChange extends ExpiryChange {
  readonly name?: string
  readonly message?: string
  readonly recipients?: string
  readonly audience?: Share['audience']
  readonly recipientProof?: Share['recipientProof']
  readonly password?: string
  readonly maxDownloads?: number
  readonly slug?: string
  readonly published?: boolean
  readonly expectedBytes?: number
  readonly notifyDownloads?: boolean
}

export const sharePath = (shareId: string) => `/api/shares/${encodeURIComponent(shareId)}`
