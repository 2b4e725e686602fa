// Turns dropped or chosen folders into lists of files with paths. Unreadable entries are listed,
// and never prevent the rest. Declares only the parts of browser types that it uses.
import { cleanPath, isClutter } from './names.ts'
import type { FileOrigin, FileSource, PickedFile, Problem } from './types.ts'

export interface BrowserFile extends FileSource {
  readonly type: string
  readonly webkitRelativePath?: string
}

/** FileSystemEntry, FileSystemFileEntry and FileSystemDirectoryEntry in one. */
export interface DroppedEntry {
  readonly name: string
  readonly isFile: boolean
  readonly isDirectory: boolean
  file?(found: (file: BrowserFile) => void, failed: (error: unknown) => void): void
  createReader?(): {
    readEntries(found: (entries: DroppedEntry[]) => void, failed: (error: unknown) => void): void
  }
}

export interface DroppedItem {
  readonly kind: string
  getAsFile(): BrowserFile | null
  webkitGetAsEntry?(): DroppedEntry | null
  getAsFileSystemHandle?(): Promise<FileOrigin | null>
}

export interface Collected {
  readonly files: readonly PickedFile[]
  /** Paths of folders without anything to send. An `<input>` does not list them. */
  readonly emptyFolders: readonly string[]
  /** Unreadable entries: dead links, missing rights, refused names. */
  readonly problems: readonly { readonly path: string; readonly problem: Problem }[]
}

/**
 * For files of an `<input>` in Chromium, reading a size asks another process, which takes half a
 * millisecond.
 */
const entriesBetweenPauses = 20
/** Deeper than any path that the service accepts; file systems may contain cycles. */
const depthMax = 100

interface Walk {
  readonly files: PickedFile[]
  readonly emptyFolders: string[]
  readonly problems: { path: string; problem: Problem }[]
  seen: number
  /** How often a path, size and time have been found. */
  readonly found: Map<string, number>
  /** The handle of the entry that is being read. */
  origin: FileOrigin | null
  readonly step: (seen: number) => Promise<void>
}

/**
 * Entries of a drop. Must be called during the event, because its items are gone afterwards.
 * @param pause lets the page respond if necessary, and may show the number of entries so far
 */
export function collectDropped(
  items: ArrayLike<DroppedItem>,
  pause: (seen: number) => Promise<void>,
): Promise<Collected> {
  const tops = Array.from(items)
    .filter(({ kind }) => kind === 'file')
    .map((item) => {
      // Before the entry: both are available only during the event.
      const origin = item.getAsFileSystemHandle?.().catch(() => null)
      return { top: item.webkitGetAsEntry?.() ?? item.getAsFile(), origin }
    })
  const walk = newWalk(pause)
  return (async () => {
    for (const { top, origin } of tops) {
      walk.origin = (await origin) ?? null
      if (top === null) refuse(walk, '', 'unreadable')
      else if ('isFile' in top) await walkEntry(walk, top, '', 0)
      else take(walk, top, top.name)
    }
    return walk
  })()
}

/** Entries with the handles that they came from. */
export async function collectEntries(
  tops: readonly { readonly entry: DroppedEntry; readonly origin: FileOrigin }[],
  pause: (seen: number) => Promise<void>,
): Promise<Collected> {
  const walk = newWalk(pause)
  for (const { entry, origin } of tops) {
    walk.origin = origin
    await walkEntry(walk, entry, '', 0)
  }
  return walk
}

/** The files of an `<input type=file>`, including folders. */
export async function collectPicked(
  chosen: ArrayLike<BrowserFile>,
  pause: (seen: number) => Promise<void>,
): Promise<Collected> {
  const walk = newWalk(pause)
  for (const file of Array.from(chosen)) {
    await count(walk)
    take(walk, file, file.webkitRelativePath || file.name)
  }
  return walk
}

function newWalk(step: Walk['step']): Walk {
  const lists = { files: [], emptyFolders: [], problems: [] }
  return { ...lists, origin: null, step, seen: 0, found: new Map() }
}

async function walkEntry(walk: Walk, entry: DroppedEntry, folder: string, depth: number) {
  await count(walk)
  const path = folder + entry.name
  try {
    if (entry.isFile) {
      take(walk, await new Promise<BrowserFile>((found, no) => entry.file!(found, no)), path)
    } else if (depth < depthMax) await walkFolder(walk, entry, path, depth)
    else refuse(walk, path, 'too_deep')
  } catch {
    refuse(walk, path, 'unreadable')
  }
}

async function walkFolder(walk: Walk, entry: DroppedEntry, path: string, depth: number) {
  const reader = entry.createReader!()
  let isEmpty = true
  for (;;) {
    // Returns a hundred at a time; only an empty answer is the end.
    const entries = await new Promise<DroppedEntry[]>((found, no) => reader.readEntries(found, no))
    if (entries.length === 0) break
    isEmpty &&= entries.every(({ isFile, name }) => isFile && isClutter(name))
    for (const inner of entries) await walkEntry(walk, inner, `${path}/`, depth + 1)
  }
  if (isEmpty) walk.emptyFolders.push(path)
}

function take(walk: Walk, file: BrowserFile, path: string): void {
  if (isClutter(file.name)) return
  const cleaned = cleanPath(path)
  if (cleaned === null) return refuse(walk, path, 'refused_name')
  const { size, lastModified, type } = file
  const look = `${lastModified}/${size}/${cleaned}`
  const copy = walk.found.get(look) ?? 0
  walk.found.set(look, copy + 1)
  const rest = { ...(copy && { copy }), ...(walk.origin && { origin: walk.origin }) }
  walk.files.push({ path: cleaned, file, size, lastModified, type, ...rest })
}

function refuse(walk: Walk, path: string, code: string): void {
  walk.problems.push({ path, problem: { code, message: path } })
}

async function count(walk: Walk): Promise<void> {
  walk.seen += 1
  if (walk.seen % entriesBetweenPauses === 0) await walk.step(walk.seen)
}
