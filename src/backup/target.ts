import type { ListedSegment } from './segment-list.ts'

export interface SegmentTarget {
  /** Earlier bytes are there already. */
  readonly from: number
  /** Call in order, from `from` on; the data may change once it has settled. */
  write(data: Buffer, position: number): Promise<void>
  close(): Promise<void>
}

/** Where a snapshot goes. After an error, only `abandon` may follow. */
export interface SnapshotTarget {
  put(name: string, data: Buffer): Promise<void>
  /**
   * Call in the order of the list.
   * @param bytes how many of its bytes there are
   * @returns null when all of them are there already
   */
  openSegment(segment: ListedSegment, bytes: number): Promise<SegmentTarget | null>
  /** Makes the snapshot valid, and durable where it can be. */
  finish(): Promise<void>
  /** Leaves no snapshot behind. */
  abandon(): Promise<void>
}
