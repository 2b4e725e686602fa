import { mkdir, readdir, statfs } from 'node:fs/promises'
import path from 'node:path'
import type { Database } from '../database/connect.ts'
import { removeDurably, writeDurably } from '../lib/durable-file.ts'
import { CodedError } from '../lib/errors.ts'
import { randomRowId } from '../lib/random-id.ts'
import { findStorageRoot, insertStorageRoot } from './segments/sql.ts'
import { isLockFile } from './storage-lock.ts'
import { FolderRoot, markerName, readMarker, StorageRootError } from './store/folder-root.ts'
import type { StorageRoot } from './store/store.ts'

/**
 * Opens the folder that holds the containers. A new one gets a marker with a random id, stored in
 * the database too; from then on folder and database must agree, or nothing is written or removed.
 * @param create whether a new one may be made
 * @throws StorageRootError
 */
export async function openStorageRoot(
  folder: string,
  database: Database,
  { create } = { create: true },
): Promise<FolderRoot> {
  const known = await findStorageRoot(database.sql)
  if (known === null && !create) {
    throw new StorageRootError(`there are no files at ${folder} yet. Start the service first.`)
  }
  // A new folder would hide a missing disk, if the database already knows the folder.
  if (known === null) await mkdir(folder, { recursive: true, mode: 0o700 })
  const marked = await readMarker(folder)
  if (known === null && marked === null) return createRoot(folder, database)
  // A first start was killed between marker and row: the folder is still empty.
  if (known === null && marked !== null && (await listOthers(folder)).length === 0) {
    await insertStorageRoot(database.sql, marked)
    return new FolderRoot(marked, folder)
  }
  if (known !== null && known === marked) return new FolderRoot(known, folder)
  if (known === null) throw foreignFiles(folder, marked)
  if (marked !== null) throw otherRoot(folder, marked, known)
  throw new StorageRootError(
    `${folder} has no ${markerName}, but the database expects storage root ${known} there. ` +
      'Check that the disk is mounted.',
  )
}

/**
 * For commands that do not touch bytes, while the disk of the files may be away.
 * @throws StorageRootError when the folder is that of another database
 */
export async function refuseOtherRoot(folder: string, database: Database): Promise<void> {
  const known = await findStorageRoot(database.sql)
  const marked = known === null ? null : await readMarker(folder)
  if (known !== null && marked !== null && known !== marked) throw otherRoot(folder, marked, known)
}

function otherRoot(folder: string, marked: string, known: string): StorageRootError {
  return new StorageRootError(
    `${folder} is storage root ${marked}, but the database expects ${known}. ` +
      'Check that the right disk is mounted, and STORAGE_DIR.',
  )
}

/** Whether the folder holds stored files, which belong to some database. */
export async function hasFiles(folder: string): Promise<boolean> {
  return (await findMarkerOfFiles(folder)) !== null
}

/** Call before taking over a database. @throws StorageRootError when the files are not its own */
export async function refuseForeignFiles(folder: string): Promise<void> {
  const marked = await findMarkerOfFiles(folder)
  if (marked !== null) throw foreignFiles(folder, marked)
}

async function findMarkerOfFiles(folder: string): Promise<string | null> {
  const marked = await readMarker(folder)
  return marked !== null && (await listOthers(folder)).length > 0 ? marked : null
}

function foreignFiles(folder: string, marked: string | null): StorageRootError {
  return new StorageRootError(
    `${folder} belongs to another database (storage root ${marked}). ` +
      'Set STORAGE_DIR to an empty folder, or DATABASE_URL to the database it belongs to.',
  )
}

/** @throws CodedError unavailable unless the disk is mounted */
export async function requireMounted(root: StorageRoot): Promise<void> {
  if (await root.isPresent()) return
  throw new CodedError('unavailable', { headers: { 'Retry-After': '30' } })
}

/** The result of a look at the files; null unless the disk is mounted before and after it. */
export async function lookWhileMounted<T>(
  root: StorageRoot,
  look: () => Promise<T>,
): Promise<T | null> {
  if (!(await root.isPresent())) return null
  const found = await look()
  return (await root.isPresent()) ? found : null
}

/** Marks a folder as the storage root of a restored database. */
export async function restoreMarker(folder: string, id: string): Promise<void> {
  await writeDurably(path.join(folder, markerName), markerOf(id))
}

export async function removeMarker(folder: string): Promise<void> {
  await removeDurably(path.join(folder, markerName))
}

function markerOf(id: string): string {
  return `${JSON.stringify({ storageRoot: id })}\n`
}

/** Bytes available to us, and in all, on the disk of the folder. */
export async function diskSpace(folder: string): Promise<{ free: number; total: number }> {
  const stats = await statfs(folder)
  return { free: stats.bavail * stats.bsize, total: stats.blocks * stats.bsize }
}

async function createRoot(folder: string, database: Database): Promise<FolderRoot> {
  if ((await listOthers(folder)).length > 0) {
    throw new StorageRootError(
      `${folder} is not empty and has no ${markerName}. Set STORAGE_DIR to an empty folder.`,
    )
  }
  const id = randomRowId()
  await writeDurably(path.join(folder, markerName), markerOf(id))
  await insertStorageRoot(database.sql, id)
  return new FolderRoot(id, folder)
}

/** Lists files beside the marker and an unfinished marker. */
async function listOthers(folder: string): Promise<string[]> {
  const entries = await readdir(folder)
  return entries.filter(
    (name) => name !== markerName && name !== `${markerName}.new` && !isLockFile(name),
  )
}
