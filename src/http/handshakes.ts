import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Clock } from '../lib/clock.ts'
import { limiterKey } from './client-ip.ts'
import { RateLimiter } from './rate-limit.ts'

export interface HandshakeBounds {
  readonly max: number
  /** For one client address (IPv6: one /64 network). */
  readonly ofAddressMax: number
  /** Begun by one address in 10 seconds: each costs a signature. */
  readonly ofAddressRate: number
  /** Milliseconds for one, however often its client sends a byte. */
  readonly msMax: number
}

interface HandshakeOptions {
  readonly bounds: HandshakeBounds
  /** Whether a peer is a trusted proxy: many clients share its address. */
  readonly isProxy: (peer: string) => boolean
  readonly clock: Clock
}

interface Begun {
  /** The client's address, as limits count it. */
  readonly key: string
  readonly timer: NodeJS.Timeout
}

const rateMs = 10_000

/** @param connectionsMax of the server; clients need a handshake for a fraction of a second */
export function handshakeBounds(connectionsMax: number): HandshakeBounds {
  const max = Math.min(512, Math.ceil(connectionsMax / 8))
  return { max, ofAddressMax: Math.min(64, max), ofAddressRate: 600, msMax: 10_000 }
}

/**
 * Connections of a server for https whose handshake is not finished, within bounds: for a new one,
 * closes the oldest. Afterwards they count as `Connections`.
 */
export class Handshakes {
  readonly #bounds: HandshakeBounds
  readonly #isProxy: (peer: string) => boolean
  readonly #rate: RateLimiter
  /** The oldest first. */
  readonly #all = new Map<Socket, Begun>()
  /** By the address and port of the client, which a socket of TLS shows too. */
  readonly #byPeer = new Map<string, Socket>()
  readonly #ofAddress = new Map<string, Set<Socket>>()

  constructor(server: Server, { bounds, isProxy, clock }: HandshakeOptions) {
    this.#bounds = bounds
    this.#isProxy = isProxy
    this.#rate = new RateLimiter({ limit: bounds.ofAddressRate, windowMs: rateMs, clock })
    server.on('connection', (socket: Socket) => this.#add(socket))
    server.on('secureConnection', (secure: TLSSocket) => {
      const socket = this.#byPeer.get(peerOf(secure))
      if (socket) this.#remove(socket)
    })
  }

  get count(): number {
    return this.#all.size
  }

  closeAll(): void {
    for (const socket of this.#all.keys()) socket.destroy()
  }

  #add(socket: Socket): void {
    const address = socket.remoteAddress ?? ''
    const isProxy = this.#isProxy(address)
    const key = limiterKey(address)
    // Nothing has been read from it.
    if (!isProxy && !this.#rate.take(key).allowed) return void socket.destroy()
    const neighbours = this.#ofAddress.get(key) ?? new Set()
    this.#ofAddress.set(key, neighbours.add(socket))
    const timer = setTimeout(() => this.#end([socket]), this.#bounds.msMax)
    this.#all.set(socket, { key, timer })
    const peer = peerOf(socket)
    this.#byPeer.set(peer, socket)
    socket.once('close', () => this.#remove(socket, peer))
    if (!isProxy && neighbours.size > this.#bounds.ofAddressMax) this.#end(neighbours)
    if (this.#all.size > this.#bounds.max) this.#end(this.#all.keys())
  }

  #end(sockets: Iterable<Socket>): void {
    for (const oldest of sockets) {
      this.#remove(oldest)
      return void oldest.destroy()
    }
  }

  /** @param peer of a closed socket, which has forgotten it */
  #remove(socket: Socket, peer = peerOf(socket)): void {
    const begun = this.#all.get(socket)
    if (begun === undefined) return
    const { key, timer } = begun
    this.#all.delete(socket)
    clearTimeout(timer)
    if (this.#byPeer.get(peer) === socket) this.#byPeer.delete(peer)
    const neighbours = this.#ofAddress.get(key)
    neighbours?.delete(socket)
    if (neighbours?.size === 0) this.#ofAddress.delete(key)
  }
}

function peerOf({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
