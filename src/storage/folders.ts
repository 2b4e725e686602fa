import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { syncFolder } from '../lib/durable-file.ts'
import { isSystemError } from '../lib/errors.ts'
import { parcelFolder } from './paths.ts'

/** Makes a folder for a parcel, unless it is there; a new one is durable in its parent. */
export async function makeParcelFolder(root: string, parcelId: string): Promise<string> {
  const folder = parcelFolder(root, parcelId)
  for (const name of [path.dirname(folder), folder]) {
    try {
      await mkdir(name, { mode: 0o700 })
    } catch (error) {
      if (isSystemError(error, 'EEXIST')) continue
      throw error
    }
    await syncFolder(path.dirname(name))
  }
  return folder
}
