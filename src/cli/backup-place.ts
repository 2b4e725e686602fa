import type { Call } from './command.ts'
import { UsageError } from './command-error.ts'

/**
 * The folder of a backup as typed, or `-`.
 * @throws UsageError for an empty one, as of an unset variable, which would be the current folder
 */
export function backupPlace({ operands: [place = ''] }: Call): string {
  if (place === '') throw new UsageError('the folder is empty: name the folder of the backup')
  return place
}
