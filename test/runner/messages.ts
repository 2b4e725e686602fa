// What main.ts, the test process, and supervise.ts tell each other.

/** What supervise.ts is told. */
export type Message =
  /** For the name of the next file; an empty one ends the process. */
  | { kind: 'ready' }
  /** For a database: answered with an `Order` of kind `cluster`. */
  | { kind: 'database' }
  /** So many tests the file has, failures of the file itself not counted. */
  | { kind: 'planned'; tests: number }
  | { kind: 'step'; what: string; boundMs: number }
  | { kind: 'suite' | 'took'; what: string; durationMs: number }
  | { kind: 'passed' | 'failed'; count: number }
  | { kind: 'done' }

/** What the test process is told. */
export type Order =
  | { kind: 'file'; name: string }
  | { kind: 'cluster'; found: ClusterAddress | { failure: string } }

/** The PostgreSQL of the run. */
export interface ClusterAddress {
  readonly socketDir: string
  /** A database to copy, with all migrations. */
  readonly template: string
}

/** Written behind the output of a file, which is shown as a whole where several processes run. */
export const endOfFile = '\0'

/** Whether supervise.ts has started this process. */
export function isSupervised(): boolean {
  return process.env['TEST_SUPERVISED'] === String(process.ppid) && process.connected
}

export function tell(message: Message): void {
  process.send?.(message)
}

/** The next order of a kind. Does not keep the process alive. */
export function nextOrder<K extends Order['kind']>(kind: K): Promise<Order & { kind: K }> {
  return new Promise((resolve) => {
    const hear = (order: Order) => {
      if (order.kind !== kind) return
      process.off('message', hear)
      resolve(order as Order & { kind: K })
    }
    process.on('message', hear)
  })
}

export async function askForCluster(): Promise<ClusterAddress> {
  const answer = nextOrder('cluster')
  tell({ kind: 'database' })
  const { found } = await answer
  if ('failure' in found) throw new Error(found.failure)
  return found
}
