import type { Server } from 'node:net'
import type { Listener } from '../http/listener.ts'
import { isSystemError } from '../lib/errors.ts'
import { CommandError, WrongOption } from './command-error.ts'

export interface Place {
  /** Empty for all interfaces: IPv6 with IPv4, or only IPv4 on a machine without IPv6. */
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

/** @throws CommandError that names the option to change */
export async function listen(listener: Listens, place: Place): Promise<void> {
  const { host, port, option, inherited = [], held } = place
  try {
    if (inherited.length > 0) {
      for (const fd of inherited) await listener.listen({ fd })
    } else if (held) await listener.listen({ held })
    else if (host !== '') {
      // `::` would listen on IPv4 addresses too: metrics have no other guard than their address.
      await listener.listen({ port, host, ipv6Only: option === 'METRICS_ADDR' })
    } else await listenEverywhere(listener, port)
  } catch (error) {
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

function listenProblem(error: unknown, { host, port, option }: Place): string {
  const orNone = option === 'DOCS_PORT' ? ', or to off' : ''
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
