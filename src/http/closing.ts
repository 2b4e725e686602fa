import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { RequestContext } from './request-context.ts'
import type { Clock } from '../lib/clock.ts'
import { hasBody } from './body.ts'

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

/** What `resetAndDestroy` uses (lib/net.js of Node 20 to 24). */
interface Resettable {
  resetAndClosing?: boolean
  readonly _handle?: { readonly reset?: unknown } | null
}

/**
 * Closes a connection by a reset, at once. After an answer of HTTP/1.0 without a length, an
 * ordinary end would say that it is complete (RFC 9112 section 6.3); `resetAndDestroy` sends one
 * before the reset. On TLS a missing close_notify says that it is not (RFC 8446 section 6.1); for
 * Unix sockets see `RequestContext.showsBreaks`.
 */
export function resetSocket(socket: Socket): void {
  const resettable = socket as unknown as Resettable
  if (typeof resettable._handle?.reset === 'function') resettable.resetAndClosing = true
  socket.destroy()
}

// A client may shut down its side after the request and still read (RFC 9112 section 9.6). A client
// that closes its connection looks the same until something is sent to it.

/** A client that still reads shuts down right after its request, not later. */
const shutDownMsMax = 5_000
/** More than the round trip of most clients: a reset has arrived by then. */
const resetMsMax = 100

/**
 * Watches for a shutdown after a request has been received.
 * @returns function to call when the client shuts down its side; it closes the connection if the
 *   client has gone before its answer began
 */
export function watchHalfClose(context: RequestContext, clock: Clock): () => void {
  const { request, response } = context
  const { socket } = request
  let receivedAt = hasBody(context) ? null : clock.monotonic()
  request.once('end', () => {
    receivedAt ??= clock.monotonic()
  })
  return () => {
    if (response.headersSent || receivedAt === null) return
    if (clock.monotonic() - receivedAt >= shutDownMsMax) socket.destroy()
  }
}

/** Sends the head of an answer to a client that has shut down, and waits for a reset. */
export async function awaitReset({ request, response, signal }: RequestContext): Promise<void> {
  if (!request.socket.readableEnded) return
  response.flushHeaders()
  await delay(resetMsMax, undefined, { signal, ref: false }).catch(() => {})
}
