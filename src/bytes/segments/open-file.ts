import { close, fdatasync, fstat, ftruncate, open, read, readv, writev } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { promisify } from 'node:util'

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
    return this.#use(
      (descriptor) =>
        new Promise((resolve, reject) => {
          read(descriptor, target, offset, length, position, (error, count) => {
            if (error) reject(error)
            else resolve(count)
          })
        }),
    )
  }

  /**
   * Reads once into the buffers, one after the other (preadv); may return fewer bytes than they
   * hold.
   * @param targets at most 1,024, which is what one call takes
   */
  scatter(targets: readonly Buffer[], position: number): Promise<number> {
    return this.#use(
      (descriptor) =>
        new Promise((resolve, reject) => {
          readv(descriptor, targets, position, (error, count) => {
            if (error) reject(error)
            else resolve(count)
          })
        }),
    )
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
        const written = await writeOnce(descriptor, rest, at)
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

function writeOnce(descriptor: number, buffers: Buffer[], position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    writev(descriptor, buffers, position, (error, written) => {
      if (error) reject(error)
      else resolve(written)
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
