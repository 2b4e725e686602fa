// One picture of a film, as the browser's own player shows it.
import { browserClock, within } from './clock.ts'

/** Many films begin with black. */
const secondsMax = 3

/** Safari on phones and tablets reloads a page whose films take too much memory. */
const isTouchSafari = navigator.vendor.startsWith('Apple') && navigator.maxTouchPoints > 1

export const isFilm = ({ type }: Blob) => type.startsWith('video/') && !isTouchSafari

/** Rejects films that the browser cannot play, or not in time. */
export async function frameOf(film: Blob, options: ImageBitmapOptions): Promise<ImageBitmap> {
  const player = document.createElement('video')
  player.muted = true
  player.preload = 'auto'
  const address = URL.createObjectURL(film)
  try {
    await untilEvent(player, 'loadeddata', () => (player.src = address))
    const { duration } = player
    // Unknown in films that were recorded by a browser.
    if (Number.isFinite(duration)) {
      const at = Math.min(secondsMax, duration / 10)
      await untilEvent(player, 'seeked', () => (player.currentTime = at))
    }
    return await createImageBitmap(player, options)
  } finally {
    // A player keeps its film until it has loaded nothing.
    player.removeAttribute('src')
    player.load()
    URL.revokeObjectURL(address)
  }
}

async function untilEvent(player: HTMLVideoElement, name: string, begin: () => void) {
  const event = new Promise<true>((resolve, reject) => {
    player.addEventListener(name, () => resolve(true), { once: true })
    player.addEventListener('error', () => reject(new Error('cannot be played')), { once: true })
  })
  begin()
  if (!(await within(browserClock, event))) throw new Error('film took too long')
}
