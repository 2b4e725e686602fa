import { CodedError } from '../../lib/errors.ts'
import type { Damage } from './damage.ts'
import { DamagedContent } from './damaged-content.ts'

/**
 * Awaits a read that precedes the head of an answer, and turns its failure into a refusal.
 * @throws CodedError file_damaged; not_found when the file is gone; unavailable when the bytes
 *   cannot be read now; other errors as they are
 */
export async function orRefuse<T>(damage: Damage, reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof DamagedContent) throw await damage.explain(error)
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new CodedError('unavailable', { cause: error, headers: { 'Retry-After': '5' } })
  }
}
