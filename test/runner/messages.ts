// What main.ts, the test process, and supervise.ts tell each other.

/** What supervise.ts is told. */
export type Message =
  /** For the name of the next file; an empty one ends the process. */
  | { kind: 'ready' }
  /** So many tests the file has, failures of the file itself not counted. */
  | { kind: 'planned'; tests: number }
  | { kind: 'step'; what: string; boundMs: number }
  | { kind: 'suite' | 'took'; what: string; durationMs: number }
  | { kind: 'passed' | 'failed'; count: number }
  | { kind: 'done' }

/** Written behind the output of a file, which is shown as a whole where several processes run. */
export const endOfFile = '\0'
