// The service as the engine sees it, with configurable faults, and a clock that is turned by
// hand. It records what must never happen: a chunk sent again that the engine knows to be there.
import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import * as assert from 'uvu/assert'
import { TarReader } from '../../../src/bytes/archive/tar/reader.ts'
import type { Clock } from '../../../src/web/lib/clock.ts'
import { Upload } from '../../../src/web/upload/engine.ts'
import type { DrawThumbnail, FileSource, PickedFile } from '../../../src/web/upload/types.ts'
import type { Transport, TransportReply, TransportRequest } from '../../../src/web/upload/types.ts'
import type { UploadLimits, UploadRecord } from '../../../src/web/upload/types.ts'
import { MemoryStore } from './memory-store.ts'

export const mib = 1024 * 1024
/** Files of an archive that came whole when it was aborted half-way. */
const abortedFiles = 10

class HandClock implements Clock {
  time = 1_700_000_000_000
  chance = () => 0.5
  readonly #timers = new Set<{ at: number; callback: () => void }>()

  now(): number {
    return this.time
  }

  random(): number {
    return this.chance()
  }

  setTimer(ms: number, callback: () => void): () => void {
    const timer = { at: this.time + ms, callback }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  get armed(): number {
    return this.#timers.size
  }

  /** Changes the time of day; timers do not follow it. */
  set(time: number): void {
    for (const timer of this.#timers) timer.at += time - this.time
    this.time = time
  }

  /** Lets time pass, one timer after the other, with everything that follows from each. */
  async pass(ms: number): Promise<void> {
    const end = this.time + ms
    await settle()
    for (;;) {
      const next = [...this.#timers].toSorted((a, b) => a.at - b.at)[0]
      if (!next || next.at > end) break
      this.#timers.delete(next)
      this.time = Math.max(this.time, next.at)
      next.callback()
      await settle()
    }
    this.time = end
  }

  /** Lets time pass until `condition` holds. */
  async until(condition: () => boolean, msMax = 3_600_000, stepMs = 250): Promise<void> {
    const end = this.time + msMax
    await settle()
    while (!condition()) {
      if (this.time >= end) throw new Error(`it did not happen within ${msMax} ms`)
      await this.pass(stepMs)
    }
  }
}

/** Lets promises settle; no step takes real time. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await setImmediate()
}

/** A file whose bytes are derived from its name, its time and their offset. */
export interface FakeFile extends FileSource {
  /** Reading fails from now on. */
  isGone: boolean
  /** Bytes that reading yields from now on, as of a file that was shortened. */
  bytesLeft: number
  /** Reading does not end from now on. */
  isStuck: boolean
  /** Another content under the same name, size and time. */
  version: number
}

export const pathsOf = (files: readonly { readonly path: string }[]) =>
  files.map(({ path }) => path)

interface FakeBytes {
  readonly of: FakeFile
  /** When it was read. */
  readonly version: number
  readonly start: number
  readonly size: number
}

export function fakeFile(path: string, size: number, lastModified = 1, version = 0): PickedFile {
  const file: FakeFile = {
    name: path.split('/').at(-1)!,
    size,
    lastModified,
    isGone: false,
    bytesLeft: size,
    isStuck: false,
    version,
    slice: (start, end) => bytesOf(file, start, end),
  }
  return { path, file, size, lastModified, type: '' }
}

function bytesOf(of: FakeFile, start: number, end: number): Blob {
  const read = async () => {
    if (of.isGone) throw new Error('NotReadableError')
    if (of.isStuck) await new Promise(() => {})
    return new Uint8Array(contentOf(of, start, Math.min(end, of.bytesLeft))).buffer
  }
  const slice = (from: number, to: number) => bytesOf(of, start + from, start + to)
  const { version } = of
  return { of, version, start, size: end - start, slice, arrayBuffer: read } as unknown as Blob
}

function contentOf(of: Content, start: number, end: number) {
  const version = of.version === 0 ? '' : `v${of.version} `
  const seed = Buffer.from(`${of.name} ${of.lastModified} ${version}`)
  const shift = start % seed.length
  return Buffer.alloc(Math.max(0, end - start) + shift, seed).subarray(shift)
}

/** The fault of one request; `pass` by default. */
export type Fault =
  | { readonly kind: 'pass' }
  /** No answer, and nothing was received. */
  | { readonly kind: 'lost' }
  /** Received, but the answer is lost. */
  | { readonly kind: 'ack lost' }
  /** Half of it leaves, then silence. */
  | { readonly kind: 'hang' }
  /** All of it leaves and is received, then silence. */
  | { readonly kind: 'mute' }
  /** The connection ends after so many files of an archive. */
  | { readonly kind: 'cut'; readonly files: number }
  | { readonly kind: 'answer'; readonly reply: Partial<TransportReply> }

export const pass: Fault = { kind: 'pass' }

export function coded(status: number, code: string, more: object = {}): Fault {
  const json = { error: `as for ${code}`, code, ...more }
  return { kind: 'answer', reply: { status, json, retryAfter: null } }
}

export function html(status: number): Fault {
  return { kind: 'answer', reply: { status, json: undefined } }
}

type Content = Pick<FakeFile, 'name' | 'lastModified' | 'version'>

interface Chunk {
  readonly of: Content & Pick<FakeFile, 'size'>
  readonly start: number
  readonly size: number
}

class FakeService {
  readonly clock: HandClock
  plan: (request: TransportRequest) => Fault = () => pass
  bytesPerSecond = 20 * mib
  answerMs = 20
  state: 'draft' | 'complete' = 'draft'
  finalized: { originalName: string; fileId: string; size: number }[] = []
  /** The value in the request to finalize; undefined when it was absent. */
  isNotifying: boolean | undefined
  readonly requests: string[] = []
  readonly violations: string[] = []
  parallelMost = 0
  chunkRequests = 0
  readonly thumbnails = new Map<string, Blob>()
  /** The files of each archive that came, by their names. */
  readonly archives: string[][] = []
  #parallel = 0
  readonly #chunks = new Map<string, Map<number, Chunk>>()
  readonly #acknowledged = new Set<string>()

  constructor(clock: HandClock) {
    this.clock = clock
  }

  readonly transport: Transport = async (request) => {
    const name = request.jpeg ? 'thumbnail' : request.path.split('?')[0]!.split('/').at(-1)!
    this.requests.push(name)
    const fault = this.plan(request)
    if (name !== 'chunk' && name !== 'tar') {
      return this.#exchange(request, fault, this.answerMs, () => this.#answer(name, request))
    }
    const files = request.tar ? filesOf(Buffer.from(await request.tar.arrayBuffer())) : []
    if (request.tar) this.archives.push(files.map(({ path }) => path.split('/').at(-1)!))
    else this.chunkRequests += 1
    const ids = request.tar ? files.map(({ path }) => `${path}/0`) : [idOf(request)]
    for (const id of ids) {
      if (this.#acknowledged.has(id)) this.violations.push(`${id} was sent again`)
    }
    this.#parallel += 1
    this.parallelMost = Math.max(this.parallelMost, this.#parallel)
    const ms = ((request.chunk?.bytes ?? request.tar!).size * 1000) / this.bytesPerSecond
    const reply = await this.#exchange(request, fault, ms, (cutAfter) => {
      return request.tar ? this.#receiveTar(files.slice(0, cutAfter)) : this.#receive(request)
    })
    this.#parallel -= 1
    const { files: stored = ids.length } = (reply.json ?? {}) as { files?: number }
    const isAcknowledged = reply.status === 200 && reply.json && stored === ids.length
    if (isAcknowledged) for (const id of ids) this.#acknowledged.add(id)
    return reply
  }

  /** Chunk `index` of every file is gone though it was acknowledged, as after a disk failure. */
  lose(index: number): void {
    for (const [fileId, chunks] of this.#chunks) {
      if (chunks.delete(index)) this.#acknowledged.delete(`${fileId}/${index}`)
    }
  }

  /** The content of each finalized file: runs of bytes of one source, joined. */
  contents(): Map<string, { of: Chunk['of']; bytes: number }> {
    return new Map(
      this.finalized.map(({ originalName, fileId }) => {
        let bytes = 0
        let of: Chunk['of'] | null = null
        const chunks = [...(this.#chunks.get(fileId) ?? [])].toSorted((a, b) => a[0] - b[0])
        for (const [, chunk] of chunks) {
          of ??= chunk.of
          if (!isSame(chunk.of, of) || chunk.start !== bytes)
            throw new Error(`${originalName}: mixed bytes`)
          bytes += chunk.size
        }
        return [originalName, { of: of!, bytes }]
      }),
    )
  }

  async #exchange(
    request: TransportRequest,
    fault: Fault,
    ms: number,
    answer: (cutAfter?: number) => Partial<TransportReply>,
  ): Promise<TransportReply> {
    const aborted = new Promise<'aborted'>((resolve) => {
      request.signal.addEventListener('abort', () => resolve('aborted'))
    })
    const half = ((request.chunk?.bytes ?? request.tar)?.size ?? 0) / 2
    let isHalfSent = false
    const wait = async (part: number) => {
      if (ms > 0) await new Promise<void>((resolve) => this.clock.setTimer(part, resolve))
    }
    const work = async (): Promise<Partial<TransportReply>> => {
      await wait(ms / 2)
      if (request.signal.aborted) return { status: 0 }
      if (fault.kind === 'lost') return { status: 0 }
      request.onProgress?.(half)
      isHalfSent = true
      if (fault.kind === 'hang') return new Promise(() => {})
      if (fault.kind === 'answer') return fault.reply
      if (fault.kind === 'cut') {
        answer(fault.files)
        return { status: 0 }
      }
      await wait(ms / 2)
      if (request.signal.aborted) return { status: 0 }
      request.onProgress?.(half * 2 + 600)
      const reply = answer()
      if (fault.kind === 'mute') return new Promise(() => {})
      return fault.kind === 'ack lost' ? { status: 0 } : reply
    }
    const reply = await Promise.race([work(), aborted])
    if (reply === 'aborted' && request.tar && isHalfSent) answer(abortedFiles)
    const known = reply === 'aborted' ? { status: 0 } : reply
    return { status: 0, retryAfter: null, json: undefined, ...known }
  }

  #receive({ chunk }: TransportRequest): Partial<TransportReply> {
    if (this.state === 'complete') return refusal(409, 'already_complete')
    const { fileId, chunkIndex } = chunk!.fields
    const { of, version, start, size } = chunk!.bytes as unknown as FakeBytes
    this.#keep(fileId!, Number(chunkIndex), { of: { ...of, version }, start, size })
    return success()
  }

  #receiveTar(files: readonly TarFile[]): Partial<TransportReply> {
    if (this.state === 'complete') return refusal(409, 'already_complete')
    for (const { path, content } of files) {
      const of = sourceOf(path.slice(path.indexOf('/') + 1), content)
      this.#keep(path, 0, { of, start: 0, size: content.length })
    }
    return { status: 200, json: { success: true, files: files.length, skippedCount: 0 } }
  }

  #keep(fileId: string, index: number, chunk: Chunk): void {
    const known = this.#chunks.get(fileId) ?? new Map<number, Chunk>()
    this.#chunks.set(fileId, known)
    known.set(index, chunk)
  }

  #answer(name: string, request: TransportRequest): Partial<TransportReply> {
    if (name === 'readyz') return { status: 200, json: { status: 'ok' } }
    if (name === 'thumbnail') return this.#takeThumbnail(request)
    if (name === 'finalize') return this.#finalize(request.json)
    if (this.state === 'complete') return refusal(409, 'already_complete')
    if (name === 'discard') return this.#discard(request.json as { fileIds: string[] })
    return { status: 200, json: { chunks: this.ranges() } }
  }

  #discard({ fileIds }: { fileIds: readonly string[] }): Partial<TransportReply> {
    for (const fileId of fileIds) {
      for (const index of this.#chunks.get(fileId)?.keys() ?? []) {
        this.#acknowledged.delete(`${fileId}/${index}`)
      }
      this.#chunks.delete(fileId)
    }
    return success()
  }

  #takeThumbnail({ path, token, jpeg }: TransportRequest): Partial<TransportReply> {
    const fileId = decodeURIComponent(path.split('/').at(-1)!)
    if (this.state === 'complete' && token !== null) return refusal(409, 'already_complete')
    if (!this.#chunks.has(fileId)) return refusal(404, 'not_found')
    this.thumbnails.set(fileId, jpeg!)
    return { status: 200, json: { success: true } }
  }

  /** The list as the service returns it. */
  ranges(): object[] {
    const ranges: { fileId: string; from: number; to: number; bytes: number }[] = []
    for (const [fileId, chunks] of this.#chunks) {
      for (const [index, { size }] of [...chunks].toSorted((a, b) => a[0] - b[0])) {
        const last = ranges.at(-1)
        if (last?.fileId === fileId && last.to === index - 1) {
          last.to = index
          last.bytes += size
        } else ranges.push({ fileId, from: index, to: index, bytes: size })
      }
    }
    return ranges.map((range) => ({
      ...range,
      samples: [...new Set([range.from, range.to])].map((index) => {
        const { of, start, size } = this.#chunks.get(range.fileId)!.get(index)!
        return { index, crc32: crc32(contentOf(of, start, start + size)) }
      }),
    }))
  }

  #finalize({ files, notifyRecipients }: any): Partial<TransportReply> {
    if (this.state === 'complete') {
      const isSame = JSON.stringify(files) === JSON.stringify(this.finalized)
      return isSame ? success() : refusal(409, 'already_complete')
    }
    for (const { fileId, size } of files) {
      const chunks = [...(this.#chunks.get(fileId) ?? [])].toSorted((a, b) => a[0] - b[0])
      const bytes = chunks.reduce((sum, [, chunk]) => sum + chunk.size, 0)
      const isWhole = chunks.every(([index], place) => index === place) && bytes >= size
      if (!isWhole) return refusal(400, 'incomplete_upload', { missing: [{ fileId, from: 0 }] })
      if (bytes !== size) return refusal(400, 'size_mismatch', { fileId })
    }
    this.finalized = files
    this.isNotifying = notifyRecipients
    this.state = 'complete'
    return { status: 200, json: { success: true, shareUrl: 'http://transfer.test/s/one' } }
  }
}

function idOf({ chunk }: TransportRequest): string {
  return `${chunk!.fields['fileId']}/${chunk!.fields['chunkIndex']}`
}

interface TarFile {
  readonly path: string
  readonly content: Buffer
}

/** As the service reads it. */
function filesOf(archive: Buffer): TarFile[] {
  const files: { path: string; size: number; parts: Buffer[] }[] = []
  const reader = new TarReader({
    open: ({ path, size }) => void files.push({ path, size, parts: [] }),
    write: (data) => void files.at(-1)!.parts.push(data),
    close: () => {},
    skip: (path) => {
      throw new Error(`${path} is no file`)
    },
  })
  void reader.feed(archive)
  reader.end()
  if (!reader.hasEnd) throw new Error('the archive has no end')
  return files.map(({ path, parts }) => ({ path, content: Buffer.concat(parts) }))
}

/** The file with this content, whose every byte must be right. Short contents tell no name. */
function sourceOf(label: string, content: Buffer): Chunk['of'] {
  const [, name, time, digits] = /^(.+?) (\d+) (?:v(\d+) )?/.exec(content.toString()) ?? []
  const version = Number(digits ?? 0)
  const size = content.length
  const of = { name: name ?? label, lastModified: Number(time ?? 1), version, size }
  const isRight = of.name.endsWith(label) && contentOf(of, 0, of.size).equals(content)
  if (!isRight) throw new Error(`${label}: wrong bytes`)
  return of
}

/** Another page has other objects for the same file. */
function isSame(one: Content, other: Content): boolean {
  const isNamed = one.name === other.name && one.lastModified === other.lastModified
  return isNamed && one.version === other.version
}

function success(): Partial<TransportReply> {
  return { status: 200, json: { success: true, shareUrl: 'http://transfer.test/s/one' } }
}

function refusal(status: number, code: string, more: object = {}): Partial<TransportReply> {
  return { status, json: { error: `as for ${code}`, code, ...more } }
}

export class Scene {
  readonly clock = new HandClock()
  readonly service = new FakeService(this.clock)
  readonly store = new MemoryStore()
  readonly changes: number[] = []
  readonly limits: UploadLimits
  readonly target: Upload['target']
  readonly tarSupport = { isRefused: false }
  readonly drawThumbnail: DrawThumbnail | null
  upload: Upload

  constructor(
    limits: UploadLimits = { chunkBytesMax: 100 * mib },
    target: Upload['target'] = { kind: 'share', shareId: 'one', uploadToken: 'token' },
    drawThumbnail: DrawThumbnail | null = null,
  ) {
    this.limits = limits
    this.target = target
    this.drawThumbnail = drawThumbnail
    this.upload = new Upload(this.#options())
  }

  again(): Upload {
    return new Upload(this.#options())
  }

  reload(record: UploadRecord | null = [...this.store.records.values()][0] ?? null): void {
    this.upload.dispose()
    this.upload = new Upload(this.#options(), record)
  }

  get phase(): string {
    return this.upload.snapshot().phase
  }

  async untilPhase(phase: string, msMax?: number): Promise<void> {
    await this.clock.until(() => this.phase === phase, msMax)
  }

  /** Completes the upload; nothing was sent again that had arrived, and every file is whole. */
  async expectDone(files?: number): Promise<void> {
    void this.upload.complete()
    await this.untilPhase('done')
    const expected = files ?? this.upload.snapshot().totals.files
    assert.is(this.service.contents().size, expected)
    for (const { of, bytes } of this.service.contents().values()) assert.is(bytes, of.size)
    assert.equal(this.service.violations, [])
  }

  /** Lets the first `count` requests with such a body fail this way. */
  fail(what: 'chunk' | 'tar' | 'jpeg', count: number, fault: Fault): void {
    let left = count
    this.service.plan = (request) => (request[what] && left-- > 0 ? fault : pass)
  }

  count(name: string): number {
    return this.service.requests.filter((request) => request === name).length
  }

  #options() {
    return {
      target: this.target,
      transport: this.service.transport,
      store: this.store,
      clock: this.clock,
      limits: this.limits,
      tarSupport: this.tarSupport,
      ...(this.drawThumbnail ? { drawThumbnail: this.drawThumbnail } : {}),
      onChange: () => void this.changes.push(this.clock.time),
    }
  }
}
