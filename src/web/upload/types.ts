// What the upload engine takes and shows. No browser types: the engine runs wherever tests do.
// Sizes are bytes, speeds bytes a second, times milliseconds of the clock that is passed in.
import type { Clock } from '../lib/clock.ts'

/** What a file's bytes are read from: a browser's File. Slices are made when they are sent. */
export interface FileSource {
  readonly name: string
  readonly size: number
  /** Milliseconds since 1970. */
  readonly lastModified: number
  slice(start: number, end: number): Blob
}

/**
 * Where a browser finds what was chosen or dropped again: a FileSystemHandle. A folder is one for
 * all its files.
 */
export interface FileOrigin {
  readonly kind: 'file' | 'directory'
  readonly name: string
}

/** A file somebody chose, with its path relative to what was chosen (`Holiday/beach.jpg`). */
export interface PickedFile {
  readonly path: string
  readonly file: FileSource
  readonly size: number
  readonly lastModified: number
  /** Media type, or an empty text. */
  readonly type: string
  /** Absent where the browser gives none. */
  readonly origin?: FileOrigin
}

/** Where an upload goes. The token of init goes on when a login ends; null sends cookies alone. */
export type UploadTarget =
  | { readonly kind: 'share'; readonly shareId: string; readonly uploadToken: string | null }
  | { readonly kind: 'delivery'; readonly reverseId: string; readonly uploadToken: string | null }

export interface UploadLimits {
  /** Largest chunk the service takes. */
  readonly chunkBytesMax: number
  /** Chunks in flight at once; 4 when absent. Browsers open 6 connections to a host. */
  readonly parallelMax?: number
}

/** One request of the engine. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Sent as Bearer; null leaves it to cookies. */
  readonly token: string | null
  /** A JSON body. */
  readonly json?: unknown
  /** A multipart body: text fields first, the part `chunk` last. */
  readonly chunk?: { readonly fields: Readonly<Record<string, string>>; readonly bytes: Blob }
  /** Bytes of the body that have left, whenever some have. */
  readonly onProgress?: (bytesSent: number) => void
  readonly signal: AbortSignal
}

export interface TransportReply {
  /** 0 when no answer came: network, abort, or a file that could not be read. */
  readonly status: number
  /** The Retry-After header as it came. */
  readonly retryAfter: string | null
  /** The body when it is JSON; undefined otherwise, as for the HTML of a proxy. */
  readonly json: unknown
}

/** Sends one request. Resolves always: what went wrong on the way is status 0. */
export type Transport = (request: TransportRequest) => Promise<TransportReply>

/**
 * What is kept of one file, so that a later page can go on. Never its bytes. How far it got, and in
 * which chunks, the service's own list tells (manifest.ts).
 */
export interface FileRecord {
  readonly id: string
  readonly path: string
  readonly size: number
  readonly lastModified: number
  readonly type: string
  /** The id it was finalized under, if it was: finalizing again needs the same. */
  readonly key: string
}

/** What finalize is asked for beside the files. */
export interface Wishes {
  /** Of a complete share: to be told of what is added. */
  readonly notifyRecipients?: boolean
}

/** What is kept of one upload. */
export interface UploadRecord {
  /** See recordId() of manifest.ts. */
  readonly id: string
  readonly target: UploadTarget
  readonly files: readonly FileRecord[]
  /** Absent where the browser gives none, or keeps none. */
  readonly origins?: readonly FileOrigin[]
  readonly wishes: Wishes
  readonly savedAt: number
}

/** IndexedDB in a browser. A store that fails costs convenience, never an upload. */
export interface UploadStore {
  list(): Promise<UploadRecord[]>
  save(record: UploadRecord): Promise<void>
  remove(id: string): Promise<void>
  /** Largest chunk in bytes that passes a proxy before this site, once one was refused. */
  chunkBytesMax(): Promise<number | null>
  saveChunkBytesMax(bytes: number): Promise<void>
}

export interface UploadOptions {
  readonly target: UploadTarget
  readonly transport: Transport
  readonly store: UploadStore
  readonly clock: Clock
  readonly limits: UploadLimits
  /** At most 4 times a second, and at once when the phase or the hold changes. */
  readonly onChange: () => void
  /** SHA-256 in hex, sent along with each chunk; absent on plain http, and then nothing is sent. */
  readonly digest?: (bytes: Blob) => Promise<string>
}

export type UploadPhase =
  /** Nothing to send: no files yet, or all are in and complete() was not asked for. */
  | 'idle'
  | 'sending'
  /** By the person. */
  | 'paused'
  /** Something failed; goes on by itself at `retryAt`. */
  | 'waiting'
  /** Needs somebody: see `hold`. */
  | 'held'
  /** All bytes are in; finalize has not answered. */
  | 'finishing'
  | 'done'
  /** Cancelled, removed by somebody, or completed elsewhere: see `problem`. */
  | 'stopped'

export type UploadHold =
  /** The login ended: sign in again, then resume(). */
  | 'sign_in'
  /** Tried again every minute. */
  | 'server_full'
  /** The share or link is gone or has expired; nothing was deleted here. */
  | 'removed'
  /** The account's quota is used up. */
  | 'quota'
  /** A size limit of the service, or a proxy that refuses the smallest chunk. */
  | 'too_large'
  /** Files failed, changed or are missing: retry, add or remove them. */
  | 'files'
  /** An answer that trying again will not change: see `problem`. */
  | 'refused'

/** A code of the service, or one of the engine: `network`, `stalled`, `unreadable`, … */
export interface Problem {
  readonly code: string
  /** For people who report it; views say it in their own words by the code. */
  readonly message: string
}

export type FileStatus =
  | 'waiting'
  | 'sending'
  | 'done'
  /** Given up; retry() tries again. */
  | 'failed'
  /** Cannot be sent (unreadable, refused name); left out, the others go on. */
  | 'skipped'
  /** Not what it was when it was begun: retry() sends it anew. */
  | 'changed'
  /** Known from before, not chosen again yet: add() it. */
  | 'missing'

/** A new object whenever something of it changed, the same one otherwise. */
export interface FileState {
  readonly id: string
  readonly path: string
  readonly size: number
  /** To look at; null while it is missing. */
  readonly source: FileSource | null
  /** Bytes shown as sent: never falls. */
  readonly sent: number
  readonly state: FileStatus
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
  /** When it goes on by itself; null when nothing is waited for. */
  readonly retryAt: number | null
  /** In the order they were added. The same array while nothing in it changed. */
  readonly files: readonly FileState[]
  readonly totals: UploadTotals
  /** Null while unknown or nothing moves. */
  readonly speed: number | null
  readonly secondsLeft: number | null
  readonly problem: Problem | null
}

/** What finalize answered. */
export interface Finalized {
  /** Of a share. */
  readonly shareUrl?: string
  /** What came of telling its recipients; absent when that was not asked for. */
  readonly mail?:
    'queued' | 'no recipients' | 'limit reached' | 'not configured' | 'queue full' | 'too many'
  /** Of a delivery. */
  readonly thankYouMessage?: string
  readonly reference?: string
}

export interface Upload {
  readonly target: UploadTarget
  /** May be changed until it is finalized. */
  wishes: Wishes
  /**
   * Adds files. One that was known before (same path, size and time) goes on where it was; another
   * one of a path that is taken becomes `name (2).ext`.
   */
  add(files: readonly PickedFile[]): void
  /** Takes one file out; the others are not touched. */
  remove(fileId: string): void
  /** Sends a failed, skipped or changed file again. */
  retry(fileId: string): void
  pause(): void
  /** Ends a pause or a hold. */
  resume(): void
  /** Ends a wait at once: for "Try now", `online`, and a page that is looked at again. */
  tryNow(): void
  /**
   * Finalizes once the last byte is in; may be called at any time, and again.
   * Rejects with the Problem when the upload is stopped.
   */
  complete(): Promise<Finalized>
  /** Stops for good and forgets the record; the caller deletes the draft. */
  cancel(): void
  /** Stops, and keeps the record, as when the page is left. */
  dispose(): void
  /** What was chosen and can be read: for starting again elsewhere. */
  selection(): readonly PickedFile[]
  snapshot(): UploadSnapshot
}
