// Helpers of the compaction tests: segments and extents of a share.
import { existsSync } from 'node:fs'
import type { Service } from '../../helpers/service.ts'
import { segmentFile } from '../../../src/blobs/segments/container-folder.ts'

export const graceMs = 5 * 60_000

export interface PlacedSegment {
  readonly id: string
  readonly file: string
  readonly committedEnd: number
}

/** The segments of a share that have rows. */
export async function segmentsOf(service: Service, shareId: string): Promise<PlacedSegment[]> {
  const rows = await service.database.sql<
    { id: string; containerId: string; committedEnd: number }[]
  >`
    select segments.id, segments.container_id, segments.committed_end
    from segments join shares using (container_id)
    where shares.id = ${shareId}
    order by segments.id`
  return rows.map((row) => ({
    id: row.id,
    file: segmentFile(service.storageDir, row.containerId, row.id),
    committedEnd: row.committedEnd,
  }))
}

/** Segment, offset and length of every extent of a share, in the order of its files. */
export async function placesOf(service: Service, shareId: string): Promise<string[]> {
  const rows = await service.database.sql<
    { segmentId: string; segmentOffset: number; length: number }[]
  >`
    select extents.segment_id, extents.segment_offset, extents.length
    from extents
    join files on files.id = extents.file_id
    join shares using (container_id)
    where shares.id = ${shareId}
    order by files.id, extents.position`
  return rows.map((row) => `${row.segmentId} ${row.segmentOffset} ${row.length}`)
}

/** Runs compaction until nothing is left to do, and its grace period is over. */
export async function compactFully(service: Service): Promise<void> {
  const { jobs, storage } = service.app
  for (let turn = 0; turn < 3; turn += 1) {
    await jobs.runAll()
    service.clock.advance(graceMs)
    await storage.writers.closeIdle()
  }
  await jobs.runAll()
}

export function existing(segments: readonly PlacedSegment[]): string[] {
  return segments.filter(({ file }) => existsSync(file)).map(({ id }) => id)
}
