// Thumbnails of files that are being sent, drawn from the files themselves. Nothing is requested
// from the service, and of each only the pixels of its canvas are kept.
import { decode } from '../lib/decoding.ts'

/** Rows are recreated, and one picture may be shown twice, so decoded pictures are copied. */
const painted = new WeakMap<Blob, HTMLCanvasElement>()
const wanted = new Map<Element, () => Promise<void>>()
/** Elements on the screen. */
const seen = new Set<Element>()
let isBusy = false

const observer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) seen.add(target)
    else seen.delete(target)
  }
  void work()
})

/**
 * Paints a picture once its place is on the screen. Skips pictures that cannot be painted.
 * @param longer side in pixels
 * @param onPainted called when it can be shown
 * @returns function that stops waiting
 */
export function paintWhenSeen(
  canvas: HTMLCanvasElement,
  picture: Blob,
  longer: number,
  onPainted: () => void,
): () => void {
  const place = canvas.parentElement!
  const paintIt = () => paint(canvas, picture, longer).then(onPainted)
  wanted.set(place, paintIt)
  observer.observe(place)
  return () => {
    // The canvas that comes after it may be there before.
    if (wanted.get(place) === paintIt) forget(place)
  }
}

function forget(place: Element): void {
  observer.unobserve(place)
  wanted.delete(place)
  seen.delete(place)
}

/** In the order in which they were seen. */
async function work(): Promise<void> {
  if (isBusy) return
  isBusy = true
  for (const place of seen) {
    const paintIt = wanted.get(place)
    forget(place)
    await paintIt?.().catch(() => {})
  }
  isBusy = false
}

/** Rejects pictures that cannot be painted. */
async function paint(canvas: HTMLCanvasElement, picture: Blob, longer: number): Promise<void> {
  const known = painted.get(picture)
  const isEnough = known && Math.max(known.width, known.height) >= longer
  const source = isEnough ? known : await decode(picture, { resizeWidth: longer })
  const { width, height } = source
  const scale = Math.min(1, longer / Math.max(width, height))
  canvas.width = Math.max(1, width * scale)
  canvas.height = Math.max(1, height * scale)
  canvas.getContext('2d')?.drawImage(source, 0, 0, canvas.width, canvas.height)
  painted.set(picture, canvas)
  if (source instanceof ImageBitmap) source.close()
}
