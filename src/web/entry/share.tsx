import { render, type ComponentChild } from 'preact'
import { loadTexts } from '../lib/i18n.ts'
import { readPageData } from '../lib/page-data.ts'
import { localiseTimes } from '../lib/times.ts'
import { Problem } from '../ui/state.tsx'
import { Notice, watchDownloads } from '../views/share/download.tsx'
import { Files } from '../views/share/files.tsx'
import { watchLimit } from '../views/share/limit.ts'
import { readFiles, type PageData } from '../views/share/shared.ts'
import { Unlock } from '../ui/unlock.tsx'
import { reloadWhenComplete } from '../views/share/uploading.ts'

/** Set before the page reloads, so that the heading is read out afterwards. */
const unlockedKey = 'unlocked'

async function start(data: PageData): Promise<void> {
  const texts = loadTexts({
    en: () => import('../i18n/en/share.ts'),
    de: () => import('../i18n/de/share.ts'),
  })
  localiseTimes()
  focusAfterUnlocking()
  await texts
  if (data.state === 'locked') {
    show('files', <Unlock path={`/api/shares/${data.id}/verify`} onUnlocked={showUnlocked} />)
  } else if (data.state === 'uploading') await reloadWhenComplete(data.id, data.phase)
  else if (data.state === 'open') {
    await showFiles(data.id, data.count)
    if (data.isLimited) await watchLimit(data.id)
  }
}

async function showFiles(id: string, count: number): Promise<void> {
  show('notice', <Notice />)
  watchDownloads(id)
  try {
    const files = await readFiles(id, count)
    if (count > 0) show('files', <Files shareId={id} files={files} />)
  } catch (error) {
    // Keeps the list that the page came with.
    show('notice', <Problem error={error} onRetry={() => location.reload()} />)
  }
}

/** Replaces content of the page with a view of the script. */
function show(id: string, view: ComponentChild): void {
  const place = document.getElementById(id)
  place?.replaceChildren()
  if (place) render(view, place)
}

function showUnlocked(): void {
  remember(() => sessionStorage.setItem(unlockedKey, location.pathname))
  location.reload()
}

function focusAfterUnlocking(): void {
  remember(() => {
    if (sessionStorage.getItem(unlockedKey) !== location.pathname) return
    sessionStorage.removeItem(unlockedKey)
    document.querySelector('h1')?.focus()
  })
}

/** Ignores browsers without storage. */
function remember(use: () => void): void {
  try {
    use()
  } catch {
    // Without storage the focus stays where it is.
  }
}

void start(readPageData())
