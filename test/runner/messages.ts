// Messages between main.ts, the test process, and supervise.ts.

/** Messages to supervise.ts. */
export type Message =
  /** Requests the name of the next file; an empty one ends the process. */
  | { kind: 'ready' }
  /** Requests something of databases.ts: answered with an `Order` of that kind. */
  | { kind: keyof Databases }
  /** The number of tests of the file, without failures of the file itself. */
  | { kind: 'planned'; tests: number }
  | { kind: 'step'; what: string; boundMs: number }
  | { kind: 'suite' | 'took'; what: string; durationMs: number }
  | { kind: 'passed' | 'failed'; count: number }
  /** This is left to `--all`. */
  | { kind: 'left'; what: string }
  | { kind: 'done' }

/** Messages to the test process. */
export type Order =
  { kind: 'file'; name: string } | { [K in keyof Databases]: Found<K> }[keyof Databases]

/** Databases that databases.ts creates once for all test processes. */
export interface Databases {
  /** A running PostgreSQL, and the name of a database in it to copy, with all migrations. */
  cluster: { socketDir: string; template: string }
  /** The database of a data directory, stopped, with all migrations: a folder to copy. */
  seed: { folder: string }
}

export interface Found<K extends keyof Databases> {
  kind: K
  found: Databases[K] | { failure: string }
}

/** Written after the output of a file, which is shown as a whole where several processes run. */
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

export async function askFor<K extends keyof Databases>(kind: K): Promise<Databases[K]> {
  const answer = nextOrder(kind)
  tell({ kind })
  const { found } = (await answer) as Found<K>
  if ('failure' in found) throw new Error(found.failure)
  return found
}
