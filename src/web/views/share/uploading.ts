import { api, ApiError } from '../../lib/api.ts'
import { browserClock } from '../../lib/clock.ts'
import { formatPercent } from '../../lib/format.ts'
import { localiseTimes } from '../../lib/times.ts'
import type { UploadPhase } from './shared.ts'

interface Look {
  readonly status?: string
  readonly progress?: number | null
  readonly receiving?: boolean
  readonly last_received_at?: string | null
}

const firstMs = 5000
const longestMs = 60_000

const dayMs = 24 * 3_600_000

/**
 * Checks every five seconds at first, later once a minute: updates the progress, and shows the
 * files when they are complete, or that the upload has stopped or goes on.
 */
export async function reloadWhenComplete(id: string, phase: UploadPhase): Promise<void> {
  for (let waitMs = firstMs; ; waitMs = Math.min(longestMs, waitMs * 1.25)) {
    await new Promise<void>((resolve) => void browserClock.setTimer(waitMs, resolve))
    const found = await look(id)
    if (found.status !== 'uploading') return location.reload()
    // Unknown at the moment: keeps what is shown.
    if (found.progress === undefined) continue
    if (phaseOf(found) !== phase) return location.reload()
    if (phase === 'running') showProgress(found.progress)
    else localiseTimes()
  }
}

function showProgress(progress: number | null): void {
  const said = progress === null ? '' : ` (${formatPercent(progress / 100)})`
  document.getElementById('progress')!.textContent = said
}

/** As the service decides it (src/shares/progress.ts). */
function phaseOf({ receiving, last_received_at: lastAt }: Look): UploadPhase {
  if (receiving || !lastAt) return 'running'
  return browserClock.now() - Date.parse(lastAt) < dayMs ? 'paused' : 'abandoned'
}

async function look(id: string): Promise<Look> {
  try {
    return await api<Look>('GET', `/api/public/shares/${id}?list=none`)
  } catch (error) {
    // Deleted or expired meanwhile, which the page shows. Other errors may be temporary.
    const isOver = error instanceof ApiError && (error.status === 404 || error.status === 410)
    return isOver ? {} : { status: 'uploading' }
  }
}
