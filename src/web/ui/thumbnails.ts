// Small pictures of what is being sent, drawn from the files themselves: nothing is asked for them,
// and of each only the pixels of its canvas are kept.

/** On the longer side: twice what is shown, for fine screens. */
const pixels = 80

/** Rows come and go; what was decoded once is copied. */
const painted = new WeakMap<Blob, HTMLCanvasElement>()
const wanted = new Map<Element, () => Promise<void>>()
/** Those of them that are on the screen. */
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
 * Paints a picture once its row is on the screen. What cannot be painted is left out.
 * @param onPainted told when it is there to be shown
 * @returns the way to stop waiting for that
 */
export function paintWhenSeen(
  canvas: HTMLCanvasElement,
  picture: Blob,
  onPainted: () => void,
): () => void {
  const row = canvas.parentElement!
  wanted.set(row, () => paint(canvas, picture).then(onPainted))
  observer.observe(row)
  return () => forget(row)
}

function forget(row: Element): void {
  observer.unobserve(row)
  wanted.delete(row)
  seen.delete(row)
}

/** One after the other: decoded all at once, a folder of photos would fill the memory. */
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
