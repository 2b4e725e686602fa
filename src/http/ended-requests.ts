import type { CodedError } from '../lib/errors.ts'
import type { PathParameters } from '../lib/path-parameters.ts'
import type { Operation } from './operation.ts'
import type { RequestContext } from './request-context.ts'
import type { Route } from './run.ts'
import { Histogram } from '../lib/metrics.ts'

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

interface OperationCounts {
  /** Answers by status; 0 for requests that ended before their answer began. */
  readonly statuses: Map<number, number>
  /** Time until the answer began; null for transfers, whose time is that of their bytes. */
  readonly times: Histogram | null
}

/** Requests for which there is no operation. */
const noOperation = 'none'

/**
 * Counts the requests of a listener by operation, in memory: as many counts as there are
 * operations and statuses, no matter what clients ask for.
 */
export class RequestCounts {
  running = 0
  connections = 0
  readonly #byOperation = new Map<string, OperationCounts>()

  /**
   * @param operation null for requests without one
   * @param status 0 when the client left before the answer
   * @param startMs milliseconds until the answer began; null when it never did
   */
  ended(operation: Operation | null, status: number, startMs: number | null): void {
    const id = operation?.id ?? noOperation
    let counts = this.#byOperation.get(id)
    if (!counts) {
      const times = operation && isTransfer(operation) ? null : new Histogram()
      counts = { statuses: new Map(), times }
      this.#byOperation.set(id, counts)
    }
    counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1)
    if (startMs !== null) counts.times?.observe(startMs / 1000)
  }

  listStatuses(): readonly (readonly [operation: string, status: number, count: number])[] {
    return [...this.#byOperation].flatMap(([operation, { statuses }]) =>
      [...statuses].map(([status, count]) => [operation, status, count] as const),
    )
  }

  /** By operation, without transfers. */
  listTimes(): readonly (readonly [operation: string, times: Histogram])[] {
    return [...this.#byOperation].flatMap(([operation, { times }]) =>
      times ? [[operation, times] as const] : [],
    )
  }
}

/** Whether an operation carries the bytes of files: it streams its body, or answers ranges. */
function isTransfer({ body, answers }: Operation): boolean {
  return body?.kind === 'multipart' || body?.kind === 'binary' || 206 in answers
}
