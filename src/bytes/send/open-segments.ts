import { CodedError } from '../../lib/errors.ts'
import { ScratchBuffers } from './scratch-buffers.ts'
import { blockBytes } from '../segments/block-checksums.ts'
import { SegmentWindow } from '../segments/segment-window.ts'
import type { Storage } from '../storage.ts'
import type { Content, ContentPiece } from './content.ts'
import { blame } from './damaged-content.ts'
import type { SegmentSource } from './filler.ts'

/** The segments of a content, opened on demand, until released. */
export interface OpenSegments extends SegmentSource {
  release(): void
}

/** Pieces examined before the first byte: most segments of a range of one file. */
const lookedAtMax = 256

/** Opens segments for transfers. Scratch buffers for blocks are limited to sixteen. */
export class SegmentOpener {
  readonly #storage: Storage
  readonly #scratch = new ScratchBuffers(blockBytes, 16)

  constructor(storage: Storage) {
    this.#storage = storage
  }

  /**
   * @throws CodedError unavailable when one of its segments was removed before its transfer was
   *   known
   */
  requirePresent({ segments }: Content): void {
    if (this.#storage.removed.includesAnyOf(segments)) {
      throw new CodedError('unavailable', { headers: { 'Retry-After': '1' } })
    }
  }

  /**
   * Opens the first segments of a range, so that a client is not promised missing bytes.
   * @throws DamagedContent; system errors
   */
  async open(
    content: Content,
    { start, end }: { start: number; end: number },
  ): Promise<OpenSegments> {
    const window = new SegmentWindow(this.#storage.files, (id) => content.segments.get(id))
    let looked = 0
    try {
      for (const piece of content.pieces(start, end)) {
        if (looked++ === lookedAtMax) break
        if (piece.kind === 'slice') await openOrBlame(window, piece)
      }
    } catch (error) {
      window.release()
      throw error
    }
    return {
      get: (segmentId) => window.get(segmentId),
      release: () => window.release(),
      scratch: this.#scratch,
    }
  }
}

type Slice = Extract<ContentPiece, { kind: 'slice' }>

async function openOrBlame(window: SegmentWindow, { slice, fileId }: Slice): Promise<void> {
  try {
    await window.open(slice.segmentId)
  } catch (error) {
    throw blame({ ...slice, fileId }, error)
  }
}
