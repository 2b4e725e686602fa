// Input and output of the upload engine. No browser types, so that it runs in tests. Sizes are
// bytes, speeds bytes per second, times milliseconds of the given clock.
import type { Clock } from '../lib/clock.ts'

/** A source of a file's bytes: in browsers a File. Slices are made when they are sent. */
export interface FileSource {
  readonly name: string
  readonly size: number
  /** Milliseconds since 1970. */
  readonly lastModified: number
  slice(start: number, end: number): Blob
}

/**
 * Lets a browser find a chosen or dropped file again: a FileSystemHandle. A folder has one for all
 * its files.
 */
export interface FileOrigin {
  readonly kind: 'file' | 'directory'
  readonly name: string
}

/** A chosen file, with its path relative to the selection (`Holiday/beach.jpg`). */
export interface PickedFile {
  readonly path: string
  readonly file: FileSource
  readonly size: number
  readonly lastModified: number
  /** Media type, or ''. */
  readonly type: string
  /** How many files before it in its selection have the same path, size and time. */
  readonly copy?: number
  /** Absent in browsers without handles. */
  readonly origin?: FileOrigin
}

/** Target of an upload. The token of init outlives a session; with null only cookies are sent. */
export type UploadTarget =
  | {
      readonly kind: 'share'
      readonly shareId: string
      readonly uploadToken: string | null
      /** Several people may use one browser. */
      readonly userId?: number
    }
  | { readonly kind: 'delivery'; readonly reverseId: string; readonly uploadToken: string | null }

export interface UploadLimits {
  /** Chunk limit of the service. */
  readonly chunkBytesMax: number
}

export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  /** Sent as Bearer; with null only cookies are sent. */
  readonly token: string | null
  readonly json?: unknown
  /** A multipart body: text fields first, the part `chunk` last. */
  readonly chunk?: { readonly fields: Readonly<Record<string, string>>; readonly bytes: Blob }
  /** A tar archive as the body. */
  readonly tar?: Blob
  /** A thumbnail as the body. */
  readonly jpeg?: Blob
  /** Called with the number of sent bytes whenever it grows. */
  readonly onProgress?: (bytesSent: number) => void
  readonly signal: AbortSignal
}

export interface TransportReply {
  /** 0 without an answer: network failure, abort, or an unreadable file. */
  readonly status: number
  /** The raw Retry-After header. */
  readonly retryAfter: string | null
  /** The body if it is JSON; otherwise undefined, for example for the HTML of a proxy. */
  readonly json: unknown
}

/** Sends one request. Always resolves: failures on the way have status 0. */
export type Transport = (request: TransportRequest) => Promise<TransportReply>

/**
 * Record of one file, from which a later page can continue. Never its bytes: the service's list
 * names the received chunks (manifest.ts).
 */
export interface FileRecord {
  readonly id: string
  readonly path: string
  readonly size: number
  readonly lastModified: number
  readonly type: string
  /** The id that it was finalized under, if it was: repeating finalize needs the same. */
  readonly key: string
}

/** Options of finalize beside the files. */
export interface Wishes {
  /** For a complete share: whether to notify recipients about added files. */
  readonly notifyRecipients?: boolean
}

export interface UploadRecord {
  /** See recordId() of manifest.ts. */
  readonly id: string
  readonly target: UploadTarget
  readonly files: readonly FileRecord[]
  /** Absent in browsers without storable handles. */
  readonly origins?: readonly FileOrigin[]
  readonly wishes: Wishes
  readonly savedAt: number
}

/** IndexedDB in a browser. A failing store costs convenience, never an upload. */
export interface UploadStore {
  list(): Promise<UploadRecord[]>
  save(record: UploadRecord): Promise<void>
  remove(id: string): Promise<void>
  /** Largest chunk in bytes that passes a proxy of this site, once one was refused. */
  chunkBytesMax(): Promise<number | null>
  saveChunkBytesMax(bytes: number): Promise<void>
}

/** Learned from the first refusal, and shared by all uploads of a page. */
export interface TarSupport {
  /** Set for an older service, or a proxy that does not let archives through. */
  isRefused: boolean
}

/** A JPEG that the service takes; null without one. */
export type DrawThumbnail = (file: FileSource) => Promise<Blob | null>

export interface UploadOptions {
  readonly target: UploadTarget
  readonly transport: Transport
  readonly store: UploadStore
  readonly clock: Clock
  readonly limits: UploadLimits
  /** Called at most 4 times a second, and at once when phase or hold changes. */
  readonly onChange: () => void
  /** Known to this upload alone when absent. */
  readonly tarSupport?: TarSupport
  /** Absent where no thumbnails are sent. */
  readonly drawThumbnail?: DrawThumbnail
}

export type UploadPhase =
  /** Nothing to send: no files yet, or all were sent and complete() was not called. */
  | 'idle'
  | 'sending'
  /** By the user. */
  | 'paused'
  /** A request failed; continues automatically at `retryAt`. */
  | 'waiting'
  /** Needs the user: see `hold`. */
  | 'held'
  /** All bytes are sent; finalize has not answered. */
  | 'finishing'
  | 'done'
  /** Cancelled, removed by another client, or completed elsewhere: see `problem`. */
  | 'stopped'

export type UploadHold =
  /** The session ended: sign in again, then resume(). */
  | 'sign_in'
  /** Retried every minute. */
  | 'server_full'
  /** The share or link is gone or has expired; nothing was deleted here. */
  | 'removed'
  /** The account's quota is used up. */
  | 'quota'
  /** A size limit of the service, or a proxy that refuses the smallest chunk. */
  | 'too_large'
  /** Files failed, changed or are missing: retry, add or remove them. */
  | 'files'
  /** An answer that a retry will not change: see `problem`. */
  | 'refused'

/** A code of the service, or one of the engine: `network`, `stalled`, `unreadable`, … */
export interface Problem {
  readonly code: string
  /** For reports; views have their own text for each code. */
  readonly message: string
}

export type FileStatus =
  | 'waiting'
  | 'sending'
  | 'done'
  /** Given up; retry() tries again. */
  | 'failed'
  /** Cannot be sent (unreadable, refused name); the other files continue. */
  | 'skipped'
  /** Changed since it was begun: retry() sends it from the start. */
  | 'changed'
  /** Known from a record, but not chosen again yet: add() it. */
  | 'missing'

/** A new object after each change, otherwise the same one. */
export interface FileState {
  readonly id: string
  readonly path: string
  readonly size: number
  /** For previews; null while it is missing. */
  readonly source: FileSource | null
  /** Displayed bytes: never fall. */
  readonly sent: number
  readonly state: FileStatus
  /** Also `restarted`, with any status: what was received is not in this file any more. */
  readonly problem: Problem | null
}

export interface UploadTotals {
  readonly files: number
  readonly filesDone: number
  readonly bytes: number
  readonly bytesDone: number
  /** 0 to 100, whole; 99 until finalize has answered. */
  readonly percent: number
}

export interface UploadSnapshot {
  readonly phase: UploadPhase
  readonly hold: UploadHold | null
  /** When it continues automatically; null without a wait. */
  readonly retryAt: number | null
  /** In the order of add(). The same array while unchanged. */
  readonly files: readonly FileState[]
  readonly totals: UploadTotals
  /** Null while unknown or stalled. */
  readonly speed: number | null
  readonly secondsLeft: number | null
  readonly problem: Problem | null
}

/** The answer to finalize. */
export interface Finalized {
  /** For a share. */
  readonly shareUrl?: string
  /** `queued`, or why its recipients were not emailed; absent when that was not requested. */
  readonly mail?: string
  /** For a delivery. */
  readonly thankYouMessage?: string
  readonly reference?: string
}
