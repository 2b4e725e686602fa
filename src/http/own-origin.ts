import { parseUrl } from '../lib/base-path.ts'

/** More than any host name; `URL` takes long for thousands of combining marks. */
const charactersMax = 512
const hostForm = /^[^\s/?#@\\]+$/

/**
 * Whether an `Origin` (RFC 6454 section 7) is the one that a request was sent to: the `Host` as the
 * client or a proxy wrote it, or that of BASE_URL, where a proxy replaces the host or adds its own
 * port. Compares URLs, so that case and the default port of the scheme make no difference.
 */
export function isOwnOrigin(origin: string, host: string | undefined, ownOrigin: string): boolean {
  if (origin.length > charactersMax) return false
  const page = parseUrl(origin)
  if (!page || !/^https?:$/.test(page.protocol)) return false
  if (page.origin === ownOrigin) return true
  if (host === undefined || host.length > charactersMax || !hostForm.test(host)) return false
  return parseUrl(`${page.protocol}//${host}`)?.host === page.host
}
