import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { ignoreMissing, ignoreReadOnly, writeDurably } from '../lib/durable-file.ts'
import { isSystemError } from '../lib/errors.ts'
import { countRows } from './copy-rows.ts'
import * as format from './format.ts'
import { partName, unzip } from './parts.ts'
import { BackupProblem } from './problem.ts'
import { SegmentList } from './segment-list.ts'

const verifiedName = 'verified.json'

export interface BackupCheck {
  readonly at: Date
  readonly damaged: number
}

/** The files of one snapshot, in a folder. */
export class Snapshot {
  readonly name: string
  readonly folder: string
  readonly head: format.Head
  readonly complete: format.Complete

  private constructor(folder: string, head: format.Head, complete: format.Complete) {
    this.name = path.basename(folder)
    this.folder = folder
    this.head = head
    this.complete = complete
  }

  /** @throws BackupProblem when it is damaged or not complete */
  static async open(folder: string): Promise<Snapshot> {
    const complete = await read(folder, format.completeName)
    if (complete === null) {
      throw new BackupProblem(`${folder} is not complete. Choose another snapshot.`)
    }
    const head = await read(folder, format.headName)
    if (head === null) throw new BackupProblem(`${folder} has no ${format.headName}`)
    return new Snapshot(folder, format.parseHead(head), format.parseComplete(complete))
  }

  /** The key file of the service; null when its key is JWT_SECRET. @throws BackupProblem */
  async readKey(): Promise<Buffer | null> {
    if (!this.head.key.isContained) return null
    const key = await read(this.folder, format.keyName)
    if (key === null) throw new BackupProblem(`${this.folder} has no ${format.keyName}`)
    if (key.length !== format.keyBytes) {
      throw new BackupProblem(`${format.keyName} of the backup is damaged`)
    }
    return key
  }

  /** The rows of a table, as COPY writes them. @throws BackupProblem when some are missing */
  async *readTable(table: string): AsyncGenerator<Buffer, void, void> {
    const written = this.complete.tables[table]
    let count = 0
    for await (const data of this.#readRows(`database/${table}`, written?.parts ?? 0)) {
      count += countRows(data)
      yield data
    }
    if (count === written?.rows) return
    throw new BackupProblem(`the table ${table} of the backup lacks rows`)
  }

  openList(): SegmentList {
    return new SegmentList(this.#readRows(format.listBase, this.complete.segments.parts))
  }

  /** When all of its bytes were read and checked last; null when they never were. */
  async findCheck(): Promise<BackupCheck | null> {
    try {
      const data = await read(this.folder, verifiedName)
      const found = JSON.parse(data?.toString('utf8') ?? '{}') as { at?: string; damaged?: number }
      const { at, damaged = 0 } = found
      return at === undefined || Number.isNaN(Date.parse(at)) ? null : { at: new Date(at), damaged }
    } catch (error) {
      if (error instanceof SyntaxError) return null
      throw error
    }
  }

  /** A backup on a disk that cannot be written stays without the note. */
  async saveCheck({ at, damaged }: BackupCheck): Promise<void> {
    const text = `${JSON.stringify({ at: at.toISOString(), damaged })}\n`
    await writeDurably(path.join(this.folder, verifiedName), text).catch(ignoreReadOnly)
  }

  async *#readRows(base: string, parts: number): AsyncGenerator<Buffer, void, void> {
    const files = Array.from({ length: parts }, (_, index) => {
      return path.join(this.folder, partName(base, index))
    })
    yield* unzipParts(files, path.join(this.folder, base))
  }
}

/** The rows in parts of a backup. @throws BackupProblem that names them, when one is damaged */
export async function* unzipParts(
  files: readonly string[],
  name: string,
): AsyncGenerator<Buffer, void, void> {
  try {
    yield* unzip(join(files))
  } catch (error) {
    if (!isDamage(error)) throw error
    throw new BackupProblem(`${name} of the backup is damaged`, { cause: error })
  }
}

/** The contents of files, one after the other. */
async function* join(files: readonly string[]): AsyncGenerator<Buffer, void, void> {
  for (const file of files) yield* createReadStream(file) as AsyncIterable<Buffer>
}

/** A missing part, or one whose checksum of gzip does not match. */
function isDamage(error: unknown): boolean {
  if (isSystemError(error, 'ENOENT', 'EIO')) return true
  const { code } = error as NodeJS.ErrnoException
  return code !== undefined && code.startsWith('Z_')
}

async function read(folder: string, name: string): Promise<Buffer | null> {
  const file = path.join(folder, name)
  const found = await stat(file).catch(ignoreMissing)
  if (!found) return null
  if (found.size > format.jsonBytesMax) throw new BackupProblem(`${file} is damaged`)
  return readFile(file)
}
