/** What the service says of the request, beside the page (src/reverse-shares/pages.ts). */
export interface RequestData {
  readonly state: 'open'
  readonly id: string
  /** What is asked for. */
  readonly name: string
  /** Who asks; may be empty. */
  readonly ownerName: string
  readonly instructions: string
  /** In lower case, without their dot; empty for files of every kind. */
  readonly allowedExtensions: readonly string[]
  /** What has to be said of whoever delivers. */
  readonly demands: readonly ('name' | 'email' | 'note')[]
  /** Whether it takes one delivery alone. */
  readonly once: boolean
  /** Bytes of all deliveries together; 0 for no limit. */
  readonly maxSize: number
  /** Null for a request without an end. */
  readonly expiresAt: string | null
  readonly maxFileSize: number
  readonly chunkBytesMax: number
  readonly blockedExtensions: readonly string[]
}
