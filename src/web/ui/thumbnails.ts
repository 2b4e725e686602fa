// Thumbnails of files that are being sent, drawn from the files themselves. Nothing is requested
// from the service, and of each only the pixels of its canvas are kept.
import { decode } from '../lib/decoding.ts'

// For uploads, in the same file of the bundle.
export { thumbnailOf } from '../lib/drawing.ts'

/** Longer side in pixels: twice the displayed size, for high-resolution screens. */
const pixels = 80

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
 * Paints a picture once its row is on the screen. Skips pictures that cannot be painted.
 * @param onPainted called when it can be shown
 * @returns function that stops waiting
 */
export function paintWhenSeen(
  canvas: HTMLCanvasElement,
  picture: Blob,
  onPainted: () => void,
): () => void {
  const row = canvas.closest('li')!
  const paintRow = () => paint(canvas, picture, pixels).then(onPainted)
  wanted.set(row, paintRow)
  observer.observe(row)
  return () => {
    // The canvas that takes its place in the row may have come before.
    if (wanted.get(row) === paintRow) forget(row)
  }
}

function forget(row: Element): void {
  observer.unobserve(row)
  wanted.delete(row)
  seen.delete(row)
}

/** In the order in which they were seen. */
async function work(): Promise<void> {
  if (isBusy) return
  isBusy = true
  for (const row of seen) {
    const paintRow = wanted.get(row)
    forget(row)
    await paintRow?.().catch(() => {})
  }
  isBusy = false
}

/**
 * Rejects pictures that cannot be painted.
 * @param longer side in pixels
 */
export async function paint(
  canvas: HTMLCanvasElement,
  picture: Blob,
  longer: number,
): Promise<void> {
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
