import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../lib/clock.ts'
import { hasBody } from './body.ts'
import type { RequestContext } from './request-context.ts'

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
