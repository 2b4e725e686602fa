import { isSystemError } from '../../lib/errors.ts'
import { blockBytes } from '../segments/block-checksums.ts'
import { lookWhileMounted } from '../storage-root.ts'
import type { Storage } from '../storage.ts'
import type { FileBytes } from './damaged-content.ts'

/**
 * Whether unreadable bytes are also unreadable in a newly opened file, while the disk is mounted.
 */
export async function failsOnSecondLook(
  storage: Storage,
  containerId: string,
  bytes: FileBytes,
): Promise<boolean> {
  const look = () => failsAgain(storage, containerId, bytes)
  return (await lookWhileMounted(storage.root, look)) ?? false
}

async function failsAgain(
  { files }: Storage,
  containerId: string,
  { segmentId, position, length }: FileBytes,
): Promise<boolean> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(length, blockBytes))
  try {
    const segment = await files.pin(containerId, segmentId)
    try {
      for (let done = 0; done < length;) {
        const count = Math.min(buffer.length, length - done)
        await segment.read(buffer, 0, count, position + done)
        done += count
      }
    } finally {
      segment.release()
    }
    return false
  } catch (error) {
    if (isSystemError(error, 'EIO')) return true
    throw error
  }
}
