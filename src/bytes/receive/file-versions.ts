import type { Sql } from '../../database/connect.ts'
import { CodedError } from '../../lib/errors.ts'
import type { ChunkName, LandedChunk, StoredPlace } from './commit.ts'
import * as rows from './sql.ts'

// A file may be sent again under the same key, with other bytes or another size. Its chunks must
// all be of one version.

/** The chunks, the first chunk of each file, and those right before: they tell its version. */
export function withNeighbours(chunks: readonly LandedChunk[]): ChunkName[] {
  return chunks.flatMap(({ fileKey, index, after }) => [
    { fileKey, index },
    ...(index > 0 ? [{ fileKey, index: 0 }] : []),
    ...(after && index > 1 ? [{ fileKey, index: index - 1 }] : []),
  ])
}

/**
 * Chunks of a file of known size come in order, so the one before must still be of this sender:
 * otherwise two archives with the same path would be mixed.
 * @throws CodedError conflict
 */
export function requireUnbroken(
  chunks: readonly LandedChunk[],
  known: ReadonlyMap<string, rows.Chunk>,
): void {
  for (const { fileKey, index, after } of chunks) {
    if (!after) continue
    const before = known.get(keyOf({ fileKey, index: index - 1 }))
    if (before && placeOf(before) === placeOf(after)) continue
    throw new CodedError('conflict', {
      message: `${fileKey} was replaced by another upload. Send it again.`,
    })
  }
}

/**
 * A chunk of unknown file size replaces a file of known size as a whole: the rest would be another
 * version. Forgets such chunks in `known`, and returns their bytes.
 */
export async function dropOtherVersions(
  sql: Sql,
  containerId: string,
  chunks: readonly LandedChunk[],
  known: Map<string, rows.Chunk>,
): Promise<number> {
  const replaced = new Set<string>()
  for (const chunk of chunks) {
    const { fileKey } = chunk
    const isSized = isInOrder(chunk) || chunk.after !== undefined
    const head = known.get(keyOf({ fileKey, index: 0 }))
    if (!isSized && head && head.fileSize !== null) replaced.add(fileKey)
  }
  if (replaced.size === 0) return 0
  for (const [key, { fileKey }] of known) if (replaced.has(fileKey)) known.delete(key)
  const behindNothing = [...replaced].map((fileKey) => ({ fileKey, index: -1 }))
  return rows.deleteLaterChunks(sql, containerId, behindNothing)
}

/** Chunks of a file of known size come in order, and replace what is behind them. */
export function isInOrder({ file }: Pick<LandedChunk, 'file'>): boolean {
  return (file?.size ?? null) !== null
}

/**
 * Deletes what an earlier version of these files has behind the new chunks. Returns the bytes of
 * it. Files of unknown size may come in any order, so they keep theirs.
 */
export async function dropLater(
  sql: Sql,
  containerId: string,
  chunks: readonly LandedChunk[],
): Promise<number> {
  const inOrder = chunks.filter(isInOrder)
  return inOrder.length > 0 ? rows.deleteLaterChunks(sql, containerId, inOrder) : 0
}

function placeOf(chunk: StoredPlace): string {
  return `${chunk.segmentId} ${chunk.segmentOffset}`
}

export function keyOf(chunk: { fileKey: string; index: number }): string {
  return `${chunk.index} ${chunk.fileKey}`
}
