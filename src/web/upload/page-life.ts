// Effects of the page on an upload: connections that come back, tabs that are closed, phones that
// fall asleep, and a second tab on the same draft.
import type { Upload } from './types.ts'

/** Phases in which bytes move, or are about to. */
const moving = ['sending', 'waiting', 'finishing']

/**
 * Keeps an upload in step with its page until `stop` is called. Call `update` after each change of
 * the upload.
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
      // The browser has released it.
      lock = null
    }
  }
  const wake = () => {
    if (!isMoving || lock || document.visibilityState !== 'visible') return
    // Missing on plain http, refused on a low battery: then the upload continues after the sleep.
    lock = navigator.wakeLock?.request('screen').catch(() => null) ?? null
  }
  const update = () => {
    const { phase } = upload.snapshot()
    // A permanent listener would keep the page out of the back-forward cache.
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

/** Time for another tab to claim an upload. */
const answerMs = 300

/**
 * One tab owns an upload, others show it. Works without a secure context, where there are no Web
 * Locks: tabs ask each other.
 * @param recordId id of the upload's record
 * @returns null when another tab owns it; otherwise a function that gives it up
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
