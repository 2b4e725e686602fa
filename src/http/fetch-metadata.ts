import { CodedError } from '../lib/errors.ts'
import type { RequestContext } from './request-context.ts'
import { parseUrl } from '../lib/base-path.ts'

/** Destinations in which a file takes control of a page (Fetch, section 2.2.5, "destination"). */
const executingUses = new Set([
  'audioworklet',
  'json',
  'manifest',
  'paintworklet',
  'script',
  'serviceworker',
  'sharedworker',
  'style',
  'worker',
  'xslt',
])

/**
 * For uploaded files: they share the origin of our pages, and must not run in one. Browsers declare
 * what they need a file for; other programs do not, and run nothing.
 * @throws CodedError not_a_script
 */
export function refuseAsScript(context: RequestContext): void {
  const use = context.header('sec-fetch-dest')?.toLowerCase() ?? ''
  // Sent only for the script of a service worker, also by browsers without Sec-Fetch-Dest.
  const isServiceWorker = context.header('service-worker') !== undefined
  if (executingUses.has(use) || isServiceWorker) throw new CodedError('not_a_script')
}

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
