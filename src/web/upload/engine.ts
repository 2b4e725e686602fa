// An upload as pages use it: files in, snapshots out, and a record that outlives the page.
import { ChunkSizes } from './chunk-size.ts'
import { Files } from './files.ts'
import { Line } from './line.ts'
import { pathOf, recordId } from './manifest.ts'
import { Meter } from './meter.ts'
import type { QueuedFile } from './queue.ts'
import { Sender } from './sender.ts'
import { Thumbnails } from './thumbnails.ts'
import type * as types from './types.ts'

const beatMs = 250
const beatsPerSecond = 4
const saveMs = 500
/** Handles are small, but thousands of single files must be chosen again. */
const originsMax = 1000
/** How long to wait for the store. */
const storeMsMax = 2000

interface Completion {
  readonly promise: Promise<types.Finalized>
  readonly resolve: (answer: types.Finalized) => void
  readonly reject: (error: Error) => void
}

export class Upload {
  readonly target: types.UploadTarget
  readonly #options: types.UploadOptions
  readonly #files: Files
  readonly #meter = new Meter()
  readonly #sizes: ChunkSizes
  readonly #sender: Sender
  readonly #thumbnails: Thumbnails | null = null
  readonly #origins: Set<types.FileOrigin>
  #wishes: types.Wishes
  #completion: Completion | null = null
  #answer: types.Finalized | null = null
  #shown = ''
  #isDirty = false
  #beats = 0
  #stopBeat: (() => void) | null = null
  #stopSave: (() => void) | null = null
  /** Whether the store has a record of it. */
  #isKept = false
  #saving: Promise<void> = Promise.resolve()

  /**
   * Begins an upload to a new draft; or continues one with the service's list of received chunks.
   * Incomplete files of that are `missing` until they are added again.
   * @param record of a draft that continues; null without one: files are still recognised when they
   * are chosen again
   */
  constructor(options: types.UploadOptions, record?: types.UploadRecord | null) {
    const { target, clock, limits, transport, drawThumbnail: draw } = options
    this.target = target
    this.#options = options
    this.#files = new Files(record ?? null)
    this.#origins = new Set(record?.origins)
    this.#wishes = record?.wishes ?? {}
    this.#sizes = new ChunkSizes(limits.chunkBytesMax)
    const line = new Line(target, transport, clock)
    const phase = () => this.#sender.status().phase
    if (draw) this.#thumbnails = new Thumbnails({ path: pathOf(target), line, clock, draw, phase })
    this.#sender = new Sender({
      target,
      clock,
      files: this.#files,
      line,
      sizes: this.#sizes,
      meter: this.#meter,
      isRestored: record !== undefined,
      tarSupport: options.tarSupport ?? { isRefused: false },
      wishes: () => this.#wishes,
      changed: () => this.#changed(),
      stored: (file) => this.#thumbnails?.offer(file),
      learned: (bytes) => {
        this.#keep(() => options.store.saveChunkBytesMax(bytes))
      },
      finishing: () => this.#save(),
      finalized: (answer) => this.#finalized(answer),
      stopped: (problem) => this.#stopped(problem),
    })
    this.#start()
  }

  /** Can be changed until finalize. */
  get wishes(): types.Wishes {
    return this.#wishes
  }
  set wishes(wishes: types.Wishes) {
    this.#wishes = wishes
    this.#saveSoon()
  }

  /**
   * Adds files. A known file (same path, size and time) continues where it stopped, or starts over
   * if its content differs; a different one with the same path becomes `name (1).ext`, as in the
   * archive.
   */
  add(files: readonly types.PickedFile[]): void {
    if (this.#answer) return
    for (const picked of files) {
      if (picked.origin) this.#origins.add(picked.origin)
      this.#add(picked)
    }
    this.#edited()
  }

  #add(picked: types.PickedFile): void {
    const rival = this.#files.rivalOf(picked)
    return rival ? this.#meet(rival, picked) : this.#push(picked)
  }

  #push(picked: types.PickedFile): void {
    const file = this.#files.add(picked)
    if (file) this.#sender.flights.push(file)
  }

  /** Chosen again, another file that looks like it, or a new object for an unreadable one. */
  #meet(rival: QueuedFile, picked: types.PickedFile): void {
    const { source } = rival
    this.#sender.flights.meet(source!, picked, (found) => {
      if (this.#files.get(rival.id) !== rival || rival.source !== source) this.#add(picked)
      else if (found === 'different') this.#add({ ...picked, copy: (picked.copy ?? 0) + 1 })
      else if (found === 'unreadable') {
        this.#sender.flights.drop(rival)
        this.#push(picked)
      }
      this.#edited()
    })
  }

  remove(fileId: string): void {
    const file = this.#files.get(fileId)
    if (!file) return
    this.#files.remove(file)
    this.#sender.flights.drop(file)
    this.#edited()
  }

  /** Sends a failed, skipped or changed file again. */
  retry(fileId: string): void {
    const file = this.#files.get(fileId)
    const again = file && this.#files.retry(file)
    if (again) this.#sender.flights.push(again)
    this.#edited()
  }

  pause(): void {
    this.#sender.pause()
    this.#sender.settled()
  }

  /** Ends a pause or a hold. */
  resume(): void {
    this.#sender.resume()
    this.#sender.settled()
  }

  /** Ends a wait at once: for "Try now", `online`, and a page that becomes visible. */
  tryNow(): void {
    this.#sender.tryNow()
    this.#sender.settled()
  }

  /**
   * Finalizes after the last byte; may be called repeatedly at any time. Rejects with the Problem
   * when the upload is stopped.
   */
  complete(): Promise<types.Finalized> {
    this.#sender.want()
    this.#completion ??= completion()
    const { promise, resolve, reject } = this.#completion
    const { phase, problem } = this.#sender.status()
    if (this.#answer) resolve(this.#answer)
    else if (phase === 'stopped' && problem) reject(errorOf(problem))
    else this.#sender.settled()
    return promise
  }

  /** Stops for good and deletes the record; the caller deletes the draft. */
  cancel(): void {
    this.#sender.stop({ code: 'cancelled', message: 'The upload was cancelled.' }, true)
    this.#thumbnails?.stop()
    this.#forget()
  }

  /** Stops and keeps the record, as when the page is left. */
  dispose(): void {
    if (this.#stopSave) this.#save()
    this.#sender.stop({ code: 'left', message: 'The page was left.' }, true)
    this.#thumbnails?.stop()
    this.#stopBeat?.()
    this.#stopBeat = null
  }

  /** Chosen readable files, for a new start elsewhere. */
  selection(): readonly types.PickedFile[] {
    return Array.from(this.#files.values(), ({ picked }) => picked).filter((file) => file !== null)
  }

  snapshot(): types.UploadSnapshot {
    const status = this.#sender.status()
    const totals = this.#files.totals(status.phase === 'done')
    const isMoving = status.phase === 'sending'
    const now = this.#options.clock.now()
    const { bytesDone, bytes } = totals
    return {
      ...status,
      files: this.#files.rows(),
      totals,
      speed: isMoving ? this.#meter.speed(now) : null,
      secondsLeft: isMoving ? this.#meter.secondsLeft(bytesDone, bytes, now) : null,
    }
  }

  #start(): void {
    const { store, clock } = this.#options
    let isStarted = false
    const start = () => {
      if (isStarted) return
      isStarted = true
      disarm()
      this.#sender.ready()
    }
    const disarm = clock.setTimer(storeMsMax, start)
    const known = store.chunkBytesMax().then((bytes) => {
      if (bytes !== null) this.#sizes.limit(bytes)
    })
    known.then(start, start)
  }

  #edited(): void {
    if (this.#isKept || this.#files.size === 0) this.#saveSoon()
    // Saved at once, because the page may be left at any moment.
    else if (!this.#sender.isOver) this.#save()
    this.#sender.settled()
  }

  #changed(): void {
    const { phase, hold, retryAt } = this.#sender.status()
    const shown = `${phase} ${hold} ${retryAt}`
    this.#isDirty = true
    if (shown !== this.#shown) {
      this.#shown = shown
      if (phase !== 'sending') this.#meter.rest()
      this.#tell()
    }
    this.#stopBeat ??= this.#options.clock.setTimer(beatMs, () => this.#beat())
  }

  /** Runs every quarter of a second while bytes should move. */
  #beat(): void {
    this.#stopBeat = null
    const { phase } = this.#sender.status()
    this.#beats += 1
    if (phase === 'sending') this.#meter.tick(this.#options.clock.now())
    if (this.#isDirty || this.#beats % beatsPerSecond === 0) this.#tell()
    if (phase !== 'sending') return
    this.#stopBeat ??= this.#options.clock.setTimer(beatMs, () => this.#beat())
  }

  #tell(): void {
    this.#isDirty = false
    this.#options.onChange()
    this.#thumbnails?.step()
  }

  #finalized(answer: types.Finalized): void {
    this.#answer = answer
    this.#forget()
    this.#completion?.resolve(answer)
  }

  #stopped(problem: types.Problem): void {
    this.#completion?.reject(errorOf(problem))
    this.#completion = null
    this.#changed()
  }

  #saveSoon(): void {
    if (this.#sender.isOver) return
    this.#stopSave ??= this.#options.clock.setTimer(saveMs, () => this.#save())
  }

  #save(): void {
    this.#stopSave?.()
    this.#stopSave = null
    this.#isKept = true
    const { store, target, clock } = this.#options
    const wishes = this.#wishes
    const files = this.#files.records()
    const origins = [...this.#origins].slice(0, originsMax)
    const record = { id: recordId(target), target, files, origins, wishes, savedAt: clock.now() }
    this.#keep(() => store.save(record))
  }

  #forget(): void {
    this.#stopSave?.()
    this.#stopSave = null
    this.#keep(() => this.#options.store.remove(recordId(this.target)))
  }

  /** Runs in order, so that a forgotten record stays forgotten. Ignores failures of the store. */
  #keep(work: () => Promise<void>): void {
    this.#saving = this.#saving.then(work).catch(() => {})
  }
}

function completion(): Completion {
  let resolve: Completion['resolve']
  let reject: Completion['reject']
  const promise = new Promise<types.Finalized>((settle, refuse) => {
    resolve = settle
    reject = refuse
  })
  // Views read snapshots instead, so the promise may have no handler.
  promise.catch(() => {})
  return { promise, resolve: resolve!, reject: reject! }
}

function errorOf(problem: types.Problem): Error & { code: string } {
  return Object.assign(new Error(problem.message), { code: problem.code })
}
