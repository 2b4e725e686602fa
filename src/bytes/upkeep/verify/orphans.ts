import { lstat, opendir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Database } from '../../../database/connect.ts'
import { containerFolder, segmentFile } from '../../segments/container-folder.ts'
import { isMissing } from '../../segments/segment-files.ts'
import { isMounted } from '../../storage-root.ts'
import type { Storage } from '../../storage.ts'
import { diskAway } from './losses.ts'
import * as rows from './sql.ts'

const digits = '0123456789abcdef'
const idPattern = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const folderName = new RegExp(`^${idPattern}$`)
const segmentName = new RegExp(`^(${idPattern})\\.seg$`)
const batchMax = 1000
/** By then, a request that is making or removing something has finished. */
const secondLookMs = 1000

export const digitCount = digits.length

export interface OrphanDeps {
  readonly database: Database
  readonly storage: Storage
  readonly signal: AbortSignal
}

/** Containers on disk, with ids that begin with this digit, without a row or a tombstone. */
export async function findOrphanFolders(deps: OrphanDeps, digit: number): Promise<string[]> {
  const { database, storage } = deps
  const orphans: string[] = []
  for (const second of digits) {
    const prefix = `${digits[digit]}${second}`
    const names = await namesIn(path.join(storage.root.folder, prefix))
    const ids = names.filter((name) => folderName.test(name) && name.startsWith(prefix))
    for (let start = 0; start < ids.length; start += batchMax) {
      const some = ids.slice(start, start + batchMax)
      orphans.push(...(await rows.listUnknownContainers(database.sql, some)))
    }
  }
  return lookAgain(deps, orphans, {
    pathOf: (id) => containerFolder(storage.root.folder, id),
    unknown: (ids) => rows.listUnknownContainers(database.sql, ids),
  })
}

/** A segment, by its folder. */
export interface SegmentPlace {
  readonly containerId: string
  readonly segmentId: string
}

/** Segments in folders of known containers, without a row or a tombstone. */
export async function findOrphanSegments(
  deps: OrphanDeps,
  containerIds: readonly string[],
): Promise<SegmentPlace[]> {
  const { database, storage } = deps
  const unknown = (places: readonly SegmentPlace[]) =>
    rows.listUnknownSegments(database.sql, places)
  const orphans: SegmentPlace[] = []
  let some: SegmentPlace[] = []
  for (const containerId of containerIds) {
    deps.signal.throwIfAborted()
    const folder = containerFolder(storage.root.folder, containerId)
    for await (const segmentId of readSegmentIds(folder)) {
      some.push({ containerId, segmentId })
      if (some.length < batchMax) continue
      orphans.push(...(await unknown(some)))
      some = []
    }
  }
  if (some.length > 0) orphans.push(...(await unknown(some)))
  return lookAgain(deps, orphans, {
    pathOf: ({ containerId, segmentId }) =>
      segmentFile(storage.root.folder, containerId, segmentId),
    unknown,
  })
}

interface Ways<T> {
  readonly pathOf: (place: T) => string
  readonly unknown: (places: readonly T[]) => Promise<T[]>
}

/** Those that still exist, and are still unknown, a while after the first query. */
async function lookAgain<T>(
  { storage, signal }: OrphanDeps,
  candidates: readonly T[],
  { pathOf, unknown }: Ways<T>,
): Promise<T[]> {
  let left = await existing(candidates, pathOf)
  if (left.length === 0) return []
  await setTimeout(secondLookMs, undefined, { signal }).catch(() => signal.throwIfAborted())
  const found: T[] = []
  for (let start = 0; start < left.length; start += batchMax) {
    found.push(...(await unknown(left.slice(start, start + batchMax))))
  }
  left = await existing(found, pathOf)
  if (!(await isMounted(storage.root))) throw diskAway()
  return left
}

async function existing<T>(places: readonly T[], pathOf: (place: T) => string): Promise<T[]> {
  const found: T[] = []
  for (const place of places) {
    try {
      await lstat(pathOf(place))
      found.push(place)
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  }
  return found
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

async function* readSegmentIds(folder: string): AsyncGenerator<string> {
  try {
    for await (const { name } of await opendir(folder)) {
      const id = segmentName.exec(name)?.[1]
      if (id !== undefined) yield id
    }
  } catch (error) {
    // The folder is made with its first chunk, and removed with its container.
    if (!isMissing(error)) throw error
  }
}

/** Whether an orphan still exists and still has no owner. */
export async function isStillOrphan(
  { database, storage }: OrphanDeps,
  containerId: string,
  segmentId: string | null,
): Promise<boolean> {
  if (!(await isMounted(storage.root))) throw diskAway()
  const { folder } = storage.root
  if (segmentId === null) {
    const found = await rows.listUnknownContainers(database.sql, [containerId])
    return (await existing(found, (id) => containerFolder(folder, id))).length > 0
  }
  const found = await rows.listUnknownSegments(database.sql, [{ containerId, segmentId }])
  return (await existing(found, () => segmentFile(folder, containerId, segmentId))).length > 0
}
