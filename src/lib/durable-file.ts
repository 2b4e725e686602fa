import { existsSync } from 'node:fs'
import { chmod, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isSystemError } from './errors.ts'

/**
 * Writes a whole file so that a power cut leaves either the old or the new one: temporary name,
 * sync, rename, sync of the folder. Readable only by us.
 * @throws system errors; ENOENT when the folder is missing
 */
export async function writeDurably(
  name: string,
  content: string | Uint8Array | AsyncIterable<string | Buffer>,
): Promise<void> {
  const temporary = `${name}.new`
  const file = await open(temporary, 'w', 0o600)
  try {
    await writeFile(file, content)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, name)
  await syncFolder(path.dirname(name))
}

/**
 * Makes a folder and those above it, with any umask. Node's own `mkdir` with `recursive` tries
 * for ever where a folder exists but none can be made in it, as below an automount that fails.
 * @returns whether it was missing
 * @throws system errors; EEXIST for a file, or a link to nothing
 */
export async function makeFolder(folder: string, mode = 0o700): Promise<boolean> {
  const parent = path.dirname(folder)
  if (!existsSync(parent)) await makeFolder(parent, mode)
  try {
    await mkdir(folder)
  } catch (error) {
    const found = await stat(folder).catch(ignoreMissing)
    if (!found?.isDirectory()) throw error
    return false
  }
  await chmod(folder, mode)
  return true
}

/** Makes the names in a folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Removes a file or folder durably: a power cut does not bring it back. Ignores a missing one.
 * @throws system errors
 */
export async function removeDurably(name: string): Promise<void> {
  const remove = () => rm(name, { recursive: true, force: true })
  const again = (error: unknown) => {
    // A file was added meanwhile, for example by a segment writer that is about to see the
    // deletion.
    if (!isSystemError(error, 'ENOTEMPTY')) throw error
    return remove()
  }
  await remove().catch(again).catch(again).catch(ignoreMissing)
  await syncFolder(path.dirname(name)).catch(ignoreMissing)
}

/** For notes that a disk may lack. @throws the error unless it refuses to be written */
export function ignoreReadOnly(error: unknown): void {
  if (!isSystemError(error, 'EROFS', 'EACCES', 'EPERM')) throw error
}

/** @throws the error unless it says that the file or its folder is missing */
export function ignoreMissing(error: unknown): undefined {
  if (!isSystemError(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) throw error
}
