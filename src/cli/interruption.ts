import { CommandError } from './command-error.ts'
import { OutputLost } from './output.ts'

export interface Interruption {
  /** Rejects when the command must end before its work is done. */
  readonly promise: Promise<never>
  forget(): void
}

/**
 * Turns a signal, and unwritable output, into an error, so that a started database is stopped.
 * @param hint added to the name of the signal in the message
 */
export function watchInterruption(hint = ''): Interruption {
  let stop: (error: Error) => void = () => {}
  const promise = new Promise<never>((_resolve, reject) => {
    stop = reject
  })
  // Avoids an unhandled rejection before the first wait.
  promise.catch(() => {})
  const onSignal = (name: string) => stop(new CommandError(`stopped by ${name}${hint}`))
  const onLostOutput = (error: Error) => stop(new OutputLost(error))
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const name of names) process.on(name, onSignal)
  process.stdout.on('error', onLostOutput)
  return {
    promise,
    forget: () => {
      for (const name of names) process.off(name, onSignal)
      process.stdout.off('error', onLostOutput)
    },
  }
}
