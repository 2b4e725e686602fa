import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { syncFolder } from '../../lib/durable-file.ts'
import { isSystemError } from '../../lib/errors.ts'

/** `<root>/<aa>/<parcel>`: no name from a client is ever part of a path. */
export function parcelFolder(root: string, parcelId: string): string {
  return path.join(root, parcelId.slice(0, 2), parcelId)
}

export function segmentFile(root: string, parcelId: string, segmentId: string): string {
  return path.join(parcelFolder(root, parcelId), `${segmentId}.seg`)
}

/**
 * Makes a folder for a parcel, unless it is there. Syncs the parents of an existing folder too:
 * another lane may be about to sync them, or a process may have been killed before it could.
 */
export async function makeParcelFolder(root: string, parcelId: string): Promise<string> {
  const folder = parcelFolder(root, parcelId)
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
