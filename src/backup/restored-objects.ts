import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { StorageRoot } from '../bytes/store/store.ts'
import type { RestoreTarget } from './restored-segments.ts'
import type { ListedSegment } from './segment-list.ts'

const waitingBytesMax = 1024 * 1024

/** Writes segments into a bucket that was empty. */
export class RestoredObjects implements RestoreTarget {
  readonly #root: Pick<StorageRoot, 'put' | 'list' | 'removeContainer'>

  constructor(root: Pick<StorageRoot, 'put' | 'list' | 'removeContainer'>) {
    this.#root = root
  }

  async open({ containerId, segmentId }: ListedSegment) {
    const data = new PassThrough({ highWaterMark: waitingBytesMax })
    const stored = this.#root.put(containerId, segmentId, data)
    stored.catch(() => {})
    return {
      async write(some: Buffer) {
        // The buffer is used again. A store that fails takes no more, so nothing drains.
        if (!data.write(Buffer.from(some))) await Promise.race([once(data, 'drain'), stored])
      },
      async close() {
        data.end()
        await stored
      },
    }
  }

  async finish(): Promise<void> {}

  async removeAll(): Promise<void> {
    for (let number = 0; number < 256; number += 1) {
      const letters = number.toString(16).padStart(2, '0')
      for await (const id of this.#root.list({ letters })) {
        await this.#root.removeContainer(id, () => true)
      }
    }
  }
}
