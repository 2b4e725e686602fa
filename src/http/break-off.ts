import type { Socket } from 'node:net'

/**
 * Closes a connection by a reset. After an answer of HTTP/1.0 without a length, an ordinary end
 * would say that it is complete (RFC 9112 section 6.3). On TLS a missing close_notify says that it
 * is not (RFC 8446 section 6.1); for Unix sockets see `RequestContext.showsBreaks`.
 */
export function resetSocket(socket: Socket): void {
  try {
    socket.resetAndDestroy()
  } catch {
    // No TCP handle of its own.
    socket.destroy()
  }
}
