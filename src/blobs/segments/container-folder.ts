import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { syncFolder } from '../../lib/durable-file.ts'
import { isSystemError } from '../../lib/errors.ts'

/** `<root>/<aa>/<container>`: no name from a client is ever part of a path. */
export function containerFolder(root: string, containerId: string): string {
  return path.join(root, containerId.slice(0, 2), containerId)
}

export function segmentFile(root: string, containerId: string, segmentId: string): string {
  return path.join(containerFolder(root, containerId), `${segmentId}.seg`)
}

/**
 * Makes a folder for a container if it is missing. Syncs the parents of an existing folder too:
 * another writer may be about to sync them, or a process may have been killed before it could.
 */
export async function makeContainerFolder(root: string, containerId: string): Promise<string> {
  const folder = containerFolder(root, containerId)
  for (const name of [path.dirname(folder), folder]) {
    try {
      await mkdir(name, { mode: 0o700 })
    } catch (error) {
      if (!isSystemError(error, 'EEXIST')) throw error
    }
    await syncFolder(path.dirname(name))
  }
  return folder
}
