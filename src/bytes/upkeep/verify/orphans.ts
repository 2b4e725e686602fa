import { lstat, opendir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Database } from '../../../database/connect.ts'
import { containerFolder, segmentFile } from '../../segments/container-folder.ts'
import { isMissing } from '../../segments/segment-files.ts'
import { isMounted } from '../../storage-root.ts'
import type { Storage } from '../../storage.ts'
import { diskAway } from './losses.ts'
import { zeroId } from './place.ts'
import * as rows from './sql.ts'

const digits = '0123456789abcdef'
const idPattern = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const folderName = new RegExp(`^${idPattern}$`)
const segmentName = new RegExp(`^(${idPattern})\\.seg$`)
const batchMax = 1000
/** By then, a request that is making or removing something has finished. */
const secondLookMs = 1000

const pageContainers = 100

export interface OrphanDeps {
  readonly database: Database
  readonly storage: Storage
  readonly signal: AbortSignal
}

/** What the database does not know. */
export interface Orphan {
  readonly containerId: string
  /** Null for the whole folder. */
  readonly segmentId: string | null
}

/**
 * Everything on disk without a row or a tombstone, some at a time: folders, then segments in the
 * folders of known containers.
 * @throws CodedError unavailable when the disk is gone; the signal's reason; system errors
 */
export async function* findOrphans(deps: OrphanDeps): AsyncGenerator<readonly Orphan[]> {
  const { database, storage, signal } = deps
  for (const digit of digits) {
    signal.throwIfAborted()
    const folders = await findOrphanFolders(deps, digit)
    yield folders.map((containerId) => ({ containerId, segmentId: null }))
  }
  let afterId = zeroId
  for (;;) {
    signal.throwIfAborted()
    const page = { rootId: storage.root.id, afterId, limit: pageContainers }
    const containerIds = await rows.listContainers(database.sql, page)
    yield await findOrphanSegments(deps, containerIds)
    if (containerIds.length < pageContainers) return
    afterId = containerIds.at(-1)!
  }
}

/** Containers on disk, with ids that begin with this digit, without a row or a tombstone. */
async function findOrphanFolders(deps: OrphanDeps, digit: string): Promise<string[]> {
  const { database, storage } = deps
  const orphans: string[] = []
  for (const second of digits) {
    const prefix = `${digit}${second}`
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
interface SegmentPlace {
  readonly containerId: string
  readonly segmentId: string
}

/** Segments in folders of known containers, without a row or a tombstone. */
async function findOrphanSegments(
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
