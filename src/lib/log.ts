import { fstatSync, writeSync } from 'node:fs'

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

/** Bounds the lines that wait for a reader that has stopped, for example a log collector. */
const waitingBytesMax = 4 * 1024 * 1024
/** What is gathered in one turn at most: a pipe's buffer. */
const turnCharactersMax = 64 * 1024

/** Standard output or standard error. */
export interface OutputStream {
  readonly fd?: number
  readonly writableLength: number
  write(text: string, done: (error?: Error | null) => void): boolean
  on(event: 'error', listener: (error: Error) => void): unknown
  listenerCount(event: 'error'): number
}

/**
 * Writes lines as long as the process lives; drops those that cannot be written. The lines of a
 * turn of the event loop leave together: a write for each was a tenth of a small request's work.
 * Urgent ones leave at once: they may be the last before the process is killed, or hangs.
 */
export class LineOutput {
  readonly #stream: OutputStream
  readonly #file: WholeFile | null
  readonly #describeDropped: (lines: number) => string
  #waiting = ''
  #waitingLines = 0
  #dropped = 0
  #isTelling = false

  /**
   * @param describeDropped makes the line with the number of dropped ones, once writing works again
   */
  constructor(stream: OutputStream, describeDropped: (lines: number) => string) {
    this.#stream = stream
    this.#file = WholeFile.of(stream)
    this.#describeDropped = describeDropped
    // Without a listener the first error would end the process.
    if (stream.listenerCount('error') === 0) stream.on('error', () => {})
  }

  /** @param line with its line end */
  readonly write = (line: string, isUrgent = false): void => {
    if (this.#waitingLines === 0) {
      waitingOutputs.add(this)
      setImmediate(this.flush)
    }
    this.#waiting += line
    this.#waitingLines += 1
    if (isUrgent || this.#waiting.length >= turnCharactersMax) this.flush()
  }

  readonly flush = (): void => {
    waitingOutputs.delete(this)
    const lines = this.#waitingLines
    const text = this.#waiting
    this.#waiting = ''
    this.#waitingLines = 0
    if (lines === 0) return
    if (this.#stream.writableLength > waitingBytesMax) {
      this.#dropped += lines
      return
    }
    const told = this.#isTelling ? 0 : this.#dropped
    if (told > 0) this.#isTelling = true
    const settle = (error?: Error | null) => {
      if (told > 0) this.#isTelling = false
      if (error) this.#dropped += lines
      else this.#dropped -= told
    }
    const whole = told > 0 ? this.#describeDropped(told) + text : text
    if (this.#file) settle(this.#file.write(whole))
    else this.#stream.write(whole, settle)
  }
}

const waitingOutputs = new Set<LineOutput>()
process.once('exit', () => {
  for (const output of waitingOutputs) output.flush()
})

/** Writes a whole text. @throws system errors */
export async function writeText(stream: OutputStream, text: string): Promise<void> {
  const file = WholeFile.of(stream)
  const error = file
    ? file.write(text)
    : await new Promise<Error | null | undefined>((resolve) => {
        stream.write(text, resolve)
      })
  if (error) throw error
}

/** Standard output to a file: Node's own stream silently loses the rest of a short write. */
class WholeFile {
  readonly #fd: number
  #isTorn = false

  private constructor(fd: number) {
    this.#fd = fd
  }

  /** Null for terminals, pipes and sockets, which the stream writes to at their pace. */
  static of({ fd }: OutputStream): WholeFile | null {
    return fd !== undefined && fstatSync(fd).isFile() ? new WholeFile(fd) : null
  }

  /** Returns the error when the text was not written completely. */
  write(text: string): Error | null {
    // A truncated line must not merge with the next one.
    const data = Buffer.from(this.#isTorn ? `\n${text}` : text)
    let written = 0
    try {
      while (written < data.length) written += writeSync(this.#fd, data, written)
      return null
    } catch (error) {
      return error as Error
    } finally {
      if (written > 0) this.#isTorn = data[written - 1] !== newline
    }
  }
}

const newline = 0x0a
