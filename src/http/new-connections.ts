import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../lib/clock.ts'
import { networkOf } from './client-ip.ts'
import type { ConnectionBounds } from './connection-bounds.ts'
import { RateLimiter } from './rate-limit.ts'

const windowMs = 10_000
/** Parsing the first data of a costly body delays the connections behind it by 10 ms. */
const costlyTokens = 64
/** A proxy on this machine, which may not be listed in TRUST_PROXY, has those of everyone. */
const ownAddresses = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/**
 * Bounds the new connections of each network. Further ones are closed before a parser is made for
 * them: Node accepts one connection in each turn of the event loop, so that those of other networks
 * wait behind them. Call it once the server has its other listeners.
 * @returns makes a connection whose body is costly to parse count for more, once
 */
export function limitNewConnections(
  server: Server,
  { isProxy, newOfNetworkMax }: ConnectionBounds,
  clock: Clock,
): (socket: Socket) => void {
  const rate = new RateLimiter({ limit: newOfNetworkMax, windowMs, clock })
  const costly = new WeakSet<Socket>()
  /** Returns whether there was one. */
  const takeToken = ({ remoteAddress }: Socket) => {
    if (remoteAddress === undefined || ownAddresses.has(remoteAddress)) return true
    if (isProxy(remoteAddress)) return true
    return rate.take(networkOf(remoteAddress) ?? remoteAddress).allowed
  }
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    if (!takeToken(socket)) return void socket.destroy()
    for (const listener of listeners) Reflect.apply(listener, server, [socket])
  })
  return (socket) => {
    if (costly.has(socket)) return
    costly.add(socket)
    for (let taken = 1; taken < costlyTokens; taken++) takeToken(socket)
  }
}
