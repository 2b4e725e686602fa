import { setTimeout } from 'node:timers/promises'
import { firstId, readPages } from '../../../lib/pages.ts'
import { diskAway, type CheckBasis } from './losses.ts'
import * as rows from './sql.ts'

const digits = '0123456789abcdef'
const batchMax = 1000
/** By then, a request that is making or removing something has finished. */
const secondLookMs = 1000

const pageContainers = 100

type OrphanDeps = Pick<CheckBasis, 'database' | 'storage'> & { readonly signal: AbortSignal }

/**
 * Everything on disk without a row or a tombstone, some at a time: folders, then segments in the
 * folders of known containers.
 * @throws CodedError unavailable when the disk is gone; the signal's reason; system errors
 */
export async function* findOrphans(deps: OrphanDeps): AsyncGenerator<readonly rows.Stored[]> {
  const { database, signal } = deps
  for (const digit of digits) {
    signal.throwIfAborted()
    yield await findUnknown(deps, listFolders(deps, digit))
  }
  const read = (last: string | null, limit: number) =>
    rows.listContainers(database.sql, last ?? firstId, limit)
  for await (const containerIds of readPages(read, [pageContainers, pageContainers])) {
    signal.throwIfAborted()
    yield await findUnknown(deps, listSegments(deps, containerIds))
  }
}

/** Containers on disk whose ids begin with this digit. */
async function* listFolders({ storage }: OrphanDeps, digit: string): AsyncGenerator<rows.Stored> {
  for (const second of digits) {
    const found = storage.root.list({ letters: `${digit}${second}` })
    for await (const containerId of found) yield { containerId, segmentId: null }
  }
}

async function* listSegments(
  { storage, signal }: OrphanDeps,
  containerIds: readonly string[],
): AsyncGenerator<rows.Stored> {
  for (const containerId of containerIds) {
    signal.throwIfAborted()
    const found = storage.root.list({ containerId })
    for await (const segmentId of found) yield { containerId, segmentId }
  }
}

/** Those that the database does not know, and that are still there when it is asked again. */
async function findUnknown(
  deps: OrphanDeps,
  found: AsyncIterable<rows.Stored>,
): Promise<rows.Stored[]> {
  const { storage, signal } = deps
  const candidates = await unknownOf(deps, found)
  if (candidates.length === 0) return []
  await setTimeout(secondLookMs, undefined, { signal }).catch(() => signal.throwIfAborted())
  const unknown = await unknownOf(deps, candidates)
  const left = new Map(unknown.map((one) => [one.segmentId ?? one.containerId, one]))
  const places = new Map(unknown.map((one) => [JSON.stringify(placeOf(one)), placeOf(one)]))
  const there: rows.Stored[] = []
  for (const place of places.values()) {
    for await (const id of storage.root.list(place)) if (left.has(id)) there.push(left.get(id)!)
  }
  if (!(await storage.root.isPresent())) throw diskAway()
  return there
}

/** Where it is listed. */
function placeOf({ containerId, segmentId }: rows.Stored) {
  return segmentId === null ? { letters: containerId.slice(0, 2) } : { containerId }
}

async function unknownOf(
  { database }: OrphanDeps,
  found: AsyncIterable<rows.Stored> | readonly rows.Stored[],
): Promise<rows.Stored[]> {
  const unknown: rows.Stored[] = []
  let some: rows.Stored[] = []
  for await (const one of found) {
    if (some.push(one) < batchMax) continue
    unknown.push(...(await rows.listUnknown(database.sql, some)))
    some = []
  }
  unknown.push(...(await rows.listUnknown(database.sql, some)))
  return unknown
}
