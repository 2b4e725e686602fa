import { opendir, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Database } from '../db/connect.ts'
import { isSystemError } from '../lib/errors.ts'
import { parcelFolder, segmentFile } from '../storage/paths.ts'
import { isMounted } from '../storage/storage-root.ts'
import type { Storage } from '../storage/storage.ts'
import { diskAway } from './losses.ts'
import * as rows from './sql.ts'

const digits = '0123456789abcdef'
const idPattern = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const folderName = new RegExp(`^${idPattern}$`)
const segmentName = new RegExp(`^(${idPattern})\\.seg$`)
const batchMax = 1000
/** What a request is just making or removing is done by then. */
const secondLookMs = 1000

export const digitCount = digits.length

export interface OrphanParts {
  readonly database: Database
  readonly storage: Storage
  readonly signal: AbortSignal
}

/**
 * Containers on disk, among those whose id begins with a digit, that the database knows nothing of:
 * neither a row nor a tombstone.
 */
export async function findOrphanFolders(parts: OrphanParts, digit: number): Promise<string[]> {
  const { database, storage } = parts
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
  return lookAgain(parts, orphans, {
    pathOf: (id) => parcelFolder(storage.root.folder, id),
    unknown: (ids) => rows.listUnknownContainers(database.sql, ids),
  })
}

/** Segments in the folder of a known container that have neither a row nor a tombstone. */
export async function findOrphanSegments(
  parts: OrphanParts,
  containerId: string,
): Promise<string[]> {
  const { database, storage } = parts
  const orphans: string[] = []
  const unknown = (ids: readonly string[]) =>
    rows.listUnknownSegments(database.sql, containerId, ids)
  for await (const ids of readSegmentIds(parcelFolder(storage.root.folder, containerId))) {
    orphans.push(...(await unknown(ids)))
  }
  return lookAgain(parts, orphans, {
    pathOf: (id) => segmentFile(storage.root.folder, containerId, id),
    unknown,
  })
}

interface Ways {
  readonly pathOf: (id: string) => string
  readonly unknown: (ids: readonly string[]) => Promise<string[]>
}

/** What is still there a while after the database was asked, and still unknown. */
async function lookAgain(
  { storage, signal }: OrphanParts,
  candidates: readonly string[],
  { pathOf, unknown }: Ways,
): Promise<string[]> {
  let left = await existing(candidates, pathOf)
  if (left.length === 0) return []
  await setTimeout(secondLookMs, undefined, { signal }).catch(() => signal.throwIfAborted())
  const found: string[] = []
  for (let start = 0; start < left.length; start += batchMax) {
    found.push(...(await unknown(left.slice(start, start + batchMax))))
  }
  left = await existing(found, pathOf)
  if (!(await isMounted(storage.root))) throw diskAway()
  return left
}

async function existing(ids: readonly string[], pathOf: (id: string) => string): Promise<string[]> {
  const found: string[] = []
  for (const id of ids) {
    try {
      await stat(pathOf(id))
      found.push(id)
    } catch (error) {
      if (!isSystemError(error, 'ENOENT')) throw error
    }
  }
  return found
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return []
    throw error
  }
}

async function* readSegmentIds(folder: string): AsyncGenerator<string[]> {
  let ids: string[] = []
  try {
    for await (const { name } of await opendir(folder)) {
      const id = segmentName.exec(name)?.[1]
      if (id !== undefined) ids.push(id)
      if (ids.length < batchMax) continue
      yield ids
      ids = []
    }
  } catch (error) {
    // Made with its first chunk, and removed with its container.
    if (!isSystemError(error, 'ENOENT')) throw error
  }
  if (ids.length > 0) yield ids
}

/** Whether something that was found without an owner still has none, and is there. */
export async function isStillOrphan(
  { database, storage }: OrphanParts,
  containerId: string,
  segmentId: string | null,
): Promise<boolean> {
  if (!(await isMounted(storage.root))) throw diskAway()
  const { folder } = storage.root
  const found =
    segmentId === null
      ? await rows.listUnknownContainers(database.sql, [containerId])
      : await rows.listUnknownSegments(database.sql, containerId, [segmentId])
  const name =
    segmentId === null
      ? parcelFolder(folder, containerId)
      : segmentFile(folder, containerId, segmentId)
  return (await existing(found, () => name)).length > 0
}
