import { unavailable } from '../../lib/errors.ts'
import type { DiskFloor } from '../upkeep/free-space.ts'
import { isMissing, manifestName } from './store.ts'
import type { BlobReader, NewSegment, SegmentLinks, SegmentWriter, StorageRoot } from './store.ts'

/**
 * All places of stored bytes that the database knows: one, or two while files are moved. A segment
 * never changes once it has moved, so that any copy of it will do: reads take the first that is
 * there, removals remove all. Rows say where a segment is made.
 */
export class Roots implements StorageRoot {
  /** Folders first: a look at them costs nothing. */
  #all: readonly StorageRoot[] = []
  #current: StorageRoot | null = null

  /** @param currentId where new segments went last */
  constructor(roots: readonly StorageRoot[], currentId: string) {
    this.use(roots, currentId)
  }

  /** Changes the places, for running readers too. */
  use(roots: readonly StorageRoot[], currentId: string): void {
    this.#all = roots.toSorted((one, other) => rankOf(one) - rankOf(other))
    this.#current = this.find(currentId) ?? this.#current
  }

  find(id: string): StorageRoot | undefined {
    return this.#all.find((root) => root.id === id)
  }

  get all(): readonly StorageRoot[] {
    return this.#all
  }

  /** Where new segments go, as far as this process knows. */
  get current(): StorageRoot {
    if (!this.#current) throw new Error('no storage root is open')
    return this.#current
  }

  get id(): string {
    return this.current.id
  }

  get name(): string {
    return this.current.name
  }

  get folder(): string | null {
    return this.current.folder
  }

  get requestCounts(): ReadonlyMap<string, number> {
    return new Map(this.#all.flatMap(({ requestCounts }) => [...(requestCounts ?? [])]))
  }

  get writeBytes(): number {
    return Math.min(...this.#all.map(({ writeBytes }) => writeBytes))
  }

  async create(segment: NewSegment): Promise<SegmentWriter> {
    const root = this.#require(segment.rootId)
    this.#current = root
    return root.create(segment)
  }

  replace(containerId: string, name: string, text: AsyncIterable<string>): Promise<void> {
    return this.current.replace(containerId, name, text)
  }

  put(containerId: string, segmentId: string, data: AsyncIterable<Buffer>): Promise<void> {
    return this.current.put(containerId, segmentId, data)
  }

  /** A manifest in a former root may be outdated. */
  async open(containerId: string, name: string): Promise<BlobReader> {
    if (name === manifestName) return this.current.open(containerId, name)
    return FollowingReader.open(() => this.#all, containerId, name)
  }

  /** The larger one of two copies. */
  async sizeOf(containerId: string, name: string): Promise<number | null> {
    let largest: number | null = null
    for (const root of this.#all) {
      const bytes = await root.sizeOf(containerId, name)
      if (bytes !== null) largest = Math.max(bytes, largest ?? 0)
    }
    return largest
  }

  async *list(of: { letters: string } | { containerId: string }): AsyncIterable<string> {
    const seen = new Set<string>()
    for (const root of this.#all) {
      for await (const id of root.list(of)) {
        if (seen.has(id)) continue
        if (this.#all.length > 1) seen.add(id)
        yield id
      }
    }
  }

  async remove(containerId: string, names: readonly string[]): Promise<void> {
    for (const root of this.#all) await root.remove(containerId, names)
  }

  async removeContainer(containerId: string, mayGoOn: () => boolean): Promise<boolean> {
    for (const root of this.#all) {
      if (!(await root.removeContainer(containerId, mayGoOn))) return false
    }
    return true
  }

  async link({ segments, ...links }: SegmentLinks, space: Pick<DiskFloor, 'during'>) {
    for (const id of new Set(segments.map(({ rootId }) => rootId))) {
      const some = segments.filter(({ rootId }) => rootId === id)
      await this.#require(id).link({ ...links, segments: some }, space)
    }
  }

  async removeAbandoned(): Promise<number> {
    let count = 0
    for (const root of this.#all) count += await root.removeAbandoned()
    return count
  }

  async isPresent(): Promise<boolean> {
    const present = await Promise.all(this.#all.map((root) => root.isPresent()))
    return present.every(Boolean)
  }

  /** Its row names a root that this process has not opened, which files are not moved to. */
  #require(id: string): StorageRoot {
    const root = this.find(id)
    if (root) return root
    const cause = new Error(`storage root ${id} is not open`)
    throw unavailable(10, cause)
  }
}

const rankOf = ({ folder }: StorageRoot) => (folder === null ? 1 : 0)

/** Reads a segment, and goes on in another place when it has left one. */
class FollowingReader implements BlobReader {
  readonly #roots: () => readonly StorageRoot[]
  readonly #containerId: string
  readonly #name: string
  readonly #opened: BlobReader[] = []
  #now: { readonly root: StorageRoot; readonly reader: BlobReader } | null = null

  private constructor(roots: () => readonly StorageRoot[], containerId: string, name: string) {
    this.#roots = roots
    this.#containerId = containerId
    this.#name = name
  }

  /** @throws system errors: ENOENT when it is in no folder, and there is no bucket */
  static async open(roots: () => readonly StorageRoot[], containerId: string, name: string) {
    const reader = new FollowingReader(roots, containerId, name)
    await reader.#open(new Set())
    return reader
  }

  read(target: Buffer, offset: number, length: number, position: number): Promise<number> {
    return this.#anywhere((reader) => reader.read(target, offset, length, position))
  }

  scatter(targets: readonly Buffer[], position: number): Promise<number> {
    return this.#anywhere((reader) => reader.scatter(targets, position))
  }

  async close(): Promise<void> {
    await Promise.all(this.#opened.map((reader) => reader.close()))
  }

  async #anywhere(read: (reader: BlobReader) => Promise<number>): Promise<number> {
    const tried = new Set<StorageRoot>()
    for (;;) {
      const { root, reader } = this.#now!
      try {
        return await read(reader)
      } catch (error) {
        if (!isMissing(error)) throw error
        tried.add(root)
        if (this.#now!.root === root && !(await this.#open(tried))) throw error
      }
    }
  }

  /** False when there is no other place. @throws system errors of the last place */
  async #open(tried: Set<StorageRoot>): Promise<boolean> {
    let missing: unknown = null
    for (const root of this.#roots()) {
      if (tried.has(root)) continue
      try {
        const reader = await root.open(this.#containerId, this.#name)
        this.#opened.push(reader)
        this.#now = { root, reader }
        return true
      } catch (error) {
        if (!isMissing(error)) throw error
        missing = error
      }
    }
    if (missing !== null) throw missing
    return false
  }
}
