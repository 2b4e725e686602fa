import { homedir } from 'node:os'
import { isSystemError } from '../lib/errors.ts'

/** HOME or the home of the user; null for a number without a user, which containers run as. */
export function homeFolder(): string | null {
  try {
    return homedir()
  } catch (error) {
    if (isSystemError(error, 'ERR_SYSTEM_ERROR')) return null
    throw error
  }
}
