/** Data of the file request in its page (src/pages/request-pages.ts). */
export interface RequestData {
  readonly state: 'open'
  /** Then it takes only the end of deliveries that began before. */
  readonly hasExpired: boolean
  readonly id: string
  readonly name: string
  /** The owner; may be empty. */
  readonly ownerName: string
  /** For the owner's picture. */
  readonly ownerInitials: string
  readonly instructions: string
  /** Lower case, without a dot; empty for all file types. */
  readonly allowedExtensions: readonly string[]
  readonly requiredFields: readonly ('name' | 'email' | 'note')[]
  /** Whether the owner may share what is sent. */
  readonly allowSharing: boolean
  /** Whether it takes a single delivery. */
  readonly once: boolean
  /** Bytes of all deliveries together; 0 for no limit. */
  readonly maxSize: number
  /** Null for a request without an end. */
  readonly expiresAt: string | null
  readonly maxFileSize: number
  readonly chunkBytesMax: number
  readonly blockedExtensions: readonly string[]
}
