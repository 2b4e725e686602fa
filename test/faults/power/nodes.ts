// Files and folders as a disk keeps them: the state that is certain to survive a power cut, and
// every change that no sync has covered.

/** A change that no sync has covered yet; `ended` counts lines of the log. */
type Change<T> = T & { readonly ended: number }

export type FileChange = Change<
  | { readonly kind: 'write'; readonly position: number; readonly data: Buffer }
  | { readonly kind: 'truncate'; readonly length: number }
>

export type NameChange = Change<
  | { readonly kind: 'set'; readonly name: string; readonly node: Node }
  | { readonly kind: 'unset'; readonly name: string }
  | { readonly kind: 'rename'; readonly from: string; readonly name: string; readonly node: Node }
>

export class FileNode {
  certain: Buffer = Buffer.alloc(0)
  changes: FileChange[] = []
  /** A call of a killed process was running: only the disk knows its effect. */
  isOpenQuestion = false

  get now(): Buffer {
    return this.changes.reduce(applyToFile, this.certain)
  }

  sync(before: number): void {
    const covered = this.changes.filter((change) => change.ended < before)
    this.certain = covered.reduce(applyToFile, this.certain)
    this.changes = this.changes.slice(covered.length)
  }
}

export class FolderNode {
  certain: ReadonlyMap<string, Node> = new Map()
  changes: NameChange[] = []

  get now(): ReadonlyMap<string, Node> {
    return this.changes.reduce(applyToFolder, this.certain)
  }

  sync(before: number): void {
    const covered = this.changes.filter((change) => change.ended < before)
    this.certain = covered.reduce(applyToFolder, this.certain)
    this.changes = this.changes.slice(covered.length)
  }
}

export type Node = FileNode | FolderNode

export function applyToFile(bytes: Buffer, change: FileChange): Buffer {
  if (change.kind === 'truncate') return resized(bytes, change.length)
  const grown = resized(bytes, Math.max(bytes.length, change.position + change.data.length))
  change.data.copy(grown, change.position)
  return grown
}

/** A copy, padded with zeros. */
function resized(bytes: Buffer, length: number): Buffer {
  const copy = Buffer.alloc(length)
  bytes.copy(copy, 0, 0, Math.min(length, bytes.length))
  return copy
}

export function applyToFolder(names: ReadonlyMap<string, Node>, change: NameChange) {
  const next = new Map(names)
  if (change.kind === 'unset') next.delete(change.name)
  else next.set(change.name, change.node)
  if (change.kind === 'rename') next.delete(change.from)
  return next
}

/** Removes everything in a folder, name by name, like `rm -r`. */
export function removeInside(node: Node, ended: number): void {
  if (node instanceof FileNode) return
  for (const [name, inside] of node.now) {
    removeInside(inside, ended)
    node.changes.push({ kind: 'unset', name, ended })
  }
}
