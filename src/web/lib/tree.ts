/** A leaf of a tree: a path with `/` between folders, and a size in bytes. */
export interface Leaf {
  readonly id: number | string
  readonly path: string
  readonly size: number
}

export interface Folder<T extends Leaf> {
  readonly name: string
  /** Without a trailing slash; empty for the root. */
  readonly path: string
  readonly folders: readonly Folder<T>[]
  /** Directly in this folder. */
  readonly files: readonly T[]
  /** Number of its counted files, including all subfolders; then their bytes. */
  readonly count: number
  readonly bytes: number
}

interface Growing<T extends Leaf> extends Folder<T> {
  readonly folders: Growing<T>[]
  readonly files: T[]
  count: number
  bytes: number
}

/** Folders and files in order of appearance. */
export function buildTree<T extends Leaf>(
  files: readonly T[],
  isCounted: (file: T) => boolean = () => true,
): Folder<T> {
  const top = makeFolder<T>('', '')
  const known = new Map([['', top]])
  for (const file of files) {
    const chain = findFolders(top, known, file.path)
    chain.at(-1)!.files.push(file)
    if (!isCounted(file)) continue
    for (const folder of chain) {
      folder.count += 1
      folder.bytes += file.size
    }
  }
  return top
}

/** Compares names as people count: `2.txt` before `10.txt`. Made once for each list: it is slow. */
export const byName = () => new Intl.Collator(undefined, { numeric: true }).compare

export function sortTree<T extends Leaf>(folder: Folder<T>): Folder<T> {
  const compare = byName()
  const sorted = (inner: Folder<T>): Folder<T> => ({
    ...inner,
    folders: inner.folders.map(sorted).toSorted((one, other) => compare(one.name, other.name)),
    files: inner.files.toSorted((one, other) => compare(one.path, other.path)),
  })
  return sorted(folder)
}

/** The folders on the path to a file, from the root; makes missing ones. */
function findFolders<T extends Leaf>(
  top: Growing<T>,
  known: Map<string, Growing<T>>,
  path: string,
): Growing<T>[] {
  const chain = [top]
  for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) {
    const folderPath = path.slice(0, end)
    let folder = known.get(folderPath)
    if (!folder) {
      folder = makeFolder(nameOf(folderPath), folderPath)
      known.set(folderPath, folder)
      chain.at(-1)!.folders.push(folder)
    }
    chain.push(folder)
  }
  return chain
}

function makeFolder<T extends Leaf>(name: string, path: string): Growing<T> {
  return { name, path, folders: [], files: [], count: 0, bytes: 0 }
}

/** All files of a folder, including subfolders. */
export function filesOf<T extends Leaf>(folder: Folder<T>): T[] {
  return [...folder.folders.flatMap(filesOf), ...folder.files]
}

/** Removes direction marks: with them `photo<RLO>gpj.exe` would look like `photoexe.jpg`. */
export const withoutMarks = (name: string) =>
  name.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')

/** The displayed name of a path. */
export const nameOf = (path: string) => withoutMarks(path.slice(path.lastIndexOf('/') + 1))
