// Follows a share while its page is open: how many people can still download, or its upload.
import { api, ApiError } from '../../lib/api.ts'
import { browserClock } from '../../lib/clock.ts'
import { formatPercent } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { localiseTimes } from '../../lib/times.ts'
import { pause, untilNews } from './download.tsx'
import type { UploadPhase } from './shared.ts'

interface Look {
  readonly status: string
  readonly downloads_left: number | null
  readonly progress: number | null
  readonly receiving: boolean
  readonly last_received_at: string | null
}

const look = (id: string) => api<Look>('GET', `/api/public/shares/${id}?list=none`)

const lookMs = 15_000

/**
 * Keeps the number of people who can still download up to date while the page is visible: its
 * sender may set or lift a limit at any time. Without any left, the page is replaced by one that
 * says so, unless this browser has begun to download.
 */
export async function watchLimit(id: string): Promise<never> {
  for (;;) {
    await untilVisible()
    const left = await lookForLimit(id)
    if (left !== undefined) showLeft(left)
    await untilNews(lookMs)
  }
}

function untilVisible(): Promise<void> {
  if (!document.hidden) return Promise.resolve()
  return new Promise((resolve) => {
    document.addEventListener('visibilitychange', () => resolve(), { once: true })
  })
}

/** Undefined while it is unknown. */
async function lookForLimit(id: string): Promise<number | null | undefined> {
  try {
    return (await look(id)).downloads_left
  } catch (error) {
    if (error instanceof ApiError && error.code === 'download_limit') location.reload()
    return undefined
  }
}

function showLeft(left: number | null): void {
  const place = document.getElementById('left')
  const hint = document.getElementById('left-hint')
  const text = left ? t('share.left', { n: left }) : t('share.left_none')
  const shown = left === null ? '' : text
  if (hint) hint.hidden = !left
  // The same text would be read out again.
  if (place && place.textContent !== shown) place.textContent = shown
}

const firstMs = 5000
const longestMs = 60_000

const dayMs = 24 * 3_600_000

/**
 * Checks every five seconds at first, later once a minute: updates the progress, and shows the
 * files when they are complete, or that the upload has stopped or goes on.
 */
export async function reloadWhenComplete(id: string, phase: UploadPhase): Promise<void> {
  let known: UploadPhase | undefined
  for (let waitMs = firstMs; ; waitMs = Math.min(longestMs, waitMs * 1.25)) {
    await pause(waitMs)
    const found = await lookForFiles(id)
    if (found.status !== 'uploading') return location.reload()
    // Unknown at the moment: keeps what is shown.
    if (found.progress === undefined) continue
    const now = phaseOf(found)
    // A wrong clock finds another pause than the service, after each reload again.
    known ??= phase === 'running' || now === 'running' ? phase : now
    if (now !== known) return location.reload()
    if (phase === 'running') showProgress(found.progress)
    else localiseTimes()
  }
}

function showProgress(progress: number | null): void {
  const percent = progress === null ? '' : formatPercent(progress / 100)
  document.getElementById('progress')!.textContent = percent && ` (${percent})`
  // Without one the words alone are shown.
  const ring = document.querySelector('.ring')
  ring?.children[1]!.setAttribute('stroke-dasharray', `${progress ?? 0} 100`)
  if (ring) ring.lastElementChild!.textContent = percent
}

/** As the service decides it (src/shares/progress.ts). */
function phaseOf({ receiving, last_received_at: lastAt }: Partial<Look>): UploadPhase {
  if (receiving || !lastAt) return 'running'
  return browserClock.now() - Date.parse(lastAt) < dayMs ? 'paused' : 'abandoned'
}

async function lookForFiles(id: string): Promise<Partial<Look>> {
  try {
    return await look(id)
  } catch (error) {
    // Deleted or expired meanwhile, which the page shows. Other errors may be temporary.
    const isOver = error instanceof ApiError && (error.status === 404 || error.status === 410)
    return isOver ? {} : { status: 'uploading' }
  }
}
