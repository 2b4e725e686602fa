import { dayMs } from '../lib/durations.ts'
import type { Arrival } from './arrivals-sql.ts'
import type { Share } from './sql.ts'

/** Longer silent uploads are not expected to go on. */
const pauseMs = dayMs

export type UploadPhase = 'running' | 'paused' | 'abandoned'

/** What recipients are told of a draft; the page's script decides the same (uploading.ts). */
export function phaseOf(arrival: Arrival | null, now: number): UploadPhase {
  if (!arrival?.lastAt || arrival.isGrowing) return 'running'
  return now - arrival.lastAt.getTime() < pauseMs ? 'paused' : 'abandoned'
}

/** Whether all announced bytes of a draft have arrived, so that it only waits for finalize. */
export function isAllReceived(
  { state, expectedBytes }: Pick<Share, 'state' | 'expectedBytes'>,
  arrival: Arrival | null,
): boolean {
  return state === 'draft' && expectedBytes > 0 && (arrival?.bytes ?? 0) >= expectedBytes
}

/**
 * Progress of a draft in whole percent; null when the expected size is unknown. It reaches 100 only
 * when finalize has proved the files.
 */
export function progressOf(
  { state, expectedBytes }: Pick<Share, 'state' | 'expectedBytes'>,
  arrival: Arrival | null,
): number | null {
  if (state !== 'draft' || expectedBytes === 0 || !arrival) return null
  const bytes = arrival.bytes + arrival.bytesComing
  return Math.min(99, Math.floor((100 * bytes) / expectedBytes))
}
