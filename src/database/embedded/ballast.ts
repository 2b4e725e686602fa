import { rmSync, statSync, truncateSync } from 'node:fs'
import { open, rename, rm, statfs } from 'node:fs/promises'
import { randomFillSync } from 'node:crypto'
import path from 'node:path'
import type { Log } from '../../lib/log.ts'
import type { DatabaseDisk } from '../database-disk.ts'

const mebibyte = 1_048_576
export const ballastBytesDefault = 64 * mebibyte
const checkIntervalMs = 5_000
/** Space that must be free beside the ballast before it is made. */
const roomFactor = 3
/**
 * The ballast is freed by quarters, so that one burst of writes does not use all of it. With less
 * than a quarter free, the database may lack space for its next write: its log grows by 16 MiB.
 */
const stepShare = 1 / 4
/** Messages about the same shortage are closer together than this. */
const stepIntervalMs = 500

/**
 * A file that only takes up space. PostgreSQL cannot write its log on a full disk and stays down;
 * without the ballast it comes back, and deletions can free space. Uploads are refused long before
 * (bytes/upkeep/free-space.ts), so that freed space is left to deletions, expiry and sign-ins.
 */
export class Ballast implements DatabaseDisk {
  readonly folder: string
  readonly #file: string
  readonly #bytes: number
  readonly #log: Log
  #timer: NodeJS.Timeout | null = null
  #making: Promise<void> | null = null
  #stopped = false
  #freedAt = -Infinity

  constructor(home: string, bytes: number, log: Log) {
    this.folder = home
    this.#file = path.join(home, 'ballast')
    this.#bytes = bytes
    this.#log = log
  }

  /** Keeps the ballast on disk while there is space for it. */
  start(): void {
    if (this.#bytes === 0) return
    this.#timer = setInterval(() => this.check(), checkIntervalMs)
    this.#timer.unref()
    this.check()
  }

  /** Frees the ballast when space is low, and makes a missing one when there is space. */
  check(): void {
    if (this.#making || this.#stopped || this.#bytes === 0) return
    this.#making = this.#adjust()
      .catch((error: unknown) => {
        this.#log.warn('ballast check failed', { file: this.#file, cause: error })
      })
      .finally(() => {
        this.#making = null
      })
  }

  /** Frees a quarter. Synchronous, because the server is about to fail. */
  free(): void {
    const sinceMs = performance.now() - this.#freedAt
    if (this.#bytes === 0 || sinceMs < stepIntervalMs) return
    this.#freedAt = performance.now()
    const size = this.#size()
    if (size === null) return
    const left = Math.max(0, size - Math.ceil(this.#bytes * stepShare))
    if (left > 0) truncateSync(this.#file, left)
    else rmSync(this.#file, { force: true })
    this.#log.error('disk full: freed part of ballast to keep database running', {
      file: this.#file,
      freedBytes: size - left,
      leftBytes: left,
    })
  }

  /** @param lowBytes frees a part of the ballast when less than this is free */
  async freeWhenLow(lowBytes = this.#bytes * stepShare): Promise<void> {
    if (this.#size() !== null && (await this.#availableBytes()) < lowBytes) this.free()
  }

  /** Call before the server restarts, because recovery needs space. */
  async freeForStart(): Promise<void> {
    await this.freeWhenLow(this.#bytes)
  }

  reserveBytes(): number {
    return this.#size() ?? 0
  }

  /** Resolves when no write is running. */
  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#timer) clearInterval(this.#timer)
    await this.#making
  }

  /** Null without a ballast. */
  #size(): number | null {
    return statSync(this.#file, { throwIfNoEntry: false })?.size ?? null
  }

  async #adjust(): Promise<void> {
    await this.freeWhenLow()
    const size = this.#size()
    // An empty file counts as whole: it saves the bytes on small disks, and in tests.
    const isWhole = size === 0 || size === this.#bytes
    if (!isWhole && performance.now() - this.#freedAt >= checkIntervalMs) await this.#makeIfRoom()
  }

  async #makeIfRoom(): Promise<void> {
    if ((await this.#availableBytes()) < this.#bytes * roomFactor) return
    const unfinished = `${this.#file}.new`
    try {
      await this.#write(unfinished)
      if (!this.#stopped) await rename(unfinished, this.#file)
    } finally {
      await rm(unfinished, { force: true })
    }
  }

  async #write(file: string): Promise<void> {
    // Random, because a compressing file system would store zeros in no space at all.
    const data = randomFillSync(Buffer.allocUnsafe(Math.min(mebibyte, this.#bytes)))
    const handle = await open(file, 'w', 0o600)
    try {
      for (let offset = 0; offset < this.#bytes && !this.#stopped; offset += data.length) {
        await handle.write(data, 0, Math.min(data.length, this.#bytes - offset), offset)
      }
      await handle.sync()
    } finally {
      await handle.close()
    }
  }

  async #availableBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(path.dirname(this.#file))
    return bavail * bsize
  }
}
