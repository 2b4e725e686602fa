import { createGunzip } from 'node:zlib'
import { CodedError } from '../lib/errors.ts'
import { feedBody, tooLarge } from './body.ts'
import type { RequestContext } from './request-context.ts'

/** Content codings of a body that are decoded (RFC 9110 section 8.4.1). */
type Coding = 'gzip' | 'identity'

/**
 * feedBody() for a body that may be compressed. `bytesMax` limits both the compressed and the
 * uncompressed bytes; `write` gets pieces of at most 64 KiB, and no further ones until its promise
 * settles.
 * @throws CodedError invalid_content_type, invalid_json, payload_too_large, incomplete_body; errors
 *   of `write`
 */
export async function feedUnpacked(
  context: RequestContext,
  bytesMax: number,
  write: (data: Buffer) => void | Promise<void>,
): Promise<void> {
  const count = (data: Buffer) => {
    context.unpackedBytes += data.length
    return write(data)
  }
  if (readCoding(context) === 'identity') return feedBody(context, bytesMax, count)
  const unpacking = new Unpacking(bytesMax, count)
  try {
    await feedBody(context, bytesMax, (data) => unpacking.take(data))
    await unpacking.finish()
  } finally {
    unpacking.close()
  }
}

/** One body on its way through gunzip, which holds at most one piece of it. */
class Unpacking {
  readonly #gunzip = createGunzip()
  #bytes = 0
  #failure: unknown = null
  /** Whether the last compressed byte has arrived. */
  #isOver = false
  /** The only wait at a time: for space in gunzip, or for its end. */
  #waiting: { resolve: () => void; reject: (error: unknown) => void } | null = null

  constructor(bytesMax: number, write: (data: Buffer) => void | Promise<void>) {
    this.#gunzip.on('data', (data: Buffer) => {
      this.#bytes += data.length
      try {
        if (this.#bytes > bytesMax) throw tooLarge(bytesMax)
        const wait = write(data)
        if (!wait) return
        this.#gunzip.pause()
        const fail = (error: unknown) => void this.#gunzip.destroy(error as Error)
        wait.then(() => this.#gunzip.resume(), fail)
      } catch (error) {
        this.#gunzip.destroy(error as Error)
      }
    })
    this.#gunzip.on('drain', () => this.#waiting?.resolve())
    this.#gunzip.on('end', () => {
      this.#isOver = true
      this.#waiting?.resolve()
    })
    this.#gunzip.on('error', (error) => {
      this.#failure = ofClient(error)
      this.#waiting?.reject(this.#failure)
    })
  }

  take(data: Buffer): void | Promise<void> {
    if (this.#failure) throw this.#failure
    if (this.#isOver) throw notGzip()
    if (!this.#gunzip.write(data)) return this.#wait()
  }

  async finish(): Promise<void> {
    if (this.#failure) throw this.#failure
    if (this.#isOver) return
    this.#gunzip.end()
    await this.#wait()
  }

  close(): void {
    this.#gunzip.destroy()
  }

  #wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
    })
  }
}

export function isPacked(context: RequestContext): boolean {
  return readCoding(context) !== 'identity'
}

function readCoding(context: RequestContext): Coding {
  const coding = (context.header('content-encoding') ?? 'identity').trim().toLowerCase()
  if (coding === 'gzip' || coding === 'identity') return coding
  throw new CodedError('invalid_content_type', {
    message: 'Send the body uncompressed or as gzip.',
    // RFC 9110 section 12.5.3.
    headers: { 'Accept-Encoding': 'gzip' },
  })
}

/** Turns errors of zlib about unreadable bytes into errors of the client. */
function ofClient(error: Error): unknown {
  return error instanceof CodedError ? error : notGzip(error)
}

function notGzip(cause?: unknown): CodedError {
  return new CodedError('invalid_json', {
    message: 'The body is not valid gzip, although Content-Encoding says so.',
    cause,
  })
}
