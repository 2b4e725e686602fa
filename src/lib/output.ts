import { fstatSync, writeSync } from 'node:fs'

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

  /** Writes the lines that wait. */
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
