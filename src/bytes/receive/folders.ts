import { setImmediate } from 'node:timers/promises'
import type { Sql } from '../../database/connect.ts'
import { CodedError } from '../../lib/errors.ts'
import { fitsAsFolder, type EntryNames } from '../archive/names.ts'
import * as rows from '../files-sql.ts'
import type { SkipReason } from '../archive/tar/sink.ts'
import type { CommitDeps, UploadTarget } from './commit.ts'
import { fitName } from './file-rules.ts'
import { lockContainer } from './sql.ts'

/** Empty folders of a container. */
const foldersMax = 10_000
/** Memory of the folders that an archive holds, in UTF-16 units. */
const heldLengthMax = 64 * 1024
/** Memory of a folder beside its paths. */
const overheadLength = 64

/** The empty folders of an archive, while it arrives. */
export class IncomingFolders {
  /**
   * Folders with neither a file nor another folder beneath them so far: the fitted path of each →
   * the path that was sent.
   */
  readonly #held = new Map<string, string>()
  /** Upper bound of their memory: folders that get a file are not subtracted. */
  #heldLength = 0
  /** The folder of the last file: most files come folder by folder. */
  #lastParent = ''
  #hasRoom = true
  readonly #keep: (paths: readonly string[]) => Promise<readonly string[]>

  /** @param keep stores paths, and returns those that the container keeps */
  constructor(keep: (paths: readonly string[]) => Promise<readonly string[]>) {
    this.#keep = keep
  }

  /** Whether to store what is held before more is added. */
  get isFull(): boolean {
    if (this.#heldLength <= heldLengthMax) return false
    this.#heldLength = 0
    for (const [fitted, path] of this.#held) this.#heldLength += lengthOf(fitted, path)
    // Half of the bound, so that this is not computed for every further folder.
    return this.#heldLength > heldLengthMax / 2
  }

  /** Returns why the folder is not kept, if so. */
  add(path: string): SkipReason | null {
    const fitted = fitName(path)
    const isUsable = typeof fitted !== 'string' && fitsAsFolder(fitted.name)
    if (!isUsable) return 'unusable folder name'
    this.#heldLength += lengthOf(fitted.name, path)
    this.#dropAbove(fitted.name)
    this.#held.set(fitted.name, path)
    this.#lastParent = ''
    return null
  }

  takeFile(name: string): void {
    const parent = name.slice(0, Math.max(0, name.lastIndexOf('/')))
    if (parent === this.#lastParent) return
    this.#dropAbove(name)
    this.#lastParent = parent
  }

  /**
   * Stores the folders that are still empty; before the end of the archive all but the last one,
   * whose files may be next. What is stored and gets files later is forgotten once these are
   * complete.
   * @returns the paths for which there is no room, as they were sent
   */
  async store(isEnd: boolean): Promise<string[]> {
    const held = [...this.#held]
    this.#held.clear()
    this.#heldLength = 0
    const last = isEnd ? undefined : held.pop()
    if (last) this.#held.set(...last)
    if (held.length === 0) return []
    const kept = this.#hasRoom ? await this.#keep(held.map(([fitted]) => fitted)) : []
    const known = new Set(kept)
    const lost = held.filter(([fitted]) => !known.has(fitted))
    this.#hasRoom = lost.length === 0
    return lost.map(([, path]) => path)
  }

  #dropAbove(path: string): void {
    if (this.#held.size === 0) return
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      this.#held.delete(path.slice(0, end))
    }
  }
}

function lengthOf(fitted: string, path: string): number {
  return fitted.length + path.length + overheadLength
}

/**
 * Keeps the empty folders of an archive until its files are complete.
 * @returns those that are kept, now or since earlier
 * @throws CodedError not_found; what the target's checks throw
 */
export async function storeFolders(
  { begin }: CommitDeps,
  target: UploadTarget,
  paths: readonly string[],
): Promise<string[]> {
  return begin(target.containerId, async (sql) => {
    if (!(await lockContainer(sql, target.containerId))) throw new CodedError('not_found')
    await target.recheck(sql)
    return rows.keepFolders(sql, target.containerId, paths, foldersMax)
  })
}

/**
 * Gives the received folders their entry names, and forgets those that hold something, also earlier
 * ones that were empty until now. Archives and lists have them once this transaction has ended.
 * @param names has all files of the container
 */
export async function completeFolders(
  sql: Sql,
  containerId: string,
  { names, createdAt }: { readonly names: EntryNames; readonly createdAt: Date },
): Promise<void> {
  let last: string | null = null
  for (;;) {
    const paths: string[] = await rows.listPendingFolders(sql, containerId, last)
    if (paths.length === 0) break
    const named = paths.flatMap((path) => {
      const entryName = names.assignFolder(path)
      return entryName === null ? [] : [{ path, entryName }]
    })
    await rows.nameFolders(sql, containerId, named, createdAt)
    last = paths.at(-1)!
    await setImmediate()
  }
  await rows.deletePendingFolders(sql, containerId)
  await rows.deleteFolders(sql, containerId, names.filledFolders)
}
