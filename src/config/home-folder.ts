import { homedir } from 'node:os'
import { unlessError } from '../lib/errors.ts'

/** HOME or the home of the user; null for a number without a user, which containers run as. */
export function homeFolder(): string | null {
  return unlessError(['ERR_SYSTEM_ERROR'], homedir) ?? null
}
