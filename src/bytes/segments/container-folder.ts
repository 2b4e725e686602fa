import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { isSystemError } from '../../lib/errors.ts'
import { syncFolder } from '../../lib/durable-file.ts'
import { inOrder, Permits } from '../../lib/permits.ts'

/** `<root>/<aa>/<container>`: no name from a client is ever part of a path. */
export function containerFolder(root: string, containerId: string): string {
  return path.join(root, containerId.slice(0, 2), containerId)
}

export function segmentFile(root: string, containerId: string, segmentId: string): string {
  return path.join(containerFolder(root, containerId), `${segmentId}.seg`)
}

/**
 * Makes folders of containers, and makes them durable with the names in them. The two steps are
 * separate, so that the second one runs beside the writes: only an acknowledgement waits for it.
 */
export class ContainerFolders {
  readonly #root: string
  readonly #syncs: FolderSyncs
  /** Folders `<aa>` that this process has synced the root for. */
  readonly #durable = new Set<string>()
  #forgotten = 0

  constructor(root: string, syncs: FolderSyncs) {
    this.#root = root
    this.#syncs = syncs
  }

  /** Makes the folder of a container if it is missing. @throws system errors */
  async make(containerId: string): Promise<string> {
    const folder = containerFolder(this.#root, containerId)
    if (await makeFolder(folder)) return folder
    const parent = path.dirname(folder)
    // On both sides: another caller may find the new parent before this call learns of it.
    this.#forget(parent)
    await makeFolder(parent)
    this.#forget(parent)
    await makeFolder(folder)
    return folder
  }

  /**
   * Makes all names in the folder of a container durable, and its own. Also if it existed before:
   * another writer may be about to sync it, or a process may have been killed before it could.
   * @throws system errors; ENOENT when the folder is gone
   */
  async sync(containerId: string): Promise<void> {
    const folder = containerFolder(this.#root, containerId)
    const parent = path.dirname(folder)
    await Promise.all([
      this.#syncs.sync(folder),
      this.#syncs.sync(parent),
      this.#durable.has(parent) ? null : this.#syncRoot(parent),
    ])
  }

  /** Call when the root was gone. */
  forgetAll(): void {
    this.#forgotten += 1
    this.#durable.clear()
  }

  async #syncRoot(parent: string): Promise<void> {
    const before = this.#forgotten
    await this.#syncs.sync(this.#root)
    // Otherwise the folder may be another one than when the sync began.
    if (this.#forgotten === before) this.#durable.add(parent)
  }

  #forget(parent: string): void {
    this.#forgotten += 1
    this.#durable.delete(parent)
  }
}

/** False without its parent. */
async function makeFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return false
    if (!isSystemError(error, 'EEXIST')) throw error
  }
  return true
}

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
