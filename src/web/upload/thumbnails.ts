// Sends thumbnails of stored files, one small request at a time beside the chunks. A failure here
// concerns no file: it only stays without a thumbnail.
import { within, type Clock } from '../lib/clock.ts'
import type { Line } from './line.ts'
import type { QueuedFile } from './queue.ts'
import type { DrawThumbnail, UploadPhase } from './types.ts'
import type { Sending } from './watch.ts'

/** Limit of the service per share. */
const thumbnailsMax = 2000
/** Consecutive failures before this upload sends no more thumbnails. */
const failuresMax = 5
const retryMs = 5000

/**
 * The connection works, and the user has not paused it. Not while finalizing: the token becomes
 * invalid then, and a file changes its place.
 */
const mayWork: readonly UploadPhase[] = ['sending', 'idle', 'done']

export interface ThumbnailsDeps {
  /** Address of the share's operations. */
  readonly path: string
  readonly line: Line
  readonly clock: Clock
  readonly draw: DrawThumbnail
  readonly phase: () => UploadPhase
}

type Outcome = 'settled' | 'repeat' | 'end'

export class Thumbnails {
  readonly #deps: ThumbnailsDeps
  /** Files with a stored chunk, by their keys. */
  readonly #waiting = new Map<string, QueuedFile>()
  /** Keys of files that need nothing more; a file that starts over gets another key. */
  readonly #settled = new Set<string>()
  #isBusy = false
  #sent = 0
  #failures = 0
  /** Until its timer ends: the time of day may be set back. */
  #isWaiting = false
  #isOver = false
  #sending: Sending | null = null

  constructor(deps: ThumbnailsDeps) {
    this.#deps = deps
  }

  /** A chunk of the file is stored. */
  offer(file: QueuedFile): void {
    const { key, type } = file
    if (this.#isOver || key === null || !/^(image|video)\//.test(type)) return
    if (this.#settled.has(key)) return
    this.#waiting.set(key, file)
    this.step()
  }

  /** Continues or interrupts the work; call it after each change of the phase. */
  step(): void {
    if (!this.#mayWork) return this.#sending?.abort()
    if (this.#isBusy || this.#isWaiting) return
    for (const [key, file] of this.#waiting) {
      if (file.key === key && file.source) {
        this.#isBusy = true
        void this.#send(key, file)
        return
      }
      this.#waiting.delete(key)
    }
  }

  stop(): void {
    this.#isOver = true
    this.#waiting.clear()
    this.#sending?.abort()
  }

  get #mayWork(): boolean {
    return !this.#isOver && mayWork.includes(this.#deps.phase())
  }

  async #send(key: string, file: QueuedFile): Promise<void> {
    const { clock, draw } = this.#deps
    const jpeg = await within(
      clock,
      draw(file.source!).catch(() => null),
    )
    // Drawing takes a moment, in which the file may have been removed.
    const isWanted = jpeg !== null && file.key === key
    let outcome: Outcome = 'settled'
    if (isWanted) outcome = this.#mayWork ? await this.#ask(key, jpeg) : 'repeat'
    this.#isBusy = false
    if (outcome === 'settled') {
      this.#waiting.delete(key)
      this.#settled.add(key)
    }
    // The service has nothing of a removed file.
    if (outcome === 'end' && file.key === key) this.stop()
    if (this.#sent >= thumbnailsMax) this.stop()
    this.step()
  }

  async #ask(key: string, jpeg: Blob): Promise<Outcome> {
    const { line, path, phase } = this.#deps
    // The token ends with the upload; the session of the owner continues.
    if (phase() === 'done') line.withoutToken(true)
    const address = `${path}/thumbnails/${encodeURIComponent(key)}`
    const { sending, asked } = line.ask({ method: 'PUT', path: address, jpeg }, () => true)
    this.#sending = sending
    const { verdict, outcome } = await asked
    this.#sending = null
    if (outcome.isAborted) return 'repeat'
    switch (verdict.kind) {
      case 'ok':
        this.#sent += 1
        this.#failures = 0
        return 'settled'
      case 'again':
        return this.#wait(verdict.waitMs ?? 0)
      case 'shrink':
      case 'resend':
      case 'refused':
        return 'settled'
    }
    return 'end'
  }

  #wait(msMin: number): Outcome {
    const { clock } = this.#deps
    this.#failures += 1
    if (this.#failures >= failuresMax) return 'end'
    const ms = Math.max(msMin, retryMs * 2 ** (this.#failures - 1))
    this.#isWaiting = true
    clock.setTimer(ms, () => {
      this.#isWaiting = false
      this.step()
    })
    return 'repeat'
  }
}
