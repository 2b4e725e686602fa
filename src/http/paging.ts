import * as v from 'valibot'
import type { RequestContext } from './request-context.ts'

export const pageRowsDefault = 100
const pageRowsMax = 1000

/** `limit` in the query of every paged list. */
export const pageLimit = numberInQuery(pageRowsMax, `Rows per page; ${pageRowsDefault} if absent`)

/** A whole number from 1 to `max` in text form. */
export function numberInQuery(max: number, description: string) {
  const problem = `must be a whole number from 1 to ${max}`
  return v.pipe(
    v.string(),
    v.metadata({
      json: { type: 'integer', format: 'int64', minimum: 1, maximum: max, description },
    }),
    v.regex(/^[0-9]{1,9}$/, problem),
    v.transform(Number),
    v.minValue(1, problem),
    v.maxValue(max, problem),
  )
}

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
