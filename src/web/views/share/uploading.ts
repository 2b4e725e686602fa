import { api, ApiError } from '../../lib/api.ts'
import { browserClock } from '../../lib/clock.ts'
import { formatPercent } from '../../lib/format.ts'

interface Look {
  readonly status?: string
  readonly progress?: number | null
}

const firstMs = 5000
const longestMs = 60_000

/**
 * Checks every five seconds at first, later once a minute: updates the progress, and shows the
 * files when they are complete.
 */
export async function reloadWhenComplete(id: string): Promise<void> {
  for (let waitMs = firstMs; ; waitMs = Math.min(longestMs, waitMs * 1.25)) {
    await new Promise<void>((resolve) => void browserClock.setTimer(waitMs, resolve))
    const { status, progress } = await look(id)
    if (status !== 'uploading') return location.reload()
    // Unknown at the moment: keeps the last value.
    if (progress === undefined) continue
    const said = progress === null ? '' : `, ${formatPercent(progress / 100)}`
    document.getElementById('progress')!.textContent = said
  }
}

async function look(id: string): Promise<Look> {
  try {
    return await api<Look>('GET', `/api/public/shares/${id}`)
  } catch (error) {
    // Deleted or expired meanwhile, which the page shows. Other errors may be temporary.
    const isOver = error instanceof ApiError && (error.status === 404 || error.status === 410)
    return isOver ? {} : { status: 'uploading' }
  }
}
