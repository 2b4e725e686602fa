import { CodedError } from '../../lib/errors.ts'
import type { Checksummed } from '../segments/block-checksums.ts'
import type { SegmentWriter } from '../store/store.ts'
import {
  commitChunks,
  type ChunkName,
  type CommitDeps,
  type LandedChunk,
  type UploadTarget,
} from './commit.ts'

const batchBytesMax = 8 * 1024 * 1024
const batchChunksMax = 500

/** A small chunk, whole in memory. */
export interface HeldChunk extends ChunkName, Checksummed {
  readonly data: readonly Buffer[]
}

interface Waiting {
  readonly chunk: HeldChunk
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Commits the small chunks of a container in groups: while one group is written, synced and
 * inserted, the next one gathers. A folder of small files then needs one sync for many files, and a
 * single small chunk does not wait. The byte budget of transfers bounds how many gather.
 */
export class GroupCommit {
  readonly #deps: CommitDeps
  readonly #waiting = new Map<string, Waiting[]>()

  constructor(deps: CommitDeps) {
    this.#deps = deps
  }

  /** Resolves once the chunk is on disk and its row committed. */
  add(target: UploadTarget, chunk: HeldChunk): Promise<void> {
    return new Promise((resolve, reject) => {
      const key = keyOf(target)
      const gathering = this.#waiting.get(key)
      if (gathering) {
        gathering.push({ chunk, resolve, reject })
        return
      }
      this.#waiting.set(key, [{ chunk, resolve, reject }])
      void this.#run(target)
    })
  }

  /** One loop a round of a container, while chunks wait. Never rejects. */
  async #run(target: UploadTarget): Promise<void> {
    const queue = this.#waiting.get(keyOf(target)) as Waiting[]
    while (queue.length > 0) {
      const group = takeGroup(queue)
      try {
        await this.#commit(target, group)
        for (const waiting of group) waiting.resolve()
      } catch (error) {
        await this.#settleFailed(target, group, error)
      }
    }
    this.#waiting.delete(keyOf(target))
  }

  /** A group above a limit may fit in part, so each chunk is tried alone, in order. */
  async #settleFailed(
    target: UploadTarget,
    group: readonly Waiting[],
    error: unknown,
  ): Promise<void> {
    const isLimit = error instanceof CodedError && error.status === 413
    for (const waiting of group) {
      if (!isLimit || group.length === 1) {
        waiting.reject(error)
        continue
      }
      await this.#commit(target, [waiting]).then(waiting.resolve, waiting.reject)
    }
  }

  async #commit(target: UploadTarget, group: readonly Waiting[]): Promise<void> {
    const { writers } = this.#deps.storage
    const writer = await writers.acquire(
      target.containerId,
      bytesOf(group),
      new AbortController().signal,
    )
    try {
      const landed = await append(writer, group)
      await writer.sync()
      await commitChunks(this.#deps, target, writer, landed)
    } finally {
      await writers.release(writer)
    }
  }
}

function keyOf({ containerId, round, sender }: UploadTarget): string {
  return `${containerId} ${round ?? ''} ${sender}`
}

async function append(writer: SegmentWriter, group: readonly Waiting[]): Promise<LandedChunk[]> {
  const buffers: Buffer[] = []
  const landed: LandedChunk[] = []
  let offset = writer.position
  for (const { chunk } of group) {
    for (const data of chunk.data) buffers.push(data)
    landed.push({ ...chunk, segmentOffset: offset })
    offset += chunk.length
  }
  if (buffers.length > 0) await writer.append(buffers)
  return landed
}

function takeGroup(queue: Waiting[]): Waiting[] {
  let bytes = 0
  let count = 0
  while (count < queue.length && count < batchChunksMax) {
    const { length } = (queue[count] as Waiting).chunk
    if (count > 0 && bytes + length > batchBytesMax) break
    bytes += length
    count += 1
  }
  return queue.splice(0, count)
}

function bytesOf(group: readonly Waiting[]): number {
  return group.reduce((sum, { chunk }) => sum + chunk.length, 0)
}
