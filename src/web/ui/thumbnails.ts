// Thumbnails of files that are being sent, drawn from the files themselves. Nothing is requested
// from the service, and of each only the pixels of its canvas are kept.

/** Longer side in pixels: twice the displayed size, for high-resolution screens. */
const pixels = 80

/** Rows are recreated, so decoded pictures are copied. */
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
  wanted.set(row, () => paint(canvas, picture).then(onPainted))
  observer.observe(row)
  return () => forget(row)
}

function forget(row: Element): void {
  observer.unobserve(row)
  wanted.delete(row)
  seen.delete(row)
}

/** One after the other: decoding a folder of photos at once would fill the memory. */
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

async function paint(canvas: HTMLCanvasElement, picture: Blob): Promise<void> {
  const source = painted.get(picture) ?? (await createImageBitmap(picture, { resizeWidth: pixels }))
  const { width, height } = source
  const scale = Math.min(1, pixels / Math.max(width, height))
  canvas.width = Math.max(1, width * scale)
  canvas.height = Math.max(1, height * scale)
  canvas.getContext('2d')?.drawImage(source, 0, 0, canvas.width, canvas.height)
  painted.set(picture, canvas)
  if (source instanceof ImageBitmap) source.close()
}
