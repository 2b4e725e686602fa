import type { Arrival } from './arrivals-sql.ts'
import type { Share } from './sql.ts'

/**
 * Progress of a draft in whole percent; null when the expected size is unknown. It reaches 100 only
 * when finalize has proved the files.
 */
export function progressOf(
  { state, expectedBytes }: Pick<Share, 'state' | 'expectedBytes'>,
  arrival: Arrival | null,
): number | null {
  if (state !== 'draft' || expectedBytes === 0 || !arrival) return null
  return Math.min(99, Math.floor((100 * arrival.bytes) / expectedBytes))
}
