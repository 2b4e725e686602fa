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
  /** Path segments that are followed by a secret. */
  readonly #secretFolders: ReadonlySet<string>

  constructor(operations: readonly Pick<Operation, 'path'>[], parameters: PathParameters) {
    this.#parameters = parameters
    const folders = operations.flatMap(({ path }) => {
      const segments = path.split('/')
      const isSecret = (segment: string) => parameters[segment.slice(1, -1)]?.isSecret
      return segments.filter((_, place) => isSecret(segments[place + 1] ?? ''))
    })
    this.#secretFolders = new Set(folders)
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

  #maskPath(url: string): string {
    const segments = (url.split('?')[0] ?? '').slice(0, 200).split('/')
    return segments
      .map((segment, place) =>
        this.#secretFolders.has(segments[place - 1] ?? '') ? maskLink(segment) : mask(segment),
      )
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
