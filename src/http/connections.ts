import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { readFileSync } from 'node:fs'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { limiterKey, networkOf, createIsProxy } from './client-ip.ts'
import type { RequestContext } from './request-context.ts'
import { RateLimiter } from './rate-limit.ts'

/** Requests of one connection that run before the first of them is answered. */
const workedOnMax = 4

export interface Work {
  start(): void
  /** The client has shut down its side of the connection. */
  onShutDown(): void
}

/**
 * A client's connection with its requests, which all end with it: Node emits `close` only on the
 * response that is being sent, not on pipelined ones behind it (RFC 9112 section 9.3.2; Node 20 and
 * 22).
 */
export class ClientConnection {
  readonly #socket: Socket
  readonly #headMsMax: number
  readonly #all: Connections
  /** In the order of arrival. */
  readonly #contexts = new Map<RequestContext, Work>()
  readonly #waiting: RequestContext[] = []
  #onDestroy = () => {}
  #wasHeld = false
  #isFresh = true
  #isHeadLate = false
  #takesMore = true
  #headTimer: NodeJS.Timeout | undefined

  /** @param headMsMax time for a head that Node found overdue while the connection was paused */
  constructor(socket: Socket, headMsMax: number, all: Connections) {
    this.#socket = socket
    this.#headMsMax = headMsMax
    this.#all = all
    socket.on('end', () => {
      // A paused socket delivers the end late, so this is not the moment when the client left.
      if (this.#wasHeld) return
      for (const work of this.#contexts.values()) work.onShutDown()
    })
    // Node's parser resumes the socket after each message.
    socket.on('resume', () => {
      if (this.#waiting.length > 0) socket.pause()
    })
    socket.once('close', () => {
      clearTimeout(this.#headTimer)
      this.#all.releaseHeld(this.#waiting.length)
      this.#waiting.length = 0
      for (const context of this.#contexts.keys()) context.end()
    })
  }

  /** Whether no request has come yet: one may be on its way. */
  get isFresh(): boolean {
    return this.#isFresh
  }

  /** Calls back when this object destroys the connection, before the socket emits it. */
  onDestroy(callback: () => void): void {
    this.#onDestroy = callback
  }

  destroy(): void {
    this.#onDestroy()
    const [sent] = this.#contexts.keys()
    if (sent?.phase === 'sending') sent.breakOff()
    this.#socket.destroy()
  }

  /** Starts a request, or queues it while many are running. */
  add(context: RequestContext, work: Work): void {
    this.#isFresh = false
    this.#isHeadLate = false
    clearTimeout(this.#headTimer)
    this.#contexts.set(context, work)
    if (this.#contexts.size === 1) {
      this.#all.setIdle(this, false)
      context.reachWire()
    }
    context.onEnd(() => {
      this.#contexts.delete(context)
      const [first] = this.#contexts.keys()
      first?.reachWire()
      this.#startNext()
      if (this.#contexts.size > 0) return
      if (this.#isHeadLate) this.#awaitHead()
      this.#all.setIdle(this, true)
    })
    if (!this.#takesMore) return
    if (this.#contexts.size - this.#waiting.length <= workedOnMax) return work.start()
    // Node's parser hands over everything it has read: thousands of requests. The client repeats
    // dropped ones (RFC 9112 section 9.3.2).
    if (!this.#all.tryHold()) return this.destroy()
    this.#waiting.push(context)
    this.#wasHeld = true
    // Unread bytes stay in the kernel. While paused, a reset shows only at the next write. Not at
    // once, because an already scheduled resume would silently undo it.
    process.nextTick(() => {
      if (this.#waiting.length > 0) this.#socket.pause()
    })
  }

  /** Further bytes on the connection must not be parsed as requests. */
  takeNoMore(): void {
    this.#takesMore = false
  }

  /**
   * Node found the head of a request overdue. While other requests run, it may still be in the
   * kernel, and its error would be taken for their answer: its time starts after they are answered.
   * @returns false without other requests: it is really late
   */
  isHeadHeld(): boolean {
    this.#isHeadLate = this.#contexts.size > 0
    return this.#isHeadLate
  }

  #awaitHead(): void {
    this.#headTimer = setTimeout(() => this.#socket.destroy(), this.#headMsMax)
    this.#headTimer.unref()
  }

  #startNext(): void {
    // No answer can follow one with `Connection: close`.
    if (this.#socket.destroyed || this.#socket.writableEnded) return
    const next = this.#waiting.shift()
    if (!next) return
    this.#all.releaseHeld(1)
    if (this.#waiting.length === 0) this.#socket.resume()
    this.#contexts.get(next)?.start()
  }
}

export interface ConnectionBounds {
  readonly max: number
  /** For one client address (IPv6: one /64 network). */
  readonly ofAddressMax: number
  /** For one network: IPv4 /24, IPv6 /48. */
  readonly ofNetworkMax: number
  /** New ones of one network in 10 seconds. */
  readonly newOfNetworkMax: number
  /** Requests of all connections that wait behind others on their connection. */
  readonly pipelinedMax: number
  /** Whether a peer is a trusted proxy: bounds of addresses and networks do not apply to it. */
  readonly isProxy: (peer: string) => boolean
}

const pipelinedMax = 8192
/** About 200 a second: browsers open 6, and a company shares a network. */
const newOfNetworkMax = 2_048
const addressesOfNetwork = 4

/**
 * @param max connections in all; capped at half of the descriptors that the process may have,
 *   because every transfer opens files too
 * @param ofAddressMax connections of one address
 * @param trustProxy see `createClientIp`
 */
export function connectionBounds(
  max: number,
  ofAddressMax: number,
  trustProxy: string,
): ConnectionBounds {
  return {
    max: Math.min(max, Math.floor(descriptorsMax() / 2)),
    ofAddressMax,
    ofNetworkMax: ofAddressMax * addressesOfNetwork,
    newOfNetworkMax,
    pipelinedMax,
    isProxy: createIsProxy(trustProxy),
  }
}

/** Descriptors that this process may have open; Infinity where the system does not tell. */
export function descriptorsMax(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1')
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity)
  } catch {
    return Infinity
  }
}

export interface ConnectionsOptions extends ConnectionBounds {
  readonly headMsMax: number
  /** Requests below the minimum pace, slowest first; see Watchdog. */
  readonly listSlow: () => RequestContext[]
  readonly clock: Clock
  readonly log: Log
}

/** Connections that share a bound. */
interface Group {
  readonly max: number
  size: number
  /** Connections without a request, the longest idle first. */
  readonly idle: Set<ClientConnection>
}

/** A search examines all requests and ends several, so it runs at most this often. */
const searchPauseMs = 100
const endedAtOnceMax = 16
const warningPauseMs = 60_000
/** Time for the first request of a connection while the listener closes. */
const firstRequestMs = 500

/**
 * The open connections of a listener, within bounds. For a new one, closes the connection that has
 * been idle for the longest time, otherwise the new one. When there are too many in all, ends slow
 * transfers before that, those of the network with the most connections first.
 */
export class Connections {
  readonly #options: ConnectionsOptions
  readonly #connections = new Map<Socket, ClientConnection>()
  readonly #groupsOf = new Map<ClientConnection, readonly Group[]>()
  readonly #all: Group
  readonly #shared = new Map<string, Group>()
  #pipelined = 0
  #isClosing = false
  #nextSearchMs = -Infinity
  #nextWarningMs = -Infinity

  constructor(server: Server, options: ConnectionsOptions) {
    this.#options = options
    this.#all = newGroup(options.max)
    server.on('connection', (socket: Socket) => this.#open(socket))
  }

  get(socket: Socket): ClientConnection | undefined {
    return this.#connections.get(socket)
  }

  /**
   * Closes idle connections now, and the others when they become idle. The first request of a new
   * one may be in the kernel already: it is awaited for a moment, so that a restart resets none.
   */
  closeWhenIdle(): void {
    this.#isClosing = true
    const closeIdle = (isFresh: boolean) => {
      for (const connection of this.#all.idle) {
        if (connection.isFresh === isFresh) connection.destroy()
      }
    }
    closeIdle(false)
    if (this.#all.idle.size > 0) setTimeout(() => closeIdle(true), firstRequestMs).unref()
  }

  /** Counts a request that waits behind others; false when too many do. */
  tryHold(): boolean {
    if (this.#pipelined >= this.#options.pipelinedMax) return false
    this.#pipelined += 1
    return true
  }

  releaseHeld(count: number): void {
    this.#pipelined -= count
  }

  /** Called when its first request begins, and when its last one ends. */
  setIdle(connection: ClientConnection, isIdle: boolean): void {
    for (const { idle } of this.#groupsOf.get(connection) ?? []) {
      if (isIdle) idle.add(connection)
      else idle.delete(connection)
    }
    if (isIdle && this.#isClosing) connection.destroy()
  }

  #open(socket: Socket): void {
    const connection = new ClientConnection(socket, this.#options.headMsMax, this)
    this.#connections.set(socket, connection)
    const keys = this.#keysOf(socket.remoteAddress)
    const groups = [this.#all, ...keys.map(([key, max]) => this.#group(key, max))]
    this.#groupsOf.set(connection, groups)
    for (const group of groups) {
      group.size += 1
      group.idle.add(connection)
    }
    const leave = () => {
      if (!this.#groupsOf.delete(connection)) return
      this.#connections.delete(socket)
      for (const group of groups) {
        group.size -= 1
        group.idle.delete(connection)
      }
      for (const [key] of keys) if (this.#shared.get(key)?.size === 0) this.#shared.delete(key)
    }
    connection.onDestroy(leave)
    // Node removes its own listeners from a socket that it hands over, for example after CONNECT: a
    // reset would then end the process.
    socket.on('error', () => {})
    socket.once('close', leave)
    for (const group of groups) this.#makeRoom(group)
  }

  #makeRoom(group: Group): void {
    if (group.size <= group.max) return
    const [oldest, second] = group.idle
    if (second !== undefined) return oldest?.destroy()
    if (group === this.#all) {
      this.#warn()
      this.#endSlow()
    }
    // Only the new one is idle.
    if (group.size > group.max) oldest?.destroy()
  }

  #endSlow(): void {
    const now = this.#options.clock.monotonic()
    if (now < this.#nextSearchMs) return
    this.#nextSearchMs = now + searchPauseMs
    const slow = new Set<ClientConnection>()
    for (const context of this.#options.listSlow()) {
      const connection = this.#connections.get(context.request.socket)
      if (connection) slow.add(connection)
    }
    const neighbours = (connection: ClientConnection) =>
      this.#groupsOf.get(connection)!.at(-1)!.size
    const ended = [...slow].toSorted((one, other) => neighbours(other) - neighbours(one))
    for (const connection of ended.slice(0, endedAtOnceMax)) connection.destroy()
  }

  #warn(): void {
    const now = this.#options.clock.monotonic()
    if (now < this.#nextWarningMs) return
    this.#nextWarningMs = now + warningPauseMs
    this.#options.log.warn('too many connections', { connections: this.#all.size })
  }

  #keysOf(address: string | undefined): [key: string, max: number][] {
    const { ofAddressMax, ofNetworkMax, isProxy } = this.#options
    if (address === undefined || isProxy(address)) return []
    const keys: [string, number][] = [[limiterKey(address), ofAddressMax]]
    const network = networkOf(address)
    if (network !== null) keys.push([network, ofNetworkMax])
    return keys
  }

  #group(key: string, max: number): Group {
    const known = this.#shared.get(key)
    if (known) return known
    const group = newGroup(max)
    this.#shared.set(key, group)
    return group
  }
}

function newGroup(max: number): Group {
  return { max, size: 0, idle: new Set() }
}

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
