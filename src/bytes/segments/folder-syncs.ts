import { syncFolder } from '../../lib/durable-file.ts'
import { inOrder, Permits } from '../../lib/permits.ts'

const folderSyncsMax = 6

/**
 * Makes the names in folders durable. All callers that wait for the same folder share one sync.
 *
 * A sync covers names that were made before it began. So a caller that comes while one is running
 * waits for the next one, together with all callers that come until that one begins.
 */
export class FolderSyncs {
  /** Leaves permits of `#syncs` to segments. */
  readonly #permits = new Permits(inOrder(folderSyncsMax))
  readonly #syncs: Permits
  readonly #running = new Map<string, Promise<void>>()
  /** Syncs that have not begun. */
  readonly #next = new Map<string, Promise<void>>()

  /** @param syncs bounds all syncs of the storage */
  constructor(syncs: Permits) {
    this.#syncs = syncs
  }

  /**
   * Resolves once all names that the folder has now are durable.
   * @throws system errors; none of these names may be relied on then
   */
  sync(folder: string): Promise<void> {
    const next = this.#next.get(folder)
    if (next) return next
    const sync = this.#afterRunning(folder)
    this.#next.set(folder, sync)
    return sync
  }

  async #afterRunning(folder: string): Promise<void> {
    let hasBegun = false
    try {
      // Fails with it: the kernel reports an error once and counts the lost pages as clean, so
      // another sync would succeed without names that were made before the error.
      await this.#running.get(folder)
      await this.#permits.run(async () => {
        const release = await this.#syncs.take()
        hasBegun = true
        await this.#run(folder).finally(release)
      })
    } finally {
      if (!hasBegun) this.#next.delete(folder)
    }
  }

  async #run(folder: string): Promise<void> {
    const sync = syncFolder(folder)
    this.#next.delete(folder)
    this.#running.set(folder, sync)
    try {
      await sync
    } finally {
      this.#running.delete(folder)
    }
  }
}
