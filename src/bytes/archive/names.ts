import { TextSet } from './text-set.ts'
import { truncateToBytes, fold, makePortable, shorten, splitExtension } from './segments.ts'
import type { SplitName } from './segments.ts'

const pathBytesMax = 1024
const segmentBytesMax = 255
const depthMax = 64
/** Leaves at least 118 bytes for the last segment, even when the innermost folder got a number. */
const folderBytesMax = 896
/** Each folder costs memory: in a share with more of them, further ones are flattened. */
const foldersMax = 2 ** 18
/** Length of ` (n)` for the maximum number of names. */
const numberBytesMax = ' (4194304)'.length

/** Whether a folder can have an entry of its own. A path above these bounds is flattened. */
export function fitsAsFolder(path: string): boolean {
  return Buffer.byteLength(path) < folderBytesMax && path.split('/').length < depthMax
}

const unsafePatterns: ReadonlyArray<readonly [pattern: RegExp, problem: string]> = [
  [/\\/, 'a backslash'],
  [/^\//, 'a leading slash'],
  [/(?:^|\/)(?:\/|$)/, 'an empty segment'],
  [/(?:^|\/)\.{1,2}(?:\/|$)/, 'a segment of dots'],
  [/\p{Surrogate}/u, 'half a surrogate pair'],
]
const unsafeEntryPatterns: typeof unsafePatterns = [
  ...unsafePatterns,
  [/^[A-Za-z]:/, 'a drive'],
  // oxlint-disable-next-line no-control-regex
  [/[\u0000-\u001f\u007f-\u009f]/, 'a control character'],
]

function assertNone(name: string, patterns: typeof unsafePatterns): void {
  for (const [pattern, problem] of patterns) {
    if (pattern.test(name)) {
      throw new Error(`not a name for an archive, it has ${problem}: ${JSON.stringify(name)}`)
    }
  }
}

/**
 * The last check before a name gets into an archive: extracting it must not write outside of the
 * target folder ("zip slip").
 *
 * @throws Error for an empty segment, `.`, `..`, a leading `/`, a drive, a backslash, a control
 *   character, half a surrogate pair, or more bytes of UTF-8 than a header's length field allows
 */
export function assertSafeEntryName(name: string): void {
  assertNone(name, unsafeEntryPatterns)
  if (Buffer.byteLength(name) > 0xffff) throw new Error('a name of over 65,535 bytes')
}

interface Folder {
  id: number
  /** Empty, or ends with `/`. */
  path: string
  bytes: number
  depth: number
}

const rootFolder: Folder = { id: 0, path: '', bytes: 0, depth: 0 }
const isFile = -1

/**
 * Gives each file of an archive a unique entry name, on any file system, that every system can
 * write. The same names in the same order always give the same result, and a name added later never
 * changes an earlier one.
 *
 * - Characters that Windows refuses become `_` (see `makePortable`).
 * - Of two equal names (see `fold`) the later one becomes `name (1).ext`, with the next free
 *   number. Folders merge with folders. A folder with the name of a file is `name (1)` for all
 *   files in it.
 * - At most 1,024 bytes, 64 segments, 255 bytes per segment: stems are shortened, extensions stay.
 *   Folders that are too deep, or leave no space for the last segment, are joined to it with `_`.
 */
export class EntryNames {
  /** `<id of the folder>/<folded segment>` → the id of that folder. */
  readonly #folders = new Map<string, number>()
  /** The same keys, for files: a collision only costs a name a needless number. */
  readonly #files = new TextSet()
  /** The same key, from a folder's own name → the name it got because a file had that one. */
  readonly #renamedFolders = new Map<string, string>()
  /** The same key, from stem and extension apart → the lowest number never tried. */
  readonly #nextNumbers = new Map<string, number>()
  /** Kept folders without anything in them, by id: the paths that they were kept with. */
  readonly #emptyFolders = new Map<number, string>()
  readonly #filledFolders: string[] = []
  #folderCount = 0
  #lastFolder: { original: string; folder: Folder } = { original: '', folder: rootFolder }

  /**
   * @param originalName relative path with `/`
   * @throws Error for an empty segment, `.`, `..`, a leading `/`, half a surrogate pair, and for a
   *   backslash, which is never taken for a separator
   */
  assign(originalName: string): string {
    assertNone(originalName, unsafePatterns)
    const name = originalName.normalize('NFC')
    const lastSlash = name.lastIndexOf('/')
    const originalFolder = name.slice(0, lastSlash + 1)
    if (originalFolder === this.#lastFolder.original) {
      return this.#assignFile(this.#lastFolder.folder, name.slice(lastSlash + 1))
    }
    let folder = rootFolder
    let start = 0
    for (let slash = name.indexOf('/'); slash !== -1; slash = name.indexOf('/', start)) {
      const inner = this.#enter(folder, name.slice(start, slash))
      if (inner === null) return this.#assignFile(folder, name.slice(start).replaceAll('/', '_'))
      folder = inner
      start = slash + 1
    }
    this.#lastFolder = { original: originalFolder, folder }
    return this.#assignFile(folder, name.slice(start))
  }

  /**
   * The same for a folder without files; both paths are without a slash at their end.
   * @returns null when the folder has an entry already, by a file or a folder in it, and when it
   *   would exceed a limit
   */
  assignFolder(originalPath: string): string | null {
    assertNone(originalPath, unsafePatterns)
    const countBefore = this.#folderCount
    let folder = rootFolder
    for (const segment of originalPath.normalize('NFC').split('/')) {
      const inner = this.#enter(folder, segment)
      if (inner === null) return null
      folder = inner
    }
    return this.#folderCount > countBefore ? folder.path.slice(0, -1) : null
  }

  /**
   * Keeps a name that was assigned before: no later name equals it, and files from the same
   * original folder go into the same folder. All kept names come before the first assigned one.
   * @param originalName the name that it was assigned to
   */
  keep(originalName: string, entryName: string): void {
    const segments = entryName.split('/')
    const last = segments.pop() as string
    this.#files.add(keyOf(this.#keepFolders(originalName, segments), last))
  }

  /** The same for a folder that was assigned before, and is empty. */
  keepFolder(originalPath: string, entryName: string): void {
    const { id } = this.#keepFolders(originalPath, entryName.split('/'))
    this.#emptyFolders.set(id, originalPath)
  }

  /** The paths of kept folders that have got a file or a folder since. */
  get filledFolders(): readonly string[] {
    return this.#filledFolders
  }

  #fill({ id }: Folder): void {
    const path = this.#emptyFolders.get(id)
    if (path === undefined) return
    this.#emptyFolders.delete(id)
    this.#filledFolders.push(path)
  }

  #keepFolders(originalName: string, segments: readonly string[]): Folder {
    const originals = originalName.normalize('NFC').split('/')
    let folder = rootFolder
    for (const [place, segment] of segments.entries()) {
      const ownName = shorten(makePortable(originals[place] ?? segment), segmentBytesMax)
      if (fold(ownName) !== fold(segment)) {
        this.#renamedFolders.set(keyOf(folder, ownName), segment)
      }
      folder = this.#keepFolder(folder, segment)
    }
    return folder
  }

  /**
   * Id of the folder with this name, `isFile` for the name of a file, undefined for a free name.
   */
  #idOf(key: string): number | undefined {
    return this.#folders.get(key) ?? (this.#files.has(key) ? isFile : undefined)
  }

  #keepFolder(parent: Folder, segment: string): Folder {
    const key = keyOf(parent, segment)
    let id = this.#folders.get(key)
    if (id === undefined) {
      id = ++this.#folderCount
      this.#folders.set(key, id)
    }
    const bytes = parent.bytes + Buffer.byteLength(segment) + 1
    return { id, path: `${parent.path}${segment}/`, bytes, depth: parent.depth + 1 }
  }

  /** The folder of that name inside `parent`, made if missing; null when that exceeds a limit. */
  #enter(parent: Folder, originalSegment: string): Folder | null {
    const ownName = shorten(makePortable(originalSegment), segmentBytesMax)
    // Judged by its own name, so that all files of a folder are treated alike once it has a number.
    const ownBytes = parent.bytes + Buffer.byteLength(ownName) + 1
    if (ownBytes > folderBytesMax || parent.depth + 1 >= depthMax) return null

    const ownKey = keyOf(parent, ownName)
    let segment = this.#renamedFolders.get(ownKey) ?? ownName
    let id = this.#idOf(keyOf(parent, segment))
    if (id === undefined || id === isFile) {
      if (this.#folderCount >= foldersMax) return null
      if (id === isFile) {
        segment = this.#number(parent, { stem: ownName, extension: '' }, segmentBytesMax)
        this.#renamedFolders.set(ownKey, segment)
      }
      id = ++this.#folderCount
      this.#folders.set(keyOf(parent, segment), id)
      this.#fill(parent)
    }
    const bytes = parent.bytes + Buffer.byteLength(segment) + 1
    return { id, path: `${parent.path}${segment}/`, bytes, depth: parent.depth + 1 }
  }

  #assignFile(folder: Folder, originalSegment: string): string {
    this.#fill(folder)
    const bytesMax = Math.min(segmentBytesMax, pathBytesMax - folder.bytes)
    const segment = shorten(makePortable(originalSegment), bytesMax)
    const key = keyOf(folder, segment)
    if (this.#idOf(key) === undefined) {
      this.#files.add(key)
      return folder.path + segment
    }
    const numbered = this.#number(folder, splitExtension(segment), bytesMax)
    this.#files.add(keyOf(folder, numbered))
    return folder.path + numbered
  }

  /**
   * The name with its next free number. Stems are shortened alike for every number, and count
   * together: no number is tried twice, so many equal names cost linear time.
   */
  #number(folder: Folder, { stem, extension }: SplitName, bytesMax: number): string {
    const room = bytesMax - Buffer.byteLength(extension) - numberBytesMax
    const truncateStem = truncateToBytes(stem, room)
    // A folder `a.x` and a file `a.x` get their numbers in different places, so they count apart.
    const counter = keyOf(folder, `${truncateStem}/${extension}`)
    let number = this.#nextNumbers.get(counter) ?? 1
    while (this.#idOf(keyOf(folder, `${truncateStem} (${number})${extension}`)) !== undefined)
      number++
    this.#nextNumbers.set(counter, number + 1)
    return `${truncateStem} (${number})${extension}`
  }
}

function keyOf(folder: Folder, segment: string): string {
  return `${folder.id}/${fold(segment)}`
}
