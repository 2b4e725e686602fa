import type { Database } from '../db/connect.ts'
import type { Damage } from '../downloads/damage.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Storage } from '../storage/storage.ts'
import { Losses } from './losses.ts'
import { digitCount, findOrphanFolders } from './orphans.ts'
import { listSegments } from './sql.ts'

const pageRows = 500

export interface StartCheckParts {
  readonly database: Database
  readonly storage: Storage
  readonly damage: Damage
  readonly clock: Clock
  readonly log: Log
}

/** How database and files fit together. */
export interface StorageCheck {
  readonly checkedAt: Date
  readonly segments: number
  /** Segments without a file, and files with fewer bytes than were committed. */
  readonly missing: number
  readonly short: number
  /** Folders on disk that the database does not know: is it older than the files? */
  readonly orphaned: number
}

/**
 * Compares the rows of segments with their files, by size alone: a database that is newer than the
 * files misses bytes, one that is older does not know some. Without reading what is in them.
 */
export class StartCheck {
  readonly #parts: StartCheckParts
  readonly #stopped = new AbortController()
  #running: Promise<void> | null = null
  #last: StorageCheck | null = null

  constructor(parts: StartCheckParts) {
    this.#parts = parts
  }

  /** Null before the first one is through. */
  get last(): StorageCheck | null {
    return this.#last
  }

  get isFine(): boolean {
    return this.#last === null || isFine(this.#last)
  }

  /** Looks, in the background for callers that do not wait. Never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#look().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  /** The job: something that was wrong may have been mended since. */
  async runAgain(): Promise<void> {
    if (!this.isFine) await this.run()
  }

  stop(): void {
    this.#stopped.abort(new Error('the service stops'))
  }

  async close(): Promise<void> {
    this.stop()
    await this.#running
  }

  async #look(): Promise<void> {
    const { clock, log } = this.#parts
    try {
      const found = await this.#checkSegments()
      const orphaned = await this.#countOrphans()
      const check = { ...found, orphaned }
      this.#last = { checkedAt: new Date(clock.now()), ...check }
      if (isFine(this.#last)) log.info('database and files fit together', check)
      else log.error('database and files do not fit together', check)
    } catch (error) {
      if (!this.#stopped.signal.aborted) log.warn('the start check failed', { cause: error })
    }
  }

  async #checkSegments(): Promise<Omit<StorageCheck, 'checkedAt' | 'orphaned'>> {
    const { database, storage } = this.#parts
    const losses = new Losses(this.#parts)
    const found = { segments: 0, missing: 0, short: 0 }
    let afterId = '00000000-0000-0000-0000-000000000000'
    for (;;) {
      this.#stopped.signal.throwIfAborted()
      const page = { afterId, limit: pageRows }
      const segments = await listSegments(database.sql, { rootId: storage.root.id }, page)
      found.segments += segments.length
      for (const { isMissing } of await losses.find(segments)) {
        if (isMissing) found.missing += 1
        else found.short += 1
      }
      if (segments.length < pageRows) return found
      afterId = segments.at(-1)!.segmentId
    }
  }

  async #countOrphans(): Promise<number> {
    const { signal } = this.#stopped
    let count = 0
    for (let digit = 0; digit < digitCount; digit += 1) {
      signal.throwIfAborted()
      count += (await findOrphanFolders({ ...this.#parts, signal }, digit)).length
    }
    return count
  }
}

function isFine({ missing, short, orphaned }: StorageCheck): boolean {
  return missing + short + orphaned === 0
}
