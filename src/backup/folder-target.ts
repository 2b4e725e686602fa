import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { segmentFile, OpenFile } from '../bytes/segments/files-on-disk.ts'
import { ignoreMissing, syncFolder } from '../lib/durable-file.ts'
import { DurableWrites } from './durable-writes.ts'
import { compareSegments, type ListedSegment, type SegmentList } from './segment-list.ts'
import type { SegmentTarget, SnapshotTarget } from './target.ts'

/** Folders of snapshots that are not complete; the next backup removes them. */
export const unfinishedPrefix = '.unfinished-'

/**
 * A snapshot in a backup folder. Segments are shared with earlier snapshots, and only what those
 * lack is copied. A run that was killed may have left any bytes behind the end that the last
 * snapshot has of a segment, so these are written again. All other bytes are never written twice.
 */
export class FolderTarget implements SnapshotTarget {
  readonly #storage: string
  readonly #unfinished: string
  readonly #final: string
  readonly #writes: DurableWrites
  readonly #previous: SegmentList | null
  #known: ListedSegment | null = null

  /** @param previous the list of the last snapshot */
  private constructor(folder: string, name: string, previous: SegmentList | null) {
    this.#storage = path.join(folder, 'storage')
    this.#unfinished = path.join(folder, 'snapshots', `${unfinishedPrefix}${name}`)
    this.#final = path.join(folder, 'snapshots', name)
    this.#writes = new DurableWrites(this.#storage)
    this.#previous = previous
  }

  static async begin(
    folder: string,
    name: string,
    previous: SegmentList | null,
  ): Promise<FolderTarget> {
    const target = new FolderTarget(folder, name, previous)
    await mkdir(target.#unfinished, { mode: 0o700 })
    target.#known = (await previous?.next()) ?? null
    return target
  }

  async put(name: string, data: Buffer): Promise<void> {
    const file = path.join(this.#unfinished, name)
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    const handle = await open(file, 'wx', 0o600)
    try {
      await handle.writeFile(data)
      await handle.sync()
    } finally {
      await handle.close()
    }
  }

  async openSegment(segment: ListedSegment, bytes: number): Promise<SegmentTarget | null> {
    const { containerId, segmentId } = segment
    const name = segmentFile(this.#storage, containerId, segmentId)
    const present = (await stat(name).catch(ignoreMissing))?.size ?? null
    const trusted = await this.#trustedBytes(segment)
    // If something has removed bytes from the backup, none of them is relied on.
    const isTrusted = present !== null && present >= trusted
    if (isTrusted && trusted >= segment.end) return null
    const from = isTrusted ? Math.min(trusted, bytes) : 0
    if (present === null) await this.#writes.folders.make(containerId)
    const file = await OpenFile.open(name, present === null ? 'wx+' : 'r+', 0o600)
    return {
      from,
      write: (data, position) => file.write([data], position),
      close: () => this.#writes.settle(file, containerId),
    }
  }

  async finish(): Promise<void> {
    await this.#writes.finish()
    await this.#previous?.close()
    await syncFolder(path.join(this.#unfinished, 'database'))
    await syncFolder(this.#unfinished)
    await rename(this.#unfinished, this.#final)
    await syncFolder(path.dirname(this.#final))
    await syncFolder(this.#storage)
  }

  async abandon(): Promise<void> {
    await this.#writes.finish().catch(() => {})
    await this.#previous?.close()
    await rm(this.#unfinished, { recursive: true, force: true })
  }

  /** Bytes that the last snapshot has of a segment. */
  async #trustedBytes(segment: ListedSegment): Promise<number> {
    while (this.#known !== null && compareSegments(this.#known, segment) < 0) {
      this.#known = await this.#previous!.next()
    }
    const isKnown = this.#known !== null && compareSegments(this.#known, segment) === 0
    return isKnown ? this.#known!.end : 0
  }
}
