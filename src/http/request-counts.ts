import { Histogram } from '../lib/metrics.ts'
import type { Operation } from './operation.ts'

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

  /** By operation and status. */
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
