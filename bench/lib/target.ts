import type { Child, Limit } from './child.ts'
import type { Payload } from './payload.ts'

/** What to upload: `fileCount` files of `fileBytes`, in chunks, `parallel` requests at once. */
export interface UploadPlan {
  readonly fileCount: number
  readonly fileBytes: number
  readonly chunkBytes: number
  readonly parallel: number
  /** One share per file, as with many people uploading at the same time. */
  readonly separate?: boolean
}

/** An upload, with what the target needs later. */
export interface Uploaded {
  readonly plan: UploadPlan
  readonly bytes: number
  /** Paths to download one file, and all of them. */
  readonly filePath: string
  readonly archivePath: string
  /** Path of a small JSON answer: of the service, the public view of the share. */
  readonly aboutPath: string
  readonly names: readonly string[]
}

export type DownloadKind = 'file' | 'archive'

/** What every server under measurement is started with. */
export interface ServerSetting {
  /** A folder that does not exist yet. */
  readonly folder: string
  readonly payload: Payload
  readonly env: Readonly<Record<string, string>>
  readonly limit: Limit | null
}

/** A server under measurement: the service, or one that it is compared with. */
export interface Target {
  readonly label: string
  /** Its name and versions, for people. */
  readonly title: string
  /** Whether each chunk stays a file of its own, so that a large file must be sent as one chunk. */
  readonly keepsChunks: boolean
  /** Downloads to measure. For an archive, a server that keeps chunks sends a file of its size. */
  readonly downloads: readonly DownloadKind[]
  readonly child: Child
  readonly port: number
  /** Process ids of its database server; the first is the parent of the others. */
  databasePids(): readonly number[]
  /** Uploads by the plan; resolves when the server has confirmed that all is durable. */
  upload(plan: UploadPlan): Promise<Uploaded>
  /** Whether many files may come in one tar archive. */
  readonly takesTars: boolean
  /** Uploads the files of a plan as one archive. */
  uploadTar(plan: UploadPlan): Promise<Uploaded>
  remove(uploaded: Uploaded): Promise<void>
  /** Starts a new process on the same bytes, so that its memory is not that of earlier runs. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export function totalBytes(plan: UploadPlan): number {
  return plan.fileCount * plan.fileBytes
}

/** Offsets and lengths of a file's chunks. */
export function chunksOf(plan: UploadPlan): { index: number; length: number }[] {
  const count = Math.max(1, Math.ceil(plan.fileBytes / plan.chunkBytes))
  return Array.from({ length: count }, (_, index) => ({
    index,
    length: Math.min(plan.chunkBytes, plan.fileBytes - index * plan.chunkBytes),
  }))
}
