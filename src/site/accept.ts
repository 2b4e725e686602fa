import { parsePreferences, qualityOf } from '../http/negotiation.ts'

/**
 * Whether `Accept` asks for Markdown instead of the usual type (RFC 9110, section 12.5.1). Only an
 * explicit `text/markdown` does: ranges and unknown types get the usual one.
 */
export function prefersMarkdown(header: string | undefined, usualType: string): boolean {
  const preferences = parsePreferences(header)
  const markdown = qualityOf(preferences, 'text/markdown')
  return markdown > 0 && markdown >= qualityOf(preferences, usualType)
}
