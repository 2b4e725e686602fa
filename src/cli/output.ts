import { write } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { writeText } from '../lib/log.ts'
import { isSystemError } from '../lib/errors.ts'
import { beforeAbort } from '../lib/shared-work.ts'
import { CommandError } from './command.ts'

const stdoutDescriptor = 1
const busyMs = 5
/** Other commands end quietly then, but the first half of a backup is no backup. */
const readerEnded = 'the backup is not complete: the program that reads it has ended'
const writeTo = promisify(write)

/** The output of a command cannot be written. */
export class OutputLost extends CommandError {
  /** The reader has closed the pipe, like `head`; needs no message. */
  readonly isReaderGone: boolean

  constructor(cause: Error) {
    super(`standard output cannot be written: ${cause.message}`, { cause })
    this.isReaderGone = isSystemError(cause, 'EPIPE')
  }
}

/** Writes the output of a command. @throws OutputLost */
export async function writeAnswer(text: string): Promise<void> {
  try {
    await writeText(process.stdout, text)
  } catch (error) {
    throw new OutputLost(error as Error)
  }
}

/** Without listeners, error events of standard output and error would end the process. */
export function surviveLostOutput(): void {
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
}

/**
 * Writes bytes to standard output in a thread, so that a slow reader does not hold up timers:
 * Node's own stream writes to a pipe at once.
 * @throws OutputLost; CommandError when the reader has ended; the signal's reason
 */
export async function writeBytes(data: Buffer, signal: AbortSignal): Promise<void> {
  for (let done = 0; done < data.length;) {
    signal.throwIfAborted()
    try {
      const writing = writeTo(stdoutDescriptor, data, done, data.length - done, null)
      // A write to a reader that has stopped may never end.
      done += (await beforeAbort(writing, signal)).bytesWritten
    } catch (error) {
      // A pipe that another program has made non-blocking.
      if (signal.aborted) throw signal.reason
      if (isSystemError(error, 'EPIPE')) throw new CommandError(readerEnded, { cause: error })
      if (!isSystemError(error, 'EAGAIN')) throw new OutputLost(error as Error)
      await delay(busyMs)
    }
  }
}
