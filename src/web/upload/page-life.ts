// What the page around an upload does to it: lines that come back, tabs that are left, phones that
// fall asleep, and a second tab on the same draft.
import type { Upload } from './types.ts'

/** Phases in which bytes are on their way, or about to be. */
const moving = ['sending', 'waiting', 'finishing']

/**
 * Keeps an upload in step with its page until the function returned is called. Call `update` of it
 * whenever the upload changed.
 */
export function watchPage(upload: Upload): { update: () => void; stop: () => void } {
  let isMoving = false
  let lock: Promise<WakeLockSentinel | null> | null = null
  const warn = (event: BeforeUnloadEvent) => event.preventDefault()
  const tryNow = () => {
    if (document.visibilityState === 'visible') {
      upload.tryNow()
      wake()
    } else {
      // The browser has let go of it.
      lock = null
    }
  }
  const wake = () => {
    if (!isMoving || lock || document.visibilityState !== 'visible') return
    // Missing on plain http, refused on a low battery: the upload goes on after the sleep.
    lock = navigator.wakeLock?.request('screen').catch(() => null) ?? null
  }
  const update = () => {
    const { phase } = upload.snapshot()
    // A listener that is always there keeps pages out of the back-forward cache.
    if (isMoving !== moving.includes(phase)) {
      isMoving = !isMoving
      if (isMoving) addEventListener('beforeunload', warn)
      else removeEventListener('beforeunload', warn)
    }
    if (isMoving) wake()
    else void release()
  }
  const release = async () => {
    const held = lock
    lock = null
    await (await held)?.release()
  }
  addEventListener('online', tryNow)
  document.addEventListener('visibilitychange', tryNow)
  update()
  return {
    update,
    stop() {
      removeEventListener('online', tryNow)
      removeEventListener('beforeunload', warn)
      document.removeEventListener('visibilitychange', tryNow)
      void release()
    },
  }
}

/** How long another tab has to say that an upload is its own. */
const answerMs = 300

/**
 * One tab owns an upload, others show it. Works without a secure context, where there are no Web
 * Locks: tabs ask each other.
 * @param recordId what the upload is kept under
 * @returns null when another tab owns it; else a function that gives it up
 */
export async function ownUpload(recordId: string): Promise<(() => void) | null> {
  const channel = new BroadcastChannel(`upload ${recordId}`)
  const isOwned = await new Promise<boolean>((resolve) => {
    channel.onmessage = ({ data }) => {
      if (data === 'mine') resolve(true)
    }
    channel.postMessage('whose?')
    setTimeout(() => resolve(false), answerMs)
  })
  if (isOwned) {
    channel.close()
    return null
  }
  channel.onmessage = ({ data }) => {
    if (data === 'whose?') channel.postMessage('mine')
  }
  return () => channel.close()
}
