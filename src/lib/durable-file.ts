import { open, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * Writes a whole file so that a power cut leaves the old one or the new one, never half: temporary
 * name, sync, rename, sync of the folder. Readable by us alone.
 * @throws system errors; ENOENT when the folder is missing
 */
export async function writeDurably(
  name: string,
  content: string | Uint8Array | AsyncIterable<string>,
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

/** Makes the names in a folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
