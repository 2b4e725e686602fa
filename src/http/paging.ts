import * as v from 'valibot'

/** Rows per page by default. */
export const pageRowsDefault = 100
const pageRowsMax = 1000
const problem = `must be a whole number from 1 to ${pageRowsMax}`

/** `limit` in the query of every paged list: a whole number in text form. */
export const pageLimit = v.pipe(
  v.string(),
  v.metadata({
    json: {
      type: 'integer',
      format: 'int64',
      minimum: 1,
      maximum: pageRowsMax,
      description: `Rows per page; ${pageRowsDefault} if absent`,
    },
  }),
  v.regex(/^[0-9]{1,9}$/, problem),
  v.transform(Number),
  v.minValue(1, problem),
  v.maxValue(pageRowsMax, problem),
)

/**
 * A `Link` header to the next page of a list: the same request with another cursor (RFC 8288,
 * section 3). The address is relative to the answer's.
 */
export function nextPageLink(path: string, search: URLSearchParams, cursor: string): string {
  const next = new URLSearchParams(search)
  next.set('cursor', cursor)
  return `<${path}?${next.toString()}>; rel="next"`
}
