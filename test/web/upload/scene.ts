// The service as the engine sees it, with configurable faults, and a clock that is turned by
// hand. It records what must never happen: a chunk sent again that the engine knows to be there.
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../../src/web/lib/clock.ts'
import { createUpload, restoreUpload } from '../../../src/web/upload/engine.ts'
import type {
  FileSource,
  PickedFile,
  Transport,
  TransportReply,
  TransportRequest,
  Upload,
  UploadLimits,
  UploadRecord,
  UploadStore,
} from '../../../src/web/upload/types.ts'

export const mib = 1024 * 1024

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

/** A file whose bytes are derived from their offset. */
export interface FakeFile extends FileSource {
  /** Reading fails from now on. */
  isGone: boolean
}

interface FakeBytes {
  readonly of: FakeFile
  readonly start: number
  readonly size: number
}

export function fakeFile(path: string, size: number, lastModified = 1): PickedFile {
  const file: FakeFile = {
    name: path.split('/').at(-1)!,
    size,
    lastModified,
    isGone: false,
    slice: (start, end) => bytesOf(file, start, end),
  }
  return { path, file, size, lastModified, type: '' }
}

function bytesOf(of: FakeFile, start: number, end: number): Blob {
  const read = async () => {
    if (of.isGone) throw new Error('NotReadableError')
    return new ArrayBuffer(0)
  }
  const slice = (from: number, to: number) => bytesOf(of, start + from, start + to)
  return { of, start, size: end - start, slice, arrayBuffer: read } as unknown as Blob
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
  | { readonly kind: 'answer'; readonly reply: Partial<TransportReply> }

export const pass: Fault = { kind: 'pass' }

/** An error of the service. */
export function coded(status: number, code: string, more: object = {}): Fault {
  const json = { error: `as for ${code}`, code, ...more }
  return { kind: 'answer', reply: { status, json, retryAfter: null } }
}

/** The page of a proxy. */
export function html(status: number): Fault {
  return { kind: 'answer', reply: { status, json: undefined } }
}

interface Chunk {
  readonly of: FakeFile
  readonly start: number
  readonly size: number
}

interface Finalizing {
  readonly files: FakeService['finalized']
  readonly notifyRecipients?: boolean
}

class FakeService {
  readonly clock: HandClock
  /** Called before each request. */
  plan: (request: TransportRequest) => Fault = () => pass
  bytesPerSecond = 20 * mib
  answerMs = 20
  state: 'draft' | 'complete' = 'draft'
  finalized: { originalName: string; fileId: string; size: number }[] = []
  /** The value in the request to finalize; undefined when it was absent. */
  isNotifying: boolean | undefined
  readonly requests: string[] = []
  readonly violations: string[] = []
  /** The maximum of simultaneous chunk requests. */
  parallelMost = 0
  chunkRequests = 0
  #parallel = 0
  readonly #chunks = new Map<string, Map<number, Chunk>>()
  readonly #acknowledged = new Set<string>()

  constructor(clock: HandClock) {
    this.clock = clock
  }

  readonly transport: Transport = async (request) => {
    const name = request.path.split('/').at(-1)!
    this.requests.push(name)
    const fault = this.plan(request)
    if (name !== 'chunk') {
      return this.#exchange(request, fault, this.answerMs, () => this.#answer(name, request))
    }
    const { fileId, chunkIndex } = request.chunk!.fields
    const id = `${fileId}/${chunkIndex}`
    if (this.#acknowledged.has(id)) this.violations.push(`${id} was sent again`)
    this.#parallel += 1
    this.chunkRequests += 1
    this.parallelMost = Math.max(this.parallelMost, this.#parallel)
    const ms = (request.chunk!.bytes.size * 1000) / this.bytesPerSecond
    const reply = await this.#exchange(request, fault, ms, () => this.#receive(request))
    this.#parallel -= 1
    if (reply.status === 200 && reply.json) this.#acknowledged.add(id)
    return reply
  }

  /** Chunk `index` of every file is gone though it was acknowledged, as after a disk failure. */
  lose(index: number): void {
    for (const [fileId, chunks] of this.#chunks) {
      if (chunks.delete(index)) this.#acknowledged.delete(`${fileId}/${index}`)
    }
  }

  /** The content of each finalized file: runs of bytes of one source, joined. */
  contents(): Map<string, { of: FakeFile; bytes: number }> {
    return new Map(
      this.finalized.map(({ originalName, fileId }) => {
        let bytes = 0
        let of: FakeFile | null = null
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
    answer: () => Partial<TransportReply>,
  ): Promise<TransportReply> {
    const aborted = new Promise<'aborted'>((resolve) => {
      request.signal.addEventListener('abort', () => resolve('aborted'))
    })
    const half = (request.chunk?.bytes.size ?? 0) / 2
    const wait = async (part: number) => {
      if (ms > 0) await new Promise<void>((resolve) => this.clock.setTimer(part, resolve))
    }
    const work = async (): Promise<Partial<TransportReply>> => {
      await wait(ms / 2)
      if (request.signal.aborted) return { status: 0 }
      if (fault.kind === 'lost') return { status: 0 }
      request.onProgress?.(half)
      if (fault.kind === 'hang') return new Promise(() => {})
      if (fault.kind === 'answer') return fault.reply
      await wait(ms / 2)
      if (request.signal.aborted) return { status: 0 }
      request.onProgress?.(half * 2 + 600)
      const reply = answer()
      if (fault.kind === 'mute') return new Promise(() => {})
      return fault.kind === 'ack lost' ? { status: 0 } : reply
    }
    const reply = await Promise.race([work(), aborted])
    const known = reply === 'aborted' ? { status: 0 } : reply
    return { status: 0, retryAfter: null, json: undefined, ...known }
  }

  #receive({ chunk }: TransportRequest): Partial<TransportReply> {
    if (this.state === 'complete') return refusal(409, 'already_complete')
    const { fileId, chunkIndex } = chunk!.fields
    const { of, start, size } = chunk!.bytes as unknown as FakeBytes
    const known = this.#chunks.get(fileId!) ?? new Map<number, Chunk>()
    this.#chunks.set(fileId!, known)
    known.set(Number(chunkIndex), { of, start, size })
    return success()
  }

  #answer(name: string, request: TransportRequest): Partial<TransportReply> {
    if (name === 'readyz') return { status: 200, json: { status: 'ok' } }
    if (name === 'finalize') return this.#finalize(request.json as Finalizing)
    if (this.state === 'complete') return refusal(409, 'already_complete')
    return { status: 200, json: { chunks: this.ranges() } }
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
    return ranges
  }

  #finalize({ files, notifyRecipients }: Finalizing): Partial<TransportReply> {
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

/** Another page has other objects for the same file. */
function isSame(one: FakeFile, other: FakeFile): boolean {
  return one.name === other.name && one.lastModified === other.lastModified
}

function success(): Partial<TransportReply> {
  return { status: 200, json: { success: true, shareUrl: 'http://transfer.test/s/one' } }
}

function refusal(status: number, code: string, more: object = {}): Partial<TransportReply> {
  return { status, json: { error: `as for ${code}`, code, ...more } }
}

export class MemoryStore implements UploadStore {
  readonly records = new Map<string, UploadRecord>()
  siteBytes: number | null = null

  async list(): Promise<UploadRecord[]> {
    return [...this.records.values()]
  }

  async save(record: UploadRecord): Promise<void> {
    this.records.set(record.id, structuredClone(record))
  }

  async remove(id: string): Promise<void> {
    this.records.delete(id)
  }

  async chunkBytesMax(): Promise<number | null> {
    return this.siteBytes
  }

  async saveChunkBytesMax(bytes: number): Promise<void> {
    this.siteBytes = bytes
  }
}

/** One upload with everything around it. */
export class Scene {
  readonly clock = new HandClock()
  readonly service = new FakeService(this.clock)
  readonly store = new MemoryStore()
  /** When onChange was called. */
  readonly changes: number[] = []
  readonly limits: UploadLimits
  readonly target: Upload['target']
  upload: Upload

  constructor(
    limits: UploadLimits = { chunkBytesMax: 100 * mib },
    target: Upload['target'] = { kind: 'share', shareId: 'one', uploadToken: 'token' },
  ) {
    this.limits = limits
    this.target = target
    this.upload = createUpload(this.#options())
  }

  /** Leaves the page and opens it again. */
  reload(record: UploadRecord | null = [...this.store.records.values()][0] ?? null): void {
    this.upload.dispose()
    this.upload = restoreUpload({ ...this.#options(), record })
  }

  get phase(): string {
    return this.upload.snapshot().phase
  }

  async untilPhase(phase: string, msMax?: number): Promise<void> {
    await this.clock.until(() => this.phase === phase, msMax)
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
      onChange: () => void this.changes.push(this.clock.time),
    }
  }
}
