// A folder as a disk keeps it: the state that is certain to survive a power cut, and every change
// since, each of which may be kept or lost separately. POSIX promises no more: bytes of a file are
// certain after fdatasync of the file, names in a folder after fsync of the folder. File systems
// with a journal keep more, and in order; a service must not rely on that.
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Seeded } from '../../helpers/seeded.ts'
import { cutFolder, styles, writeOut, type Style } from './cut.ts'
import { FileNode, FolderNode, removeInside, type Node } from './nodes.ts'
import type { LogLine, RecordedCall } from './recorder.ts'

/** The effects of a cut, in numbers. */
export interface CutReport {
  readonly style: Style
  readonly kept: number
  readonly lost: number
}

export class DiskModel {
  readonly #folder: string
  #root = new FolderNode()
  #lines = 0
  /** Names that a call of a killed process was changing. */
  readonly #openQuestions = new Set<string>()

  /** @param folder a folder that does not exist yet, or is empty */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** Applies the record of one process, which has ended. */
  replay(log: Buffer): void {
    const files = new Map<number, FileNode>()
    const running = new Map<number, { call: RecordedCall; begun: number }>()
    for (let at = 0; at < log.length;) {
      const lineEnd = log.indexOf('\n', at)
      if (lineEnd === -1) break
      const line = JSON.parse(log.toString('utf8', at, lineEnd)) as LogLine
      at = lineEnd + 1
      this.#lines += 1
      if ('begins' in line) {
        running.set(line.begins, { call: line.call, begun: this.#lines })
        continue
      }
      // The process was killed while it wrote this record.
      if (at + line.bytes > log.length) break
      const data = Buffer.from(log.subarray(at, at + line.bytes))
      at += line.bytes
      const { call, begun } = running.get(line.ends)!
      running.delete(line.ends)
      if (!line.failed) this.#apply(call, { begun, data, files })
    }
    for (const { call } of running.values()) this.#leaveOpen(call, files)
  }

  /**
   * Compares the model with the real folder. Answers the open questions by what is there, and
   * refuses every other difference: it would be a call that was not recorded.
   */
  compare(): void {
    this.#compareFolder(this.#root, '')
    this.#openQuestions.clear()
  }

  /** Turns the real folder into one that a power cut may leave behind. */
  cut(chance: Seeded): CutReport {
    const style = chance.pick(styles)
    const counts = { kept: 0, lost: 0 }
    const keeps = () => {
      const isKept = style === 'all is kept' || (style !== 'nothing is kept' && chance.chance(0.5))
      counts[isKept ? 'kept' : 'lost'] += 1
      return isKept
    }
    this.#root = cutFolder(this.#root, { keeps, chance, style, done: new Map() })
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20 })
    writeOut(this.#root, this.#folder, new Map())
    return { style, ...counts }
  }

  #apply(
    call: RecordedCall,
    context: { begun: number; data: Buffer; files: Map<number, FileNode> },
  ): void {
    const { begun, data, files } = context
    const ended = this.#lines
    switch (call.call) {
      case 'open':
        files.set(call.file, this.#openFile(call.name, call.flags))
        return
      case 'write': {
        const { position } = call
        files.get(call.file)!.changes.push({ kind: 'write', position, data, ended })
        return
      }
      case 'truncate': {
        const { length } = call
        files.get(call.file)!.changes.push({ kind: 'truncate', length, ended })
        return
      }
      case 'sync':
        files.get(call.file)!.sync(begun)
        return
      case 'syncFolder':
        // A folder that was removed meanwhile has nothing to keep.
        this.#findFolder(call.name)?.sync(begun)
        return
      default:
        this.#rename(call, ended)
    }
  }

  #rename(call: Extract<RecordedCall, { name: string }>, ended: number): void {
    // The folder itself is assumed to exist. Removing what never existed is no failure.
    const isThere = this.#findFolder(path.dirname(call.name)) !== null
    if (call.name === '' || (call.call === 'remove' && !isThere)) return
    const [folder, name] = this.#place(call.name)
    const node = folder.now.get(name)
    switch (call.call) {
      case 'mkdir':
        if (!node) folder.changes.push({ kind: 'set', name, node: new FolderNode(), ended })
        return
      case 'unlink':
      case 'rmdir':
        folder.changes.push({ kind: 'unset', name, ended })
        return
      case 'remove':
        if (!node) return
        removeInside(node, ended)
        folder.changes.push({ kind: 'unset', name, ended })
        return
      case 'link': {
        const [toFolder, toName] = this.#place(call.to)
        toFolder.changes.push({ kind: 'set', name: toName, node: node!, ended })
        return
      }
      case 'rename': {
        const [toFolder, toName] = this.#place(call.to)
        if (toFolder !== folder) throw new Error('a rename into another folder: teach the model')
        folder.changes.push({ kind: 'rename', from: name, name: toName, node: node!, ended })
      }
    }
  }

  #openFile(place: string, flags: string): FileNode {
    const [folder, name] = this.#place(place)
    const known = folder.now.get(name)
    const node = known instanceof FileNode ? known : new FileNode()
    const ended = this.#lines
    if (!known) folder.changes.push({ kind: 'set', name, node, ended })
    else if (flags.startsWith('w')) node.changes.push({ kind: 'truncate', length: 0, ended })
    return node
  }

  #leaveOpen(call: RecordedCall, files: Map<number, FileNode>): void {
    if (call.call === 'write' || call.call === 'truncate') {
      files.get(call.file)!.isOpenQuestion = true
    } else if ('name' in call && call.call !== 'syncFolder') {
      this.#openQuestions.add(call.name)
      if ('to' in call) this.#openQuestions.add(call.to)
    }
  }

  #isOpenQuestion(name: string): boolean {
    // Entries of a folder that was being removed may be gone already.
    return [...this.#openQuestions].some((open) => name === open || name.startsWith(`${open}/`))
  }

  #compareFolder(folder: FolderNode, place: string): void {
    const real = path.join(this.#folder, place)
    const entries = new Map(
      readdirSync(real, { withFileTypes: true })
        .filter((entry) => !entry.isSocket())
        .map((entry) => [entry.name, entry]),
    )
    for (const name of new Set([...entries.keys(), ...folder.now.keys()])) {
      const inside = path.join(place, name)
      const [entry, known] = [entries.get(name), folder.now.get(name)]
      if (!entry !== !known) {
        const wrong = entry ? 'was never recorded' : 'was recorded, and is not there'
        if (!this.#isOpenQuestion(inside)) throw new Error(`${inside} ${wrong}`)
        const ended = this.#lines
        if (!entry) folder.changes.push({ kind: 'unset', name, ended })
        else folder.changes.push({ kind: 'set', name, ended, node: this.#found(folder, inside) })
      }
      const node = folder.now.get(name)
      if (node instanceof FolderNode) this.#compareFolder(node, inside)
      else if (node) this.#compareFile(node, inside)
    }
  }

  /** The target of a name that a call was changing when its process was killed. */
  #found(folder: FolderNode, inside: string): Node {
    const real = path.join(this.#folder, inside)
    const found = statSync(real)
    if (found.isDirectory()) return new FolderNode()
    // A rename or a link: the file is known by its other name.
    const twin = [...folder.now].find(([name]) => {
      const other = path.join(path.dirname(real), name)
      return statSync(other, { throwIfNoEntry: false })?.ino === found.ino
    })
    const node = (twin?.[1] as FileNode | undefined) ?? new FileNode()
    node.isOpenQuestion = true
    return node
  }

  #compareFile(node: FileNode, inside: string): void {
    const real = readFileSync(path.join(this.#folder, inside))
    if (real.equals(node.now)) return
    const isOpen = node.isOpenQuestion || this.#isOpenQuestion(inside)
    if (!isOpen) throw new Error(`${inside}: its bytes are not as they were recorded`)
    const ended = this.#lines
    node.changes.push({ kind: 'truncate', length: real.length, ended })
    const known = node.now
    // From the first byte that differs: earlier bytes are not in question.
    const from = real.findIndex((byte, at) => byte !== known[at])
    if (from === -1) return
    node.changes.push({ kind: 'write', position: from, data: real.subarray(from), ended })
  }

  #place(name: string): [folder: FolderNode, name: string] {
    const parent = path.dirname(name)
    if (!this.#findFolder(parent)) {
      // Two calls have created it, and the successful one is not recorded yet.
      const [above, own] = this.#place(parent)
      above.changes.push({ kind: 'set', name: own, node: new FolderNode(), ended: this.#lines })
    }
    return [this.#findFolder(parent)!, path.basename(name)]
  }

  #findFolder(name: string): FolderNode | null {
    let folder = this.#root
    for (const part of name.split('/').filter((each) => each !== '.' && each !== '')) {
      const inside = folder.now.get(part)
      if (!(inside instanceof FolderNode)) return null
      folder = inside
    }
    return folder
  }
}
