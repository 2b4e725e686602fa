import { CommandError } from './command.ts'
import { OutputLost } from './output.ts'

/**
 * Turns a signal, and unwritable output, into an error, so that a started database is stopped.
 * @param hint added to the name of the signal in the message
 */
export function watchInterruption(hint = '') {
  const stop = new AbortController()
  const onSignal = (name: string) => stop.abort(new CommandError(`stopped by ${name}${hint}`))
  const onLostOutput = (error: Error) => stop.abort(new OutputLost(error))
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const name of names) process.on(name, onSignal)
  process.stdout.on('error', onLostOutput)
  return {
    /** Aborts when the command must end before its work is done. */
    signal: stop.signal,
    forget: () => {
      for (const name of names) process.off(name, onSignal)
      process.stdout.off('error', onLostOutput)
    },
  }
}
