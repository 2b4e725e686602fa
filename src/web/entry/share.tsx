import { render, type ComponentChild } from 'preact'
import { loadTexts } from '../lib/i18n.ts'
import { linkToBase } from '../lib/links.ts'
import { surviveTranslation } from '../lib/translated.ts'
import { readPageData } from '../lib/page-data.ts'
import { localiseTimes } from '../lib/times.ts'
import { Problem } from '../ui/state.tsx'
import { Notice, watchDownloads } from '../views/share/download.tsx'
import { Files } from '../views/share/files.tsx'
import { reloadWhenComplete, watchLimit } from '../views/share/follow.ts'
import { readFiles, type OpenPage, type PageData } from '../views/share/shared.ts'
import { followTheme, offerThemes } from '../ui/theme-choice.tsx'
import { Unlock } from '../ui/unlock.tsx'

const shownMs = 600

async function start(data: PageData): Promise<void> {
  const texts = loadTexts('share')
  localiseTimes()
  if (data.state !== 'locked') focusAfterUnlocking()
  await texts
  offerThemes()
  if (data.state === 'locked') {
    show('files', <Unlock path={`/api/shares/${data.id}/verify`} onUnlocked={reload} />)
  } else if (data.state === 'uploading') await reloadWhenComplete(data.id, data.phase)
  else if (data.state === 'open') {
    await showFiles(data)
    await watchLimit(data.id)
  }
}

async function showFiles({ id, count, view }: OpenPage): Promise<void> {
  show('notice', <Notice />)
  watchDownloads(id)
  try {
    const files = await readFiles(id, count)
    await pictureShown()
    if (count > 0) show('files', <Files shareId={id} files={files} firstView={view} />)
  } catch (error) {
    // Keeps the list that the page came with.
    show('notice', <Problem error={error} onRetry={reload} />)
  }
}

/**
 * Lets the browser show the first picture that the page came with before the script's list takes
 * its place. Bounded: a slow picture is not awaited, and a page in the background paints nothing.
 */
function pictureShown(): Promise<void> {
  return new Promise((resolve) => {
    const afterFrame = () => requestAnimationFrame(() => setTimeout(resolve))
    const picture = document.querySelector<HTMLImageElement>('#files img')
    if (picture) void picture.decode().then(afterFrame, resolve)
    else afterFrame()
    setTimeout(resolve, shownMs)
  })
}

/** Replaces content of the page with a view of the script. */
function show(id: string, view: ComponentChild): void {
  const place = document.getElementById(id)
  place?.replaceChildren()
  if (place) render(view, place)
}

const reload = () => location.reload()

/** Lets the heading be read out in place of the form (Unlock has left that state). */
function focusAfterUnlocking(): void {
  if (!history.state?.unlockedAt) return
  history.replaceState(null, '')
  document.querySelector('h1')?.focus()
}

linkToBase()
surviveTranslation()
followTheme()
void start(readPageData())
