import type { RequestContext } from './request-context.ts'
import { numberInText } from './schema.ts'

export const pageRowsDefault = 100
const pageRowsMax = 1000

/** `limit` in the query of every paged list. */
export const pageLimit = numberInText(
  [1, pageRowsMax],
  `Rows per page; ${pageRowsDefault} if absent`,
)

/**
 * A `Link` header to the next page of a list: the same request with another cursor (RFC 8288,
 * section 3). The address is relative to the answer's.
 * @param path without the base path
 */
export function nextPageLink(
  { basePath }: Pick<RequestContext, 'basePath'>,
  path: string,
  search: URLSearchParams,
  cursor: string,
): string {
  const next = new URLSearchParams(search)
  next.set('cursor', cursor)
  return `<${basePath}${path}?${next.toString()}>; rel="next"`
}
