import { LineOutput, type OutputStream } from './output.ts'

/** Log lines: one JSON object per line, for a journal or a log collector. */
export interface Log {
  debug(message: string, fields?: object): void
  info(message: string, fields?: object): void
  warn(message: string, fields?: object): void
  error(message: string, fields?: object): void
}

/** A log whose level can be changed while it is used. */
export interface AdjustableLog extends Log {
  setLevel(level: LogLevel): void
}

const severities = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 } as const

/** The journal's priorities (sd-daemon(3)): a line that begins with one is shown with it. */
const priorities = { debug: '<7>', info: '<6>', warn: '<4>', error: '<3>' } as const

export type LogLevel = keyof typeof severities

export const logLevels = Object.keys(severities) as LogLevel[]

/** Longer stacks and messages are truncated: a log line must not grow with its input. */
const textCharactersMax = 4_096
const depthMax = 4
const entriesMax = 32

export interface LogOptions {
  level: LogLevel
  /** Takes a whole line with its line end; writes to standard output when absent. */
  write?: (line: string, isUrgent: boolean) => void
  /** Milliseconds since 1970 UTC. */
  now?: () => number
  /** Whether the journal reads the lines: they begin with their priority then. */
  isForJournal?: boolean
}

/** A log that writes `{ time, level, message, ...fields }` from `level` upwards. */
export function createLog(options: LogOptions): AdjustableLog {
  const write = options.write ?? logOutput(process.stdout).write
  const now = options.now ?? Date.now
  let threshold = severities[options.level]

  const at = (level: Exclude<LogLevel, 'silent'>) => {
    const severity = severities[level]
    const prefix = options.isForJournal ? priorities[level] : ''
    return (message: string, fields: object = {}) => {
      if (severity < threshold) return
      write(prefix + formatLine(now(), level, message, fields), severity >= severities.warn)
    }
  }
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    setLevel: (level) => {
      threshold = severities[level]
    },
  }
}

/** Writes log lines to standard output or error, and counts those that it cannot write. */
export function logOutput(stream: OutputStream, now: () => number = Date.now): LineOutput {
  return new LineOutput(stream, (lines) =>
    formatLine(now(), 'warn', 'dropped unwritable log lines', { lines }),
  )
}

function formatLine(now: number, level: LogLevel, message: string, fields: object): string {
  const time = new Date(now).toISOString()
  const rest = plain(fields, 0) as object
  const line = JSON.stringify({ time, level, message: bounded(message), ...rest })
  return `${line.replaceAll(unsafeInTerminals, escaped)}\n`
}

/** JSON leaves them as they are: DEL, control characters of ISO 6429, and those of direction. */
const unsafeInTerminals = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/**
 * Makes values plain and bounded that JSON.stringify would lose or refuse: errors, bigints, cycles.
 */
function plain(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return bounded(value)
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Error) return plainError(value, depth)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (typeof value !== 'object' || value === null) return value
  if (depth >= depthMax) return '…'
  if (Array.isArray(value)) return value.slice(0, entriesMax).map((item) => plain(item, depth + 1))
  const entries = Object.entries(value).slice(0, entriesMax)
  return Object.fromEntries(entries.map(([key, item]) => [key, plain(item, depth + 1)]))
}

function plainError(error: Error, depth: number): object {
  const fields: Record<string, unknown> = { message: bounded(error.message) }
  if ('code' in error) fields['code'] = plain(error.code, depth + 1)
  if (error.stack) fields['stack'] = bounded(error.stack)
  if (error.cause !== undefined && depth < depthMax) fields['cause'] = plain(error.cause, depth + 1)
  return fields
}

function bounded(text: string): string {
  return text.length <= textCharactersMax ? text : `${text.slice(0, textCharactersMax)}…`
}
