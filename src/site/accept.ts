import { parsePreferences, qualityOf } from '../http/negotiation.ts'

/**
 * Whether `Accept` asks for Markdown rather than for what is usual (RFC 9110, section 12.5.1). Only
 * naming `text/markdown` does: ranges and types that nobody knows get what is usual.
 */
export function prefersMarkdown(header: string | undefined, usualType: string): boolean {
  const preferences = parsePreferences(header)
  const markdown = qualityOf(preferences, 'text/markdown')
  return markdown > 0 && markdown >= qualityOf(preferences, usualType)
}

/** Whether a browser asks, which is better answered with a page than with a problem. */
export function prefersHtml(header: string | undefined): boolean {
  const preferences = parsePreferences(header)
  const page = qualityOf(preferences, 'text/html')
  return page > qualityOf(preferences, 'application/problem+json')
}
