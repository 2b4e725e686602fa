import type { Child } from './child.ts'

/** What to upload: `fileCount` files of `fileBytes`, in chunks, `parallel` requests at once. */
export interface UploadPlan {
  readonly fileCount: number
  readonly fileBytes: number
  readonly chunkBytes: number
  readonly parallel: number
  /** One share for each file: as when as many people upload at the same time. */
  readonly separate?: boolean
}

/** What was uploaded, as far as the target needs it again. */
export interface Uploaded {
  readonly plan: UploadPlan
  readonly bytes: number
  /** Paths for downloading a file of it, and all of it at once. */
  readonly filePath: string
  readonly archivePath: string
  readonly names: readonly string[]
}

/** A server that is measured: the service, or what it is compared with. */
export interface Target {
  readonly label: string
  readonly child: Child
  readonly port: number
  /** Process ids of its database server, the first one that of all others' parent. */
  databasePids(): readonly number[]
  /** Uploads by the plan; resolves when the server has said that all is safe. */
  upload(plan: UploadPlan): Promise<Uploaded>
  remove(uploaded: Uploaded): Promise<void>
  /** A fresh process on the same bytes, so that its memory is not that of what came before. */
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
