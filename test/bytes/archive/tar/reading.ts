// Feeds archives to the reader, and holds it to the order of calls that a sink may rely on.
import * as assert from 'uvu/assert'
import { TarReader } from '../../../../src/bytes/archive/tar/reader.ts'
import type { TarEntry, TarLink, TarSink } from '../../../../src/bytes/archive/tar/sink.ts'
import { CodedError } from '../../../../src/lib/errors.ts'

export interface Received extends TarEntry {
  content: Buffer
  /** Where the content begins in the archive; null without content. */
  offset: number | null
  isWhole: boolean
}

export interface Result {
  readonly entries: readonly Received[]
  readonly skipped: ReadonlyArray<readonly [path: string, reason: string]>
  readonly links: ReadonlyArray<readonly [path: string, target: string]>
  /** The message of the CodedError that ended it. */
  readonly error: string | null
}

export interface Reading {
  /** Lengths of the pieces, over and over; without them the archive is one piece. */
  readonly pieces?: readonly number[]
  /** Whether the sink requests a pause at its nth call. */
  readonly pauses?: (call: number) => boolean
}

class Collector implements TarSink {
  readonly entries: Received[] = []
  readonly skipped: Array<readonly [string, string]> = []
  readonly links: Array<readonly [string, string]> = []
  #hasHoles = false
  readonly #archive: Buffer
  readonly #pauses: (call: number) => boolean
  #open: Received | null = null
  #received: Buffer[] = []
  #receivedBytes = 0
  #calls = 0
  #isPaused = false

  constructor(archive: Buffer, pauses: (call: number) => boolean) {
    this.#archive = archive
    this.#pauses = pauses
  }

  open(entry: TarEntry): void | Promise<void> {
    assert.is(this.#open, null)
    const isFolder = entry.kind === 'folder'
    if (isFolder) assert.is(entry.size, 0)
    const received = { ...entry, content: Buffer.alloc(0), offset: null, isWhole: isFolder }
    this.entries.push(received)
    if (!isFolder) this.#open = received
    return this.#perhapsPause()
  }

  write(data: Buffer): void | Promise<void> {
    const open = this.#open
    if (open === null) throw new Error('bytes without a file')
    const before = this.#receivedBytes
    assert.ok(data.length > 0 && before + data.length <= open.size, 'bytes beyond the file')
    if (data.buffer !== this.#archive.buffer) {
      assert.ok(data.equals(Buffer.alloc(data.length)), 'the zeros of a hole')
      this.#hasHoles = true
    }
    this.#received.push(data)
    this.#receivedBytes += data.length
    if (this.#hasHoles) return this.#perhapsPause()
    // A view of the archive, that continues the last one.
    assert.is(data.buffer, this.#archive.buffer)
    open.offset ??= data.byteOffset - this.#archive.byteOffset
    assert.is(data.byteOffset - this.#archive.byteOffset, open.offset + before)
    return this.#perhapsPause()
  }

  link({ path, target }: TarLink): void | Promise<void> {
    assert.is(this.#open, null)
    this.links.push([path, target])
    return this.#perhapsPause()
  }

  close(): void | Promise<void> {
    const open = this.#open
    if (open === null) throw new Error('nothing to close')
    this.finish()
    assert.is(open.content.length, open.size)
    open.isWhole = true
    return this.#perhapsPause()
  }

  skip(path: string, reason: string): void {
    assert.is(this.#open, null)
    assert.not(this.#isPaused)
    this.skipped.push([path, reason])
  }

  /** Keeps what has arrived of the open file. */
  finish(): void {
    if (this.#open) this.#open.content = Buffer.concat(this.#received)
    this.#open = null
    this.#hasHoles = false
    this.#received = []
    this.#receivedBytes = 0
  }

  #perhapsPause(): void | Promise<void> {
    assert.not(this.#isPaused, 'called while it pauses')
    if (!this.#pauses(this.#calls++)) return
    this.#isPaused = true
    return Promise.resolve().then(() => {
      this.#isPaused = false
    })
  }
}

/** @throws what is not a CodedError of the archive */
export async function read(archive: Buffer, reading: Reading = {}): Promise<Result> {
  const { pieces = [archive.length], pauses } = reading
  const sink = new Collector(archive, pauses ?? (() => false))
  const reader = new TarReader(sink)
  let error: string | null = null
  try {
    for (let start = 0, turn = 0; start < archive.length; turn++) {
      const end = Math.min(start + Math.max(1, pieces[turn % pieces.length]!), archive.length)
      const wait = reader.feed(archive.subarray(start, end))
      if (!pauses) assert.is(wait, undefined, 'a promise without a pause')
      if (wait) await wait
      start = end
    }
    reader.end()
  } catch (thrown) {
    if (!(thrown instanceof CodedError)) throw thrown
    assert.is(thrown.code, 'invalid_tar')
    error = thrown.message
    // The first error ends it.
    for (const again of [() => reader.feed(archive), () => reader.end()]) {
      assert.throws(again, (second: unknown) => second === thrown)
    }
  }
  sink.finish()
  return { entries: sink.entries, skipped: sink.skipped, links: sink.links, error }
}

/** Whole, byte by byte, and with a pause at every call: the same each time. */
export async function readEachWay(archive: Buffer): Promise<Result> {
  const whole = await read(archive)
  for (const pieces of [[archive.length], [1], [511, 1, 513]]) {
    assert.equal(await read(archive, { pieces }), whole)
    assert.equal(await read(archive, { pieces, pauses: () => true }), whole)
  }
  return whole
}
