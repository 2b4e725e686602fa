import * as fs from 'node:fs/promises'
import path from 'node:path'
import { ignoreMissing, removeDurably, writeDurably } from '../../lib/durable-file.ts'
import { CodedError, isSystemError, unavailable } from '../../lib/errors.ts'
import { inOrder, Permits } from '../../lib/permits.ts'
import {
  ContainerFolders,
  containerFolder,
  segmentFile,
  OpenFile,
} from '../segments/files-on-disk.ts'
import { FileWriter } from '../segments/file-writer.ts'
import { markerName, parseMarker, StorageRootError, isMissing, manifestName } from './store.ts'
import type { BlobReader, NewSegment, SegmentLinks, SegmentWriter, StorageRoot } from './store.ts'
import type { DiskFloor } from '../upkeep/free-space.ts'

const idPattern = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const folderName = new RegExp(`^${idPattern}$`)
/** Syncs beside each other: the folder, its parent and the root. */
const syncsMax = 3
const segmentPattern = new RegExp(`^(${idPattern})\\.seg$`)

/** A folder on disk: each container is a folder of append-only files. */
export class FolderRoot implements StorageRoot {
  readonly folder: string
  readonly writeBytes = 1024 * 1024
  readonly #id: string | null
  #folders: ContainerFolders | null = null

  /** @param id null for commands that touch no bytes: their disk may be away */
  constructor(id: string | null, folder: string) {
    this.#id = id
    this.folder = folder
  }

  get id(): string {
    if (this.#id === null) throw new Error('this command did not open the storage')
    return this.#id
  }

  get name(): string {
    return this.folder
  }

  async create({ containerId, segmentId, deps, exists }: NewSegment): Promise<SegmentWriter> {
    const folders = this.#foldersOf(deps.syncs)
    const folder = await folders.make(containerId)
    const name = this.#pathOf(containerId, segmentId)
    const file = await OpenFile.open(name, 'wx+', 0o600)
    const named = makeNameDurable(folders, containerId, exists)
    // The writer reports it, unless there is none.
    named.catch(() => {})
    try {
      const inode = await file.inode()
      if (!(await exists())) throw new CodedError('not_found')
      return new FileWriter({ containerId, segmentId, inode, named }, file, deps)
    } catch (error) {
      await file.close()
      await fs.unlink(name).catch(() => {})
      // The folder may have been recreated after the deletion; one in use is not empty.
      await fs.rmdir(folder).catch(() => {})
      throw error
    }
  }

  replace(containerId: string, name: string, text: AsyncIterable<string>): Promise<void> {
    return writeDurably(this.#pathOf(containerId, name), text)
  }

  async put(containerId: string, segmentId: string, data: AsyncIterable<Buffer>): Promise<void> {
    const folders = this.#foldersOf(new Permits(inOrder(syncsMax)))
    await folders.make(containerId)
    await writeDurably(this.#pathOf(containerId, segmentId), data)
    await folders.sync(containerId)
  }

  open(containerId: string, name: string): Promise<BlobReader> {
    return OpenFile.open(this.#pathOf(containerId, name), 'r')
  }

  async sizeOf(containerId: string, name: string): Promise<number | null> {
    try {
      const found = await fs.stat(this.#pathOf(containerId, name))
      return found.isFile() ? found.size : null
    } catch (error) {
      // EACCES is left out: wrong permissions lose nothing.
      if (isMissing(error) || isSystemError(error, 'EIO')) return null
      throw error
    }
  }

  list(of: { letters: string } | { containerId: string }): AsyncIterable<string> {
    return 'letters' in of
      ? containersIn(path.join(this.folder, of.letters), of.letters)
      : segmentsIn(containerFolder(this.folder, of.containerId))
  }

  async remove(containerId: string, names: readonly string[]): Promise<void> {
    for (const name of names) await removeDurably(this.#pathOf(containerId, name))
  }

  async removeContainer(containerId: string, mayGoOn: () => boolean): Promise<boolean> {
    const folder = containerFolder(this.folder, containerId)
    for (const name of await namesIn(folder)) {
      if (!segmentPattern.test(name)) continue
      if (!mayGoOn()) return false
      await removeFile(path.join(folder, name))
    }
    await removeDurably(folder)
    return true
  }

  link(links: SegmentLinks, space: Pick<DiskFloor, 'during'>): Promise<void> {
    return linkSegments(this.folder, space, links)
  }

  /** A file is taken over with its row: see `Storage.recover`. */
  async removeAbandoned(): Promise<number> {
    return 0
  }

  async isPresent(): Promise<boolean> {
    try {
      const isOurs = (await readMarker(this.folder)) === this.id
      // Another disk may take its place later, without the folders that were synced.
      if (!isOurs) this.#folders?.forgetAll()
      return isOurs
    } catch (error) {
      if (error instanceof StorageRootError) return false
      throw unavailable(5, error)
    }
  }

  #foldersOf(syncs: Permits): ContainerFolders {
    this.#folders ??= new ContainerFolders(this.folder, syncs)
    return this.#folders
  }

  #pathOf(containerId: string, name: string): string {
    return name === manifestName
      ? path.join(containerFolder(this.folder, containerId), name)
      : segmentFile(this.folder, containerId, name)
  }
}

/** Null without a marker, or without the folder. @throws StorageRootError; system errors */
export async function readMarker(folder: string): Promise<string | null> {
  try {
    return parseMarker(await fs.readFile(path.join(folder, markerName), 'utf8'))
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return null
    if (!(error instanceof SyntaxError)) throw error
    throw new StorageRootError(`${path.join(folder, markerName)} cannot be read: it is not JSON.`, {
      cause: error,
    })
  }
}

/** @throws CodedError not_found when the container is gone; system errors */
async function makeNameDurable(
  folders: ContainerFolders,
  containerId: string,
  exists: () => Promise<boolean>,
): Promise<void> {
  try {
    await folders.sync(containerId)
  } catch (error) {
    const isDeleted = isSystemError(error, 'ENOENT') && !(await exists())
    throw isDeleted ? new CodedError('not_found', { cause: error }) : error
  }
}

async function* containersIn(folder: string, letters: string): AsyncGenerator<string> {
  for (const name of await namesIn(folder)) {
    if (folderName.test(name) && name.startsWith(letters)) yield name
  }
}

async function* segmentsIn(folder: string): AsyncGenerator<string> {
  try {
    for await (const { name } of await fs.opendir(folder)) {
      const id = segmentPattern.exec(name)?.[1]
      if (id !== undefined) yield id
    }
  } catch (error) {
    // The folder is made with its first chunk, and removed with its container.
    if (!isMissing(error)) throw error
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await fs.readdir(folder)
  } catch (error) {
    ignoreMissing(error)
    return []
  }
}

/** One call in the usual case; also removes a folder in the place of a file. */
async function removeFile(name: string): Promise<void> {
  await fs.unlink(name).catch(async (error: unknown) => {
    if (!isSystemError(error, 'EISDIR', 'EPERM')) return ignoreMissing(error)
    await fs.rm(name, { recursive: true, force: true })
  })
}

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
  link: (from: string, to: string) => Promise<void> = fs.link,
): Promise<void> {
  const folders = new ContainerFolders(root, new Permits(inOrder(syncsMax)))
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
    await fs.copyFile(from, to, fs.constants.COPYFILE_EXCL | fs.constants.COPYFILE_FICLONE)
    const file = await OpenFile.open(to, 'r+')
    try {
      await file.sync()
    } finally {
      await file.close()
    }
  })
}
