import { randomRequestId } from '../lib/random-id.ts'

/** Bounded and plain, because it goes into headers and log lines. */
const pattern = /^[A-Za-z0-9._-]{1,64}$/

/**
 * The id of a request: a trusted proxy's, so that its log and ours can be joined, otherwise a
 * random one. Clients choose it only if a proxy passes their header on.
 */
export function requestIdOf(
  header: string | readonly string[] | undefined,
  isFromProxy: () => boolean,
): string {
  // Looking the proxy up takes longer than all the rest.
  if (typeof header === 'string' && pattern.test(header) && isFromProxy()) return header
  return randomRequestId()
}
