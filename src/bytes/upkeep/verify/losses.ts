import type { Database } from '../../../database/connect.ts'
import type { Damage } from '../../send/damage.ts'
import type { Clock } from '../../../lib/clock.ts'
import { CodedError } from '../../../lib/errors.ts'
import type { Log } from '../../../lib/log.ts'
import type { Storage } from '../../storage.ts'
import type { LostBytes } from '../../send/damage-sql.ts'
import * as rows from './sql.ts'

/** Files examined at the same time. */
const statsMax = 8

/** What all checks of stored bytes use. */
export interface CheckBasis {
  readonly database: Database
  readonly storage: Storage
  readonly damage: Damage
  readonly clock: Clock
  readonly log: Log
}

/** A segment with fewer bytes on disk than files and chunks need. */
export interface LostSegment extends LostBytes {
  readonly isMissing: boolean
}

/**
 * Finds segments that have lost bytes, and marks the files in them.
 * @throws CodedError unavailable when the whole disk is gone; system errors
 */
export async function findLosses(
  deps: CheckBasis,
  segments: readonly rows.Segment[],
): Promise<LostSegment[]> {
  const { files } = deps.storage
  const lost: LostSegment[] = []
  for (let start = 0; start < segments.length; start += statsMax) {
    const some = segments.slice(start, start + statsMax)
    const sizes = await Promise.all(
      some.map((segment) => files.bytesOnDisk(segment.containerId, segment.segmentId)),
    )
    for (const [place, segment] of some.entries()) {
      // At least what is needed, and known without looking at files and chunks.
      if ((sizes[place] ?? 0) >= segment.committedEnd) continue
      const found = await confirmLoss(deps, segment)
      if (found) lost.push(found)
    }
  }
  return lost
}

/**
 * Checks again a segment that seems to have lost bytes: first the expected length, then the file,
 * then the expected length again, because a segment may be linked, moved or deleted meanwhile.
 * @param endMin the length that references require
 */
export async function confirmLoss(
  { database, storage, damage }: CheckBasis,
  { containerId, segmentId }: { containerId: string; segmentId: string },
  endMin = 0,
): Promise<LostSegment | null> {
  const needed = await rows.findNeededEnd(database.sql, containerId, segmentId)
  if (needed === null) return null
  const end = Math.max(needed, endMin)
  const size = await storage.files.bytesOnDisk(containerId, segmentId)
  if ((size ?? 0) >= end) return null
  if (!(await storage.root.isPresent())) throw diskAway()
  if ((await rows.findNeededEnd(database.sql, containerId, segmentId)) === null) return null
  await damage.checkSegment({ containerId, segmentId, end })
  return { containerId, segmentId, bytesOnDisk: size ?? 0, isMissing: size === null }
}

/** A disk that is not mounted has lost nothing. */
export function diskAway(): CodedError {
  return new CodedError('unavailable', {
    message: 'The storage disk is missing. Check that it is mounted.',
    headers: { 'Retry-After': '30' },
  })
}
