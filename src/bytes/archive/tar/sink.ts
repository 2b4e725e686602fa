export interface TarEntry {
  /** Relative, without `.`, `..` and empty segments; a folder's without a slash at its end. */
  readonly path: string
  /** Bytes; 0 for a folder. */
  readonly size: number
  readonly kind: 'file' | 'folder'
  /** Name of the file, where the archive gives it another than its path; null otherwise. */
  readonly name: string | null
  /** Null where the archive does not say it, or not readably. */
  readonly modifiedAt: Date | null
}

/** A hard link: its target is the path of an earlier file. */
export interface TarLink {
  readonly path: string
  readonly target: string
}

export type SkipReason =
  | 'symbolic link'
  | 'hard link to a missing file'
  | 'system file'
  | 'device'
  | 'FIFO'
  | 'unknown type'
  | 'unusable folder name'
  | 'too many empty folders'

/** Takes the entries in their order. A promise requests a pause until it settles. */
export interface TarSink {
  /** A file or a folder begins. Only a file is closed. */
  open(entry: TarEntry): void | Promise<void>
  /** Bytes of the open file: a view of what was fed, or the zeros of a hole. */
  write(data: Buffer): void | Promise<void>
  /** The open file has been read whole. */
  close(): void | Promise<void>
  /** Another name of an earlier file; skipped without this. */
  link?(link: TarLink): void | Promise<void>
  /** Why a file is left out, and so not opened; null for others. */
  leavesOut?(path: string): SkipReason | null
  /** An entry without a place in a share. */
  skip(path: string, reason: SkipReason): void
}
