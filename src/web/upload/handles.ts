// File handles, which let pages find files again: in Chromium, in a secure context. They hold the
// place of a file, never its bytes; in a later visit the browser asks for permission first.
import { identityOf } from './manifest.ts'
import type { FileOrigin, PickedFile, UploadRecord } from './types.ts'
import { collectEntries, type BrowserFile, type DroppedEntry } from './walk.ts'

/** The part of FileSystemFileHandle and FileSystemDirectoryHandle that is used. */
export interface Handle extends FileOrigin {
  getFile?(): Promise<BrowserFile>
  values?(): AsyncIterator<Handle>
  queryPermission?(mode: { mode: 'read' }): Promise<string>
  requestPermission?(mode: { mode: 'read' }): Promise<string>
}

const entriesAtOnce = 100

/** Files from a picker that returns handles, including all files in folders. */
export function collectHandles(handles: readonly Handle[], pause: (seen: number) => Promise<void>) {
  return collectEntries(
    handles.map((origin) => ({ entry: entryOf(origin), origin })),
    pause,
  )
}

/**
 * The files of an earlier visit, if the browser has their handles and the user permits it; call it
 * soon after a click. From a folder only the files chosen then; files with another size or time are
 * included, and found to be changed.
 */
export async function reopen({ origins, files }: UploadRecord): Promise<PickedFile[]> {
  const allowed: Handle[] = []
  for (const handle of (origins ?? []) as readonly Handle[]) {
    // After one refusal the user is not asked again.
    if (!(await isAllowed(handle))) break
    allowed.push(handle)
  }
  const breathe = () => new Promise<void>((resolve) => void setTimeout(resolve))
  const found = await collectHandles(allowed, breathe)
  const known = new Set(files.flatMap(({ id, path }) => [id, path]))
  return found.files.filter(({ path, size, lastModified, copy }) => {
    return known.has(identityOf(path, size, lastModified, copy)) || known.has(path)
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

/** A handle in the form of a dropped entry. */
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
