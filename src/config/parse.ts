// Forms of options.

import { isIPv6 } from 'node:net'
import { parseUrl } from '../lib/base-path.ts'

/** @throws Error with the expected form */
export function parsePort(text: string): number {
  const port = Number(text)
  const isPort = /^[0-9]{1,5}$/.test(text) && port <= 65_535
  if (!isPort) throw new Error('must be a port number, 0 to 65535')
  return port
}

/** @throws Error with the expected form */
export function parsePortOrOff(text: string): number | null {
  if (text === 'off') return null
  try {
    return parsePort(text)
  } catch (error) {
    throw new Error(`${(error as Error).message}, or off`, { cause: error })
  }
}

/** @throws Error with the expected form */
export function parseFolder(text: string): string {
  if (!text.startsWith('/')) throw new Error('must be an absolute path')
  let end = text.length
  while (end > 1 && text[end - 1] === '/') end -= 1
  return text.slice(0, end)
}

/** Addresses of IPv6 may be in brackets, as in URLs. */
export function parseHost(text: string): string {
  const host = /^\[([0-9a-f:.%]+)\]$/i.exec(text)?.[1] ?? text
  if (/[\s/[\]]/.test(host)) throw new Error('must be an address such as 127.0.0.1 or ::1')
  return host
}

export function parseCount(text: string): number {
  if (!/^[1-9][0-9]{0,5}$/.test(text)) throw new Error('must be a whole number from 1 to 999999')
  return Number(text)
}

const headersOfOthers = new RegExp(
  '^(?:x-forwarded-(?:for|host|proto|port|server)|x-real-ip|x-request-id|user-agent' +
    '|(?:sec|if|content|accept|access|proxy)-.*)$',
  'i',
)

/**
 * The name of a header that only a proxy writes: those of clients and of forwarding would name
 * a user in every request.
 */
export function parseUserHeader(text: string): string {
  const isName = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/i.test(text)
  if (!isName || headersOfOthers.test(text)) {
    throw new Error('must be a header that only the proxy writes, such as Remote-Email')
  }
  return text
}

/** An address to listen on. */
export interface SocketPlace {
  readonly host: string
  readonly port: number
}

/** The host is required: a port alone would listen on every address. */
export function parseSocketPlace(text: string): SocketPlace {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:[\]]+)):([^:]*)$/.exec(text) ?? []
  const host = bracketed ?? plain
  const isHost = bracketed === undefined || isIPv6(bracketed)
  if (host === undefined || port === undefined || !isHost) {
    throw new Error('must be an address and a port, such as 127.0.0.1:9464 or [::1]:9464')
  }
  return { host, port: parsePort(port) }
}

/** As in a URL: IPv6 addresses have brackets. */
export function formatSocketPlace({ host, port }: SocketPlace): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** Parameters with a value in which an @ is common, as in `user=me@server`. */
const freeParameter = /^(?:user|password|options|application_name)=/

/**
 * Refuses an address that a special character of its password has cut: what follows would be taken
 * for the host or the database, and messages show those.
 * @throws Error with the expected form; without any part of the text
 */
export function parseDatabaseUrl(text: string): string {
  const url = parseUrl(text)
  if (!url || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new Error('must look like postgres://user:password@host/database')
  }
  const { pathname, search, hash } = url
  const parameters = search.slice(1).split('&')
  const isCut =
    pathname.includes('@') ||
    hash !== '' ||
    parameters.some((parameter) => parameter.includes('@') && !freeParameter.test(parameter))
  if (isCut) {
    throw new Error('in the password, write @ as %40, / as %2F, ? as %3F and # as %23')
  }
  return text
}
