import { mkdir, readdir, rename, rm, stat, rmdir, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isLockFile, lockStorage, StorageInUse } from '../bytes/storage-lock.ts'
import { ignoreMissing, makeFolder, syncFolder } from '../lib/durable-file.ts'
import { isSystemError } from '../lib/errors.ts'
import { createLog } from '../lib/log.ts'
import { randomRowId } from '../lib/random-id.ts'
import { completeName, snapshotName, snapshotPattern, snapshotTime } from './format.ts'
import { BackupProblem } from './problem.ts'
import { Snapshot } from './snapshot.ts'
import { segmentFile, OpenFile } from '../bytes/segments/files-on-disk.ts'
import { DurableWrites } from './durable-writes.ts'
import type { ListedSegment, SegmentList } from './segment-list.ts'
import type { SegmentTarget, SnapshotTarget } from './target.ts'

const [storageName, snapshotsName] = ['storage', 'snapshots']
/** Names that may stand in a folder for backups. */
const knownNames = new Set([storageName, snapshotsName, 'lost+found'])

/** A folder with the snapshots of one service, and the segments that they share. */
export class BackupFolder {
  readonly folder: string
  readonly close: () => Promise<void>

  private constructor(folder: string, close: () => Promise<void>) {
    this.folder = folder
    this.close = close
  }

  /** For a backup: makes the folder if it is missing or empty. @throws BackupProblem */
  static async openForWriting(folder: string): Promise<BackupFolder> {
    await makeFolder(folder)
    const others = (await readdir(folder)).filter((name) => !knownNames.has(name))
    const foreign = others.find((name) => !isLockFile(name))
    if (foreign !== undefined) {
      throw new BackupProblem(
        `${folder} has other files, such as ${foreign}. Use an empty folder for backups.`,
      )
    }
    const opened = new BackupFolder(folder, await lock(folder))
    for (const name of [storageName, snapshotsName]) {
      await mkdir(path.join(folder, name), { recursive: true, mode: 0o700 })
    }
    await syncFolder(folder)
    await opened.#removeUnfinished()
    return opened
  }

  /** Keeps others from removing what is read. @throws BackupProblem when it has no snapshots */
  static async openForReading(folder: string): Promise<BackupFolder> {
    await BackupFolder.look(folder)
    return new BackupFolder(folder, await lock(folder))
  }

  /** For names and dates alone. @throws BackupProblem when it has no snapshots */
  static async look(folder: string): Promise<BackupFolder> {
    const opened = new BackupFolder(folder, async () => {})
    if ((await opened.listNames()).length > 0) return opened
    throw new BackupProblem(`there is no backup in ${folder}`)
  }

  get storageFolder(): string {
    return path.join(this.folder, storageName)
  }

  get #snapshots(): string {
    return path.join(this.folder, snapshotsName)
  }

  /** Names of snapshots, the oldest first. */
  async listNames(): Promise<string[]> {
    const names = await readdir(this.#snapshots).catch(ignoreMissing)
    return (names ?? []).filter((name) => snapshotPattern.test(name)).toSorted()
  }

  /** Whether a snapshot was finished, which its last file shows. */
  async isComplete(name: string): Promise<boolean> {
    const file = path.join(this.#snapshots, name, completeName)
    return (await stat(file).catch(ignoreMissing)) !== undefined
  }

  /** @param name null for the newest @throws BackupProblem */
  async openSnapshot(name: string | null): Promise<Snapshot> {
    const names = await this.listNames()
    const chosen = name ?? names.at(-1)
    if (chosen === undefined || !names.includes(chosen)) {
      throw new BackupProblem(`there is no snapshot ${chosen ?? ''} in ${this.folder}`)
    }
    return Snapshot.open(path.join(this.#snapshots, chosen))
  }

  /**
   * Begins a snapshot that copies what the newest one lacks.
   * @throws BackupProblem when the folder has backups of another service
   */
  async begin(at: Date, service: string): Promise<FolderTarget> {
    const last = (await this.listNames()).length > 0 ? await this.openSnapshot(null) : null
    if (last !== null && last.head.service !== service) {
      throw new BackupProblem(`${this.folder} has backups of another service. Use another folder.`)
    }
    const name = snapshotName(at)
    if (last !== null && last.name >= name) {
      throw new BackupProblem(
        `the newest snapshot, ${last.name}, is not older than now. Check the clock.`,
      )
    }
    return new FolderTarget(this.folder, name, last?.openList() ?? null)
  }

  /**
   * Removes snapshots from before a moment, except the newest one, and then the segments that no
   * other snapshot has.
   * @returns the names of removed snapshots
   */
  async prune(before: Date): Promise<string[]> {
    const names = await this.listNames()
    const old = names.slice(0, -1).filter((name) => snapshotTime(name) < before)
    for (const name of old) {
      const folder = path.join(this.#snapshots, name)
      const renamed = path.join(this.#snapshots, `${unfinishedPrefix}${name}`)
      // Its segments may go next: it must never look complete again.
      await rename(folder, renamed)
      await syncFolder(path.dirname(folder))
      await rm(renamed, { recursive: true, force: true })
    }
    const kept: SegmentList[] = []
    for (const name of await this.listNames()) {
      kept.push((await this.openSnapshot(name)).openList())
    }
    await removeUnlisted(this.storageFolder, kept)
    return old
  }

  async #removeUnfinished(): Promise<void> {
    for (const name of await readdir(this.#snapshots)) {
      if (!name.startsWith(unfinishedPrefix)) continue
      await rm(path.join(this.#snapshots, name), { recursive: true, force: true })
    }
  }
}

/** Folders that cannot be written, and file systems without sockets, stay unlocked. */
async function lock(folder: string): Promise<() => Promise<void>> {
  const silent = createLog({ level: 'silent' })
  try {
    const held = await lockStorage(folder, randomRowId(), silent)
    return () => held.close()
  } catch (error) {
    if (!(error instanceof StorageInUse)) throw error
    throw new BackupProblem(
      `another backup or restore is using ${folder}. Wait until it has ended.`,
      { cause: error },
    )
  }
}

/** Folders of snapshots that are not complete; the next backup removes them. */
const unfinishedPrefix = '.unfinished-'

/**
 * A snapshot in a backup folder. Segments are shared with earlier snapshots, and only what those
 * lack is copied. A run that was killed may have left any bytes behind the end that the last
 * snapshot has of a segment, so these are written again. All other bytes are never written twice.
 */
class FolderTarget implements SnapshotTarget {
  readonly #storage: string
  readonly #unfinished: string
  readonly #final: string
  readonly #writes: DurableWrites
  readonly #previous: SegmentList | null

  /** @param previous the list of the last snapshot */
  constructor(folder: string, name: string, previous: SegmentList | null) {
    this.#storage = path.join(folder, storageName)
    this.#unfinished = path.join(folder, snapshotsName, `${unfinishedPrefix}${name}`)
    this.#final = path.join(folder, snapshotsName, name)
    this.#writes = new DurableWrites(this.#storage)
    this.#previous = previous
  }

  async put(name: string, data: Buffer): Promise<void> {
    const file = path.join(this.#unfinished, name)
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(file, data, { flag: 'wx', mode: 0o600, flush: true })
  }

  async openSegment(segment: ListedSegment, bytes: number): Promise<SegmentTarget | null> {
    const { containerId, segmentId } = segment
    const name = segmentFile(this.#storage, containerId, segmentId)
    const present = (await stat(name).catch(ignoreMissing))?.size ?? null
    const trusted = (await this.#previous?.find(segment))?.end ?? 0
    // If something has removed bytes from the backup, none of them is relied on.
    const isTrusted = present !== null && present >= trusted
    if (isTrusted && trusted >= segment.end) return null
    const from = isTrusted ? Math.min(trusted, bytes) : 0
    if (present === null) await this.#writes.folders.make(containerId)
    const file = await OpenFile.open(name, present === null ? 'wx+' : 'r+', 0o600)
    return {
      from,
      write: (data, position) => file.write([data], position),
      close: () => this.#writes.settle(file, containerId),
    }
  }

  async finish(): Promise<void> {
    await this.#writes.finish()
    await this.#previous?.close()
    await syncFolder(path.join(this.#unfinished, 'database'))
    await syncFolder(this.#unfinished)
    await rename(this.#unfinished, this.#final)
    await syncFolder(path.dirname(this.#final))
    await syncFolder(this.#storage)
  }

  async abandon(): Promise<void> {
    await this.#writes.finish().catch(() => {})
    await this.#previous?.close()
    await rm(this.#unfinished, { recursive: true, force: true })
  }
}

/**
 * Removes the segments in a backup that none of these lists has. Reads lists and folders side by
 * side in the same order, so that neither has to fit into memory.
 */
async function removeUnlisted(storageFolder: string, lists: readonly SegmentList[]): Promise<void> {
  try {
    for await (const { segment, name } of walk(storageFolder)) {
      if (!(await isListed(lists, segment))) await unlink(name)
    }
  } finally {
    for (const list of lists) await list.close()
  }
}

async function isListed(lists: readonly SegmentList[], segment: ListedSegment): Promise<boolean> {
  for (const list of lists) if ((await list.find(segment)) !== null) return true
  return false
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
