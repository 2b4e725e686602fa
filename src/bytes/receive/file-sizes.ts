import type { Sql } from '../../database/connect.ts'
import { CodedError } from '../../lib/errors.ts'
import { sumChunks } from './sql.ts'

/** Files whose sizes are kept in memory. Files of one chunk are not. */
const filesMax = 10_000

/** A chunk before its commit, with the bytes it replaces. */
export interface GrowingChunk {
  readonly fileKey: string
  readonly index: number
  readonly length: number
  /** Length of the chunk it replaces; null when there is none. */
  readonly oldLength: number | null
  /** Whether the rest of an earlier version goes with it. */
  readonly isInOrder: boolean
}

/** The container of a chunk. */
interface FileContainer {
  readonly containerId: string
  /** Bytes of all its chunks after the commit. */
  readonly liveBytes: number
}

interface Growth {
  /** Bytes by which the file grows; negative when it shrinks. */
  change: number
  /** The same without chunks that shrink: after a rollback the file is larger. */
  growth: number
  isFirstChunk: boolean
  /** Whether the file can have no other chunks. */
  isAlone: boolean
}

/**
 * Refuses the chunk that takes a file past the size limit, for chunks of any sizes.
 *
 * Keeps an upper bound of the size of recent files in memory; chunks that were rolled back or
 * replaced still count. The database is asked only when the bound is above the limit, or when a
 * file is unknown (after a restart, or with many files at once). Its first chunk may come last. But
 * it needs no question while the whole container is within the limit, nor when it comes in order,
 * so folders of small files cost nothing.
 */
export class FileSizes {
  /** Upper bounds in bytes by container and file; the least recently used file is first. */
  readonly #bytesMax = new Map<string, number>()
  readonly #isShared: boolean

  /** @param isShared whether chunks of a file may come to other processes too: nothing is kept */
  constructor(isShared: boolean) {
    this.#isShared = isShared
  }

  /**
   * Called under the container's lock, before the rows of the chunks are written.
   * @param limit bytes of one file, 0 for no limit
   * @throws CodedError file_too_large
   */
  async check(
    sql: Sql,
    { containerId, liveBytes }: FileContainer,
    chunks: readonly GrowingChunk[],
    limit: number,
  ): Promise<void> {
    // Without a limit chunks are not counted, so earlier counts are out of date.
    if (limit === 0) return this.#bytesMax.clear()
    const files = growthOf(chunks)
    const doubtful = [...files.keys()].filter((fileKey) => {
      const known = this.#bytesMax.get(keyOf(containerId, fileKey))
      const { growth, isFirstChunk, isAlone } = files.get(fileKey)!
      if (known !== undefined) return known + growth > limit
      return !isFirstChunk || (!isAlone && liveBytes > limit)
    })
    const stored = doubtful.length > 0 ? await sumChunks(sql, containerId, doubtful) : null
    for (const [fileKey, { change, growth }] of files) {
      const key = keyOf(containerId, fileKey)
      if (!doubtful.includes(fileKey)) {
        const known = this.#bytesMax.get(key)
        if (known !== undefined) this.#keep(key, known + growth)
        continue
      }
      const bytes = stored?.get(fileKey) ?? 0
      this.#keep(key, bytes)
      if (change > 0 && bytes + change > limit) throw tooLarge(bytes + change, limit)
      this.#keep(key, bytes + growth)
    }
  }

  #keep(key: string, bytes: number): void {
    if (this.#isShared) return
    this.#bytesMax.delete(key)
    this.#bytesMax.set(key, bytes)
    if (this.#bytesMax.size <= filesMax) return
    const [oldest] = this.#bytesMax.keys()
    this.#bytesMax.delete(oldest!)
  }
}

function growthOf(chunks: readonly GrowingChunk[]): Map<string, Growth> {
  const files = new Map<string, Growth>()
  const empty = { change: 0, growth: 0, isFirstChunk: true, isAlone: true }
  for (const { fileKey, index, length, oldLength, isInOrder } of chunks) {
    const file = files.get(fileKey) ?? { ...empty }
    const change = length - (oldLength ?? 0)
    file.change += change
    file.growth += Math.max(change, 0)
    file.isFirstChunk &&= index === 0 && oldLength === null
    file.isAlone &&= file.isFirstChunk && isInOrder
    files.set(fileKey, file)
  }
  return files
}

function keyOf(containerId: string, fileKey: string): string {
  return `${containerId} ${fileKey}`
}

function tooLarge(size: number, limit: number): CodedError {
  return new CodedError('file_too_large', {
    message: `With this chunk, the file has ${size} bytes. At most ${limit} are allowed.`,
    details: { limit, size },
  })
}
