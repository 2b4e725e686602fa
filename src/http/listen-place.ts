import type { Server } from 'node:http'
import { createServer, type Server as NetServer, type Socket } from 'node:net'

/** A port of an address, a socket that another process has opened, or a server with a port. */
export type ListenPlace =
  | { readonly port: number; readonly host: string; readonly ipv6Only?: boolean }
  | { readonly fd: number }
  | { readonly held: NetServer }

/** Connections that wait to be accepted, as while the service restarts. */
const backlog = 4096

/**
 * Listens at a place; for an HTTP server that listens already, with a server that passes its
 * connections on.
 * @param onUnixSocket called with each connection through a Unix socket
 * @returns the server that listens
 * @throws system errors of listen
 */
export async function listenAt(
  server: Server,
  place: ListenPlace,
  onUnixSocket: (socket: Socket) => void,
): Promise<NetServer> {
  const listening = server.listening
    ? createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
        server.emit('connection', socket)
      })
    : server
  await new Promise<void>((resolve, reject) => {
    listening.once('error', reject)
    const done = () => {
      listening.off('error', reject)
      resolve()
    }
    // Node takes the number for a descriptor from the second argument alone.
    if ('held' in place) listening.listen(place.held, backlog, done)
    else listening.listen({ ...place, backlog }, backlog, done)
  })
  // Node has the path of such a socket as its address, and null for one that it was given.
  const address = listening.address()
  const isUnix = address === null || typeof address === 'string'
  if (isUnix) listening.prependListener('connection', onUnixSocket)
  return listening
}
