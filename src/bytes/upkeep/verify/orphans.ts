import { setTimeout } from 'node:timers/promises'
import type { Database } from '../../../database/connect.ts'
import { firstId, readPages } from '../../../lib/pages.ts'
import type { Storage } from '../../storage.ts'
import type { StorageRoot } from '../../store/store.ts'
import { diskAway } from './losses.ts'
import * as rows from './sql.ts'

const digits = '0123456789abcdef'
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
  const { database, signal } = deps
  for (const digit of digits) {
    signal.throwIfAborted()
    const folders = await findOrphanFolders(deps, digit)
    yield folders.map((containerId) => ({ containerId, segmentId: null }))
  }
  const read = (last: string | null, limit: number) =>
    rows.listContainers(database.sql, last ?? firstId, limit)
  for await (const containerIds of readPages(read, [pageContainers, pageContainers])) {
    signal.throwIfAborted()
    yield await findOrphanSegments(deps, containerIds)
  }
}

/** Containers on disk, with ids that begin with this digit, without a row or a tombstone. */
async function findOrphanFolders(deps: OrphanDeps, digit: string): Promise<string[]> {
  const { database, storage } = deps
  const orphans: string[] = []
  for (const second of digits) {
    let some: string[] = []
    for await (const id of storage.root.list({ letters: `${digit}${second}` })) {
      if (some.push(id) < batchMax) continue
      orphans.push(...(await rows.listUnknownContainers(database.sql, some)))
      some = []
    }
    orphans.push(...(await rows.listUnknownContainers(database.sql, some)))
  }
  return lookAgain(deps, orphans, {
    placeOf: (id) => ({ letters: id.slice(0, 2) }),
    idOf: (id) => id,
    unknown: (ids) => rows.listUnknownContainers(database.sql, ids),
  })
}

interface SegmentPlace {
  readonly containerId: string
  readonly segmentId: string
}

/** Segments in known containers, without a row or a tombstone. */
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
    for await (const segmentId of storage.root.list({ containerId })) {
      if (some.push({ containerId, segmentId }) < batchMax) continue
      orphans.push(...(await unknown(some)))
      some = []
    }
  }
  if (some.length > 0) orphans.push(...(await unknown(some)))
  return lookAgain(deps, orphans, {
    placeOf: ({ containerId }) => ({ containerId }),
    idOf: ({ segmentId }) => segmentId,
    unknown,
  })
}

interface Ways<T> {
  /** Where to list it. */
  readonly placeOf: (candidate: T) => Parameters<StorageRoot['list']>[0]
  readonly idOf: (candidate: T) => string
  readonly unknown: (candidates: readonly T[]) => Promise<T[]>
}

/** Those that are still unknown, and still there, a while after the first query. */
async function lookAgain<T>(
  { storage, signal }: OrphanDeps,
  candidates: readonly T[],
  { placeOf, idOf, unknown }: Ways<T>,
): Promise<T[]> {
  if (candidates.length === 0) return []
  await setTimeout(secondLookMs, undefined, { signal }).catch(() => signal.throwIfAborted())
  const found: T[] = []
  for (let start = 0; start < candidates.length; start += batchMax) {
    found.push(...(await unknown(candidates.slice(start, start + batchMax))))
  }
  const left = new Map(found.map((candidate) => [idOf(candidate), candidate]))
  const places = new Map(found.map((candidate) => [JSON.stringify(placeOf(candidate)), candidate]))
  const there: T[] = []
  for (const candidate of places.values()) {
    for await (const id of storage.root.list(placeOf(candidate))) {
      if (left.has(id)) there.push(left.get(id)!)
    }
  }
  if (!(await storage.root.isPresent())) throw diskAway()
  return there
}
