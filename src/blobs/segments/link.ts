import { constants, copyFile, link as linkFile } from 'node:fs/promises'
import { syncFolder } from '../../lib/durable-file.ts'
import { isSystemError } from '../../lib/errors.ts'
import type { DiskFloor } from '../disk-floor.ts'
import { makeParcelFolder, segmentFile } from './parcel-folder.ts'
import { OpenFile } from './open-file.ts'

/** Segments of one parcel that another one is to have too. */
export interface SegmentLinks {
  readonly fromParcelId: string
  readonly toParcelId: string
  readonly segments: readonly {
    readonly fromId: string
    readonly toId: string
    /** On disk. */
    readonly bytes: number
  }[]
  /** Looked at before each of them. */
  readonly signal?: AbortSignal
}

/** What disks without hard links, or without any across folders, say; and of too many of a file. */
const linkless = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'] as const

/**
 * Gives the bytes of segments second names, in another parcel: they stay until both are removed.
 * Only for segments whose rows say where they end, and that nobody appends to any more: a second
 * name is the same file. Where there are no hard links they are copied, file by file, by
 * threads of their own. The names are durable when it returns.
 * @throws CodedError disk_full; system errors, ENOENT when a segment is gone; the signal's reason
 */
export async function linkSegments(
  root: string,
  space: DiskFloor,
  { fromParcelId, toParcelId, segments, signal }: SegmentLinks,
  link: (from: string, to: string) => Promise<void> = linkFile,
): Promise<void> {
  const folder = await makeParcelFolder(root, toParcelId)
  for (const { fromId, toId, bytes } of segments) {
    signal?.throwIfAborted()
    const from = segmentFile(root, fromParcelId, fromId)
    const to = segmentFile(root, toParcelId, toId)
    try {
      await link(from, to)
    } catch (error) {
      if (!isSystemError(error, ...linkless)) throw error
      await copyDurably(from, to, space, bytes)
    }
  }
  await syncFolder(folder)
}

async function copyDurably(
  from: string,
  to: string,
  space: DiskFloor,
  bytes: number,
): Promise<void> {
  const room = await space.reserve(bytes)
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    const file = await OpenFile.open(to, 'r+')
    try {
      await file.sync()
    } finally {
      await file.close()
    }
  } finally {
    room.settle()
  }
}
