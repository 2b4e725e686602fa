import { api, ApiError } from '../../lib/api.ts'
import { browserClock } from '../../lib/clock.ts'

const firstMs = 5000
const longestMs = 60_000

/** Asks every five seconds at first, later once a minute, and shows the files when they are in. */
export async function reloadWhenComplete(id: string): Promise<void> {
  for (let waitMs = firstMs; ; waitMs = Math.min(longestMs, waitMs * 1.25)) {
    await new Promise<void>((resolve) => void browserClock.setTimer(waitMs, resolve))
    if (!(await isUploading(id))) return location.reload()
  }
}

async function isUploading(id: string): Promise<boolean> {
  try {
    const { status } = await api<{ status?: string }>('GET', `/api/public/shares/${id}`)
    return status === 'uploading'
  } catch (error) {
    // Withdrawn or expired meanwhile: the page says so. Anything else may pass.
    return !(error instanceof ApiError && (error.status === 404 || error.status === 410))
  }
}
