import { dayMs } from '../lib/clock.ts'
import type { DraftProgress } from './draft-progress-sql.ts'
import type { Share } from './sql.ts'

/** Longer silent uploads are not expected to go on. */
const pauseMs = dayMs

export type UploadPhase = 'running' | 'paused' | 'abandoned'

/** What recipients are told of a draft; the page's script decides the same (uploading.ts). */
export function phaseOf(received: DraftProgress | null, now: number): UploadPhase {
  if (!received?.lastAt || received.isGrowing) return 'running'
  return now - received.lastAt.getTime() < pauseMs ? 'paused' : 'abandoned'
}

/**
 * Whether exactly the announced bytes of a draft were received, so that it only waits for finalize.
 * With more, it has bytes of files that its sender has removed.
 */
export function isAllReceived(
  { state, expectedBytes }: Pick<Share, 'state' | 'expectedBytes'>,
  received: DraftProgress | null,
): boolean {
  return state === 'draft' && expectedBytes > 0 && received?.bytes === expectedBytes
}

/**
 * Progress of a draft in whole percent; null when the expected size is unknown. It reaches 100 only
 * when finalize has proved the files.
 */
export function progressOf(
  { state, expectedBytes }: Pick<Share, 'state' | 'expectedBytes'>,
  received: DraftProgress | null,
): number | null {
  if (state !== 'draft' || expectedBytes === 0 || !received) return null
  const bytes = received.bytes + received.bytesComing
  return Math.min(99, Math.floor((100 * bytes) / expectedBytes))
}
