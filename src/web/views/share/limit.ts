import { api, ApiError } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { untilNews } from './download.tsx'

interface Look {
  readonly downloads_left: number | null
}

const lookMs = 15_000

/**
 * Keeps the number of people who can still download up to date while the page is visible: its
 * sender may set or lift a limit at any time. Without any left, the page is replaced by one that
 * says so, unless this browser has begun to download.
 */
export async function watchLimit(id: string): Promise<never> {
  for (;;) {
    await untilVisible()
    const left = await look(id)
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
async function look(id: string): Promise<number | null | undefined> {
  try {
    const path = `/api/public/shares/${id}?list=none`
    return (await api<Look>('GET', path)).downloads_left
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
  if (hint) hint.hidden = left === null
  // The same text would be read out again.
  if (place && place.textContent !== shown) place.textContent = shown
}
