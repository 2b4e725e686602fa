import { readdir, rmdir, unlink } from 'node:fs/promises'
import path from 'node:path'
import { isSystemError } from '../lib/errors.ts'
import { compareSegments, type ListedSegment, type SegmentList } from './segment-list.ts'

interface Cursor {
  readonly list: SegmentList
  at: ListedSegment | null
}

/**
 * Removes the segments in a backup that none of these lists has. Reads lists and folders side by
 * side in the same order, so that neither has to fit into memory.
 */
export async function removeUnlisted(
  storageFolder: string,
  lists: readonly SegmentList[],
): Promise<void> {
  const cursors: Cursor[] = []
  for (const list of lists) cursors.push({ list, at: await list.next() })
  try {
    for await (const { segment, name } of walk(storageFolder)) {
      if (!(await isListed(cursors, segment))) await unlink(name)
    }
  } finally {
    for (const { list } of cursors) await list.close()
  }
}

async function isListed(cursors: readonly Cursor[], segment: ListedSegment): Promise<boolean> {
  let isFound = false
  for (const cursor of cursors) {
    while (cursor.at !== null && compareSegments(cursor.at, segment) < 0) {
      cursor.at = await cursor.list.next()
    }
    isFound ||= cursor.at !== null && compareSegments(cursor.at, segment) === 0
  }
  return isFound
}

/** Every segment in order; removes folders that the caller has emptied. */
async function* walk(
  storageFolder: string,
): AsyncGenerator<{ segment: ListedSegment; name: string }, void, void> {
  for (const prefix of await sortedNames(storageFolder)) {
    for (const containerId of await sortedNames(path.join(storageFolder, prefix))) {
      const folder = path.join(storageFolder, prefix, containerId)
      for (const file of await sortedNames(folder)) {
        const segmentId = path.basename(file, '.seg')
        yield { segment: { containerId, segmentId, end: 0 }, name: path.join(folder, file) }
      }
      await removeIfEmpty(folder)
    }
    await removeIfEmpty(path.join(storageFolder, prefix))
  }
}

async function sortedNames(folder: string): Promise<string[]> {
  return (await readdir(folder)).toSorted()
}

async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch((error: unknown) => {
    if (!isSystemError(error, 'ENOTEMPTY', 'EEXIST')) throw error
  })
}
