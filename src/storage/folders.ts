import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { syncFolder } from '../lib/durable-file.ts'
import { isSystemError } from '../lib/errors.ts'
import { parcelFolder } from './paths.ts'

/** Makes a parcel's folder, unless it is there; each that was just made is durable in its parent. */
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
