import { randomBytes } from 'node:crypto'
import { readdir, unlink } from 'node:fs/promises'
import path from 'node:path'
import type { TakeJob } from '../jobs/jobs.ts'
import type { Clock } from '../lib/clock.ts'
import { syncFolder } from '../lib/durable-file.ts'
import { CodedError } from '../lib/errors.ts'
import { inOrder, Permits } from '../lib/permits.ts'
import type { DiskFloor } from './upkeep/free-space.ts'
import { OpenFile } from './segments/files-on-disk.ts'
import { randomRowId } from '../lib/random-id.ts'
import { readFully, type BlobReader, type StorageRoot, type WriterDeps } from './store/store.ts'

const blockBytes = 1024 * 1024
const blocksMax = 32
/** In one object. */
const storedBlocks = 8
/** A slow disk is tested for no longer than this. */
const writeMsMax = 5_000
const prefix = 'write-test.'

/** Why a disk cannot store anything. */
export type DiskProblem = 'missing' | 'refused' | 'full' | 'different' | 'failed'

export type WriteTestResult =
  | { readonly isFine: true; readonly bytesPerSecond: number; readonly syncMs: number }
  | { readonly isFine: false; readonly problem: DiskProblem; readonly cause: string }

interface WriteTestDeps {
  readonly takeJob: TakeJob
  readonly root: StorageRoot
  readonly writers: WriterDeps
  readonly space: DiskFloor
  readonly clock: Clock
}

/** Tests the disk of the files the way uploads use it, and leaves nothing behind. */
export class WriteTest {
  readonly #deps: WriteTestDeps
  readonly #turns = new Permits(inOrder(1), { waitersMax: 2 })

  constructor(deps: WriteTestDeps) {
    this.#deps = deps
  }

  /**
   * Writes up to 32 MiB, syncs them, reads them back and removes them.
   * @throws CodedError unavailable when several callers are waiting for it already, or another
   *   process tests: each removes what it takes for the leftovers of a killed test
   */
  run(): Promise<WriteTestResult> {
    return this.#turns.run(async () => {
      const release = await this.#deps.takeJob('test storage')
      if (!release) throw new CodedError('unavailable')
      try {
        return await this.#try()
      } catch (error) {
        return { isFine: false, ...describe(error) }
      } finally {
        await release()
      }
    })
  }

  async #try(): Promise<WriteTestResult> {
    const { root, space } = this.#deps
    if (!(await root.isPresent())) return { isFine: false, problem: 'missing', cause: '' }
    const { folder } = root
    if (folder === null) return this.#storeAndRead()
    return space.during(blocksMax * blockBytes, async () => {
      await removeLeftovers(folder)
      return this.#writeAndRead(path.join(folder, `${prefix}${process.pid}`))
    })
  }

  /** The same with two objects, where no container of files can be: verify finds no orphans. */
  async #storeAndRead(): Promise<WriteTestResult> {
    const { root } = this.#deps
    const containerId = prefix.slice(0, -1)
    const [large, small] = [randomRowId(), randomRowId()]
    const write = async (block: Buffer) => {
      const blocks = Array.from({ length: storedBlocks }, () => block)
      await this.#store(containerId, large, blocks)
      return blocks.length
    }
    const writeSmall = (data: Buffer) => this.#store(containerId, small, [data])
    // What a test has left that was killed.
    await root.removeContainer(containerId, () => true)
    try {
      return await this.#measure(write, writeSmall, () => root.open(containerId, large))
    } finally {
      await root.remove(containerId, [large, small])
    }
  }

  async #store(containerId: string, segmentId: string, blocks: Buffer[]): Promise<void> {
    const { root, writers: deps } = this.#deps
    const bytesMax = blocks.reduce((sum, block) => sum + block.length, 0)
    const segment = {
      containerId,
      segmentId,
      rootId: root.id,
      bytesMax,
      deps,
      exists: async () => true,
    }
    const writer = await root.create(segment)
    await writer.append(blocks)
    await writer.sync()
    writer.advance()
    await writer.close()
  }

  async #writeAndRead(name: string): Promise<WriteTestResult> {
    const { clock } = this.#deps
    const file = await OpenFile.open(name, 'wx+', 0o600)
    const write = async (block: Buffer) => {
      const startMs = clock.monotonic()
      let blocks = 0
      while (blocks < blocksMax && clock.monotonic() - startMs < writeMsMax) {
        await file.write([block], blocks * blockBytes)
        blocks += 1
      }
      await file.sync()
      return blocks
    }
    const writeSmall = async (data: Buffer) => {
      await file.write([data], 0)
      await file.sync()
    }
    try {
      return await this.#measure(write, writeSmall, async () => file)
    } finally {
      await file.close()
      await unlink(name)
      await syncFolder(path.dirname(name))
    }
  }

  /** @param write stores a block as often as it can, and returns how often */
  async #measure(
    write: (block: Buffer) => Promise<number>,
    writeSmall: (data: Buffer) => Promise<void>,
    open: () => Promise<Pick<BlobReader, 'read'>>,
  ): Promise<WriteTestResult> {
    const { clock } = this.#deps
    const block = randomBytes(blockBytes)
    const startMs = clock.monotonic()
    const blocks = await write(block)
    const writtenMs = clock.monotonic()
    // Each chunk of an upload waits for this, regardless of its size.
    await writeSmall(block.subarray(0, 4096))
    const syncMs = Math.round(clock.monotonic() - writtenMs)
    const reader = await open()
    for (let place = 0; place < blocks; place += 1) {
      if (await holds(reader, block, place * blockBytes)) continue
      return { isFine: false, problem: 'different', cause: '' }
    }
    const seconds = Math.max(1, writtenMs - startMs) / 1000
    return { isFine: true, bytesPerSecond: Math.round((blocks * blockBytes) / seconds), syncMs }
  }
}

async function holds(
  file: Pick<BlobReader, 'read'>,
  wanted: Buffer,
  position: number,
): Promise<boolean> {
  const found = Buffer.alloc(wanted.length)
  return (await readFully(file, found, position)) === found.length && found.equals(wanted)
}

/** Removes the files of a test that was killed. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(prefix)) await unlink(path.join(folder, name))
  }
}

function describe(error: unknown): { problem: DiskProblem; cause: string } {
  if (error instanceof CodedError && error.code === 'disk_full') {
    return { problem: 'full', cause: '' }
  }
  const cause = error instanceof CodedError ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (code === '') throw error
  if (code === 'ENOSPC' || code === 'EDQUOT') return { problem: 'full', cause: code }
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return { problem: 'refused', cause: code }
  return { problem: 'failed', cause: code }
}
