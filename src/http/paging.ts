/**
 * A `Link` field that leads to the next page of a list: the same request with another cursor
 * (RFC 8288, section 3). The address is relative to the answer's own.
 */
export function nextPageLink(path: string, search: URLSearchParams, cursor: string): string {
  const next = new URLSearchParams(search)
  next.set('cursor', cursor)
  return `<${path}?${next.toString()}>; rel="next"`
}
