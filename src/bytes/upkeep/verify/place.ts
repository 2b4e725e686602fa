import * as v from 'valibot'
import { firstId } from '../../../lib/pages.ts'

const chunksPlace = v.object({
  step: v.literal('chunks'),
  fileKey: v.string(),
  index: v.number(),
})

const filesPlace = v.object({
  step: v.literal('files'),
  fileId: v.number(),
  position: v.number(),
  /** Whether the extents of this file up to here are as received. */
  isWhole: v.boolean(),
})

const place = v.object({
  /** The last finished container; they are checked in the order of their ids. */
  containerId: v.string(),
  /** The container that is being checked, and the place in it. */
  inside: v.nullable(
    v.object({ containerId: v.string(), at: v.variant('step', [chunksPlace, filesPlace]) }),
  ),
})

export type ChunksPlace = v.InferOutput<typeof chunksPlace>
export type FilesPlace = v.InferOutput<typeof filesPlace>
/** Progress of a run, from which another process can continue. */
export type Place = v.InferOutput<typeof place>

export const firstPlace: Place = { containerId: firstId, inside: null }

export const firstChunk: ChunksPlace = { step: 'chunks', fileKey: '', index: -1 }
export const firstFile: FilesPlace = { step: 'files', fileId: 0, position: -1, isWhole: true }

/** A place that this version cannot read means the beginning. */
export function parsePlace(text: string): Place {
  const parsed = v.safeParse(place, JSON.parse(text))
  return parsed.success ? parsed.output : firstPlace
}
