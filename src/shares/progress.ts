import type { Arrival } from './arrivals-sql.ts'
import type { ShareRow } from './sql.ts'

/**
 * How much of a draft has arrived, in whole percent: null where nobody has said how much there will
 * be. It is whole once finalize has proved it, and no earlier.
 */
export function progressOf(
  { state, expectedBytes }: Pick<ShareRow, 'state' | 'expectedBytes'>,
  arrival: Arrival | null,
): number | null {
  if (state !== 'draft' || expectedBytes === 0 || !arrival) return null
  return Math.min(99, Math.floor((100 * arrival.bytes) / expectedBytes))
}
