import { CodedError } from '../lib/errors.ts'
import type { RequestContext } from './request-context.ts'

/** Uses of an answer by which it gets a say on a page (Fetch, section 2.2.5, "destination"). */
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
 * For bytes that somebody uploaded: they have the origin of our pages, and must not become a part
 * of one. Browsers say what they want a file for; programs do not, and run nothing.
 * @throws CodedError not_a_script
 */
export function refuseAsScript(context: RequestContext): void {
  const use = context.header('sec-fetch-dest')?.toLowerCase() ?? ''
  // Sent for the script of a service worker alone, by browsers without Sec-Fetch-Dest too.
  const isServiceWorker = context.header('service-worker') !== undefined
  if (executingUses.has(use) || isServiceWorker) throw new CodedError('not_a_script')
}
