/**
 * The path below which a service is published: '' or, for `https://example.org/files`, `/files`.
 * @param url BASE_URL or DOCS_URL, which end without a slash
 */
export function basePathOf(url: string): string {
  const { pathname } = new URL(url)
  return pathname === '/' ? '' : pathname
}

/**
 * HTML of ours with the base path before the addresses of links, files and forms. Texts of users
 * cannot look like attributes, because their quotes are escaped.
 */
export function linkBelow(basePath: string, html: string): string {
  if (basePath === '') return html
  return html.replaceAll(/(?<=\s(?:href|src|srcset|action)=")\/(?!\/)/g, `${basePath}/`)
}

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
