import { CodedError } from '../lib/errors.ts'
import type { RequestContext } from './request-context.ts'

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
