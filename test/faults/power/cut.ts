// The remains of files and folders after a power cut.
import { linkSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Seeded } from '../../helpers/seeded.ts'
import { applyToFile, applyToFolder, FileNode, FolderNode, type FileChange } from './nodes.ts'

const pageBytes = 4096

/** How a cut treats unsynced changes. Keeping all of them finds least. */
const none = 'nothing is kept'
const any = 'anything is kept'
export const styles = [none, none, none, any, any, any, any, 'all is kept'] as const
export type Style = (typeof styles)[number]

export interface Cutting {
  readonly keeps: () => boolean
  readonly chance: Seeded
  readonly style: Style
  /** Files that were truncated already, by another of their names. */
  readonly done: Map<FileNode, FileNode>
}

/** The remains of a folder: each change is kept or lost. */
export function cutFolder(folder: FolderNode, cutting: Cutting): FolderNode {
  const left = folder.changes.filter(() => cutting.keeps()).reduce(applyToFolder, folder.certain)
  const cut = new FolderNode()
  cut.certain = new Map(
    [...left].map(([name, node]) => [
      name,
      node instanceof FolderNode ? cutFolder(node, cutting) : cutFile(node, cutting),
    ]),
  )
  return cut
}

function cutFile(file: FileNode, cutting: Cutting): FileNode {
  const known = cutting.done.get(file)
  if (known) return known
  const cut = new FileNode()
  cut.certain = file.changes
    .filter(() => cutting.keeps())
    .map((change) => (cutting.style === 'anything is kept' ? torn(change, cutting.chance) : change))
    .reduce(applyToFile, file.certain)
  cutting.done.set(file, cut)
  return cut
}

/** A write of which some pages were stored; where others were not, there may be zeros. */
function torn(change: FileChange, chance: Seeded): FileChange {
  if (change.kind !== 'write' || chance.chance(0.4)) return change
  const end = chance.chance(0.5) ? change.data.length : chance.between(0, change.data.length)
  const data = Buffer.from(change.data.subarray(0, end))
  const zeros = chance.chance(0.5) ? 0.5 : 0
  for (let at = 0; at < end; at += pageBytes) {
    if (chance.chance(zeros)) data.fill(0, at, Math.min(end, at + pageBytes))
  }
  return { ...change, data }
}

/** Writes the certain state to a folder of the file system. */
export function writeOut(folder: FolderNode, place: string, written: Map<FileNode, string>): void {
  mkdirSync(place, { mode: 0o700 })
  for (const [name, node] of folder.certain) {
    const inside = path.join(place, name)
    if (node instanceof FolderNode) {
      writeOut(node, inside, written)
      continue
    }
    const twin = written.get(node)
    if (twin === undefined) writeFileSync(inside, node.certain, { mode: 0o600 })
    else linkSync(twin, inside)
    written.set(node, inside)
  }
}
