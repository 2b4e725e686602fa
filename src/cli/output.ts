import { writeText } from '../lib/log.ts'
import { isSystemError } from '../lib/errors.ts'
import { CommandError } from './command-error.ts'

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
