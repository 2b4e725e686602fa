import { close, fdatasync, ftruncate, open, read, writev } from 'node:fs'
import { promisify } from 'node:util'

// Descriptors as numbers: a FileHandle costs a promise and an object more a call, and closes
// itself (with a warning) when it is collected, which hides leaks.
export const openFile = promisify(open)
export const closeFile = promisify(close)
export const syncData = promisify(fdatasync)
export const truncateFile = promisify(ftruncate)

/** A write took no byte and gave no error: treated like a full disk. */
export class ShortWriteError extends Error {
  readonly code = 'ENOSPC'
}

/**
 * Writes all buffers at a position, one writev at a time. A full disk shows first as a short write
 * without an error; the next call then says ENOSPC.
 * @throws system errors, ShortWriteError
 */
export async function writeAll(file: number, buffers: Buffer[], position: number): Promise<void> {
  let rest = buffers
  let at = position
  while (rest.length > 0) {
    const written = await writeOnce(file, rest, at)
    if (written === 0) throw new ShortWriteError('the write took no byte')
    at += written
    rest = after(rest, written)
  }
}

function writeOnce(file: number, buffers: Buffer[], position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    writev(file, buffers, position, (error, written) => {
      if (error) reject(error)
      else resolve(written)
    })
  })
}

/** What is left of the buffers when their first `written` bytes are done. */
export function after(buffers: Buffer[], written: number): Buffer[] {
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

/** Reads once; fewer bytes than asked for is no error. Resolves the count, 0 at the end. */
export function readOnce(
  file: number,
  target: Buffer,
  offset: number,
  length: number,
  position: number,
): Promise<number> {
  return new Promise((resolve, reject) => {
    read(file, target, offset, length, position, (error, count) => {
      if (error) reject(error)
      else resolve(count)
    })
  })
}
