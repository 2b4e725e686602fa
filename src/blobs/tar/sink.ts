export interface TarEntry {
  /** Relative, without `.`, `..` and empty segments; a folder's without a slash at its end. */
  readonly path: string
  /** Bytes; 0 for a folder. */
  readonly size: number
  readonly kind: 'file' | 'folder'
  /** Null where the archive does not say it, or not readably. */
  readonly modifiedAt: Date | null
}

export type SkipReason =
  | 'symbolic link'
  | 'hard link'
  | 'device'
  | 'FIFO'
  | 'unknown type'
  | 'unusable folder name'
  | 'too many empty folders'

/** Takes the entries in their order. A promise requests a pause until it settles. */
export interface TarSink {
  /** A file or a folder begins. Only a file is closed. */
  open(entry: TarEntry): void | Promise<void>
  /** Bytes of the open file: a view of what was fed. */
  write(data: Buffer): void | Promise<void>
  /** The open file has been read whole. */
  close(): void | Promise<void>
  /** An entry without a place in a share. */
  skip(path: string, reason: SkipReason): void
}
