import { writeText } from '../lib/output.ts'
import { isSystemError } from '../lib/errors.ts'
import { CommandError } from './command-error.ts'

/** What a command had to say cannot be written. */
export class OutputLost extends CommandError {
  /** As `head` goes when it has its lines: nothing that anybody has to be told. */
  readonly isReaderGone: boolean

  constructor(cause: Error) {
    super(`standard output cannot be written: ${cause.message}`, { cause })
    this.isReaderGone = isSystemError(cause, 'EPIPE')
  }
}

/** Writes what a command answers. @throws OutputLost */
export async function writeAnswer(text: string): Promise<void> {
  try {
    await writeText(process.stdout, text)
  } catch (error) {
    throw new OutputLost(error as Error)
  }
}

/** Unhandled error events of standard output and error would end the process at once. */
export function surviveLostOutput(): void {
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
}
