import { randomBytes } from 'node:crypto'
import { readdir, unlink } from 'node:fs/promises'
import path from 'node:path'
import type { Clock } from '../lib/clock.ts'
import { syncFolder } from '../lib/durable-file.ts'
import { CodedError } from '../lib/errors.ts'
import { inOrder, Permits } from '../lib/permits.ts'
import type { DiskFloor } from './upkeep/disk-floor.ts'
import { OpenFile } from './segments/open-file.ts'
import { randomRowId } from '../lib/random-id.ts'
import type { BlobReader, StorageRoot, WriterDeps } from './store/store.ts'

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
   * @throws CodedError unavailable when several callers are waiting for it already
   */
  run(): Promise<WriteTestResult> {
    return this.#turns.run(async () => {
      try {
        return await this.#try()
      } catch (error) {
        return { isFine: false, ...describe(error) }
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

  /** The same with two objects of a container that does not exist. */
  async #storeAndRead(): Promise<WriteTestResult> {
    const { root, clock } = this.#deps
    const [containerId, large, small] = [randomRowId(), randomRowId(), randomRowId()]
    const block = randomBytes(blockBytes)
    const startMs = clock.monotonic()
    try {
      await this.#store(
        containerId,
        large,
        Array.from({ length: storedBlocks }, () => block),
      )
      const storedMs = clock.monotonic()
      await this.#store(containerId, small, [block.subarray(0, 4096)])
      const syncMs = Math.round(clock.monotonic() - storedMs)
      const reader = await root.open(containerId, large)
      for (let place = 0; place < storedBlocks; place += 1) {
        if (await holds(reader, block, place * blockBytes)) continue
        return { isFine: false, problem: 'different', cause: '' }
      }
      const seconds = Math.max(1, storedMs - startMs) / 1000
      const bytesPerSecond = Math.round((storedBlocks * blockBytes) / seconds)
      return { isFine: true, bytesPerSecond, syncMs }
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
    const block = randomBytes(blockBytes)
    const file = await OpenFile.open(name, 'wx+', 0o600)
    try {
      const { clock } = this.#deps
      const startMs = clock.monotonic()
      let blocks = 0
      while (blocks < blocksMax && clock.monotonic() - startMs < writeMsMax) {
        await file.write([block], blocks * blockBytes)
        blocks += 1
      }
      await file.sync()
      const writtenMs = clock.monotonic()
      // Each chunk of an upload waits for this, regardless of its size.
      await file.write([block.subarray(0, 4096)], 0)
      await file.sync()
      const syncMs = Math.round(clock.monotonic() - writtenMs)
      for (let place = 0; place < blocks; place += 1) {
        if (await holds(file, block, place * blockBytes)) continue
        return { isFine: false, problem: 'different', cause: '' }
      }
      const seconds = Math.max(1, writtenMs - startMs) / 1000
      return { isFine: true, bytesPerSecond: Math.round((blocks * blockBytes) / seconds), syncMs }
    } finally {
      await file.close()
      await unlink(name)
      await syncFolder(path.dirname(name))
    }
  }
}

async function holds(
  file: Pick<BlobReader, 'read'>,
  wanted: Buffer,
  position: number,
): Promise<boolean> {
  const found = Buffer.alloc(wanted.length)
  let count = 0
  while (count < found.length) {
    const more = await file.read(found, count, found.length - count, position + count)
    if (more === 0) return false
    count += more
  }
  return found.equals(wanted)
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
