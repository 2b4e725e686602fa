/**
 * Whether `Accept` asks for Markdown rather than for what is usual (RFC 9110, section 12.5.1). Only
 * naming `text/markdown` does: ranges and types that nobody knows get what is usual.
 */
export function prefersMarkdown(header: string | undefined, usualType: string): boolean {
  const markdown = qualityOf(header, 'text/markdown')
  return markdown > 0 && markdown >= qualityOf(header, usualType)
}

/** Whether a browser asks, which is better answered with a page than with a problem. */
export function prefersHtml(header: string | undefined): boolean {
  return qualityOf(header, 'text/html') > qualityOf(header, 'application/problem+json')
}

function qualityOf(header: string | undefined, type: string): number {
  for (const member of (header ?? '').split(',')) {
    const [name = '', ...parameters] = member.split(';').map((part) => part.trim().toLowerCase())
    if (name !== type) continue
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    return quality === undefined ? 1 : Number(quality.slice(2)) || 0
  }
  return 0
}

/** Whether a client takes gzip (RFC 9110, section 12.5.3). */
export function acceptsGzip(header: string | undefined): boolean {
  const names = (header ?? '')
    .split(',')
    .map((member) => member.split(';')[0]!.trim().toLowerCase())
  return qualityOf(header, names.includes('gzip') ? 'gzip' : '*') > 0
}
