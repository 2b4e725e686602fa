// What main.ts, the test process, and supervise.ts tell each other.

/** What supervise.ts is told. */
export type Message =
  /** For the name of the next file; an empty one ends the process. */
  | { kind: 'ready' }
  /** For something of databases.ts: answered with an `Order` of that kind. */
  | { kind: keyof Databases }
  /** So many tests the file has, failures of the file itself not counted. */
  | { kind: 'planned'; tests: number }
  | { kind: 'step'; what: string; boundMs: number }
  | { kind: 'suite' | 'took'; what: string; durationMs: number }
  | { kind: 'passed' | 'failed'; count: number }
  /** This is left to `--all`. */
  | { kind: 'left'; what: string }
  | { kind: 'done' }

/** What the test process is told. */
export type Order =
  { kind: 'file'; name: string } | { [K in keyof Databases]: Found<K> }[keyof Databases]

/** What databases.ts makes once for all test processes. */
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

export async function askFor<K extends keyof Databases>(kind: K): Promise<Databases[K]> {
  const answer = nextOrder(kind)
  tell({ kind })
  const { found } = (await answer) as Found<K>
  if ('failure' in found) throw new Error(found.failure)
  return found
}
