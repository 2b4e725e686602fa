import { CodedError } from '../lib/errors.ts'
import type { RequestContext } from './request-context.ts'
import { IncomingMessage } from 'node:http'

/** Larger pieces are kept as they are; smaller ones are copied together. */
const keptBytesMin = 16 * 1024
const slabBytesMin = 4 * 1024
const slabBytesMax = 32 * 1024

/**
 * Bytes from pieces of any size, held in few buffers: an object for each piece would take two
 * hundred bytes even for a piece of one.
 */
export class GatheredBytes {
  #buffers: Buffer[] = []
  #slab: Buffer | null = null
  /** Start of the slab's bytes that are not among the buffers yet. */
  #from = 0
  #to = 0
  #length = 0
  #memoryBytes = 0

  get length(): number {
    return this.#length
  }

  /** Memory that the bytes take, which is somewhat more than their number. */
  get memoryBytes(): number {
    return this.#memoryBytes
  }

  /** A large piece must stay unchanged from now on. */
  add(piece: Buffer): void {
    this.#length += piece.length
    if (piece.length >= keptBytesMin) this.#keep(piece)
    else this.#copy(piece)
  }

  /** Removes and returns all bytes so far, in order. */
  take(): Buffer[] {
    this.#closeRun()
    const buffers = this.#buffers
    this.#buffers = []
    this.#slab = null
    this.#length = 0
    this.#memoryBytes = 0
    return buffers
  }

  #keep(piece: Buffer): void {
    this.#closeRun()
    this.#buffers.push(piece)
    this.#memoryBytes += piece.buffer.byteLength
  }

  #copy(piece: Buffer): void {
    for (let done = 0; done < piece.length;) {
      if (!this.#slab || this.#to === this.#slab.length) this.#addSlab(piece.length - done)
      const count = piece.copy(this.#slab!, this.#to, done)
      this.#to += count
      done += count
    }
  }

  /** Slabs grow with the total, so that little of them stays unused. */
  #addSlab(bytesMin: number): void {
    this.#closeRun()
    const wanted = Math.max(slabBytesMin, bytesMin, Math.floor(this.#memoryBytes / 2))
    this.#slab = Buffer.allocUnsafeSlow(Math.min(wanted, slabBytesMax))
    this.#memoryBytes += this.#slab.length
    this.#from = 0
    this.#to = 0
  }

  #closeRun(): void {
    if (this.#slab && this.#to > this.#from) {
      this.#buffers.push(this.#slab.subarray(this.#from, this.#to))
    }
    this.#from = this.#to
  }
}

/**
 * Feeds the request's body to `write` until it has ended. A promise from `write` pauses the socket
 * until it settles; no end comes before that, because callers release what it still uses. When it
 * rejects, or `write` throws, the request stays paused and readable: the refusal can then be
 * answered while the rest is discarded.
 * @throws CodedError incomplete_body, payload_too_large (above bytesMax); errors of `write`
 */
export function feedBody(
  context: RequestContext,
  bytesMax: number,
  write: (data: Buffer) => void | Promise<void>,
): Promise<void> {
  const { request, signal } = context
  if (declaredLength(context) > bytesMax) return Promise.reject(tooLarge(bytesMax))
  if (signal.aborted) return Promise.reject(signal.reason as Error)
  context.startBody()

  return new Promise((resolve, reject) => {
    let received = 0
    let running: Promise<void> | null = null
    let hasEnded = false
    const settle = (error?: unknown) => {
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose)
      signal.removeEventListener('abort', onClose)
      context.paused = false
      context.phase = 'working'
      if (error === undefined) return resolve()
      request.pause()
      void Promise.allSettled([running]).then(() => reject(error))
    }
    const onData = (data: Buffer) => {
      received += data.length
      context.bodyBytes += data.length
      if (received > bytesMax) return settle(tooLarge(bytesMax))
      let wait: void | Promise<void>
      try {
        wait = write(data)
      } catch (error) {
        return settle(error)
      }
      if (!wait) return
      request.pause()
      context.paused = true
      running = wait
      wait.then(() => {
        context.paused = false
        running = null
        if (hasEnded) settle()
        else request.resume()
      }, settle)
    }
    const onEnd = () => {
      if (!request.complete) return settle(incomplete())
      if (!running) return settle()
      // Node also ends a paused request when its last data has been read; then it closes it.
      hasEnded = true
      request.off('close', onClose)
    }
    const onClose = () => {
      settle(signal.reason instanceof CodedError ? signal.reason : incomplete(signal.reason))
    }
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
    signal.addEventListener('abort', onClose)
    if (request.readableEnded) onEnd()
    else request.resume()
  })
}

/** The body in one buffer, for small bodies: one request may hold `bytesMax` in memory. */
export async function readBody(context: RequestContext, bytesMax: number): Promise<Buffer> {
  const gathered = new GatheredBytes()
  await feedBody(context, bytesMax, (data) => gathered.add(data))
  return Buffer.concat(gathered.take())
}

/** Content-Length, or 0 when the body is chunked or absent (Node refuses malformed lengths). */
export function declaredLength(context: RequestContext): number {
  return Number(context.header('content-length') ?? 0)
}

export function hasBody(context: RequestContext): boolean {
  return declaredLength(context) > 0 || context.header('transfer-encoding') !== undefined
}

/** For a body above its limit. */
export function tooLarge(bytesMax: number): CodedError {
  return new CodedError('payload_too_large', {
    message: `The body exceeds ${bytesMax} bytes.`,
    details: { limit: bytesMax },
  })
}

function incomplete(cause?: unknown): CodedError {
  return new CodedError('incomplete_body', { cause })
}

const smallBytesMax = 4 * 1024
const gatheredMax = 1000

/**
 * A request that delivers its body in few pieces. Node makes a buffer for every chunk of a chunked
 * body (RFC 9112 section 7.1), and one for a single byte takes two hundred: small ones that arrive
 * together are joined before anything keeps them. Parsing 64 KiB of such chunks takes 10 ms, so
 * after a thousand of them the next data of the socket waits for a turn.
 */
export class GatheredRequest extends IncomingMessage {
  /** Calls back when it may read on: see RequestTurns. */
  queue: (readOn: () => void) => void = (readOn) => readOn()
  /** Called when data of the socket had very many chunks. */
  onCostly: () => void = () => {}
  #gathered: Buffer[] = []
  #wasCostly = false
  #isQueued = false

  override _read(size: number): void {
    if (this.#isQueued) return
    if (!this.#wasCostly) return super._read(size)
    this.#wasCostly = false
    this.#isQueued = true
    this.queue(() => {
      this.#isQueued = false
      super._read(size)
    })
  }

  override push(data: Buffer | null): boolean {
    if (data === null || data.length > smallBytesMax) {
      this.#handOver()
      return super.push(data)
    }
    // An immediate runs once the present data of the socket is parsed.
    if (this.#gathered.length === 0) setImmediate(() => this.#flush())
    this.#gathered.push(data)
    if (this.#gathered.length < gatheredMax) return true
    this.#handOver()
    this.#wasCostly = true
    this.onCostly()
    // Node's parser pauses the socket until `_read`.
    return false
  }

  #flush(): void {
    // Like Node's reaction to `push`: pauses the socket until the body is read.
    if (!this.destroyed && !this.#handOver()) this.socket.pause()
  }

  #handOver(): boolean {
    if (this.#gathered.length === 0) return true
    const [first] = this.#gathered
    const data = this.#gathered.length === 1 ? first : Buffer.concat(this.#gathered)
    this.#gathered = []
    return super.push(data)
  }
}

const discardBytesMax = 256 * 1024 * 1024
const discardTimeMsMax = 60_000

/**
 * After an answer that was sent while the body was still arriving: reads and discards the rest, so
 * that the client can read the answer. Closing at once would reset the connection, and clients that
 * write before they read would see the reset instead of the 413.
 */
export function discardBody(context: RequestContext): void {
  const { request } = context
  if (request.complete || request.destroyed) {
    request.resume()
    return
  }
  let discarded = 0
  const close = () => request.socket.destroy()
  const timer = setTimeout(close, discardTimeMsMax)
  timer.unref()
  request.on('data', (data: Buffer) => {
    discarded += data.length
    context.bodyBytes += data.length
    if (discarded > discardBytesMax) close()
  })
  const done = () => clearTimeout(timer)
  request.once('end', done).once('close', done)
  context.paused = false
  request.resume()
}
