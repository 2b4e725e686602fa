import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { isLockFile, lockStorage, StorageInUse } from '../bytes/storage-lock.ts'
import { ignoreMissing, syncFolder } from '../lib/durable-file.ts'
import { isSystemError } from '../lib/errors.ts'
import { createLog } from '../lib/log.ts'
import { randomRowId } from '../lib/random-id.ts'
import { FolderTarget, unfinishedPrefix } from './folder-target.ts'
import { completeName, snapshotName, snapshotPattern, snapshotTime } from './format.ts'
import { BackupProblem } from './problem.ts'
import { removeUnlisted } from './unlisted.ts'
import { Snapshot } from './snapshot.ts'

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
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      if (!isSystemError(error, 'EEXIST', 'ENOTDIR')) throw error
      throw new BackupProblem(`${folder} is a file, or below one. Use a folder for backups.`)
    })
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

  /** Names of snapshots, the oldest first. */
  async listNames(): Promise<string[]> {
    const names = await readdir(path.join(this.folder, snapshotsName)).catch(ignoreMissing)
    return (names ?? []).filter((name) => snapshotPattern.test(name)).toSorted()
  }

  /** Whether a snapshot was finished, which its last file shows. */
  async isComplete(name: string): Promise<boolean> {
    const file = path.join(this.folder, snapshotsName, name, completeName)
    return (await stat(file).catch(ignoreMissing)) !== undefined
  }

  /** @param name null for the newest @throws BackupProblem */
  async openSnapshot(name: string | null): Promise<Snapshot> {
    const names = await this.listNames()
    const chosen = name ?? names.at(-1)
    if (chosen === undefined || !names.includes(chosen)) {
      throw new BackupProblem(`there is no snapshot ${chosen ?? ''} in ${this.folder}`)
    }
    return Snapshot.open(path.join(this.folder, snapshotsName, chosen))
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
    return FolderTarget.begin(this.folder, name, last?.openList() ?? null)
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
      const folder = path.join(this.folder, snapshotsName, name)
      const renamed = path.join(this.folder, snapshotsName, `${unfinishedPrefix}${name}`)
      // Its segments may go next: it must never look complete again.
      await rename(folder, renamed)
      await syncFolder(path.dirname(folder))
      await rm(renamed, { recursive: true, force: true })
    }
    const kept: Snapshot[] = []
    for (const name of await this.listNames()) kept.push(await this.openSnapshot(name))
    await removeUnlisted(
      this.storageFolder,
      kept.map((snapshot) => snapshot.openList()),
    )
    return old
  }

  async #removeUnfinished(): Promise<void> {
    const snapshots = path.join(this.folder, snapshotsName)
    for (const name of await readdir(snapshots)) {
      if (!name.startsWith(unfinishedPrefix)) continue
      await rm(path.join(snapshots, name), { recursive: true, force: true })
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
