import type { Listener } from '../http/listener.ts'
import { isSystemError } from '../lib/errors.ts'
import { CommandError } from './command-error.ts'

export interface Place {
  /** Empty for all interfaces: IPv6 with IPv4, or only IPv4 on a machine without IPv6. */
  readonly host: string
  readonly port: number
  /** The option that sets the port. */
  readonly option: 'PORT' | 'DOCS_PORT'
}

/** @throws CommandError that names the option to change */
export async function listen(listener: Pick<Listener, 'listen'>, place: Place): Promise<void> {
  const { host, port } = place
  try {
    if (host !== '') return await listener.listen(port, host)
    try {
      await listener.listen(port, '::')
    } catch (error) {
      if (!isSystemError(error, 'EAFNOSUPPORT', 'EADDRNOTAVAIL')) throw error
      await listener.listen(port, '0.0.0.0')
    }
  } catch (error) {
    throw new CommandError(listenProblem(error, place), { cause: error })
  }
}

function listenProblem(error: unknown, { host, port, option }: Place): string {
  const orNone = option === 'DOCS_PORT' ? ', or to off' : ''
  if (isSystemError(error, 'EADDRINUSE')) {
    return (
      `${option} ${port} is used by another program: stop it, ` +
      `or set ${option} to a free one${orNone}.`
    )
  }
  if (isSystemError(error, 'EACCES')) {
    return `${option} ${port} may not be used by this user: set ${option} to one above 1023.`
  }
  if (isSystemError(error, 'EADDRNOTAVAIL', 'ENOTFOUND')) {
    return `HOST ${host} is not an address of this machine.`
  }
  return `cannot listen on ${host || 'all interfaces'}, port ${port}: ${String(error)}`
}
