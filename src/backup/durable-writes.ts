import { inOrder, Permits } from '../lib/permits.ts'
import { ContainerFolders, type OpenFile } from '../bytes/segments/files-on-disk.ts'

/** Syncs of small files wait for the disk, not for the processor: several share its next write. */
const syncsMax = 8

/** Makes written segments durable in the background, a bounded number at once. */
export class DurableWrites {
  readonly folders: ContainerFolders
  readonly #running = new Set<Promise<void>>()
  #failure: { readonly error: unknown } | null = null

  constructor(storageFolder: string) {
    this.folders = new ContainerFolders(storageFolder, new Permits(inOrder(syncsMax)))
  }

  /**
   * Syncs and closes a file; waits while too many are under way.
   * @throws errors of earlier files
   */
  async settle(file: OpenFile, containerId: string): Promise<void> {
    const work = this.#settle(file, containerId).catch((error: unknown) => {
      this.#failure ??= { error }
    })
    this.#running.add(work)
    void work.then(() => this.#running.delete(work))
    while (this.#running.size >= syncsMax) await Promise.race(this.#running)
    if (this.#failure) throw this.#failure.error
  }

  /** @throws errors of any file */
  async finish(): Promise<void> {
    await Promise.all(this.#running)
    if (this.#failure) throw this.#failure.error
  }

  async #settle(file: OpenFile, containerId: string): Promise<void> {
    try {
      await file.sync()
    } finally {
      await file.close()
    }
    await this.folders.sync(containerId)
  }
}
