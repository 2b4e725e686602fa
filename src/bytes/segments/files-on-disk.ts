import { close, fdatasync, fstat, ftruncate, open, read, readv, writev } from 'node:fs'
import { lstat, mkdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import path from 'node:path'
import { isSystemError } from '../../lib/errors.ts'
import { syncFolder } from '../../lib/durable-file.ts'
import { inOrder, Permits } from '../../lib/permits.ts'

const openDescriptor = promisify(open)
const closeDescriptor = promisify(close)
const syncDescriptor = promisify(fdatasync)
const truncateDescriptor = promisify(ftruncate)
const statDescriptor = promisify(fstat)

/** A write took no byte and gave no error; treated like a full disk. */
export class ShortWriteError extends Error {
  readonly code = 'ENOSPC'
}

/**
 * An open file, and the only holder of its descriptor.
 *
 * The number of a closed descriptor is reused at once, so closing it twice, or using it after
 * closing, hits another file or socket. Both are impossible here: the number never leaves the
 * object, and `close` closes once, after the last running call has settled. A FileHandle guarantees
 * the same, but costs one more object and promise per call, and closes itself when it is collected,
 * which hides leaks.
 */
export class OpenFile {
  readonly #descriptor: number
  readonly #name: string
  #running = 0
  #closing: Promise<void> | null = null
  #whenIdle: (() => void) | null = null

  private constructor(descriptor: number, name: string) {
    this.#descriptor = descriptor
    this.#name = name
  }

  /** @throws system errors */
  static async open(name: string, flags: string, mode?: number): Promise<OpenFile> {
    return new OpenFile(await openDescriptor(name, flags, mode), name)
  }

  /** Reads once; may return fewer bytes than asked for. Resolves with the count, 0 at the end. */
  read(target: Buffer, offset: number, length: number, position: number): Promise<number> {
    return this.#use((descriptor) =>
      counted((done) => read(descriptor, target, offset, length, position, done)),
    )
  }

  /**
   * Reads once into the buffers, one after the other (preadv); may return fewer bytes than they
   * hold.
   * @param targets at most 1,024, which is what one call takes
   */
  scatter(targets: readonly Buffer[], position: number): Promise<number> {
    return this.#use((descriptor) => counted((done) => readv(descriptor, targets, position, done)))
  }

  /**
   * Writes all buffers at a position, one writev at a time. A full disk shows first as a short
   * write without an error; the next call then says ENOSPC.
   * @throws system errors, ShortWriteError
   */
  write(buffers: Buffer[], position: number): Promise<void> {
    return this.#use(async (descriptor) => {
      let rest = buffers
      let at = position
      while (rest.length > 0) {
        const [from, start] = [rest, at]
        const written = await counted((done) => writev(descriptor, from, start, done))
        if (written === 0) throw new ShortWriteError('the write took no byte')
        at += written
        rest = after(rest, written)
      }
    })
  }

  /** fdatasync: everything written so far is on disk. */
  sync(): Promise<void> {
    return this.#use(syncDescriptor)
  }

  truncate(length: number): Promise<void> {
    return this.#use((descriptor) => truncateDescriptor(descriptor, length))
  }

  /** The inode while this file still has its name; null when another file or none has it. */
  async inode(): Promise<number | null> {
    const opened = await this.#use((descriptor) => statDescriptor(descriptor))
    const named = await lstat(this.#name).catch(() => null)
    return named?.ino === opened.ino && named.dev === opened.dev ? opened.ino : null
  }

  /** Whether a regular file has its name, with this length and, unless null, this inode. */
  async isInPlace(bytes: number, inode: number | null): Promise<boolean> {
    const named = await lstat(this.#name).catch(() => null)
    if (!named?.isFile() || named.size !== bytes) return false
    return inode === null || named.ino === inode
  }

  /**
   * Closes the file after running calls have settled; later calls are refused. A second call
   * returns the same promise. Throws system errors of the close.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    if (this.#running > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve
      })
    }
    await closeDescriptor(this.#descriptor)
  }

  async #use<T>(call: (descriptor: number) => Promise<T>): Promise<T> {
    if (this.#closing) throw new Error('the file is closed')
    this.#running += 1
    try {
      return await call(this.#descriptor)
    } finally {
      this.#running -= 1
      if (this.#running === 0) this.#whenIdle?.()
    }
  }
}

/** The number of bytes that a call hands to its callback. */
function counted(
  call: (done: (error: Error | null, count: number) => void) => void,
): Promise<number> {
  return new Promise((resolve, reject) => {
    call((error, count) => {
      if (error) reject(error)
      else resolve(count)
    })
  })
}

/** The rest of the buffers after their first `written` bytes. */
function after(buffers: Buffer[], written: number): Buffer[] {
  let done = written
  let index = 0
  while (index < buffers.length && done >= (buffers[index] as Buffer).length) {
    done -= (buffers[index] as Buffer).length
    index += 1
  }
  const rest = buffers.slice(index)
  if (done > 0 && rest[0]) rest[0] = rest[0].subarray(done)
  return rest
}

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

  /** @param syncs bounds all syncs of the storage */
  constructor(root: string, syncs: Permits) {
    this.#root = root
    this.#syncs = new FolderSyncs(syncs)
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
class FolderSyncs {
  /** Leaves permits of `#syncs` to segments. */
  readonly #permits = new Permits(inOrder(folderSyncsMax))
  readonly #syncs: Permits
  readonly #running = new Map<string, Promise<void>>()
  /** Syncs that have not begun. */
  readonly #next = new Map<string, Promise<void>>()

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
