/**
 * Null for what is no URL. In place of `URL.canParse`, which Node 20 answers with false for letters
 * outside of ASCII once V8 has optimised its caller.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

/** The name or address in a URL; IPv6 addresses without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}
