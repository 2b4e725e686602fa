import { existsSync, rmSync } from 'node:fs'
import { open, rename, rm, statfs } from 'node:fs/promises'
import { randomFillSync } from 'node:crypto'
import path from 'node:path'
import type { Log } from '../../lib/log.ts'

const mebibyte = 1_048_576
export const ballastBytesDefault = 64 * mebibyte
const checkIntervalMs = 60_000
/** Room there must be beside the ballast before it is made. */
const roomFactor = 3

/**
 * A file that only takes up space. PostgreSQL cannot write its log on a full disk and stays down;
 * with the ballast gone it comes back, and deleting can make room.
 */
export class Ballast {
  readonly #file: string
  readonly #bytes: number
  readonly #log: Log
  #timer: NodeJS.Timeout | null = null
  #making: Promise<void> | null = null
  #stopped = false
  #freedAt = -Infinity

  constructor(home: string, bytes: number, log: Log) {
    this.#file = path.join(home, 'ballast')
    this.#bytes = bytes
    this.#log = log
  }

  /** Keeps the ballast in being while there is room for it. */
  start(): void {
    if (this.#bytes === 0) return
    this.#timer = setInterval(() => this.check(), checkIntervalMs)
    this.#timer.unref()
    this.check()
  }

  /** Makes the ballast now when it is missing and there is room. */
  check(): void {
    if (this.#making || this.#stopped || this.#bytes === 0) return
    if (existsSync(this.#file) || performance.now() - this.#freedAt < checkIntervalMs) return
    this.#making = this.#makeIfRoom()
      .catch((error: unknown) => {
        this.#log.warn('the ballast could not be made', { file: this.#file, cause: error })
      })
      .finally(() => {
        this.#making = null
      })
  }

  /** Gives the space away. Synchronous: the server is about to fail. */
  free(): void {
    this.#freedAt = performance.now()
    if (!existsSync(this.#file)) return
    rmSync(this.#file, { force: true })
    this.#log.error('the disk is full: the ballast was removed to keep the database running', {
      file: this.#file,
      bytes: this.#bytes,
    })
  }

  /** Before the server starts again: it needs room for its recovery. */
  async freeWhenLow(): Promise<void> {
    if (this.#bytes > 0 && (await this.#availableBytes()) < this.#bytes) this.free()
  }

  /** Resolves once nothing is being written. */
  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#timer) clearInterval(this.#timer)
    await this.#making
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
    // Random: a file system that compresses would keep zeros in no space at all.
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
