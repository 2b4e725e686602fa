// The files of an upload, identified regardless of when they were chosen.
import { archivePath, fold } from './archive-path.ts'
import { identityOf, keyOf, type ReceivedFile } from './manifest.ts'
import { percentOf } from './meter.ts'
import { cleanPath } from './names.ts'
import { QueuedFile } from './queue.ts'
import type * as types from './types.ts'

export const changedProblem: types.Problem = {
  code: 'changed',
  message: 'The file is not what it was when its upload began.',
}
export const restartedProblem: types.Problem = {
  code: 'restarted',
  message: 'The file is not what it was when its upload began, so it starts over.',
}
const refusedName: types.Problem = { code: 'refused_name', message: 'This path cannot be sent.' }

export class Files {
  readonly #byId = new Map<string, QueuedFile>()
  readonly #byIdentity = new Map<string, QueuedFile>()
  /** By folded path. */
  readonly #byPath = new Map<string, QueuedFile>()
  readonly #numbers = new Map<string, number>()
  /** Received chunks when an upload was restored, for files that are chosen later. */
  #received: Map<string, ReceivedFile> = new Map()
  /** Keys of removed files, and of such that start over, of which the service has chunks. */
  readonly unneeded = new Set<string>()
  #rows: readonly types.FileState[] = []

  constructor(record: types.UploadRecord | null) {
    for (const file of record?.files ?? []) this.#insert(file.path, file)
  }

  get size(): number {
    return this.#byId.size
  }

  get(id: string): QueuedFile | undefined {
    return this.#byId.get(id)
  }

  values(): Iterable<QueuedFile> {
    return this.#byId.values()
  }

  /** @returns the file if it must be sent now */
  add(picked: types.PickedFile): QueuedFile | null {
    const cleaned = cleanPath(picked.path)
    const identity = identify(picked)
    const known = this.#byIdentity.get(identity)
    if (known) return attach(known, picked)
    const { size, lastModified, type } = picked
    if (cleaned === null) {
      const refused = this.#insert(picked.path, { id: identity, size, lastModified, type })
      refused.set('skipped', refusedName)
      return null
    }
    const wanted = archivePath(cleaned, new Set(), new Map())
    const namesake = this.#byPath.get(fold(wanted))
    const isOpen = namesake && ['missing', 'changed', 'failed', 'skipped'].includes(namesake.status)
    if (isOpen && namesake.path === wanted) return this.#replace(namesake, picked, identity)
    const path = archivePath(wanted, this.#byPath, this.#numbers)
    const file = this.#insert(path, { id: identity, size, lastModified, type })
    const received = this.#received.get(identity)
    if (received) adopt(file, received)
    return attach(file, picked)
  }

  /** A file that is sent from another object, with the same path, size and time. */
  rivalOf(picked: types.PickedFile): QueuedFile | null {
    const known = this.#byIdentity.get(identify(picked))
    const isSent = known && known.size > 0 && ['waiting', 'sending', 'done'].includes(known.status)
    return isSent && known.source && known.source !== picked.file ? known : null
  }

  /** @returns the file if it must be sent now */
  retry(file: QueuedFile): QueuedFile | null {
    const { status, problem } = file
    if (!['failed', 'skipped', 'changed'].includes(status) || problem === refusedName) return null
    // Received chunks of the old content do not belong to the new one.
    if (status !== 'failed') file.restart()
    file.set('missing')
    return file.picked && attach(file, file.picked)
  }

  remove(file: QueuedFile): void {
    this.#byId.delete(file.id)
    this.#byIdentity.delete(file.identity)
    this.#received.delete(file.identity)
    const folded = fold(file.path)
    if (this.#byPath.get(folded) === file) this.#byPath.delete(folded)
    this.#numbers.clear()
    file.restart()
    file.set('skipped')
  }

  /**
   * Applies the service's list to every file that was not begun here.
   * @returns the files that were chosen already, and are compared with it
   */
  restore(received: Map<string, ReceivedFile>): QueuedFile[] {
    this.#received = received
    const unchecked: QueuedFile[] = []
    for (const file of this.values()) {
      const found = received.get(file.identity)
      if (!found || file.key !== null) continue
      adopt(file, found)
      if (file.source && doubt(file)) unchecked.push(file)
    }
    return unchecked
  }

  /** Files that block finalize until the user acts. */
  get needSomebody(): boolean {
    let isEmpty = this.size > 0
    for (const { status } of this.values()) {
      if (['failed', 'changed', 'missing'].includes(status)) return true
      if (status !== 'skipped') isEmpty = false
    }
    return isEmpty
  }

  /** The body of finalize; null without any file. */
  listed(): object | null {
    const files = []
    for (const file of this.values()) {
      if (file.status === 'skipped') continue
      files.push({
        fileName: file.path,
        originalName: file.path,
        fileId: fileKey(file),
        size: file.size,
        ...(file.type === '' ? {} : { mimeType: file.type }),
        ...modifiedAtOf(file),
      })
    }
    return files.length === 0 ? null : { files, discardUnlisted: true }
  }

  records(): types.FileRecord[] {
    const records: types.FileRecord[] = []
    for (const file of this.values()) {
      const { identity: id, path, size, lastModified, type } = file
      if (file.status === 'skipped') continue
      records.push({ id, path, size, lastModified, type, key: fileKey(file) })
    }
    return records
  }

  rows(): readonly types.FileState[] {
    const rows = Array.from(this.values(), (file) => file.state)
    const isSame =
      rows.length === this.#rows.length && rows.every((row, place) => row === this.#rows[place])
    if (!isSame) this.#rows = rows
    return this.#rows
  }

  totals(isDone: boolean): types.UploadTotals {
    let [files, filesDone, bytes, bytesDone] = [0, 0, 0, 0]
    for (const { status, size, shown } of this.values()) {
      if (status === 'skipped') continue
      files += 1
      filesDone += status === 'done' ? 1 : 0
      bytes += size
      bytesDone += shown
    }
    return { files, filesDone, bytes, bytesDone, percent: percentOf(bytesDone, bytes, isDone) }
  }

  /** Gives the place of a missing, changed, failed or skipped file to another with its path. */
  #replace(file: QueuedFile, picked: types.PickedFile, identity: string): QueuedFile | null {
    const wasMissing = file.status === 'missing'
    this.#byIdentity.delete(file.identity)
    file.become(picked, identity)
    this.#byIdentity.set(identity, file)
    // The user who continues expects the old content, so they must decide about the change.
    if (wasMissing) file.set('changed', changedProblem)
    else {
      file.set('missing')
      return attach(file, picked)
    }
    return null
  }

  #insert(path: string, init: Omit<types.FileRecord, 'path' | 'key'> & { key?: string }) {
    let { id } = init
    while (this.#byId.has(id)) id += '~'
    const file = new QueuedFile({ ...init, id, path, identity: init.id, unneeded: this.unneeded })
    this.#byId.set(id, file)
    this.#byIdentity.set(init.id, file)
    this.#byPath.set(fold(path), file)
    return file
  }
}

const year10000 = Date.UTC(10_000, 0)

/** For the service, if it is known; the service has four digits for years. */
export function modifiedAtOf({ lastModified: ms }: QueuedFile): { modifiedAt?: string } {
  return ms > 0 && ms < year10000 ? { modifiedAt: new Date(ms).toISOString() } : {}
}

/** An empty file of an earlier page may have no key. */
function fileKey({ key, formerKey, identity, turn, path }: QueuedFile): string {
  return key ?? formerKey ?? keyOf({ identity, turn, chunkBytes: 1024 }, path)
}

function adopt(file: QueuedFile, received: ReceivedFile): void {
  file.adopt(received)
  if (file.isComplete) file.set('done')
}

/** @returns the file if it must be sent or compared now */
function attach(file: QueuedFile, picked: types.PickedFile): QueuedFile | null {
  const isOther = file.source !== picked.file
  // What was not sent from this object may differ from it.
  if (isOther && ['changed', 'skipped'].includes(file.status)) file.restart()
  if (!isOther && file.status !== 'missing') return null
  if (file.problem === refusedName) return null
  file.picked = picked
  // Nothing is left to be sent of one that finalize has refused.
  const isSent = file.isComplete && (!isOther || file.size === 0)
  file.set(isSent ? 'done' : 'waiting')
  if (isSent) return null
  if (isOther) doubt(file)
  return file
}

/**
 * Call when another object takes the place of the one that received chunks came from.
 * @returns whether it must be compared with them
 */
function doubt(file: QueuedFile): boolean {
  if (file.receivedBytes === 0) return false
  file.isUnchecked = true
  file.set('waiting')
  return true
}

function identify({ path, size, lastModified, copy }: types.PickedFile): string {
  return identityOf(cleanPath(path) ?? path, size, lastModified, copy)
}
