import { CodedError, isSystemError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { SegmentWindow } from '../storage/segment-window.ts'
import type { Storage } from '../storage/storage.ts'
import { StaleContent, type Content } from './content.ts'
import type { SegmentSource } from './gather.ts'

/** The segments of a content, readable until released, whatever is deleted meanwhile. */
export interface OpenSegments extends SegmentSource {
  release(): void
}

/**
 * Of the content's parcel, or, where that is null, of those that the content names.
 * @param delivery with `renew` where bytes move: then those that are gone may lie elsewhere
 * @throws CodedError not_found when the bytes are gone; StaleContent when they may have moved
 */
export async function openSegments(
  storage: Storage,
  log: Log,
  delivery: {
    readonly content: Content
    readonly parcelId: string | null
    readonly renew?: () => Promise<Content>
  },
): Promise<OpenSegments> {
  const { content, parcelId, renew } = delivery
  const { segmentIds, parcelIds } = content
  if (parcelId === null) {
    const parcelOf = new Map(segmentIds.map((id, place) => [id, parcelIds?.[place] ?? '']))
    return new SegmentWindow(storage.files, parcelOf)
  }
  try {
    const pinned = await storage.files.pinAll(parcelId, segmentIds)
    const release = () => {
      for (const segment of pinned.values()) segment.release()
    }
    return { get: (segmentId) => pinned.get(segmentId), release }
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error
    if (renew) throw new StaleContent()
    log.warn('the bytes of a parcel are gone', { parcel: parcelId, cause: error })
    throw new CodedError('not_found', { cause: error })
  }
}
