import type { Socket } from 'node:net'

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
