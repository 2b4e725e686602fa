import { readdir, statfs } from 'node:fs/promises'
import path from 'node:path'
import type { Database } from '../database/connect.ts'
import { makeFolder, removeDurably, writeDurably } from '../lib/durable-file.ts'
import { unavailable } from '../lib/errors.ts'
import { randomRowId } from '../lib/random-id.ts'
import { insertStorageRoot, listStorageRoots } from './segments/roots-sql.ts'
import { isLockFile } from './storage-lock.ts'
import { FolderRoot, readMarker } from './store/folder-root.ts'
import { markerName, markerOf, StorageRootError, type StorageRoot } from './store/store.ts'

/** A place that is, or may become, the storage root. */
export interface RootPlace {
  readonly name: string
  /** The option that names it. */
  readonly option: string
  readonly kind: 'folder' | 'prefix'
  /** What may be wrong when it has no marker, or that of another root. */
  readonly advice: { readonly missing: string; readonly other: string }
  readMarker(): Promise<string | null>
  writeMarker(id: string): Promise<void>
  /** Whether nothing but a marker is there. */
  isEmpty(): Promise<boolean>
}

export interface RootOptions {
  /** Whether the first root of the database may be made. */
  readonly create: boolean
  /** Whether a further one may be made, to which files are about to move. */
  readonly isTarget?: boolean
}

/**
 * Finds out which storage root a place is. A new one gets a marker with a random id, stored in the
 * database too; from then on place and database must agree, or nothing is written or removed.
 * @returns its id
 * @throws StorageRootError
 */
export async function identify(
  place: RootPlace,
  database: Database,
  { create, isTarget = false }: RootOptions,
): Promise<string> {
  const { name, option } = place
  const roots = await listStorageRoots(database.sql)
  const known = roots.find(({ isCurrent }) => isCurrent)?.id ?? null
  if (known === null && !create) {
    throw new StorageRootError(`there are no files at ${name} yet. Start the service first.`)
  }
  const marked = await place.readMarker()
  if (roots.some(({ id }) => id === marked)) return marked!
  if (known !== null && marked !== null && !isTarget) throw otherRoot(place, marked, known)
  if (known !== null && !isTarget) {
    throw new StorageRootError(
      `${name} has no ${markerName}, but the database expects storage root ${known} there. ` +
        place.advice.missing,
    )
  }
  const isEmpty = await place.isEmpty()
  if (marked !== null && !isEmpty) throw foreignFiles(place, marked)
  if (!isEmpty) {
    throw new StorageRootError(
      `${name} is not empty and has no ${markerName}. Set ${option} to an empty ${place.kind}.`,
    )
  }
  // A first start may have been killed between marker and row.
  const id = marked ?? randomRowId()
  if (marked === null) await place.writeMarker(id)
  await insertStorageRoot(database.sql, id, known === null)
  return id
}

/** Opens the folder that holds the containers: see `identify`. @throws StorageRootError */
export async function openStorageRoot(
  folder: string,
  database: Database,
  options: RootOptions = { create: true },
): Promise<FolderRoot> {
  // A new folder would hide a missing disk, if the database already knows the folder.
  const isFirst = options.create && (await listStorageRoots(database.sql)).length === 0
  if (isFirst || options.isTarget) await makeFolder(folder)
  return new FolderRoot(await identify(placeOf(folder), database, options), folder)
}

function placeOf(folder: string): RootPlace {
  return {
    name: folder,
    option: 'STORAGE_DIR',
    kind: 'folder',
    advice: {
      missing: 'Check that the disk is mounted.',
      other: 'Check that the right disk is mounted, and STORAGE_DIR.',
    },
    readMarker: () => readMarker(folder),
    writeMarker: (id) => writeDurably(path.join(folder, markerName), markerOf(id)),
    isEmpty: async () => (await listOthers(folder)).length === 0,
  }
}

/**
 * For commands that do not touch bytes, while the disk of the files may be away.
 * @throws StorageRootError when the folder is that of another database
 */
export async function refuseOtherRoot(folder: string, database: Database): Promise<void> {
  const roots = await listStorageRoots(database.sql)
  const marked = roots.length === 0 ? null : await readMarker(folder)
  if (marked === null || roots.some(({ id }) => id === marked)) return
  throw otherRoot(placeOf(folder), marked, roots.find(({ isCurrent }) => isCurrent)!.id)
}

function otherRoot(place: RootPlace, marked: string, known: string): StorageRootError {
  return new StorageRootError(
    `${place.name} is storage root ${marked}, but the database expects ${known}. ` +
      place.advice.other,
  )
}

/** Whether the folder holds stored files, which belong to some database. */
export async function hasFiles(folder: string): Promise<boolean> {
  return (await findMarkerOfFiles(folder)) !== null
}

/** Call before taking over a database. @throws StorageRootError when the files are not its own */
export async function refuseForeignFiles(folder: string): Promise<void> {
  const marked = await findMarkerOfFiles(folder)
  if (marked !== null) throw foreignFiles(placeOf(folder), marked)
}

async function findMarkerOfFiles(folder: string): Promise<string | null> {
  const marked = await readMarker(folder)
  return marked !== null && (await listOthers(folder)).length > 0 ? marked : null
}

function foreignFiles({ name, option, kind }: RootPlace, marked: string): StorageRootError {
  return new StorageRootError(
    `${name} belongs to another database (storage root ${marked}). ` +
      `Set ${option} to an empty ${kind}, or DATABASE_URL to the database it belongs to.`,
  )
}

/** @throws CodedError unavailable unless the disk is mounted */
export async function requireMounted(root: StorageRoot): Promise<void> {
  if (await root.isPresent()) return
  throw unavailable(30)
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

/** Bytes available to us, and in all, on the disk of the folder. */
export async function diskSpace(folder: string): Promise<{ free: number; total: number }> {
  const stats = await statfs(folder)
  return { free: stats.bavail * stats.bsize, total: stats.blocks * stats.bsize }
}

/** Lists files beside the marker and an unfinished marker. */
async function listOthers(folder: string): Promise<string[]> {
  const entries = await readdir(folder)
  return entries.filter(
    (name) => name !== markerName && name !== `${markerName}.new` && !isLockFile(name),
  )
}
