import { readFileSync } from 'node:fs'
import { createIsProxy } from './client-ip.ts'

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
