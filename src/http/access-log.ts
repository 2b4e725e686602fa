import type { CodedError } from '../lib/errors.ts'
import type { RequestContext } from './request-context.ts'
import type { Route } from './router.ts'

/** Path parameters that open something, and the folders they stand in. */
const linkParams = new Set(['shareId', 'reverseId'])
const linkFolders = new Set(['s', 'r', 'shares', 'reverse'])

/**
 * One request for the log. A share's link is a key: paths are logged as their pattern, ids by
 * their first characters, and queries, cookies and bodies not at all.
 */
export function accessEntry(
  context: RequestContext,
  route: {
    readonly operation: { readonly path: string }
    readonly params: Route['params']
  } | null,
  failure: CodedError | null,
  durationMs: number,
): Record<string, unknown> {
  const { request, response } = context
  return {
    method: request.method,
    path: route?.operation.path ?? maskPath(request.url ?? ''),
    ...maskParams(route?.params ?? {}),
    status: response.headersSent ? response.statusCode : 0,
    ...(failure ? { code: failure.code } : {}),
    ...(context.signal.aborted ? { aborted: true } : {}),
    ms: Math.round(durationMs),
    received: context.bodyBytes,
    sent: context.sentBytes,
    ip: context.ip,
  }
}

function maskParams(params: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      linkParams.has(name) ? maskLink(value) : mask(value),
    ]),
  )
}

function maskPath(url: string): string {
  const segments = (url.split('?')[0] ?? '').slice(0, 200).split('/')
  return segments
    .map((segment, place) =>
      linkFolders.has(segments[place - 1] ?? '') ? maskLink(segment) : mask(segment),
    )
    .join('/')
}

/** A name chosen by its owner is a key as well, and may be short. */
export function maskLink(value: string): string {
  return value === '' ? '' : `${value.slice(0, Math.min(6, value.length >> 1))}…`
}

function mask(value: string): string {
  return value.length > 12 ? `${value.slice(0, 6)}…` : value
}
