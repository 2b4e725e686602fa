import { createHash, randomInt } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Dispatcher, Pool } from 'undici'
import type { Clock } from '../../../lib/clock.ts'
import { CodedError, isSystemError, unavailable } from '../../../lib/errors.ts'
import { formatQuery, signed, type Credentials } from './signature.ts'
import { parseXml, textOf, type XmlElement } from './xml.ts'

/** As many as segments that a process writes at once. */
const writesMax = 256
const readsMax = 64
const connectMsMax = 5_000
/** Silence of the store until a request counts as lost. */
const silenceMsMax = 15_000
/** CompleteMultipartUpload takes longer, and so does a PUT whose bytes come slowly. */
const writeMsMax = 60_000
/** A list of 1,000 names has about half a megabyte. */
const answerBytesMax = 2 * 1024 * 1024
const repeatMsMax = 15_000
const firstPauseMs = 100
const pauseMsMax = 2_000
const retryAfterSeconds = 5
/** In place of the 200 that an error came with: worth another attempt. */
const refusedLate = 500
const nothing: XmlElement = { name: '', text: '', children: [] }

/** Where the objects are; see config/blobs-url.ts. */
export interface Bucket {
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly prefix: string
}

export interface StoreRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Without the prefix; null for the bucket. */
  readonly key: string | null
  readonly query?: Readonly<Record<string, string>>
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer whose body was read. */
export interface StoreAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** The store refused a request: its status, and its own code if it gave one. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly status: number
  readonly storeCode: string

  constructor(request: StoreRequest, status: number, text: string) {
    const storeCode = codeIn(text)
    super(`the store answered ${request.method} with ${status} ${storeCode}`.trimEnd())
    this.status = status
    this.storeCode = storeCode
  }

  /** Whether the same request may succeed later. */
  get isPassing(): boolean {
    return [429, 500, 502, 503, 504].includes(this.status)
  }
}

/** Sends signed requests to a bucket. */
export class StoreClient {
  readonly bucket: Bucket
  readonly clock: Clock
  /** Reads ahead that may still be opened; they leave connections to single reads. */
  readAheadsLeft = 32
  /** Requests by method and status, such as `PUT 200`; `none` without an answer. */
  readonly counts = new Map<string, number>()
  readonly #credentials: Credentials
  readonly #reads: Pool
  readonly #writes: Pool

  private constructor(bucket: Bucket, credentials: Credentials, clock: Clock, pools: [Pool, Pool]) {
    this.bucket = bucket
    this.clock = clock
    this.#credentials = credentials
    this.#reads = pools[0]
    this.#writes = pools[1]
  }

  /** Names the place, without credentials. */
  get name(): string {
    return `s3://${this.bucket.bucket}/${this.bucket.prefix}`
  }

  static async open(bucket: Bucket, credentials: Credentials, clock: Clock): Promise<StoreClient> {
    const { Pool } = await import('undici')
    const open = (connections: number, silenceMs: number) =>
      new Pool(bucket.endpoint, {
        connections,
        connect: { timeout: connectMsMax },
        headersTimeout: silenceMs,
        bodyTimeout: silenceMs,
      })
    // Two, so that uploads whose bytes come slowly leave connections for reads.
    const pools: [Pool, Pool] = [open(readsMax, silenceMsMax), open(writesMax, writeMsMax)]
    return new StoreClient(bucket, credentials, clock, pools)
  }

  /**
   * Sends a request whose body is in memory, again while the store fails for the moment.
   * @param expected statuses that are no failure
   * @throws CodedError unavailable
   */
  call(
    request: StoreRequest,
    expected: readonly number[],
    body: readonly Buffer[] = [],
  ): Promise<StoreAnswer> {
    return this.#orDown(() => this.attempt(request, expected, body))
  }

  /**
   * The same for an answer of XML, which may be an error in a 200.
   * @throws CodedError unavailable
   */
  callForXml(
    request: StoreRequest,
    expected: readonly number[],
    body: readonly Buffer[] = [],
  ): Promise<StoreAnswer & { readonly root: XmlElement }> {
    return this.#orDown(async () => {
      const answer = await this.attempt(request, expected, body)
      const root = answer.status === 200 ? parseXml(answer.text) : nothing
      const isRefusal = root.name === 'Error'
      if (isRefusal) throw new StoreError(request, refusedLate, answer.text)
      return { ...answer, root }
    })
  }

  async #orDown<T>(task: () => Promise<T>): Promise<T> {
    try {
      return await this.repeat(task)
    } catch (error) {
      throw error instanceof CodedError ? error : storeDown(error)
    }
  }

  /** The same once. @throws StoreError; errors of undici */
  async attempt(
    request: StoreRequest,
    expected: readonly number[],
    body: readonly Buffer[] = [],
  ): Promise<StoreAnswer> {
    const isEmpty = body.length === 0
    const complete = isEmpty ? request : { ...request, headers: headersFor(request, body) }
    const answer = await this.send(complete, isEmpty ? null : body)
    const text = await readText(answer.body)
    const { statusCode: status } = answer
    if (!expected.includes(status)) throw new StoreError(request, status, text)
    const headers = Object.entries(answer.headers).map(([name, value]) => [name, String(value)])
    return { status, headers: Object.fromEntries(headers), text }
  }

  /**
   * Sends once.
   * @param body buffers that stay unchanged until the answer is there; its length is in the headers
   * @throws errors of undici; the signal's reason
   */
  async send(
    { method, key, query = {}, headers = {} }: StoreRequest,
    body: Iterable<Buffer> | AsyncIterable<Buffer> | null,
    signal?: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const { endpoint, bucket, prefix, region } = this.bucket
    const path = `/${bucket}${key === null ? '' : `/${prefix}${key}`}`
    const { host } = new URL(endpoint)
    const request = { method, host, path, query, headers }
    const now = new Date(this.clock.now())
    const search = formatQuery(query)
    const pool = method === 'PUT' || method === 'POST' ? this.#writes : this.#reads
    const count = (status: number | 'none') => {
      const name = `${method} ${status}`
      this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
    }
    const sending = pool.request({
      method,
      path: search === '' ? path : `${path}?${search}`,
      headers: signed(request, this.#credentials, region, now),
      // It takes any iterable.
      body: body as Readable | null,
      ...(signal ? { signal } : {}),
    })
    try {
      const answer = await sending
      count(answer.statusCode)
      return answer
    } catch (error) {
      count('none')
      throw error
    }
  }

  /**
   * Runs a task again while it fails for the moment, for 15 seconds at most.
   * @throws CodedError unavailable; other errors of the task
   */
  async repeat<T>(task: () => Promise<T>): Promise<T> {
    const until = this.clock.monotonic() + repeatMsMax
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMsMax, pauseMs * 2)) {
      try {
        return await task()
      } catch (error) {
        if (!isPassing(error)) throw error
        const wait = pauseMs / 2 + randomInt(pauseMs)
        if (this.clock.monotonic() + wait > until) throw storeDown(error)
        await new Promise<void>((resolve) => void this.clock.setTimer(wait, resolve))
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#reads.destroy(), this.#writes.destroy()])
  }
}

/** 503 for a store that fails or does not answer; its cause names no credentials. */
export function storeDown(cause: unknown): CodedError {
  return unavailable(retryAfterSeconds, cause)
}

/** Errors of connections count as well: all that undici throws itself. */
function isPassing(error: unknown): boolean {
  if (error instanceof StoreError) return error.isPassing
  if (error instanceof CodedError || isSystemError(error, 'ENOENT')) return false
  return error instanceof Error && 'code' in error
}

/** @throws Error above 2 MiB; errors of undici */
export async function readText(body: Dispatcher.ResponseData['body']): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const data of body as AsyncIterable<Buffer>) {
    bytes += data.length
    if (bytes > answerBytesMax) throw new Error('the answer of the store is too long')
    parts.push(data)
  }
  return Buffer.concat(parts).toString('utf8')
}

function headersFor({ headers }: StoreRequest, body: readonly Buffer[]): Record<string, string> {
  const digest = createHash('md5')
  let bytes = 0
  for (const data of body) {
    digest.update(data)
    bytes += data.length
  }
  return { ...headers, 'content-length': String(bytes), 'content-md5': digest.digest('base64') }
}

function codeIn(text: string): string {
  try {
    return textOf(parseXml(text), 'Code') ?? ''
  } catch {
    return ''
  }
}
