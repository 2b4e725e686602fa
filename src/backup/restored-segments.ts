import path from 'node:path'
import { readdir, rm } from 'node:fs/promises'
import { segmentFile, OpenFile } from '../bytes/segments/files-on-disk.ts'
import { DurableWrites } from './durable-writes.ts'
import type { ListedSegment } from './segment-list.ts'

/** Takes the bytes of one segment from its beginning. */
export interface RestoredSegment {
  write(data: Buffer): Promise<void>
  close(): Promise<void>
}

export interface RestoreTarget {
  open(segment: ListedSegment): Promise<RestoredSegment>
  /** Resolves once everything survives a power cut. */
  finish(): Promise<void>
  removeAll(): Promise<void>
}

/** Writes segments into a storage folder that was empty. */
export class RestoredSegments implements RestoreTarget {
  readonly #folder: string
  readonly #writes: DurableWrites

  /** @param folder must exist */
  constructor(folder: string) {
    this.#folder = folder
    this.#writes = new DurableWrites(folder)
  }

  async open({ containerId, segmentId }: ListedSegment): Promise<RestoredSegment> {
    await this.#writes.folders.make(containerId)
    const name = segmentFile(this.#folder, containerId, segmentId)
    const file = await OpenFile.open(name, 'wx+', 0o600)
    let position = 0
    return {
      async write(data) {
        await file.write([data], position)
        position += data.length
      },
      close: () => this.#writes.settle(file, containerId),
    }
  }

  finish(): Promise<void> {
    return this.#writes.finish()
  }

  async removeAll(): Promise<void> {
    await this.#writes.finish().catch(() => {})
    for (const name of await readdir(this.#folder)) {
      if (!/^[0-9a-f]{2}$/.test(name)) continue
      await rm(path.join(this.#folder, name), { recursive: true, force: true })
    }
  }
}
