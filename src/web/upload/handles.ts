// Files as browsers let pages find them again: in Chromium, in a secure context. What is kept is
// where a file is, never its bytes; in a later visit the person is asked before it is read again.
import { identityOf } from './manifest.ts'
import type { FileOrigin, PickedFile, UploadRecord } from './types.ts'
import { collectEntries, type BrowserFile, type Collected, type DroppedEntry } from './walk.ts'

/** The little of FileSystemFileHandle and FileSystemDirectoryHandle that is used. */
export interface Handle extends FileOrigin {
  getFile?(): Promise<BrowserFile>
  values?(): AsyncIterator<Handle>
  queryPermission?(mode: { mode: 'read' }): Promise<string>
  requestPermission?(mode: { mode: 'read' }): Promise<string>
}

const entriesAtOnce = 100

/** What was chosen with a picker that gives handles, folders with all below them. */
export function collectHandles(
  handles: readonly Handle[],
  pause: (seen: number) => Promise<void>,
): Promise<Collected> {
  return collectEntries(
    handles.map((origin) => ({ entry: entryOf(origin), origin })),
    pause,
  )
}

/**
 * The files of an earlier visit, where the browser knows where they are and the person lets it
 * look: to be called soon after a click. Of a folder only what was chosen then; what has another
 * size or time by now comes along, and is found to be changed.
 */
export async function reopen({ origins, files }: UploadRecord): Promise<PickedFile[]> {
  const allowed: Handle[] = []
  for (const handle of (origins ?? []) as readonly Handle[]) {
    // Somebody who says no is not asked again and again.
    if (!(await isAllowed(handle))) break
    allowed.push(handle)
  }
  const breathe = () => new Promise<void>((resolve) => void setTimeout(resolve))
  const found = await collectHandles(allowed, breathe)
  const known = new Set(files.flatMap(({ id, path }) => [id, path]))
  return found.files.filter(({ path, size, lastModified }) => {
    return known.has(identityOf(path, size, lastModified)) || known.has(path)
  })
}

async function isAllowed(handle: Handle): Promise<boolean> {
  try {
    const mode = { mode: 'read' } as const
    if ((await handle.queryPermission?.(mode)) === 'granted') return true
    return (await handle.requestPermission?.(mode)) === 'granted'
  } catch {
    // Too long after the click, or the browser does not ask here.
    return false
  }
}

/** A handle as the walk through what was dropped sees it. */
function entryOf(handle: Handle): DroppedEntry {
  const { name, kind } = handle
  const isFile = kind === 'file'
  return {
    name,
    isFile,
    isDirectory: !isFile,
    file: (found, failed) => void handle.getFile!().then(found, failed),
    createReader() {
      const inner = handle.values!()
      return { readEntries: (found, failed) => void nextOf(inner).then(found, failed) }
    },
  }
}

async function nextOf(inner: AsyncIterator<Handle>): Promise<DroppedEntry[]> {
  const entries: DroppedEntry[] = []
  while (entries.length < entriesAtOnce) {
    const { value, done } = await inner.next()
    if (done) break
    entries.push(entryOf(value))
  }
  return entries
}
