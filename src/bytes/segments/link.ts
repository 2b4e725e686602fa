import { constants, copyFile, link as linkFile } from 'node:fs/promises'
import { isSystemError } from '../../lib/errors.ts'
import { inOrder, Permits } from '../../lib/permits.ts'
import type { SegmentLinks } from '../store/store.ts'
import type { DiskFloor } from '../upkeep/disk-floor.ts'
import { ContainerFolders, segmentFile, FolderSyncs } from './container-folder.ts'
import { OpenFile } from './open-file.ts'

/** The folder, its parent and the root, side by side. */
const syncsMax = 3

/** Errors of disks without hard links, of links across folders, and of too many links to a file. */
const linkless = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'] as const

/**
 * Links the bytes of segments into another container: they stay until both names are removed. Only
 * for segments with an end in their row and without an appender, because both names are the same
 * file. Without hard links the files are copied one by one in separate threads. The names are
 * durable when it returns.
 * @throws CodedError disk_full; system errors, ENOENT when a segment is gone; the signal's reason
 */
export async function linkSegments(
  root: string,
  space: Pick<DiskFloor, 'during'>,
  { fromContainerId, toContainerId, segments, signal }: SegmentLinks,
  link: (from: string, to: string) => Promise<void> = linkFile,
): Promise<void> {
  const folders = new ContainerFolders(root, new FolderSyncs(new Permits(inOrder(syncsMax))))
  await folders.make(toContainerId)
  for (const { fromId, toId, bytes } of segments) {
    signal?.throwIfAborted()
    const from = segmentFile(root, fromContainerId, fromId)
    const to = segmentFile(root, toContainerId, toId)
    try {
      await link(from, to)
    } catch (error) {
      if (!isSystemError(error, ...linkless)) throw error
      await copyDurably(from, to, space, bytes)
    }
  }
  await folders.sync(toContainerId)
}

async function copyDurably(
  from: string,
  to: string,
  space: Pick<DiskFloor, 'during'>,
  bytes: number,
): Promise<void> {
  await space.during(bytes, async () => {
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    const file = await OpenFile.open(to, 'r+')
    try {
      await file.sync()
    } finally {
      await file.close()
    }
  })
}
