import { chmodSync, existsSync, rmSync, statSync } from 'node:fs'
import { connect, type Server } from 'node:net'
import { dirname } from 'node:path'
import type { Listener } from '../http/listener.ts'
import { isSystemError } from '../lib/errors.ts'
import { CommandError, WrongOption } from './command-error.ts'

export interface Place {
  /**
   * Empty for all interfaces: IPv6 with IPv4, or only IPv4 on a machine without IPv6; `unix:` with
   * a path for a Unix socket.
   */
  readonly host: string
  readonly port: number
  /** The option that sets the port. */
  readonly option: 'PORT' | 'DOCS_PORT' | 'METRICS_ADDR'
  /** Descriptors of sockets that systemd has opened: they take the place of host and port. */
  readonly inherited?: readonly number[]
  /** Holds the port already: see free-port.ts. */
  readonly held?: Server | null
}

type Listens = Pick<Listener, 'listen'>

/** Proxies usually run as a user of a group that the operator gives to the folder. */
const socketMode = 0o660

/** The path of a Unix socket in HOST; null for an address. */
export function socketPathOf(host: string): string | null {
  return host.startsWith('unix:') ? host.slice('unix:'.length) : null
}

/** @throws CommandError that names the option to change */
export async function listen(listener: Listens, place: Place): Promise<void> {
  const { host, port, option, inherited = [], held } = place
  const socketPath = socketPathOf(host)
  try {
    if (inherited.length > 0) {
      for (const fd of inherited) await listener.listen({ fd })
    } else if (held) await listener.listen({ held })
    else if (socketPath !== null) await listenAtPath(listener, socketPath)
    else if (host !== '') {
      // `::` would listen on IPv4 addresses too: metrics have no other guard than their address.
      await listener.listen({ port, host, ipv6Only: option === 'METRICS_ADDR' })
    } else await listenEverywhere(listener, port)
  } catch (error) {
    if (error instanceof CommandError) throw error
    // A used port may become free, and an address may come with its network.
    const isLasting = isSystemError(error, 'EACCES', 'ENOTFOUND', 'EINVAL')
    const Problem = isLasting ? WrongOption : CommandError
    throw new Problem(listenProblem(error, place), { cause: error })
  }
}

async function listenEverywhere(listener: Listens, port: number): Promise<void> {
  try {
    await listener.listen({ port, host: '::' })
  } catch (error) {
    if (!isSystemError(error, 'EAFNOSUPPORT', 'EADDRNOTAVAIL')) throw error
    await listener.listen({ port, host: '0.0.0.0' })
  }
}

/** Replaces the socket of a service that was killed, never one that answers, and no other file. */
async function listenAtPath(listener: Listens, path: string): Promise<void> {
  if (!existsSync(dirname(path))) {
    throw new WrongOption(`HOST: cannot listen at ${path}: its folder is missing.`)
  }
  const found = statSync(path, { throwIfNoEntry: false })
  if (found && !found.isSocket()) throw new WrongOption(`HOST: ${path} is a file, not a socket.`)
  if (found && (await answers(path))) {
    throw new CommandError(`HOST: another program listens at ${path}: stop it first.`)
  }
  rmSync(path, { force: true })
  await listener.listen({ path })
  chmodSync(path, socketMode)
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    const settle = (isThere: boolean) => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', () => settle(true)).once('error', () => settle(false))
  })
}

function listenProblem(error: unknown, { host, port, option }: Place): string {
  const orNone = option === 'DOCS_PORT' ? ', or to off' : ''
  const socketPath = socketPathOf(host)
  if (socketPath !== null) {
    const isRefused = isSystemError(error, 'EACCES')
    const reason = isRefused ? 'this user may not write its folder' : String(error)
    return `HOST: cannot listen at ${socketPath}: ${reason}.`
  }
  const what = option === 'METRICS_ADDR' ? `${option}: port ${port}` : `${option} ${port}`
  if (isSystemError(error, 'EADDRINUSE')) {
    return (
      `${what} is used by another program: stop it, ` + `or set ${option} to a free one${orNone}.`
    )
  }
  if (isSystemError(error, 'EACCES')) {
    return (
      `${what} may not be used by this user: set ${option} to one above 1023, ` +
      'or let systemd open it (transfer.socket).'
    )
  }
  if (isSystemError(error, 'EADDRNOTAVAIL', 'ENOTFOUND')) {
    if (option === 'METRICS_ADDR') return `METRICS_ADDR: ${host} is not an address of this machine.`
    return `HOST ${host} is not an address of this machine.`
  }
  return `cannot listen on ${host || 'all interfaces'}, port ${port}: ${String(error)}`
}
