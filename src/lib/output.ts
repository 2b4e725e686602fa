import { fstatSync, writeSync } from 'node:fs'

/** Lines that wait for a reader that has stopped, such as a log collector, take no more memory. */
const waitingBytesMax = 4 * 1024 * 1024

/** Standard output or standard error. */
export interface OutputStream {
  readonly fd?: number
  readonly writableLength: number
  write(text: string, done: (error?: Error | null) => void): boolean
  on(event: 'error', listener: (error: Error) => void): unknown
  listenerCount(event: 'error'): number
}

/** Writes lines for as long as the process lives: one that cannot be written is dropped. */
export class LineOutput {
  readonly #stream: OutputStream
  readonly #file: WholeFile | null
  readonly #describeDropped: (lines: number) => string
  #dropped = 0
  #isTelling = false

  /** @param describeDropped the line that says how many were dropped, once writing works again */
  constructor(stream: OutputStream, describeDropped: (lines: number) => string) {
    this.#stream = stream
    this.#file = WholeFile.of(stream)
    this.#describeDropped = describeDropped
    // Without a listener the first error would end the process.
    if (stream.listenerCount('error') === 0) stream.on('error', () => {})
  }

  /** @param line with its line end */
  readonly write = (line: string): void => {
    if (this.#stream.writableLength > waitingBytesMax) {
      this.#dropped += 1
      return
    }
    const told = this.#isTelling ? 0 : this.#dropped
    if (told > 0) this.#isTelling = true
    const text = told > 0 ? this.#describeDropped(told) + line : line
    const settle = (error?: Error | null) => {
      if (told > 0) this.#isTelling = false
      if (error) this.#dropped += 1
      else this.#dropped -= told
    }
    if (this.#file) settle(this.#file.write(text))
    else this.#stream.write(text, settle)
  }
}

/** Writes a text to its end. @throws the system's error when it cannot */
export async function writeText(stream: OutputStream, text: string): Promise<void> {
  const file = WholeFile.of(stream)
  const error = file
    ? file.write(text)
    : await new Promise<Error | null | undefined>((resolve) => {
        stream.write(text, resolve)
      })
  if (error) throw error
}

/** A file as standard output: Node's own stream loses the rest of a short write without a word. */
class WholeFile {
  readonly #fd: number
  #isTorn = false

  private constructor(fd: number) {
    this.#fd = fd
  }

  /** Null for terminals, pipes and sockets, which the stream writes to as they can take it. */
  static of({ fd }: OutputStream): WholeFile | null {
    return fd !== undefined && fstatSync(fd).isFile() ? new WholeFile(fd) : null
  }

  /** Returns why the text was not written, or not all of it. */
  write(text: string): Error | null {
    // What was cut off must not become one line with what follows.
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
