import { addressOf } from '../../lib/base-path.ts'
import { browserClock } from '../../lib/clock.ts'
import { t } from '../../lib/i18n.ts'
import { signal } from '../../lib/signals.ts'

/** State of the latest download, until the browser takes over. */
const notice = signal<'' | 'started' | 'started_all' | 'offline' | 'busy' | 'used_up'>('')
let asked = 0
/** Addresses that are being checked: a double click must not begin two downloads. */
const checking = new Set<string>()
/** Ends when the next check may begin. */
let turn: Promise<unknown> = Promise.resolve()
const firstLookMs = 5000
const lastLookMs = 24 * 3600_000
const pauseMsMax = 2000

export function Notice() {
  const state = notice.value
  return (
    <div role="status">
      {state && (
        <p class={state.startsWith('started') ? 'notice' : 'problem'}>{t(`share.is.${state}`)}</p>
      )}
    </div>
  )
}

/**
 * Checks a file before the browser downloads it, because the browser would only report a failed
 * download. The check is free and not counted.
 * @param id of the share
 */
export function watchDownloads(id: string): void {
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[download]')
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
    if (!link || !isPlain || event.defaultPrevented) return
    event.preventDefault()
    if (!checking.has(link.href)) void download(id, link.href)
  })
}

async function download(id: string, href: string): Promise<void> {
  const mine = (asked += 1)
  for (let waitMs = 1000; mine === asked; waitMs = Math.min(30_000, waitMs * 2)) {
    const status = await check(href)
    if (status > 0 && status < 400) {
      save(href)
      void turn.then(() => dispatchEvent(new Event(begunEvent)))
      return reloadWhenDamaged(id, href, mine)
    }
    if (status === 410 && (await isUsedUp(id, href))) {
      notice.value = 'used_up'
      return
    }
    // Locked, expired, damaged or deleted by now: the page shows which.
    if (status === 401 || status === 404 || status === 410) return location.reload()
    notice.value = status === 0 ? 'offline' : 'busy'
    await pause(waitMs)
  }
}

/**
 * Browsers do not tell why a download failed, nor that it cannot be resumed. Checks less and less
 * often, and whenever the page gets the focus.
 */
async function reloadWhenDamaged(id: string, href: string, mine: number): Promise<void> {
  for (let waitMs = firstLookMs; waitMs < lastLookMs; waitMs *= 2) {
    await untilFocus(waitMs)
    if (mine !== asked) return
    // Not when the share has ended, because running downloads go on.
    const isGone = (await look(href)) === 410 && !(await isUsedUp(id, href))
    if (isGone && (await look(`/api/public/shares/${id}`)) === 200) return location.reload()
  }
}

const untilFocus = (waitMs: number) => untilEvent('focus', waitMs)

/** The same, or until a download of this page has begun. */
export const untilNews = (waitMs: number) =>
  Promise.race([untilFocus(waitMs), untilEvent(begunEvent, waitMs)])

const begunEvent = 'begun'

function untilEvent(name: string, waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      removeEventListener(name, end)
      resolve()
    }
    addEventListener(name, end)
    browserClock.setTimer(waitMs, end)
  })
}

/**
 * One at a time, with a pause: a download must begin after the answer to the one before it, whose
 * cookie says that both are of one person.
 */
async function check(href: string): Promise<number> {
  checking.add(href)
  let beganAt = 0
  const looking = turn.then(() => {
    beganAt = browserClock.now()
    return look(href)
  })
  // A download may take some more round trips, for a connection of its own.
  turn = looking.then(() => pause(Math.min(pauseMsMax, 4 * (browserClock.now() - beganAt))))
  const status = await looking
  checking.delete(href)
  return status
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void browserClock.setTimer(ms, resolve))
}

/** Whether this person has too few bytes left for it, so that the page still opens. */
async function isUsedUp(id: string, href: string): Promise<boolean> {
  const answer = await fetch(href).catch(() => null)
  if (answer?.status !== 410) {
    // Available again: never read a whole file here.
    void answer?.body?.cancel()
    return false
  }
  const { code } = (await answer.json()) as { code?: string }
  if (code !== 'download_limit') return false
  return (await look(`/api/public/shares/${id}?list=none`)) === 200
}

async function look(href: string): Promise<number> {
  try {
    return (await fetch(addressOf(href), { method: 'HEAD' })).status
  } catch {
    return 0
  }
}

function save(href: string): void {
  notice.value = /\/files\/\d+(\?|$)/.test(href) ? 'started' : 'started_all'
  const link = document.createElement('a')
  link.href = href
  link.download = ''
  link.click()
}
