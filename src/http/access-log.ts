import type { CodedError } from '../lib/errors.ts'
import type { PathParameters } from '../lib/path-parameters.ts'
import type { Operation } from './operation.ts'
import type { RequestContext } from './request-context.ts'
import type { Route } from './router.ts'

/**
 * Log entries of requests. Because some links are keys, paths are logged as their pattern, ids by
 * their first characters, and queries, cookies and bodies not at all.
 */
export class AccessLog {
  readonly #parameters: PathParameters
  /** Segments of declared paths that are no parameters. */
  readonly #fixedSegments: ReadonlySet<string>

  constructor(operations: readonly Pick<Operation, 'path'>[], parameters: PathParameters) {
    this.#parameters = parameters
    this.#fixedSegments = new Set(operations.flatMap(({ path }) => path.split('/')))
  }

  /** @param route null when no operation matches path and method */
  entry(
    context: RequestContext,
    route: Pick<Route, 'operation' | 'params'> | null,
    failure: CodedError | null,
    durationMs: number,
  ): Record<string, unknown> {
    const { request, response } = context
    return {
      requestId: context.id,
      method: request.method,
      path: route?.operation.path ?? this.#maskPath(request.url ?? ''),
      ...this.#maskParams(route?.params ?? {}),
      status: response.headersSent ? response.statusCode : 0,
      ...(failure ? { code: failure.code } : {}),
      ...(context.signal.aborted ? { aborted: true } : {}),
      ms: Math.round(durationMs),
      received: context.bodyBytes,
      sent: context.sentBytes,
      ip: context.ip,
    }
  }

  #maskParams(params: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(params).map(([name, value]) => [
        name,
        this.#parameters[name]?.isSecret ? maskLink(value) : mask(value),
      ]),
    )
  }

  /** A path that matches nothing may still contain a link: mistyped, or of another site. */
  #maskPath(url: string): string {
    const segments = (url.split('?')[0] ?? '').slice(0, 200).split('/')
    return segments
      .map((segment) => (this.#fixedSegments.has(segment) ? segment : maskLink(segment)))
      .join('/')
  }
}

/** A custom link is a key as well, and may be short. */
export function maskLink(value: string): string {
  return value === '' ? '' : `${value.slice(0, Math.min(6, value.length >> 1))}…`
}

function mask(value: string): string {
  return value.length > 12 ? `${value.slice(0, 6)}…` : value
}
