import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net'
import type { Requester } from '../lib/permits.ts'

/**
 * Limit of trusted proxies in a row: more than any real chain, so that a header cannot cost more.
 */
const hopsMax = 32

/** Used when the peer has no address (a closed socket, a Unix socket). */
const unspecifiedAddress = '0.0.0.0'

/** The peer of a Unix socket: always a trusted proxy, because the folder's rights admit it. */
export const unixPeer = 'unix'

const loopbackNetworks = ['127.0.0.0/8', '::1/128']

// RFC 1918, link-local (RFC 3927, RFC 4291) and unique local (RFC 4193).
const privateNetworks = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  'fe80::/10',
  'fc00::/7',
]

export type ClientIp = (peer: string, forwardedFor: string | undefined) => string

/** How much of a client's address others see: all of it, its network, or nothing. */
export const addressPrivacies = ['full', 'network', 'hidden'] as const
export type AddressPrivacy = (typeof addressPrivacies)[number]

/** An address as others see it; '' stays ''. */
export function showAddress(ip: string, privacy: AddressPrivacy): string {
  if (privacy === 'full') return ip
  return (privacy === 'network' && networkOf(ip)) || ''
}

/**
 * Makes the function that derives a client's address from the connection's peer and the request's
 * `X-Forwarded-For`. The header counts only when the peer is trusted, and is read from the right:
 * each trusted hop has written the entry before it, so no entry of the client counts. A
 * malformed entry ends the walk at the hop that sent it.
 *
 * The result is always a valid address in its shortest form: IPv6 without zone, IPv4-mapped IPv6 as
 * IPv4, `0.0.0.0` when the peer has none. A `peer` of `unixPeer` is trusted.
 *
 * `trustProxy`: addresses and CIDR ranges, separated by commas, and the words `loopback` and
 * `private` (which does not include loopback); `''` trusts no proxy. Throws an Error that names an
 * invalid part.
 */
export function createClientIp(trustProxy: string): ClientIp {
  const isTrusted = createTrust(trustProxy)
  return (peer, forwardedFor) => {
    let client = normalizeAddress(peer) ?? unspecifiedAddress
    let rest = forwardedFor ?? ''
    let isHopTrusted = peer === unixPeer || isTrusted(client)
    for (let hops = 0; hops < hopsMax && rest !== '' && isHopTrusted; hops += 1) {
      const comma = rest.lastIndexOf(',')
      const entry = parseEntry(rest.slice(comma + 1))
      if (entry === null) break
      client = entry
      isHopTrusted = isTrusted(client)
      rest = comma < 0 ? '' : rest.slice(0, comma)
    }
    return client
  }
}

/**
 * The key under which an address is limited: IPv4 whole, IPv6 by its /64, because the holder of one
 * IPv6 address usually has all 2^64 of its network. Text that is no address is its own key.
 */
export function limiterKey(ip: string): string {
  const address = normalizeAddress(ip)
  if (address === null || isIPv4(address)) return address ?? ip
  return `${groupsOf(address).slice(0, 4).join(':')}::/64`
}

/**
 * The network of an address, as `192.0.2.0/24` or `2001:db8:1::/48`: a household or a company, not
 * a device. Null for text that is no address.
 */
export function networkOf(ip: string): string | null {
  const address = normalizeAddress(ip)
  if (address === null) return null
  if (isIPv4(address)) return `${address.slice(0, address.lastIndexOf('.'))}.0/24`
  return `${normalizeAddress(`${groupsOf(address).slice(0, 3).join(':')}::`)}/48`
}

export function requesterAt(ip: string): Requester {
  return { key: limiterKey(ip), network: networkOf(ip) ?? ip }
}

/** Network widths that limiters use: IPv4 /24, /16 and /8, IPv6 /48, /32 and /16. */
export const networkLevels = 3

/**
 * The network, of a given width, that contains a limiter's key or a narrower network. A key may
 * have a suffix after a space, which is ignored. Keys without an address are in the network `*`.
 * @param level 0 for the narrowest
 * @returns null when the key is a wider network itself
 */
export function networkAt(key: string, level: number): string | null {
  const [address = ''] = key.replace(/::\/64|[.:]\*$/, '').split(' ', 1)
  const separator = address.includes(':') ? ':' : '.'
  const parts = address.split(separator)
  if (parts.length === 1 && !/^[0-9a-f]{1,4}$/.test(address)) return '*'
  const count = networkLevels - level
  return parts.length < count ? null : `${parts.slice(0, count).join(separator)}${separator}*`
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail === undefined) return groups
  const after = tail === '' ? [] : tail.split(':')
  while (groups.length + after.length < 8) groups.push('0')
  return [...groups, ...after]
}

/** Makes the function that tells whether a peer is a trusted proxy; see `createClientIp`. */
export function createIsProxy(trustProxy: string): (peer: string) => boolean {
  const isTrusted = createTrust(trustProxy)
  return (peer) => isTrusted(normalizeAddress(peer) ?? unspecifiedAddress)
}

/** Whether an address is that of the machine itself, in the forms that sockets report. */
export const isLoopback = createIsProxy('loopback')

/** Two lists, because a single BlockList applies IPv6 rules like `::/0` to IPv4. */
function createTrust(trustProxy: string): (address: string) => boolean {
  const ipv4 = new BlockList()
  const ipv6 = new BlockList()
  const given = trustProxy.split(',').flatMap((part) => part.trim() || [])
  if (given.length === 0) return () => false
  for (const part of given) {
    for (const network of networksOf(part)) {
      const { address, prefix, family } = parseNetwork(network)
      const list = family === 'ipv4' ? ipv4 : ipv6
      list.addSubnet(address, prefix, family)
    }
  }
  return (address) => (isIPv4(address) ? ipv4.check(address, 'ipv4') : ipv6.check(address, 'ipv6'))
}

function networksOf(part: string): string[] {
  const word = part.toLowerCase()
  if (word === 'loopback') return loopbackNetworks
  return word === 'private' ? privateNetworks : [part]
}

interface Network {
  address: string
  prefix: number
  family: 'ipv4' | 'ipv6'
}

function parseNetwork(part: string): Network {
  const [written = '', prefixDigits, ...more] = part.split('/')
  const address = normalizeAddress(written)
  const isPrefix = prefixDigits === undefined || /^\d{1,3}$/.test(prefixDigits)
  if (address === null || written.includes('%') || !isPrefix || more.length > 0) {
    throw new Error(
      `"${part}" is not an IP address, CIDR range, "loopback" or "private" (as in 10.0.0.0/8,::1)`,
    )
  }
  const family = isIPv4(address) ? 'ipv4' : 'ipv6'
  const bits = family === 'ipv4' ? 32 : 128
  // ::ffff:10.0.0.0/104 is 10.0.0.0/8 written as IPv6.
  const mappedBits = family === 'ipv4' && isIPv6(written) ? 96 : 0
  const prefix = prefixDigits === undefined ? bits : Number(prefixDigits) - mappedBits
  if (prefix < 0 || prefix > bits) {
    throw new Error(`"${part}" has a prefix length out of range`)
  }
  return { address, prefix, family }
}

/**
 * One entry of X-Forwarded-For, or null. Proxies write `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`,
 * `[2001:db8::1]` and `[2001:db8::1]:80`.
 */
function parseEntry(entry: string): string | null {
  const text = entry.trim()
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1]
  if (bracketed !== undefined) return isIPv6(bracketed) ? normalizeAddress(bracketed) : null
  const beforePort = /^([\d.]+):\d{1,5}$/.exec(text)?.[1]
  return normalizeAddress(beforePort ?? text)
}

/** An address in its one canonical form, or null. */
function normalizeAddress(text: string): string | null {
  if (isIPv4(text)) return text
  // Most peers of a socket for both families: a SocketAddress takes 10 µs.
  if (text.startsWith('::ffff:') && isIPv4(text.slice(7))) return text.slice(7)
  if (!isIPv6(text)) return null
  const zone = text.indexOf('%')
  const bare = zone < 0 ? text : text.slice(0, zone)
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' })
  const mapped = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : ''
  return isIPv4(mapped) ? mapped : address
}
